/**
 * The own phase as slots to fill. Whether what lies in them can be laid is for the service to say:
 * it is asked while the person builds, and answers with the sentence of its rules.
 */

import { html, useEffect, useState } from "../vendor/preact.js";
import { Card } from "../parts/card.js";
import { Explained } from "../parts/explained.js";
import { Shape } from "../parts/shapes.js";
import { t } from "../words.js";
import { Refusal, call } from "../play/api.js";
import { RuleLink } from "../play/rules.js";
import { listedLay } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */
/** @typedef {import("./hand.js").Held} Held */
/** @typedef {import("../play/types").PhaseInfo} PhaseInfo */
/** @typedef {{ legal: boolean, sentence: string, rule: string, at: number | null }} Verdict */

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
 * What of the slots can be judged: the phase once each group has its cards, before that those that have.
 *
 * @param {Held[][]} groups @param {PhaseInfo} phase
 * @returns {{ phase: number | string, places: number[] }} the phase by its number or as a text; its groups
 */
function judgeable(groups, { number, needs, groups: needed }) {
  const places = needed.flatMap((need, place) => ((groups[place]?.length ?? 0) < need.cards ? [] : [place]));
  if (places.length === needed.length) return { phase: number, places };
  const texts = needs.map(({ kind, size, parity }) =>
    `${kind}(${[size, parity].filter(Boolean).join(", ")})`);
  return { phase: places.map((place) => texts[place]).join(" + "), places };
}

/**
 * The service's verdict on the slots: on all, or that a group is wrong; null while it is not known.
 *
 * @param {Held[][]} groups
 * @param {PhaseInfo} phase
 * @param {Command[]} commands
 * @param {import("../play/types").GameView} view
 * @param {import("../play/types").RulesetInfo} info
 * @returns {Verdict | null}
 */
export function useVerdict(groups, phase, commands, view, info) {
  const [verdict, set] = useState(/** @type {{ key: string, verdict: Verdict } | null} */ (null));
  const command = layOf(commands, groups, phase.number, false);
  const question = judgeable(groups, phase);
  const key = JSON.stringify([command, phase.number]);
  const listed = commands.includes(command);
  const asks = !listed && question.places.length > 0;
  useEffect(() => {
    if (!asks) return undefined;
    let current = true;
    const timer = setTimeout(async () => {
      const laid = question.places.map((place) => command.groups?.[place] ?? { cards: "" });
      const answer = await judged(laid, question, view, info);
      if (current && answer) set({ key, verdict: answer });
    }, PATIENCE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, asks]);
  if (listed) return { legal: true, sentence: t("draft.legal"), rule: "", at: null };
  const known = asks && verdict?.key === key ? verdict.verdict : null;
  const whole = question.phase === phase.number;
  return known && (whole || (!known.legal && known.at !== null)) ? known : null;
}

/** @param {{ cards: string }[]} groups @param {ReturnType<typeof judgeable>} question
 * @param {import("../play/types").GameView} view
 * @param {import("../play/types").RulesetInfo} info @returns {Promise<Verdict | null>} */
async function judged(groups, { phase, places }, view, info) {
  try {
    const name = view.table.ruleset.split("@")[0];
    const known = (/** @type {string} */ option) => info.options.some((each) => each.name === option);
    const options = Object.fromEntries(Object.entries(view.options).filter(([option]) => known(option)));
    const body = { type: "lay", phase, groups, options };
    /** @type {import("../play/types").Verdict} */
    const { legal, sentence, rule, at } = await call("POST", `/rulesets/${name}/checks`, { body });
    return { legal, sentence, rule, at: at === null || at === undefined ? null : places[at] ?? null };
  } catch (fault) {
    if (!(fault instanceof Refusal)) return null; // away: the table says so
    return { legal: false, sentence: fault.message, rule: fault.problem.rule || "", at: null };
  }
}

/**
 * The slots of a phase: a tap on a group puts the selected cards there, a tap on a card takes it
 * back into the hand.
 *
 * @param {{ phase: PhaseInfo, groups: Held[][], verdict: Verdict | null, choose: (() => void) | null,
 *   put: (group: number) => void, take: (id: number) => void, ready: boolean }} props
 */
export function Draft({ phase, groups, verdict, choose, put, take, ready }) {
  const begun = groups.some((group) => group.length);
  const state = verdict ? (verdict.legal ? "good" : "open") : begun ? "open" : "";
  const wrong = verdict && !verdict.legal ? verdict.at : null;
  const missing = (/** @type {{ cards: number }} */ need, /** @type {number} */ number) =>
    Math.max(0, need.cards - (groups[number]?.length ?? 0));
  const needed = phase.groups.reduce((sum, need, number) => sum + missing(need, number), 0);
  return html`<section class="draft" aria-label=${t("draft")}>
    <div class="draft-head"><b><${Explained} of=${`phase:${phase.number}`} explains>
      ${t("draft.phase", { phase: phase.label ?? phase.number, words: phase.words })}</${Explained}></b>
      <${RuleLink} rule=${phase.rule} />
      ${choose && html`<button type="button" class="quiet" onClick=${choose}>${t("draft.other")}</button>`}
    </div>
    <ul class="slots">${phase.groups.map((need, number) => html`<${Slots} key=${number} number=${number}
      need=${need} held=${groups[number] ?? []} put=${put} take=${take} ready=${ready}
      wrong=${wrong === number} />`)}</ul>
    <p class="verdict ${state}" role="status">
      ${verdict && html`<${Shape} of=${verdict.legal ? "good" : "warn"} class="sign" /> ${verdict.sentence} `}
      ${verdict?.rule && html`<${RuleLink} rule=${verdict.rule} />`}
      ${!verdict && (begun ? begunWords(needed) : t("draft.empty"))}</p>
  </section>`;
}

/** How far a phase is. @param {number} needed cards that are missing */
function begunWords(needed) {
  return needed ? t("draft.needed", { count: needed }) : t("draft.checking");
}

/** @param {{ number: number, need: { words: string, cards: number }, held: Held[], wrong: boolean,
 *   ready: boolean, put: (group: number) => void, take: (id: number) => void }} props */
function Slots({ number, need, held, wrong, ready, put, take }) {
  const free = Math.max(0, need.cards - held.length);
  const kind = `slotgroup ${wrong ? "refused" : ""} ${ready ? "open" : ""}`;
  return html`<li class=${kind} data-place=${`draft:${number}`}>
    <span class="row">
      ${held.map(({ id, card }) => html`<${Card} key=${id} text=${card} onPick=${() => take(id)} />`)}
      ${Array.from({ length: free }, (_, place) => html`<i key=${`free${place}`} class="slot"
        aria-hidden="true"></i>`)}
    </span>
    <button type="button" class="caption" onClick=${() => put(number)}>
      <span class="unseen">${t("draft.put")}</span> ${need.words}
      ${free > 0 && html` <span class="soft">${t("draft.missing", { count: free })}</span>`}</button>
  </li>`;
}
