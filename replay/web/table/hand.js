/**
 * The order of a hand is its owner's: it outlives every patch, new cards come at its end, and
 * copies of a card are told apart.
 */

import { face } from "../parts/face.js";

/** @typedef {{ id: number, card: string }} Held one card in hand; its id stays with it */

const RANKS = ["", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "J", "Q", "K"];

const counter = { next: 1 };

/**
 * The hand in its owner's order after it has changed.
 *
 * @param {Held[]} held the order so far
 * @param {string[]} cards what the hand has now
 * @param {number[]} [going] ids that a command under way takes: of equal copies these leave first
 * @returns {Held[]} the same objects for cards that are still there
 */
export function ordered(held, cards, going = []) {
  const left = [...cards];
  const stay = new Set([false, true].flatMap((goes) => held.filter(({ id, card }) => {
    const at = goes === going.includes(id) ? left.indexOf(card) : -1;
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  })));
  const kept = held.filter((one) => stay.has(one));
  if (kept.length === held.length && !left.length) return held;
  return [...kept, ...left.map((card) => ({ id: counter.next++, card }))];
}

/**
 * Which of the cards in hand a command takes: the selected ones before those that lie in the slots,
 * and these before the others.
 *
 * @param {Held[]} held @param {string[]} cards what the command names @param {number[]} selected ids
 * @param {number[]} drafted ids
 * @returns {number[]} ids
 */
export function spent(held, cards, selected, drafted) {
  const rank = (/** @type {Held} */ { id }) => (selected.includes(id) ? 0 : drafted.includes(id) ? 1 : 2);
  const left = [...held].sort((a, b) => rank(a) - rank(b));
  return cards.flatMap((card) => {
    const at = left.findIndex((one) => one.card === card);
    return at < 0 ? [] : left.splice(at, 1).map(({ id }) => id);
  });
}

/** The hand by what is printed on the cards: by number or by colour; those without one come last.
 * @param {Held[]} held @param {boolean} byColour @returns {Held[]} */
export function sorted(held, byColour) {
  const keyed = held.map((one) => ({ one, ...printed(one.card) }));
  const parts = byColour ? ["suit", "rank"] : ["rank", "suit"];
  keyed.sort((a, b) => {
    for (const part of parts) {
      const [left, right] = [/** @type {any} */ (a)[part], /** @type {any} */ (b)[part]];
      if (left !== right) return left < right ? -1 : 1;
    }
    return a.one.id - b.one.id;
  });
  return keyed.map(({ one }) => one);
}

/**
 * The hand in a chosen order: as it lies (`hand`), by `rank`, by `colour`, or so that cards for the `phase`
 * lie together.
 *
 * @param {Held[]} held @param {string} order @param {string[]} kinds of the groups that the phase asks for
 * @returns {Held[]}
 */
export function arranged(held, order, kinds) {
  if (order === "hand") return held;
  if (order !== "phase") return sorted(held, order === "colour");
  if (kinds.some((kind) => kind.startsWith("color"))) return sorted(held, true);
  const ranked = sorted(held, false);
  const rank = (/** @type {Held} */ { card }) => printed(card).rank;
  const alike = (/** @type {Held} */ one) => ranked.filter((other) => rank(other) === rank(one));
  const copy = (/** @type {Held} */ one) => alike(one).indexOf(one);
  if (kinds.every((kind) => kind === "set")) return ranked.sort((a, b) => alike(b).length - alike(a).length);
  return kinds.includes("run") ? ranked.sort((a, b) => Math.sign(copy(a)) - Math.sign(copy(b))) : ranked;
}

/** The suit and the place among the ranks; what has neither comes after all others. @param {string} card */
function printed(card) {
  const { suit, rank, back } = face(card);
  const place = back ? -1 : RANKS.indexOf(rank);
  return place < 0 ? { suit: "~", rank: RANKS.length } : { suit, rank: place };
}

/**
 * The cards in the slots of a phase, and those that are left in the hand: together each card held, once.
 *
 * @param {Held[]} held
 * @param {number[][]} slots ids by group; one that is not held, or stands there twice, is passed over
 */
export function parted(held, slots) {
  const left = new Map(held.map((one) => [one.id, one]));
  const groups = slots.map((ids) => ids.flatMap((id) => {
    const one = left.get(id);
    left.delete(id);
    return one ?? [];
  }));
  return { groups, hand: [...left.values()] };
}

/** The slots with cards put into a group: those with a rank in its order, the others where they were
 * put. @param {number[][]} slots @param {number} group @param {number[]} ids @param {Held[]} held */
export function put(slots, group, ids, held) {
  return slots.map((there, number) => {
    const rest = there.filter((id) => !ids.includes(id));
    if (number !== group) return rest;
    const cards = parted(held, [[...rest, ...ids]]).groups.flat();
    const isRanked = (/** @type {Held} */ { card }) => printed(card).rank < RANKS.length;
    const order = sorted(cards.filter(isRanked), false);
    return cards.map((one) => (isRanked(one) ? order.shift() ?? one : one).id);
  });
}

/** The slots filled with the cards of groups. @param {string[][]} groups @param {Held[]} held */
export function filled(groups, held) {
  const taken = spent(held, groups.flat(), [], []);
  return groups.map((cards) => taken.splice(0, cards.length));
}

/** The hand with one card moved to the place of another. @param {Held[]} held @param {number} id
 * @param {number} there the id of the card whose place it takes @returns {Held[]} */
export function moved(held, id, there) {
  const from = held.findIndex((one) => one.id === id);
  const to = held.findIndex((one) => one.id === there);
  if (from < 0 || to < 0 || from === to) return held;
  const order = [...held];
  order.splice(to, 0, ...order.splice(from, 1));
  return order;
}
