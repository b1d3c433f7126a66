/**
 * The own phase as slots to fill. Whether what lies in them can be laid is for the service to say:
 * it is asked while the person builds, and answers with the sentence of its rules.
 */

import { html, useEffect, useState } from "../vendor/preact.js";
import { Card } from "../parts/card.js";
import { Shape } from "../parts/shapes.js";
import { t } from "../words.js";
import { Refusal, call } from "../play/api.js";
import { RuleLink } from "../play/rules.js";
import { listedLay } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("./hand.js").Held} Held */
/** @typedef {{ legal: boolean, code: string | null, sentence: string, rule: string, at: number | null }} Verdict */

const UNFILLED = "incomplete_phase"; // what the service calls a phase of which cards are missing
const PATIENCE = 300; // milliseconds without a change until the service is asked

/**
 * The lay that the slots make: as the service lists it, or else as they are filled.
 *
 * @param {Command[]} commands
 * @param {Held[][]} groups
 * @param {number} phase
 * @param {boolean} named whether the phase has to be said
 * @returns {Command}
 */
export function layOf(commands, groups, phase, named) {
  const texts = groups.map((group) => group.map(({ card }) => card));
  const listed = listedLay(commands, texts);
  if (listed) return listed;
  const laid = texts.map((cards) => ({ cards: cards.join(" ") }));
  return { type: "lay", groups: laid, ...(named ? { phase } : {}) };
}

/**
 * The service's verdict on the slots; null while it is not known.
 *
 * @param {Held[][]} groups
 * @param {number} phase
 * @param {Command[]} commands
 * @param {import("../play/types").GameView} view
 * @param {import("../play/types").RulesetInfo} info
 * @returns {Verdict | null}
 */
export function useVerdict(groups, phase, commands, view, info) {
  const [verdict, set] = useState(/** @type {{ key: string, verdict: Verdict } | null} */ (null));
  const command = layOf(commands, groups, phase, false);
  const key = JSON.stringify([command, phase]);
  const begun = groups.some((group) => group.length);
  const listed = commands.includes(command);
  useEffect(() => {
    if (!begun || listed) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      const answer = await judged(command, phase, view, info);
      if (current && answer) set({ key, verdict: answer });
    }, PATIENCE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, begun, listed]);
  if (!begun) return null;
  if (listed) return { legal: true, code: null, sentence: t("draft.legal"), rule: "", at: null };
  return verdict?.key === key ? verdict.verdict : null;
}

/** @param {Command} command @param {number} phase @param {import("../play/types").GameView} view
 * @param {import("../play/types").RulesetInfo} info @returns {Promise<Verdict | null>} */
async function judged(command, phase, view, info) {
  try {
    const name = view.table.ruleset.split("@")[0];
    const chosen = Object.entries(view.options).filter(([option]) => info.options.some((each) => each.name === option));
    const body = { type: "lay", phase, groups: command.groups, options: Object.fromEntries(chosen) };
    /** @type {import("../play/types").Verdict} */
    const answer = await call("POST", `/rulesets/${name}/checks`, { body });
    return { legal: answer.legal, code: answer.code, sentence: answer.sentence, rule: answer.rule, at: answer.at ?? null };
  } catch (fault) {
    if (!(fault instanceof Refusal)) return null; // away: the table says so
    return { legal: false, code: fault.code, sentence: fault.message, rule: fault.problem.rule || "", at: null };
  }
}

/**
 * The slots of a phase: a tap on a group puts the selected cards there, a tap on a card takes it
 * back into the hand.
 *
 * @param {{ phase: import("../play/types").PhaseInfo, groups: Held[][], verdict: Verdict | null,
 *   choose: (() => void) | null, put: (group: number) => void, take: (id: number) => void, ready: boolean }} props
 */
export function Draft({ phase, groups, verdict, choose, put, take, ready }) {
  const begun = groups.some((group) => group.length);
  const needed = phase.groups.reduce((sum, need, number) => sum + Math.max(0, need.cards - (groups[number]?.length ?? 0)), 0);
  const empty = verdict && verdict.at !== null && !groups[verdict.at]?.length;
  const unfilled = verdict && !verdict.legal && needed > 0 && (empty || verdict.code === UNFILLED);
  return html`<section class="draft" aria-label=${t("draft")}>
    <div class="draft-head"><b>${t("draft.phase", { phase: phase.label ?? phase.number, words: phase.words })}</b>
      <${RuleLink} rule=${phase.rule} />
      ${choose && html`<button type="button" class="quiet" onClick=${choose}>${t("draft.other")}</button>`}</div>
    <ul class="slots">${phase.groups.map((need, number) => html`<${Slots} key=${number} number=${number} need=${need}
      held=${groups[number] ?? []} put=${put} take=${take} ready=${ready}
      wrong=${Boolean(verdict && !verdict.legal && !unfilled && verdict.at === number)} />`)}</ul>
    <p class="verdict ${verdict ? (verdict.legal ? "good" : "open") : ""}" role="status">
      ${unfilled && t("draft.needed", { count: needed })}
      ${verdict && !unfilled && html`<${Shape} of=${verdict.legal ? "good" : "warn"} class="sign" /> ${verdict.sentence} `}
      ${verdict?.rule && !unfilled && html`<${RuleLink} rule=${verdict.rule} />`}
      ${!verdict && (begun ? t("draft.checking") : t("draft.empty"))}</p>
  </section>`;
}

/** @param {{ number: number, need: { words: string, cards: number }, held: Held[], wrong: boolean, ready: boolean,
 *   put: (group: number) => void, take: (id: number) => void }} props */
function Slots({ number, need, held, wrong, ready, put, take }) {
  const free = Math.max(0, need.cards - held.length);
  return html`<li class="slotgroup ${wrong ? "refused" : ""} ${ready ? "open" : ""}" data-place=${`draft:${number}`}>
    <span class="row">
      ${held.map(({ id, card }) => html`<${Card} key=${id} text=${card} onPick=${() => take(id)} />`)}
      ${Array.from({ length: free }, (_, place) => html`<i class="slot" key=${`free${place}`} aria-hidden="true"></i>`)}
    </span>
    <button type="button" class="caption" onClick=${() => put(number)}>
      <span class="unseen">${t("draft.put")}</span> ${need.words}${free > 0 && html` <span class="soft">${t("draft.missing", { count: free })}</span>`}</button>
  </li>`;
}
