/** The waiting room of a table: who sits there, who may come, and when it starts. */

import { html, useState } from "../vendor/preact.js";
import { Shape } from "../parts/shapes.js";
import { t } from "../words.js";
import { call } from "../play/api.js";
import { Fault, usePress } from "../play/faces.js";
import { Final } from "../play/final.js";
import { EMBEDDED } from "../play/navigation.js";
import { RulesSheet } from "../rules/how_to_play.js";
import { NoticeSwitch } from "../play/push.js";
import { membership } from "../play/tokens.js";
import { Share, breakOff, giveUp } from "./share.js";
import { SitDown } from "./join.js";

const FILLS = ["greedy", "expert", "master"]; // the bots that a host fills the free seats with

/** @typedef {import("../play/types").GameView} GameView */

/**
 * @param {{ view: GameView, info: import("../play/types").RulesetInfo,
 *   live: import("../table/live.js").Live, changed: (left?: boolean) => void }} props
 *   `changed`: the person's tokens have, and whether the seat was given up
 */
export function WaitingRoom({ view, info, live, changed }) {
  const { table, terms, reserved } = view;
  const game = table.game;
  const member = membership(game);
  const { busy, fault, run } = usePress();
  const [rules, setRules] = useState(false);
  const free = table.seats.filter((seat) => !seat).length;
  const sits = table.you !== null;
  const isPrivate = terms.private ?? false;
  const open = [...table.seats.keys()].find((number) => !table.seats[number] && !reserved.includes(number));

  /** @param {string} method @param {string} path @param {unknown} [body] */
  const ask = (method, path, body) =>
    run(() => call(method, `/games/${game}${path}`, { token: member.host, body }));
  const leave = () => run(async () => {
    await giveUp(game);
    changed(true);
  });
  const full = member.host ? t("waiting.full.host") : t("waiting.full");
  return html`<main class="page" id="main">
    <div class="lead"><div><h1 tabindex="-1">${t("waiting.title", { title: info.title })}</h1>
      ${terms.test && html`<span class="badge note">${t("terms.is.test")}</span>`}
      <p class="soft">${free ? t("waiting.free", { count: free }) : full}</p></div>
      <button type="button" onClick=${() => setRules(true)}>${t("table.rules")}</button></div>
    <div class="columns"><div class="stack">
      <section class="panel" aria-labelledby="seats"><h2 id="seats">${t("waiting.seats")}</h2>
        <ol class="chairs">${table.seats.map((seat, number) => {
          const empty = reserved.includes(number) ? t("waiting.reserved") : t("waiting.empty");
          const canFree = member.host && (seat || reserved.includes(number)) && number !== table.you;
          return html`<li key=${number} class=${`seat-${number}`}>
            <span class="number">${number + 1}</span>
            ${seat ? html`<b><bdi>${seat.name}</bdi></b>` : html`<span class="soft">${empty}</span>`}
            ${seat?.bot && html`<span class="badge">${t(`create.chair.${seat.bot}`)}</span>`}
            ${number === table.you && html`<span class="badge mine">${t("seat.you")}</span>`}
            ${canFree && html`<button type="button" class="quiet" disabled=${busy}
              aria-label=${t("waiting.kick", { name: seat?.name ?? t("waiting.reserved") })}
              onClick=${() => ask("DELETE", `/seats/${number}`)}>${t("waiting.free_seat")}</button>`}
          </li>`;
        })}</ol>
        ${member.host && html`<div class="row">
          ${free > 0 && FILLS.map((level) => html`<button type="button" key=${level} disabled=${busy}
            onClick=${() => ask("POST", "/fill", { level })}>${t(`waiting.fill.${level}`)}</button>`)}
          <button type="button" class="primary" disabled=${busy || free > 0}
            onClick=${() => ask("POST", "/start")}>${t("waiting.start")}</button></div>`}
        ${!member.host && html`<p>${t("waiting.host_starts")}</p>`}
        <${Fault} fault=${fault} />
        <${NoticeSwitch} game=${game} />
      </section>
      ${!sits && free > 0 && !EMBEDDED && html`<${SitDown} game=${game} seat=${open} code=${member.code}
        isPrivate=${isPrivate} changed=${changed} />`}
      ${sits && html`<p><button type="button" class="quiet" disabled=${busy}
        onClick=${leave}>${t("waiting.leave")}</button></p>`}
      ${member.host && html`<details class="panel"><summary>${t("waiting.close")}</summary>
        <${Final} says=${t("waiting.close.sure")} does=${t("waiting.close")}
          run=${() => breakOff(game)} /></details>`}
      ${live.link === "away" && html`<p class="banner fault" role="status">${t("link.away")}</p>`}
    </div>
    <aside class="side"><${Share} game=${game} member=${member} isPrivate=${isPrivate} changed=${changed} />
      <section class="panel lock"><h2><${Shape} of="lock" class="sign" /> ${t("lock.title")}</h2>
        <p>${t("lock.sentence")}</p>
        <p class="soft">${t("lock.commit")} <code>${view.server_commit.slice(0, 16)}…</code></p></section>
      <section class="panel"><h2>${t("terms.title")}</h2><ul class="plain">
        <li>${t(terms.private || terms.test ? "terms.is.private" : "terms.is.public")}</li>
        <li>${t(`terms.spectators.${terms.spectators ?? "open"}`)}</li>
        <li>${terms.clock ? t("terms.is.clock", { count: terms.clock.seconds }) : t("terms.clock.0")}</li>
      </ul></section></aside></div>
    ${rules && html`<${RulesSheet} game=${game} info=${info} options=${view.options}
      close=${() => setRules(false)} />`}
  </main>`;
}
