/** The end of a game: who won, and what can be done now. */

import { html } from "../vendor/preact.js";
import { list, t } from "../words.js";
import { call } from "../play/api.js";
import { Fault, usePress } from "../play/faces.js";
import { ROOT, navigate } from "../play/navigation.js";
import { keep } from "../play/tokens.js";
import { Results } from "./endings.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */

/**
 * Who won, and what can be done with a game that is over.
 *
 * @param {{ view: GameView, info: RulesetInfo, member: import("../play/types").Membership, last: import("./endings.js").Last | null }} props
 */
export function GameOver({ view, info, member, last }) {
  const { table } = view;
  const { busy, fault, run } = usePress();
  const names = table.winners.map((seat) => table.seats[seat]?.name ?? "");
  const won = table.you !== null && table.winners.includes(table.you);
  const token = member.token || member.host;
  async function again() {
    /** @type {import("../play/types").Again} */
    const opened = await call("POST", `/games/${table.game}/rematch`, { token, body: {} });
    const role = opened.seat === null ? { host: opened.token } : { seat: opened.seat, token: opened.token, name: member.name };
    let path = keep(opened.game, { ...role, ruleset: member.ruleset, kept: member.kept });
    if (member.token && member.host) {
      /** @type {import("../play/types").Again} */
      const hosted = await call("POST", `/games/${table.game}/rematch`, { token: member.host, body: {} });
      path = keep(opened.game, { host: hosted.token, code: hosted.code || undefined });
    }
    navigate(path);
    return true;
  }
  return html`<section class="panel over ${won ? "won" : ""}" aria-labelledby="over">
    <h2 id="over">${table.stage === "voided" ? t("over.voided") : won && names.length === 1 ? t("over.you") : t("over.won", { names: list(names), count: names.length })}</h2>
    ${table.stage === "ended" && html`<p>${t("over.more")}</p>`}
    <div class="row">
      ${token && table.stage === "ended" && html`<button type="button" class="primary" disabled=${busy} onClick=${() => run(again)}>${t("over.again")}</button>`}
      <a class="button" href=${`${ROOT}/play/g/${table.game}/replay`}>${t("over.replay")}</a>
      <a class="button" href=${`${ROOT}/v1/games/${table.game}/bundle`} download=${`${table.game}.bundle`}>${t("over.bundle")}</a>
      <a class="button" href=${`${ROOT}/play/g/${table.game}/dispute`}>${t("over.verify")}</a>
      <a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a>
    </div>
    <${Fault} fault=${fault} />
    ${last?.ended && html`<${Results} event=${last.ended} view=${view} info=${info} position=${last.position} />`}
  </section>`;
}
