// Luck and errors of a round or of a whole game: a bar a seat, the decisions that cost most, the
// greatest luck. All of it comes from one analysis (`phaseledger analyse --json`).
//
//   html`<${Account} analysis=${analysis} round=${3} chair="1" at=${(seq) => position}
//          onEvent=${(seq) => ...} onTry=${(judgement) => ...} onProofs=${() => ...} />`
//
// Without `round` it is the whole game's. Of cards it shows what the chair could see at the time:
// everything to `all`, to a seat its own decisions and draws, to a spectator none.

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Card, Cards } from "../parts/card.js";
import { face } from "../parts/face.js";
import { handOf } from "../parts/hand.js";
import { drawbacks, markedChoices, moveWords, points } from "./decision.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Choice} Choice */
/** @typedef {import("../types.js").Judgement} Judgement */
/** @typedef {import("../types.js").Position} Position */
/** @typedef {{ name: string, seat: number, luck: number, errors: number, end: string, score: string }} Row */
/**
 * Who looks, and what a press leads to: `at` gives the position after an event.
 * @typedef {{ analysis: Analysis, round?: number, chair: string, at: (seq: number) => Position,
 *   onEvent: (seq: number) => void, onTry: (judgement: Judgement) => void }} AccountProps
 */

/** How many decisions, and how much luck, is told. */
const MOST = 3;
/** The least chance that fills a bar, so that little luck looks little. */
const FULL = 0.05;

/** @param {AccountProps & { onProofs?: () => void }} props */
export function Account({ analysis, round, chair, at, onEvent, onTry, onProofs }) {
  const rows = round === undefined ? ofGame(analysis) : ofRound(analysis, round);
  const sorted = [...rows].sort((one, other) => other.luck - one.luck);
  const [lucky, unlucky] = [sorted[0], sorted.at(-1)];
  const most = Math.max(FULL, ...rows.flatMap(({ luck, errors }) => [Math.abs(luck), -errors]));
  const bars = { most, judged: analysis.worlds > 0 };
  return html`<div class="account">
    ${lucky && unlucky && html`<p class="sentence">${extremes(lucky, unlucky)}</p>`}
    <ul class="rows">${rows.map((row) => html`<${Seat} key=${row.seat} row=${row} ...${bars} />`)}</ul>
    <p class="soft">${t("account.legend")} ${round === undefined && t("account.legend_result")}</p>
    ${analysis.worlds > 0 && html`<${Costliest} ...${{ analysis, round, chair, at, onEvent, onTry }} />`}
    <${Greatest} analysis=${analysis} round=${round} chair=${chair} onEvent=${onEvent} />
    ${onProofs && html`<p><button type="button" onClick=${onProofs}>${t("account.proofs")}</button></p>`}
  </div>`;
}

/** @param {Row} lucky @param {Row} unlucky */
function extremes(lucky, unlucky) {
  const [most, least] = [points(lucky.luck, true), points(unlucky.luck, true)];
  return t("account.extremes", { lucky: lucky.name, most, unlucky: unlucky.name, least });
}

/** @param {Analysis} analysis @returns {Row[]} */
function ofGame({ players }) {
  return players.map(({ name, seat, luck, errors, result, points: score, start_points: start = 0 }) => ({
    name, seat, luck, errors,
    end: t("account.result", { result: points(result), without: points(result - luck) }),
    score: score === undefined ? "" : t("account.score", { points: score, start: Math.round(start) }),
  }));
}

/** @param {Analysis} analysis @param {number} number @returns {Row[]} */
function ofRound({ players, rounds }, number) {
  const round = rounds.find((one) => one.round === number);
  if (!round) return [];
  return players.map(({ name, seat }) => ({
    name, seat, luck: round.luck[seat] ?? 0, errors: round.errors[seat] ?? 0,
    end: t("account.after", { after: points(round.after[seat] ?? 0) }),
    score: round.points ? t("account.score_after", { points: Math.round(round.points[seat] ?? 0) }) : "",
  }));
}

/** @param {{ row: Row, most: number, judged: boolean }} props */
function Seat({ row, most, judged }) {
  const { name, seat, luck, errors, end, score } = row;
  const lucky = t(luck < 0 ? "account.unlucky" : "account.lucky", { points: points(Math.abs(luck)) });
  const lost = t("account.lost", { points: points(-errors) });
  return html`<li class=${`seat-${seat}`}>
    <h3><i class="disc" aria-hidden="true">${seat + 1}</i><bdi>${name}</bdi></h3>
    <${Bar} kind="luck" value=${luck} most=${most} words=${lucky} />
    ${judged && html`<${Bar} kind="errors" value=${errors} most=${most} words=${lost} />`}
    <p class="end">${end}${score && html`<br />${score}`}</p>
  </li>`;
}

/**
 * A bar from the middle to the right, or below 0 to the left.
 * @param {{ kind: string, value: number, most: number, words: string }} props
 */
function Bar({ kind, value, most, words }) {
  const width = `${(50 * Math.abs(value)) / most}%`;
  const style = value < 0 ? { width, right: "50%" } : { width, left: "50%" };
  return html`<div class=${`measure ${kind} ${value < 0 ? "below" : "above"}`}>
    <span aria-hidden="true">${t(`account.${kind}`)}</span>
    <span class="bar" role="img" aria-label=${words}><i style=${style}></i></span>
    <b aria-hidden="true">${points(value, true)}</b>
  </div>`;
}

/** Whether that seat's cards are open to a chair. @param {string} chair @param {number} seat */
function isOpen(chair, seat) {
  return chair === "all" || chair === String(seat);
}

