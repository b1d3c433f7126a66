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

/** @type {Command["type"][]} */
const FREE = ["swap", "keep"]; // answers of any cards, of which not every one is listed

/** What can be done at once without a card; asking and searching have faces of their own.
 * @param {Command[]} commands */
export function plain(commands) {
  return bare(commands).filter((command) => command.type !== "ask");
}

/** What can be done with the selected cards and without any, the likeliest first.
 * @param {Command[]} commands @param {string[]} cards @param {Command | null} lay
 * @param {string[]} kinds of questions
 * @returns {Command[]} */
export function offered(commands, cards, lay, kinds) {
  const exact = cards.length ? taking(commands, cards) : [];
  const asked = FREE.filter((type) => cards.length && kinds.includes(type));
  const free = asked.map((type) => ({ type, cards: cards.join(" ") }));
  const listed = exact.filter((command) => !FREE.includes(command.type));
  const others = listed.filter(({ type }) => type !== "hit");
  return [...(lay ? [lay] : []), ...ofType(listed, "hit"), ...others, ...free, ...plain(commands)];
}

/** Whether there is anything to do with the cards that were taken up, beside building the phase, or will be
 * once a card is drawn.
 * @param {Command[]} offers @param {Command[]} commands @param {string[]} cards
 * @param {import("../types").GroupView[]} groups */
export function fits(offers, commands, cards, groups) {
  const taken = offers.some((command) => cardsOf(command).length && command.type !== "lay");
  return taken || ofType(commands, "draw").length > 0 || chained(commands, cards, groups).length > 0;
}

/** The groups that take the cards one after the other. @param {Command[]} commands @param {string[]} cards
 * @param {import("../types").GroupView[]} groups */
function chained(commands, cards, groups) {
  return cards.length > 1 ? groups.filter(({ group }) => nextHit(commands, cards, `group:${group}`)) : [];
}

/** The next of the cards that the service lets go to the place.
 * @param {Command[]} commands @param {string[]} cards @param {string} place @returns {Command | null} */
export function nextHit(commands, cards, place) {
  const hits = at(ofType(commands, "hit"), place);
  return cards.map((card) => hits.find((hit) => hit.cards === card)).find(Boolean) ?? null;
}

/** The places that take the cards: at once, or one card after the other.
 * @param {Command[]} offers @param {Command[]} commands @param {string[]} cards
 * @param {import("../types").GroupView[]} groups */
export function openPlaces(offers, commands, cards, groups) {
  const discards = ofType(offers, "discard").length ? ["discard"] : []; // a skip for anybody, too
  const hit = chained(commands, cards, groups).map(({ group }) => `group:${group}`);
  return new Set([...offers.map(placeOf).filter(Boolean), ...discards, ...hit]);
}

/** The commands that a gesture stands for: what goes to the place, and on the pile a skip for anybody.
 * With cards in hand the pile is where they go, and not where one is taken from.
 * @param {Command[]} offers @param {string} place @param {string[]} cards */
export function gesture(offers, place, cards) {
  const exact = at(offers, place).filter(({ type, source }) =>
    !(cards.length && type === "draw" && source === "discard"));
  return exact.length || place !== "discard" ? exact : ofType(offers, "discard");
}

/** The command that a gesture means, offered or not; null where it needs a card.
 * @param {string} place @param {string[]} cards @returns {Command | null} */
export function meant(place, cards) {
  const [kind, number, end] = place.split(":");
  const text = cards.join(" ");
  if (kind === "stock") return { type: "draw", source: "stock" };
  if (kind === "discard" && !text) return { type: "draw", source: "discard" };
  if (kind === "discard") return { type: "discard", cards: text };
  if (kind === "seat" && text) return { type: "discard", cards: text, target: Number(number) };
  if (kind !== "group" || !text) return null;
  const hit = /** @type {Command} */ ({ type: "hit", group: Number(number), cards: text });
  return end ? { ...hit, end: /** @type {Command["end"]} */ (end) } : hit;
}
