/**
 * The table as a seat plays it: the position, the own hand in its own order, the slots of the own
 * phase, and what is asked. What may be done is read off the service's list of commands.
 */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { markedChoices } from "../account/decision.js";
import { Board, marked } from "../parts/board.js";
import { split } from "../parts/face.js";
import { AskBar, plain } from "./askbar.js";
import { ChoiceSheet, Choices } from "./choices.js";
import { Draft, layOf, useVerdict } from "./draft.js";
import { useDrag } from "./drag.js";
import { HintPanel, useHint } from "./hint.js";
import { filled, moved, ordered, parted, put, sorted, spent } from "./hand.js";
import { focusHand, useKeys } from "./keyboard.js";
import { isDear } from "./labels.js";
import { at, cardsOf, ofType, placeOf, taking } from "./offers.js";
import { PhasesSheet } from "./phases.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("./hand.js").Held} Held */

/** @type {Command["type"][]} */
const FREE = ["swap", "keep"]; // answers of any cards, of which not every one is listed

/**
 * @param {{ controls: ReturnType<typeof import("./live.js").play>, info: import("../play/types").RulesetInfo,
 *   help: () => void }} props
 */
export function Desk({ controls, info, help }) {
  const { live } = controls;
  const view = /** @type {import("../play/types").GameView} */ (live.view);
  const { table } = view;
  const seat = table.seats[table.you ?? -1];
  const [, redraw] = useState(0);
  const [picked, setPicked] = useState(/** @type {number[]} */ ([]));
  const [drafted, setDrafted] = useState(/** @type {number[][]} */ ([]));
  const [planned, setPlanned] = useState(0);
  const [pending, setPending] = useState(/** @type {Command | null} */ (null));
  const [several, setSeveral] = useState(/** @type {Command[] | null} */ (null));
  const [phases, setPhases] = useState(false);
  const [chain, setChain] = useState(/** @type {{ place: string, version: number } | null} */ (null));
  const held = useRef(/** @type {Held[]} */ ([]));
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  useBarHeight(root);
  const sent = useRef(/** @type {{ command: Command, ids: number[] } | null} */ (null));
  const hint = useHint(view);
  const round = useRef(table.round);
  if (round.current !== table.round) {
    round.current = table.round;
    setPlanned(0);
    held.current = []; // a new deal: a card of the last one that comes again is another card
  }
  if (sent.current && sent.current.command === live.landed) {
    const { ids } = sent.current;
    sent.current = null;
    held.current = held.current.filter(({ id }) => !ids.includes(id)); // gone, though a copy may be here
  }
  held.current = ordered(held.current, split(table.hand), sent.current?.ids);

  const laid = seat?.laid ?? true;
  const phase = info.phases[(planned || seat?.phase || 1) - 1];
  const slots = laid ? [] : (phase?.groups ?? []).map((_, number) => drafted[number] ?? []);
  const { groups, hand } = parted(held.current, slots);
  const selection = picked.flatMap((id) => hand.find((one) => one.id === id) ?? []);
  const cards = selection.map(({ card }) => card);

  const commands = live.flight ? [] : live.asked?.commands ?? [];
  const kinds = live.asked?.questions.map((question) => question.kind) ?? [];
  const lays = ofType(commands, "lay");
  const verdict = useVerdict(groups, phase?.number ?? 1, commands, view, info);
  const lay = verdict?.legal && kinds.includes("play") && !live.flight
    ? layOf(commands, groups, phase?.number ?? 1, planned > 0) : null;
  const offers = offered(commands, cards, lay, kinds);
  const likely = lays.length ? offers.filter(({ type }) => type !== "pass") : offers;
  const primary = offers.find((command) => command.type === "lay" || command.type === "hit") ?? likely[0] ?? null;

  /** @param {Command} command @param {boolean} [sure] */
  function act(command, sure = false) {
    if (!sure && isDear(command)) {
      setPending(command);
      return;
    }
    setPending(null);
    setChain(null);
    send(command);
  }

  /** @param {Command} command */
  function send(command) {
    sent.current = { command, ids: spent(held.current, cardsOf(command), picked, drafted.flat()) };
    controls.send(command);
  }

  /** Do what one tap stands for, or ask which. @param {Command[]} candidates */
  function choose(candidates) {
    if (candidates.length === 1 && candidates[0]) act(candidates[0]);
    else if (candidates.length) setSeveral(candidates);
  }

  /** Several cards go to a group one after the other, as far as the service lists them.
   * @param {string} place */
  function place(place) {
    const exact = at(offers, place);
    if (exact.length) return choose(exact);
    const next = selection.length > 1 ? nextHit(commands, cards, place) : null;
    if (next) {
      send(next);
      setChain({ place, version: view.version });
    }
    return undefined;
  }

  useEffect(() => {
    if (!chain || live.flight || !live.asked || view.version <= chain.version) return;
    const next = nextHit(commands, cards, chain.place);
    if (next) {
      send(next);
      setChain({ place: chain.place, version: view.version });
    } else setChain(null);
  }, [live.asked, live.flight]);

  const toggle = (/** @type {number} */ id) => {
    setPending(null);
    setPicked(picked.includes(id) ? picked.filter((other) => other !== id) : [...picked, id]);
  };

  /** Put cards into a group of the phase. @param {number} group @param {number[]} ids */
  function fill(group, ids) {
    setDrafted(put(slots, group, ids, held.current));
    setPicked(picked.filter((id) => !ids.includes(id)));
  }

  /** Lay out the first way in which the phase can be laid. */
  function find() {
    const best = lays[0];
    if (!best?.groups) return;
    setPlanned(best.phase ?? 0);
    setDrafted(filled(best.groups.map((group) => split(group.cards)), held.current));
    setPicked([]);
  }

  const hits = ofType(offers, "hit");
  const discards = ofType(offers, "discard");
  useKeys({
    d: () => choose(commands.filter((command) => placeOf(command) === "stock")),
    f: () => choose(ofType(commands, "draw").filter((command) => command.source === "discard")),
    l: () => (lay ? act(lay) : lays.length && find()),
    h: () => choose(hits),
    x: () => choose(discards),
    Enter: () => (pending ? act(pending, true) : primary ? act(primary) : live.waiting ? controls.skip() : undefined),
    Escape: () => { setPicked([]); setPending(null); },
    ArrowLeft: focusHand,
    ArrowRight: focusHand,
    "?": help,
  }, (digit) => choose(at(offers, `seat:${digit - 1}`)));

  useDrag(root, {
    grab: (place) => hand[place]?.id ?? 0,
    lift: (id) => picked.includes(id) || setPicked([...picked, id]),
    drop: (id, where) => {
      const group = /^draft:(\d+)$/.exec(where);
      if (group) fill(Number(group[1]), selection.length ? selection.map((one) => one.id) : [id]);
      else place(where);
    },
    reorder: (id, other) => {
      held.current = moved(held.current, id, other);
      setPicked(picked.filter((each) => each !== id));
      redraw(Date.now());
    },
  });

  const shown = { ...table, hand: hand.map(({ card }) => card).join(" ") };
  const position = /** @type {any} */ ({ table: shown, legend: view.legend ?? { groups: [] } });
  const refusedGroup = live.refused?.command.type === "hit" ? live.refused.command.group ?? null : null;
  const open = new Set(offers.map(placeOf).filter(Boolean));
  if (selection.length > 1) {
    for (const { group } of table.groups) if (nextHit(commands, cards, `group:${group}`)) open.add(`group:${group}`);
  }
  const best = hint?.candidates[0];
  const marks = { ...marked(live.moves, position), ...(best && markedChoices([[/** @type {any} */ (best.command), "due"]], position, table.you ?? 0)) };
  const above = html`
    ${hint && html`<${HintPanel} candidates=${hint.candidates} position=${position} />`}
    ${!laid && phase && seat?.playing && table.stage === "playing" && html`<${Draft} phase=${phase} groups=${groups} verdict=${verdict}
      choose=${info.phases.length > 1 ? () => setPhases(true) : null} ready=${selection.length > 0}
      put=${(/** @type {number} */ group) => fill(group, selection.map(({ id }) => id))}
      take=${(/** @type {number} */ id) => setDrafted(drafted.map((ids) => ids.filter((other) => other !== id)))} />`}
    ${commands.length > 0 && html`<${Choices} commands=${commands} more=${live.asked?.more ?? false} view=${view} info=${info} asked=${live.asked} act=${act} />`}`;
  return html`<div class="desk" ref=${root}
    onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
      const card = /** @type {HTMLElement} */ (event.target).closest(".own .hand");
      if (event.key === "Enter" && card) event.preventDefault(); // the document's Enter does what is asked
    }}>
    <${Board} position=${position} rules=${info} marks=${marks}
      selected=${new Set(selection.map(({ id }) => hand.findIndex((one) => one.id === id)))} open=${open}
      refused=${refusedGroup} spaces=${new Set(live.flight ? [] : live.asked?.moves?.map(({ space }) => space))} onCard=${(/** @type {number} */ index) => hand[index] && toggle(hand[index].id)}
      above=${above} onPlace=${(/** @type {string} */ where) => place(where)}
      onSeat=${(/** @type {number} */ number) => choose(at(offers, `seat:${number}`))}>
      <${AskBar} live=${live} view=${view} info=${info} commands=${commands} offers=${offers} hint=${commands.length ? hint : null} position=${position} fitting=${kinds.length && cards.length ? [...open].filter((where) => where !== "stock").length + ofType(offers, "give").length + offers.filter((command) => FREE.includes(command.type)).length : 1} primary=${primary}
        pending=${pending} act=${act} several=${setSeveral} skip=${controls.skip} find=${lays.length && !lay ? find : null}
        confirm=${(/** @type {boolean} */ yes) => (yes && pending ? act(pending, true) : setPending(null))}
        sort=${(/** @type {boolean} */ byColour) => { held.current = sorted(held.current, byColour); redraw(Date.now()); }} />
    </${Board}>
    ${several && html`<${ChoiceSheet} commands=${several} view=${view} info=${info} asked=${live.asked} act=${act} close=${() => setSeveral(null)} />`}
    ${phases && html`<${PhasesSheet} info=${info} seat=${seat} planned=${phase?.number ?? 0} close=${() => setPhases(false)}
      plan=${(/** @type {number} */ number) => { setPlanned(number === seat?.phase ? 0 : number); setDrafted([]); setPhases(false); }} />`}
  </div>`;
}

