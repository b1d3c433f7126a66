/**
 * What the owner of a hand has made of it: the order of its cards, those in the slots of the phase, and
 * those taken up. Each step gives a new value; slots and hand are together always the cards held.
 */

import { split } from "../parts/face.js";
import { filled, moved, ordered, put, spent } from "./hand.js";

/** @typedef {import("./hand.js").Held} Held */
/** @typedef {import("../play/types").Command} Command */

/**
 * @typedef {object} Own
 * @property {number} round
 * @property {Held[]} held in order, those in the slots among them
 * @property {number[][]} slots ids by group of the phase
 * @property {number} planned the phase that the slots are for, where it is not the next one; else 0
 * @property {number[]} picked ids of the cards taken up
 * @property {Command | null} sent the command under way
 * @property {number[]} going ids of the cards that it takes
 */

/** @type {Own} */
export const NOTHING = { round: 0, held: [], slots: [], planned: 0, picked: [], sent: null, going: [] };

/**
 * What it is at a position; the same object where nothing has changed.
 *
 * @param {Own} own @param {{ round: number, hand?: string | null }} table
 * @param {Command | null} landed the last command that was carried out
 * @param {(held: Held[]) => Held[]} order
 * @returns {Own}
 */
export function followed(own, { round, hand }, landed, order) {
  let next = round === own.round ? own : { ...NOTHING, round }; // a card of the last deal is another card
  if (next.sent && next.sent === landed) {
    const { going } = next; // these are gone, though copies of them may be here
    next = { ...next, sent: null, going: [], held: next.held.filter(({ id }) => !going.includes(id)) };
  }
  const held = order(ordered(next.held, split(hand), next.going));
  const same = held.length === next.held.length && held.every((one, at) => one === next.held[at]);
  return same ? next : { ...next, held };
}

/** A card is taken up, or put back. @param {Own} own @param {number} id @returns {Own} */
export function toggled(own, id) {
  const others = own.picked.filter((other) => other !== id);
  return { ...own, picked: others.length < own.picked.length ? others : [...others, id] };
}

/** Cards are put into a group of the phase. @param {Own} own @param {number} count of its groups
 * @param {number} group @param {number[]} ids @returns {Own} */
export function drafted(own, count, group, ids) {
  const slots = Array.from({ length: count }, (_, number) => own.slots[number] ?? []);
  const picked = own.picked.filter((id) => !ids.includes(id));
  return { ...own, slots: put(slots, group, ids, own.held), picked };
}

/** A card of the slots goes back into the hand. @param {Own} own @param {number} id @returns {Own} */
export function undrafted(own, id) {
  return { ...own, slots: own.slots.map((ids) => ids.filter((other) => other !== id)) };
}

/** The slots are filled as a lay has it. @param {Own} own @param {Command} lay @returns {Own} */
export function found(own, { phase, groups = [] }) {
  const slots = filled(groups.map(({ cards }) => split(cards)), own.held);
  return { ...own, planned: phase ?? 0, slots, picked: [] };
}

/** A card takes the place of another one. @param {Own} own @param {number} id @param {number} other
 * @returns {Own} */
export function reordered(own, id, other) {
  return { ...own, held: moved(own.held, id, other), picked: own.picked.filter((one) => one !== id) };
}

/** A command is on its way that takes cards.
 * @param {Own} own @param {Command} command @param {string[]} cards @returns {Own} */
export function sending(own, command, cards) {
  return { ...own, sent: command, going: spent(own.held, cards, own.picked, own.slots.flat()) };
}

/** What outlives the page: the cards in their order, and the slots as places among them. @param {Own} own */
export function written({ round, held, slots, planned }) {
  const place = (/** @type {number} */ id) => held.findIndex((one) => one.id === id);
  const places = slots.map((ids) => ids.map(place).filter((at) => at >= 0));
  return { round, planned, cards: held.map(({ card }) => card).join(" "), places };
}

/** @param {ReturnType<typeof written>} kept @returns {Own} */
export function read({ round, planned, cards, places }) {
  const held = ordered([], split(cards));
  const slots = places.map((group) => group.flatMap((at) => held[at]?.id ?? []));
  return { ...NOTHING, round, planned, held, slots };
}
