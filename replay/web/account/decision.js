// A judged decision in words, which are those of `phaseledger analyse`, and on the cards.

import { decimal, list, t } from "../words.js";
import { names, split } from "../parts/face.js";
import { handOf } from "../parts/hand.js";
import { answerLabel } from "../table/labels.js";
import { cardsOf } from "../table/offers.js";

/** @typedef {import("../types.js").Judgement} Judgement */
/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Choice} Choice */
/** @typedef {import("../types.js").Position} Position */

/** Standard errors below which two candidates do not differ. */
const MATTERS = 2;

/** A chance, or a change of one, in hundredths. @param {number} chance @param {boolean} [signed] */
export function points(chance, signed = false) {
  return decimal(100 * chance, 1, signed);
}

/** A command in words. @param {Choice} command @param {Position} position before it */
export function moveWords(command, { table, legend }) {
  const { type, source, groups = [], group = 0, cards = "", target } = command;
  const said = list(names(cards));
  switch (type) {
    case "draw": return t(`move.${source ?? "stock"}`);
    case "lay": return t("move.lay", { cards: groups.map((laid) => list(names(laid.cards))).join(" + ") });
    case "hit": {
      const { owner } = table.groups[group] ?? {};
      const kind = legend.groups[group]?.words ?? "";
      return t("account.hit", { cards: said, name: nameOf(table, owner), kind });
    }
    case "discard":
      return typeof target === "number"
        ? t("account.skip", { cards: said, name: nameOf(table, target) })
        : t("move.discard_card", { cards: said });
    case "pass": return t("move.pass");
    default: return answerLabel(/** @type {import("../play/types").Command} */ (command));
  }
}

/** @param {Position["table"]} table @param {number | undefined} seat */
function nameOf(table, seat) {
  return table.seats[seat ?? -1]?.name ?? "";
}

/** What the best move has for it beside a candidate, in sentences. @param {Candidate} candidate */
export function drawbacks({ drawbacks: given = [] }) {
  return given.map(({ kind, turns = 0, played = 0, best = 0, count = 0 }) => t(`why.${kind}`, {
    turns: decimal(turns, 1), played: decimal(100 * played, 0), best: decimal(100 * best, 0), count,
  })).join(" ");
}

/** Whether a candidate is worse than the best by more than chance. @param {Candidate} candidate */
export function isWorse({ behind, error }) {
  return behind > MATTERS * error;
}

/** The places of the candidates in an order that says nothing about them. @param {Candidate[]} candidates */
export function neutral(candidates) {
  const keys = candidates.map(({ command }) => JSON.stringify(command));
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...keys.keys()].sort((one, other) => compare(keys[one] ?? "", keys[other] ?? ""));
}

/**
 * The cards of commands marked where they lie, those of later ones above: as `Board` takes marks.
 * @param {[Choice, string][]} commands each with its mark
 * @param {Position} position before them
 * @param {number} seat who decides
 */
export function markedChoices(commands, position, seat) {
  const hand = split(handOf(position, seat));
  /** @type {Record<number, string>} */
  const held = {};
  /** @type {Record<string, Record<number, string>>} */
  const marks = { [`hand:${seat}`]: held };
  for (const [choice, mark] of commands) {
    const command = /** @type {import("../play/types").Command} */ (choice);
    if (command.type === "draw") marks[command.source ?? "stock"] = { 0: mark };
    const taken = new Set();
    for (const card of command.type === "search" ? [] : cardsOf(command)) {
      const place = hand.findIndex((text, index) => text === card && !taken.has(index));
      if (place < 0) continue;
      taken.add(place);
      held[place] = mark;
    }
  }
  return marks;
}