/** The decisions that cost most, of the seats whose cards are open. @param {AccountProps} props */
function Costliest({ analysis, round, chair, at, onEvent, onTry }) {
  const { players, decisions } = analysis;
  const costly = decisions.filter(({ cost, seat, round: within }) =>
    cost > 0 && isOpen(chair, seat) && (round === undefined || within === round));
  costly.sort((one, other) => other.cost - one.cost);
  const own = players[Number(chair)]?.name;
  return html`<section>
    <h3>${own ? t("account.costliest_of", { name: own }) : t("account.costliest")}</h3>
    ${chair === "spectator" && html`<p class="soft">${t("account.spectator")}</p>`}
    ${chair !== "spectator" && costly.length === 0 && html`<p class="soft">${t("flawless")}</p>`}
    <ol class="costly">${costly.slice(0, MOST).map((judgement) => {
      const { seq, seat } = judgement;
      return html`<${Decision} key=${seq} judgement=${judgement} name=${players[seat]?.name ?? ""}
        position=${at(seq - 1)} onEvent=${onEvent} onTry=${onTry} />`;
    })}</ol>
  </section>`;
}

/**
 * A decision: what was played, marked in its hand, and on demand what was better.
 * @param {{ judgement: Judgement, name: string, position: Position }
 *   & Pick<AccountProps, "onEvent" | "onTry">} props
 */
function Decision({ judgement, name, position, onEvent, onTry }) {
  const [shown, setShown] = useState(false);
  const { seq, round, turn, seat, cost, error, candidates } = judgement;
  const played = candidates[judgement.played], best = candidates[0];
  if (!played || !best) return null;
  /** @type {[Choice, string][]} */
  const marked = shown ? [[played.command, "wrong"], [best.command, "due"]] : [[played.command, "wrong"]];
  const marks = markedChoices(marked, position, seat);
  const where = t("account.where", { name, round, turn });
  const move = moveWords(played.command, position);
  const better = t("account.better", { move: moveWords(best.command, position) });
  const label = t("hand_of", { name });
  return html`<li class="panel" aria-label=${where}>
    <p class="soft">${where}</p>
    <p class="sentence">${t("account.played", { move })}<span
      class="cost badge bad">${t("account.cost", { cost: points(cost), error: points(error) })}</span></p>
    <div class="pictured">
      ${played.command.type === "draw" && html`<${Sources} position=${position} marks=${marks} />`}
      <${Cards} cards=${handOf(position, seat)} marks=${marks[`hand:${seat}`]} label=${label} />
    </div>
    <div role="status">${shown && html`<p><b>${better}</b> ${drawbacks(played)}</p>`}</div>
    <div class="steps">
      <button type="button" aria-label=${`${t("account.try")}, ${where}`}
        onClick=${() => onTry(judgement)}>${t("account.try")}</button>
      <button type="button" aria-pressed=${String(shown)}
        onClick=${() => setShown(!shown)}>${t("account.show")}</button>
      <button type="button" class="quiet" onClick=${() => onEvent(seq)}>${t("account.go")}</button>
    </div>
  </li>`;
}

/**
 * Where a card could be drawn from.
 * @param {{ position: Position, marks: ReturnType<typeof markedChoices> }} props
 */
function Sources({ position, marks }) {
  const sources = { stock: "?", discard: position.table.discard ?? "" };
  return html`<ul class="cards">${Object.entries(sources).map(([pile, text]) => {
    const label = `${t(`pile.${pile}`)}, ${face(text).name}`;
    return html`<li key=${pile}><${Card} text=${text} mark=${marks[pile]?.[0]} label=${label} /></li>`;
  })}</ul>`;
}

/**
 * The deals and cards that changed most, for the chair or for anybody.
 * @param {{ analysis: Analysis, round?: number, chair: string, onEvent: (seq: number) => void }} props
 */
function Greatest({ analysis, round, chair, onEvent }) {
  const { players, luck } = analysis;
  const own = players[Number(chair)]?.seat;
  const steps = luck.flatMap((step) => {
    const number = step.round + Number(step.kind === "deal");
    if (round !== undefined && number !== round) return [];
    const seat = own ?? (step.kind === "draw" ? step.seat : largest(step.change));
    return [{ ...step, number, of: seat, by: step.change[seat] ?? 0 }];
  });
  steps.sort((one, other) => Math.abs(other.by) - Math.abs(one.by));
  return html`<section>
    <h3>${t("greatest")}</h3>
    <ul class="greatest">${steps.slice(0, MOST).map((step) => {
      const { seq, number, turn, seat, of, kind, card, odds, dice, by } = step;
      const words = {
        round: number, turn, name: players[kind === "draw" ? seat : of]?.name ?? "",
        card: face(card).name, dice: dice?.join(" + ") ?? "", odds: points(odds), change: points(by, true),
      };
      const key = luckKey(step, own, isOpen(chair, seat));
      return html`<li key=${seq}>
        <button type="button" class="quiet" onClick=${() => onEvent(seq)}>${t(key, words)}</button></li>`;
    })}</ul>
  </section>`;
}

/**
 * The sentence for a deal, a card or dice: another where it is somebody else's, or its card is hidden.
 * @param {Analysis["luck"][number] & { of: number }} step `of`: whose luck it is
 * @param {number | undefined} own the seat that looks
 * @param {boolean} open whether the card may be seen
 */
function luckKey({ kind, odds, of, seat }, own, open) {
  if (kind === "dice") return "luck.dice";
  if (kind === "deal") return own === undefined ? "account.deal" : "luck.deal";
  if (!open || !odds) return "account.drew";
  return of === seat && own !== undefined ? "luck.draw" : "luck.other";
}

/** The place of the number that is farthest from 0. @param {number[]} numbers */
function largest(numbers) {
  const sizes = numbers.map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
}
