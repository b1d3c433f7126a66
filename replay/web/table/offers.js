/**
 * What may be done, read off the list of commands that the service gives: no rule is known here,
 * only which cards a command names and where it takes them.
 */

import { split } from "../parts/face.js";

/** @typedef {import("../play/types").Command} Command */

/** The cards that a command names, in its order. @param {Command} command */
export function cardsOf(command) {
  if (command.groups) return command.groups.flatMap((group) => split(group.cards));
  return split(command.cards ?? command.card);
}

/** The cards as one text that is the same in any order. @param {string[]} cards */
export function bag(cards) {
  return [...cards].sort().join(" ");
}

/** The commands of one type. @param {Command[]} commands @param {string} type */
export function ofType(commands, type) {
  return commands.filter((command) => command.type === type);
}

/** The types that are offered, in the order in which they are listed. @param {Command[]} commands */
export function types(commands) {
  return [...new Set(commands.map((command) => command.type))];
}

/**
 * The commands that take exactly these cards; those that lay a phase are filled by groups instead.
 *
 * @param {Command[]} commands @param {string[]} cards
 */
export function taking(commands, cards) {
  const wanted = bag(cards);
  return commands.filter((command) => command.type !== "lay" && bag(cardsOf(command)) === wanted);
}

/** The commands that name no card at all. @param {Command[]} commands */
export function bare(commands) {
  return commands.filter((command) => !cardsOf(command).length);
}

/** The place of the table that a command takes its cards to, or is about.
 * @param {Command} command */
export function placeOf(command) {
  if (command.type === "draw") return command.source === "discard" ? "discard" : "stock";
  if (command.type === "hit") return `group:${command.group}${command.end ? `:${command.end}` : ""}`;
  if (command.type === "discard" || command.type === "swap") {
    return command.target === undefined ? "discard" : `seat:${command.target}`;
  }
  return "";
}

/** The commands that a tap on the place stands for, whichever end of a group it names.
 * @param {Command[]} commands @param {string} place */
export function at(commands, place) {
  return commands.filter((command) => {
    const own = placeOf(command);
    return own === place || (place.startsWith("group:") && own.startsWith(`${place}:`));
  });
}

/** Two lists of cards as the lay that the service lists for them, whose groups are in order; null
 * where it lists none. @param {Command[]} commands @param {string[][]} groups */
export function listedLay(commands, groups) {
  const wanted = groups.map(bag).join("|");
  const lays = ofType(commands, "lay");
  return lays.find((lay) => (lay.groups || []).map((g) => bag(split(g.cards))).join("|") === wanted) || null;
}
