/** Commands in words. */

import { action } from "../parts/ring.js";
import { face, names } from "../parts/face.js";
import { phaseLabel } from "../parts/seat.js";
import { isolated, list, t } from "../words.js";
import { cardsOf } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("../play/types").GameView} GameView */

/** The phase that a lay is of, as texts write it. @param {Command} command @param {GameView} view
 * @param {import("../play/types").RulesetInfo} info */
export function laidPhase(command, { table }, info) {
  return phaseLabel(command.phase ?? table.seats[table.you ?? 0]?.phase ?? 0, info);
}

/**
 * A command as the text of its button.
 *
 * @param {Command} command
 * @param {GameView} view
 * @param {import("../play/types").RulesetInfo} info
 * @param {import("../play/types").Actions | null} [asked] what says where a pawn would go
 * @returns {string}
 */
export function label(command, view, info, asked = null) {
  const { table } = view;
  const cards = list(names(cardsOf(command).join(" ")));
  const name = isolated(table.seats[command.target ?? -1]?.name ?? "");
  switch (command.type) {
    case "draw":
      return command.source === "discard"
        ? t("do.take", { card: face(table.discard ?? "?").name })
        : t("do.draw");
    case "lay":
      return t("do.lay.groups", {
        phase: laidPhase(command, view, info),
        groups: (command.groups ?? []).map((group) => names(group.cards).join(", ")).join(" · "),
      });
    case "hit": {
      const group = groupWords(view, command.group ?? 0);
      return t(command.end ? `do.hit.${command.end}` : "do.hit", { cards, group });
    }
    case "discard":
      return command.target === undefined ? t("do.discard", { cards }) : t("do.skip", { cards, name });
    default:
      return answerLabel(command, asked?.moves?.find(({ steps }) => steps === command.steps));
  }
}

/** What a laid group is, and whose, where another one is called the same.
 * @param {GameView} view @param {number} number */
function groupWords({ table, legend }, number) {
  const called = (/** @type {number} */ at) => legend?.groups[at]?.words ?? table.groups[at]?.kind ?? "…";
  const group = called(number);
  const name = table.seats[table.groups[number]?.owner ?? -1]?.name ?? "";
  const isAlone = table.groups.every((_, other) => other === number || called(other) !== group);
  return isAlone ? group : t("do.hit.owned", { group, name });
}

/**
 * An answer to a question of the ring in words, or a pass.
 *
 * @param {Command} command
 * @param {import("../play/types").PawnMove} [to] where a pawn would go
 * @returns {string}
 */
export function answerLabel(command, to) {
  const cards = list(names(cardsOf(command).join(" ")));
  switch (command.type) {
    case "move":
      return moveLabel(command.steps ?? 0, to);
    case "choose":
      return t(`action.${command.action}`);
    case "ask":
      return t(`do.ask.${command.direction ?? "left"}`, { value: String(command.value) });
    case "keep":
    case "swap":
      return cards ? t(`do.${command.type}`, { cards }) : t(`do.${command.type}.none`);
    default:
      return t(`do.${command.type}`, { cards });
  }
}

/** @param {number} count @param {import("../play/types").PawnMove | undefined} to */
function moveLabel(count, to) {
  return to ? t("do.move.to", { count, action: t(`action.${action(to.action)}`) }) : t("do.move", { count });
}

/** Whether the command gives away a card that is worth a second thought. @param {Command} command */
export function isDear(command) {
  const isDearCard = (/** @type {string} */ card) => ["w", "s", "back"].includes(face(card).suit);
  return command.type === "discard" && cardsOf(command).some(isDearCard);
}
