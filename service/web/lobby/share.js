/** Links to hand on: to the table, and to one's own seat on another device; also as a QR code. */

import { html, useState } from "../../../replay/viewer/web/vendor/preact.js";
import { t } from "../../../replay/viewer/web/words/index.js";
import { Sheet } from "../faces.js";
import { seatLink } from "../tokens.js";
import { QrCode } from "./qr.js";

/** @param {{ game: string, member: import("../types").Membership, isPrivate: boolean }} props */
export function Share({ game, member, isPrivate }) {
  const [own, setOwn] = useState(false);
  const link = isPrivate && member.code
    ? `${location.origin}/play/join/${encodeURIComponent(member.code)}` : `${location.origin}/play/g/${game}`;
  return html`<section class="panel share"><h2>${t("share.title")}</h2>
    ${isPrivate && !member.code ? html`<p>${t("share.ask_host")}</p>` : html`
      ${isPrivate && html`<p>${t("share.code")} <b class="code">${member.code}</b></p>`}
      <${LinkBox} link=${link} label=${t("share.link")} />`}
    ${member.token && html`<button type="button" class="quiet" onClick=${() => setOwn(true)}>${t("share.own")}</button>`}
    ${own && html`<${Sheet} title=${t("share.own")} close=${() => setOwn(false)}>
      <p>${t("share.own.warning")}</p><${LinkBox} link=${seatLink(game, member)} label=${t("share.own.link")} /></${Sheet}>`}
  </section>`;
}

/** @param {{ link: string, label: string }} props */
function LinkBox({ link, label }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(link);
    setCopied(true);
  };
  return html`<label>${label}<input readonly value=${link}
      onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
    ${navigator.clipboard && html`<button type="button" onClick=${copy}>${copied ? t("share.copied") : t("share.copy")}</button>`}
    <${QrCode} text=${link} label=${label} />`;
}
