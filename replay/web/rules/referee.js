/** A question to the referee: cards that are to be laid, or added to a group, and what the rules say. */

import { html, useState } from "../vendor/preact.js";
import { Card, Cards } from "../parts/card.js";
import { split } from "../parts/face.js";
import { withValue } from "../parts/field.js";
import { t } from "../words.js";
import { call } from "../play/api.js";
import { Fault, usePress } from "../play/faces.js";
import { RuleLink } from "../play/rules.js";

/** @typedef {import("../play/types").RuleSheet} RuleSheet */
/** @typedef {import("../play/types").Verdict} Verdict */

/** @param {{ sheet: RuleSheet, options: import("./how_to_play.js").Options }} props */
export function Referee({ sheet, options }) {
  const [phase, setPhase] = useState(0); // -1: a group on the table, to which cards are added
  const [kind, setKind] = useState(0);
  const [end, setEnd] = useState("");
  const [trays, setTrays] = useState(/** @type {string[][]} */ ([]));
  const [chosen, choose] = useState(0);
  const [verdict, setVerdict] = useState(/** @type {Verdict | null} */ (null));
  const { busy, fault, run } = usePress();
  const names = phase < 0
    ? [t("referee.lies"), t("referee.added")]
    : sheet.phases[phase]?.groups.map(({ words }) => words) ?? [];
  const filled = names.map((_, place) => trays[place] ?? []);
  const change = (/** @type {string[][]} */ next) => {
    setTrays(next);
    setVerdict(null);
  };
  const again = () => {
    choose(0);
    change([]);
  };
  /** @param {number} tray @param {(cards: string[]) => string[]} changed */
  const changeTray = (tray, changed) =>
    change(filled.map((cards, place) => (place === tray ? changed(cards) : cards)));
  /** @param {number} tray @param {number} at */
  const take = (tray, at) => changeTray(tray, (cards) => cards.filter((_, other) => other !== at));
  const put = (/** @type {string} */ card) => changeTray(chosen, (cards) => [...cards, card]);
  const texts = filled.map((cards) => cards.join(" "));
  const { kind: type, parity } = sheet.kinds[kind] ?? {};
  const [lies, added] = texts;
  const question = phase < 0
    ? { type: "hit", group: { kind: type, parity, cards: lies }, hits: [{ cards: added, end }], options }
    : { type: "lay", phase: phase + 1, groups: texts.map((cards) => ({ cards })), options };
  const address = `/rulesets/${encodeURIComponent(sheet.name)}/checks`;
  const ask = () => run(async () => setVerdict(await call("POST", address, { body: question })));
  const choosePhase = withValue((value) => {
    setPhase(Number(value));
    again();
  });
  const chooseKind = withValue((value) => {
    setKind(Number(value));
    again();
  });
  const chooseEnd = withValue((value) => {
    setEnd(value);
    setVerdict(null);
  });
  const cards = (/** @type {number} */ tray) => filled[tray]?.map((card, at) =>
    html`<li key=${at}><${Card} text=${card} onPick=${() => take(tray, at)} /></li>`);

  return html`<section class="panel referee" id="referee" aria-labelledby="referee-title">
    <h2 id="referee-title">${t("referee.title")}</h2>
    <p class="soft">${t("referee.lead")}</p>
    <label>${t("referee.question")}<select value=${phase} onChange=${choosePhase}>
      ${sheet.phases.map(({ label, words }, place) => html`<option key=${label} value=${place}>
        ${t("referee.lay", { phase: label, words })}</option>`)}
      <option value="-1">${t("referee.add")}</option></select></label>
    ${phase < 0 && html`<div class="row">
      <label>${t("referee.kind")}<select value=${kind} onChange=${chooseKind}>
        ${sheet.kinds.map(({ words }, place) => html`<option key=${words} value=${place}>${words}</option>`)}
      </select></label>
      <label>${t("referee.end")}<select value=${end} onChange=${chooseEnd}>
        ${["", "low", "high"].map((side) => html`<option key=${side} value=${side}>
          ${t(`referee.end.${side || "any"}`)}</option>`)}</select></label></div>`}
    <div class="trays" role="group" aria-label=${t("referee.trays")}>
      ${names.map((name, place) => html`<div key=${place} class="tray ${place === chosen ? "chosen" : ""}">
        <button type="button" class="quiet" aria-pressed=${String(place === chosen)}
          onClick=${() => choose(place)}>${name}</button>
        <ul class="cards">${cards(place)}</ul></div>`)}</div>
    <p class="soft">${t("referee.how", { group: names[chosen] ?? "" })}</p>
    <div class="palette" role="group" aria-label=${t("rules.cards")}>
      ${sheet.deck.map((row) => html`<ul key=${row} class="cards">${split(row).map((card) =>
        html`<li key=${card}><${Card} text=${card} onPick=${() => put(card)} /></li>`)}</ul>`)}</div>
    <div class="row"><button type="button" class="primary" disabled=${busy || texts.some((text) => !text)}
        onClick=${ask}>${t("referee.ask")}</button>
      <button type="button" class="quiet" onClick=${() => change([])}>${t("referee.clear")}</button></div>
    <div aria-live="polite"><${Fault} fault=${fault} />
      ${verdict && html`<${Answer} verdict=${verdict} />`}</div></section>`;
}

/** @param {{ verdict: Verdict }} props */
function Answer({ verdict }) {
  const { legal, sentence, rule, groups } = verdict;
  return html`<div class="answer">
    <p><b class="badge ${legal ? "good" : "bad"}">${t(legal ? "referee.legal" : "referee.illegal")}</b>
      ${sentence} ${rule && html`<${RuleLink} rule=${rule} />`}</p>
    <div class="example">${groups?.map((group, place) => {
      const notes = Object.fromEntries(group.stands_for.map((wild) => [wild.place, wild.meaning]));
      return html`<${Cards} key=${place} cards=${group.cards} class="fanned" notes=${notes} />`;
    })}</div></div>`;
}
