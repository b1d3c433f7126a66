/** The own hand at the table: its arrangement is kept by this tab, and how it is sorted by this browser. */

import { useEffect, useRef, useState } from "../vendor/preact.js";
import { choose, settings } from "../play/settings.js";
import { load, save } from "../play/storage.js";
import { arranged, parted } from "./hand.js";
import { NOTHING, drafted, followed, found, read, written } from "./own.js";
import { reordered, sending, toggled, undrafted } from "./own.js";
import { cardsOf } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("../play/types").PhaseInfo} PhaseInfo */
/** @typedef {import("./own.js").Own} Own */

const KEPT = "phaseledger.hand";
export const ORDERS = ["hand", "rank", "colour", "phase"];

/** @param {string} game @returns {Own} */
function remembered(game) {
  try {
    const kept = JSON.parse(load(KEPT, false) || "{}");
    return kept.game === game ? read(kept) : NOTHING;
  } catch {
    return NOTHING;
  }
}

/**
 * @param {import("./live.js").Live} live
 * @param {import("../play/types").RulesetInfo} info
 */
export function useOwnHand(live, info) {
  const { table } = /** @type {import("../play/types").GameView} */ (live.view);
  const seat = table.seats[table.you ?? -1];
  const [, redraw] = useState(0);
  const [order, setOrder] = useState(settings().order);
  const ref = useRef(/** @type {Own | null} */ (null));
  const before = ref.current ?? remembered(table.game);
  const planned = before.round === table.round ? before.planned : 0;
  const number = planned || seat?.phase || 1;
  const phase = /** @type {PhaseInfo} */ (info.phases[number - 1] ?? info.phases.at(-1));
  const kinds = phase.needs.map(({ kind }) => kind);
  const own = followed(before, table, live.landed, (held) => arranged(held, order, kinds));
  ref.current = own;
  useEffect(() => {
    save(KEPT, JSON.stringify({ game: table.game, ...written(own) }), false);
  }, [own]);

  /** @param {Own} next */
  const set = (next) => {
    ref.current = next;
    redraw(Math.random());
  };
  /** @param {string} chosen */
  const sort = (chosen) => {
    choose({ order: chosen });
    setOrder(chosen);
  };
  const laid = seat?.laid ?? true;
  const slots = laid ? [] : phase.groups.map((_, number) => own.slots[number] ?? []);
  const { groups, hand } = parted(own.held, slots);
  const selection = own.picked.flatMap((id) => hand.find((one) => one.id === id) ?? []);
  const latest = () => /** @type {Own} */ (ref.current);
  return {
    seat, phase, laid, groups, hand, order, sort,
    planned: own.planned > 0,
    /** The cards taken up, in that order. */
    selection,
    cards: selection.map(({ card }) => card),
    /** @param {number} id */
    toggle: (id) => set(toggled(latest(), id)),
    /** @param {number} id */
    lift: (id) => latest().picked.includes(id) || set(toggled(latest(), id)),
    putBack: () => set({ ...latest(), picked: [] }),
    /** @param {number} group @param {number[]} ids */
    fill: (group, ids) => set(drafted(latest(), slots.length, group, ids)),
    /** @param {number} id */
    take: (id) => set(undrafted(latest(), id)),
    /** @param {Command} lay */
    find: (lay) => set(found(latest(), lay)),
    /** @param {number} number of a phase */
    plan: (number) => set({ ...latest(), planned: number === seat?.phase ? 0 : number, slots: [] }),
    /** @param {number} id @param {number} other */
    reorder: (id, other) => {
      sort("hand"); // from now on the order is the owner's
      set(reordered(latest(), id, other));
    },
    /** @param {Command} command */
    spend: (command) => set(sending(latest(), command, cardsOf(command))),
  };
}
