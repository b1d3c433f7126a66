/** Links to hand on: to the table, and to one's own seat on another device; also as a QR code. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { call } from "../play/api.js";
import { Sheet } from "../play/faces.js";
import { EMBEDDED, ROOT } from "../play/navigation.js";
import { forget, keep, membership, seatPath } from "../play/tokens.js";
import { QrCode } from "./qr.js";

const REASON = "by the host"; // in the record

/**
 * @param {{ game: string, member: import("../play/types").Membership, isPrivate: boolean,
 *   changed: () => void }} props
 */
export function Share({ game, member, isPrivate, changed }) {
  const [own, setOwn] = useState(false);
  if (EMBEDDED) return null; // the page around it invites
  const path = isPrivate && member.code ? `join/${encodeURIComponent(member.code)}` : `g/${game}`;
  const link = `${location.origin}${ROOT}/play/${path}`;
  return html`<section class="panel share"><h2>${t("share.title")}</h2>
    ${isPrivate && !member.code ? html`<p>${t("share.ask_host")}</p>` : html`
      ${isPrivate && html`<p>${t("share.code")} <b class="code">${member.code}</b></p>`}
      <${LinkBox} link=${link} label=${t("share.link")} />`}
    ${member.token && html`<button type="button" class="quiet"
      onClick=${() => setOwn(true)}>${t("share.own")}</button>`}
    ${own && html`<${Sheet} title=${t("table.seat")} close=${() => setOwn(false)}>
      <${MySeat} game=${game} changed=${changed} /></${Sheet}>`}
  </section>`;
}

/** The own seat: on another device, and in this browser or not.
 * @param {{ game: string, changed: () => void }} props `changed`: the seat is forgotten here */
export function MySeat({ game, changed }) {
  const [member, set] = useState(membership(game));
  const stays = (/** @type {boolean} */ kept) => {
    keep(game, { kept });
    set(membership(game));
  };
  const leave = () => {
    forget(game);
    changed();
  };
  const link = location.origin + seatPath(game, member);
  return html`<p>${t("share.own.warning")}</p><${LinkBox} link=${link} label=${t("share.own.link")} />
    <${StayCheck} stays=${member.kept !== false} change=${stays} />
    <p class="soft">${t("share.forget.more")}</p>
    <div class="row"><button type="button" data-forget onClick=${leave}>${t("share.forget")}</button></div>`;
}

/** Give the seat up; a host stays the host. @param {string} game */
export async function giveUp(game) {
  const { token, host, code, ruleset, kept } = membership(game);
  await call("POST", `/games/${game}/leave`, { token: token ?? "" });
  forget(game);
  if (host) keep(game, { host, code, ruleset, kept });
}

/** Break the game off, as its host. @param {string} game */
export async function breakOff(game) {
  await call("POST", `/games/${game}/void`, { token: membership(game).host ?? "", body: { reason: REASON } });
}

/**
 * Whether this browser keeps the seat.
 * @param {{ stays: boolean, change: (stays: boolean) => void }} props
 */
export function StayCheck({ stays, change }) {
  return html`<label class="check">
    <input type="checkbox" name="stays" checked=${stays} onChange=${() => change(!stays)} />
    <span>${t("create.keep")} <span class="soft">${t("create.keep.more")}</span></span></label>`;
}

/** @param {{ link: string, label: string }} props */
export function LinkBox({ link, label }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(link);
    setCopied(true);
  };
  return html`<label>${label}<input readonly value=${link}
      onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
    ${navigator.clipboard && html`<button type="button" onClick=${copy}>
      ${copied ? t("share.copied") : t("share.copy")}</button>`}
    <${QrCode} text=${link} label=${label} />`;
}