/** Tell the style how high the bar of hand and question is, so that no focus goes under it.
 * @param {{ current: HTMLElement | null }} root what holds the bar */
function useBarHeight(root) {
  useEffect(() => {
    const bar = /** @type {HTMLElement | null | undefined} */ (root.current?.querySelector(".own"));
    if (!bar) return undefined;
    const watcher = new ResizeObserver(() => root.current?.style.setProperty("--bar-height", `${bar.offsetHeight}px`));
    watcher.observe(bar);
    return () => watcher.disconnect();
  }, []);
}

/** What can be done with the selected cards and without any, the likeliest first.
 * @param {Command[]} commands @param {string[]} cards @param {Command | null} lay @param {string[]} kinds
 * @returns {Command[]} */
function offered(commands, cards, lay, kinds) {
  const exact = cards.length ? taking(commands, cards) : [];
  const free = FREE.filter((type) => cards.length && kinds.includes(type)).map((type) => ({ type, cards: cards.join(" ") }));
  const listed = exact.filter((command) => !FREE.includes(command.type));
  return [...(lay ? [lay] : []), ...ofType(listed, "hit"), ...listed.filter(({ type }) => type !== "hit"), ...free, ...plain(commands)];
}

/** The next of the cards that the service lets go to the place. @param {Command[]} commands
 * @param {string[]} cards @param {string} place @returns {Command | null} */
function nextHit(commands, cards, place) {
  const hits = at(ofType(commands, "hit"), place);
  return cards.map((card) => hits.find((hit) => hit.cards === card)).find(Boolean) ?? null;
}
