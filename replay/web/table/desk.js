/**
 * The table as a seat plays it: the position, the own hand in its own order, the slots of the own
 * phase, and what is asked. What may be done is read off the service's list of commands.
 */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { markedChoices } from "../account/decision.js";
import { Board, marked } from "../parts/board.js";
import { useAnswers } from "./answers.js";
import { AskBar } from "./askbar.js";
import { ChoiceSheet, Choices } from "./choices.js";
import { Draft, layOf, useVerdict } from "./draft.js";
import { useDrag } from "./drag.js";
import { HintPanel, useHint } from "./hint.js";
import { focusHand, useKeys } from "./keyboard.js";
import { at, fits, offered, ofType, openPlaces } from "./offers.js";
import { useOwnHand } from "./own_hand.js";
import { PhasesSheet } from "./phases.js";

/** @typedef {import("../play/types").Command} Command */

/**
 * @param {{ controls: ReturnType<typeof import("./live.js").play>, info: import("../play/types").RulesetInfo,
 *   help: () => void, said: Record<number, unknown>, say: unknown }} props
 */
export function Desk({ controls, info, help, said, say }) {
  const { live } = controls;
  const view = /** @type {import("../play/types").GameView} */ (live.view);
  const { table } = view;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const [phases, setPhases] = useState(false);
  const own = useOwnHand(live, info);
  const hint = useHint(view);
  useBarHeight(root);
  const { seat, phase, groups, hand, selection, cards } = own;

  const commands = live.flight ? [] : live.asked?.commands ?? [];
  const kinds = live.asked?.questions.map((question) => question.kind) ?? [];
  const lays = ofType(commands, "lay");
  const verdict = useVerdict(groups, phase, commands, view, info);
  const lay = verdict?.legal && kinds.includes("play") && !live.flight
    ? layOf(commands, groups, phase.number, own.planned) : null;
  const drafted = groups.some((group) => group.length) ? layOf(commands, groups, phase.number, true) : null;
  const offers = offered(commands, cards, lay, kinds);
  const likely = lays.length ? offers.filter(({ type }) => type !== "pass") : offers;
  const primary = offers.find(({ type }) => type === "lay" || type === "hit") ?? likely[0] ?? null;
  const answers = useAnswers(controls, own, commands, offers);
  const { pending, several, act, choose, place } = answers;
  const find = lays[0] && !lay ? () => own.find(/** @type {Command} */ (lays[0])) : null;
  /** @param {boolean} yes */
  const confirm = (yes) => (yes && pending ? act(pending, true) : answers.back());
  /** @param {number} id */
  const toggle = (id) => {
    answers.unask();
    own.toggle(id);
  };

  useKeys({
    d: () => place("stock"),
    f: () => choose(ofType(commands, "draw").filter(({ source }) => source === "discard"), "discard"),
    l: () => (lay ? act(lay) : find ? find() : controls.explain(drafted)),
    h: () => choose(ofType(offers, "hit"), "group:0"),
    x: () => choose(ofType(offers, "discard"), cards.length ? "discard" : "hand"),
    Enter: () => {
      if (pending) confirm(true);
      else if (primary) act(primary);
      else if (live.waiting) controls.skip();
    },
    Escape: () => {
      own.putBack();
      confirm(false);
    },
    ArrowLeft: () => focusHand(),
    ArrowRight: () => focusHand(),
    "?": help,
  }, (digit) => choose(at(offers, `seat:${digit - 1}`), `seat:${digit - 1}`));

  useDrag(root, {
    grab: (index) => hand[index]?.id ?? 0,
    lift: own.lift,
    drop: (id, where) => {
      const group = /^draft:(\d+)$/.exec(where);
      if (group) own.fill(Number(group[1]), selection.length ? selection.map((one) => one.id) : [id]);
      else place(where);
    },
    reorder: own.reorder,
  });

  const shown = { ...table, hand: hand.map(({ card }) => card).join(" ") };
  const position = /** @type {any} */ ({ table: shown, legend: view.legend ?? { groups: [] } });
  const best = hint?.candidates[0];
  const due = best && markedChoices([[/** @type {any} */ (best.command), "due"]], position, table.you ?? 0);
  const refused = live.refused?.command?.type === "hit" ? live.refused.command.group ?? null : null;
  const moves = live.flight ? [] : live.asked?.moves ?? [];
  const draft = !own.laid && seat?.playing && table.stage === "playing" && html`<${Draft} phase=${phase}
    groups=${groups} verdict=${verdict} choose=${info.phases.length > 1 ? () => setPhases(true) : null}
    ready=${selection.length > 0} take=${own.take}
    put=${(/** @type {number} */ group) => (selection.length ? own.fill(group, selection.map(({ id }) => id))
      : controls.explain(null))} />`;
  const unfit = kinds.length > 0 && cards.length > 0 && !fits(offers, commands, cards, table.groups);
  const asks = html`<${AskBar} live=${live} view=${view} info=${info} commands=${commands} offers=${offers}
    hint=${commands.length ? hint : null} position=${position} primary=${primary} pending=${pending}
    leaving=${answers.leaving} act=${act} selected=${cards.length > 0} unfit=${unfit}
    several=${answers.setSeveral} find=${find} skip=${controls.skip} confirm=${confirm}
    order=${own.order} sort=${own.sort} />`;
  return html`<div class="desk" ref=${root} tabindex="-1" onKeyDown=${keepEnter}>
    <${Board} position=${position} rules=${info} marks=${{ ...marked(live.moves, position), ...due }}
      selected=${new Set(selection.map(({ id }) => hand.findIndex((one) => one.id === id)))}
      open=${openPlaces(offers, commands, cards, table.groups)} refused=${refused}
      spaces=${new Set(moves.map(({ space }) => space))}
      onCard=${(/** @type {number} */ index) => hand[index] && toggle(hand[index].id)}
      onPlace=${place} onSeat=${(/** @type {number} */ number) => place(`seat:${number}`)}
      onSpace=${(/** @type {number} */ space) => choose(stepsTo(commands, moves, space), "")}
      above=${html`${hint && html`<${HintPanel} candidates=${hint.candidates} position=${position} />`}
        <${Choices} commands=${commands} more=${live.asked?.more ?? false} view=${view} info=${info}
          asked=${live.asked} act=${act} />`}
      asks=${asks} beside=${draft} said=${said} say=${say} explains />
    ${several && html`<${ChoiceSheet} commands=${several} view=${view} info=${info} asked=${live.asked}
      act=${act} close=${() => answers.setSeveral(null)} />`}
    ${phases && html`<${PhasesSheet} info=${info} seat=${seat} planned=${phase.number}
      close=${() => setPhases(false)}
      plan=${(/** @type {number} */ number) => { own.plan(number); setPhases(false); }} />`}
  </div>`;
}

/** The document's Enter does what is asked, where the focus is on a card of the hand.
 * @param {KeyboardEvent} event */
function keepEnter(event) {
  const card = /** @type {HTMLElement} */ (event.target).closest(".own .hand");
  if (event.key === "Enter" && card) event.preventDefault();
}

/** The moves that lead to a space. @param {Command[]} commands
 * @param {import("../play/types").PawnMove[]} moves @param {number} space */
function stepsTo(commands, moves, space) {
  const steps = moves.filter((move) => move.space === space).map((move) => move.steps);
  return ofType(commands, "move").filter((command) => steps.includes(command.steps ?? 0));
}

/** Tell the style how high the bar of hand and question is, so that no focus goes under it.
 * @param {{ current: HTMLElement | null }} root what holds the bar */
function useBarHeight(root) {
  useEffect(() => {
    const bar = /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(".own"));
    if (!bar) return undefined;
    const told = () => root.current?.style.setProperty("--bar-height", `${bar.offsetHeight}px`);
    const watcher = new ResizeObserver(told);
    watcher.observe(bar);
    return () => watcher.disconnect();
  }, []);
}
