/** What a person has chosen for all pages of this browser. */

import { load, save } from "./storage.js";

/**
 * @typedef {object} Settings
 * @property {boolean} letters whether single characters do something at the table (WCAG 2.1.4)
 * @property {string} order how the own hand is sorted
 * @property {boolean} reactions whether what players say is shown
 * @property {boolean} sound quiet sounds, and vibration where there is any
 * @property {boolean} takeBack a moment to take a discard back before it is sent
 * @property {string} theme `light`, `dark`, or the system's
 * @property {string} cards `large`, or the usual size
 */

const KEY = "phaseledger.settings";
/** @type {Settings} */
const USUAL = {
  letters: true, order: "hand", reactions: true, sound: false, takeBack: false, theme: "", cards: "",
};

/** @returns {Settings} */
export function settings() {
  try {
    return { ...USUAL, ...JSON.parse(load(KEY) || "{}") };
  } catch {
    return USUAL;
  }
}

/** @param {Partial<Settings>} part */
export function choose(part) {
  save(KEY, JSON.stringify({ ...settings(), ...part }));
  showSettings();
}

/** Let the page look as it was chosen. */
export function showSettings() {
  const { theme, cards } = settings();
  Object.assign(document.documentElement.dataset, { theme, cards });
}
