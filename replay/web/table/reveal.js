/** The secret that a seat has brought into the deal: revealed by itself, or asked for. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";

/**
 * @param {{ controls: ReturnType<typeof import("./live.js").play>,
 *   member: import("../play/types").Membership }} props
 */
export function Reveal({ controls, member }) {
  const [secret, setSecret] = useState("");
  useEffect(() => {
    if (member.secret) controls.send({ type: "reveal_secret", secret: member.secret });
  }, [member.secret]);
  if (member.secret) return null;
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    controls.send({ type: "reveal_secret", secret: secret.trim().toLowerCase() });
  };
  return html`<form class="panel" onSubmit=${send}><label>${t("reveal.label")}
    <input required pattern="[0-9a-fA-F]{64}" value=${secret} autocomplete="off" spellcheck=${false}
      onInput=${(/** @type {any} */ event) => setSecret(event.target.value)} /></label>
    <button type="submit" class="primary">${t("reveal.send")}</button></form>`;
}
