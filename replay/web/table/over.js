/** The end of a game: who won, and what can be done now. */

import { html, useState } from "../vendor/preact.js";
import { list, t } from "../words.js";
import { call } from "../play/api.js";
import { Fault, useAnswer, usePress } from "../play/faces.js";
import { EMBEDDED, ROOT, navigate } from "../play/navigation.js";
import { keep } from "../play/tokens.js";
import { Results } from "./endings.js";

const [SOON, LATER] = [5, 60]; // seconds after which it is asked again who waits in the next game
const SOON_FOR = 600_000; // milliseconds

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */

/**
 * Who won, and what can be done with a game that is over.
 *
 * @param {{ view: GameView, info: RulesetInfo, member: import("../play/types").Membership,
 *   last: import("./last.js").Last | null }} props
 */
export function GameOver({ view, info, member, last }) {
  const { table } = view;
  const { busy, fault, run } = usePress();
  const won = table.you !== null && table.winners.includes(table.you);
  const winners = table.winners.map((seat) => table.seats[seat]?.name ?? "");
  const said = won && winners.length === 1
    ? t("over.you")
    : t("over.won", { names: list(winners), count: winners.length });
  const token = member.token || member.host;
  const [since] = useState(Date.now());
  const every = Date.now() - since < SOON_FOR ? SOON : LATER;
  const rematch = `/games/${table.game}/rematch`;
  const ask = async () => !EMBEDDED && call("GET", rematch, { token: token ?? "" });
  const asked = useAnswer(ask, [table.game], every);
  /** @type {import("../play/types").Following | null} */
  const next = asked.data || null;
  const people = next?.players.flatMap((player) => (player && !player.bot ? [player.name] : [])) ?? [];
  const waiting = t("over.waits", { names: list(people), count: people.length });
  async function again() {
    /** @type {import("../play/types").Again} */
    const { game, seat, token: own } = await call("POST", rematch, { token, body: {} });
    const role = seat === null ? { host: own } : { seat, token: own, name: member.name };
    let path = keep(game, { ...role, ruleset: member.ruleset, kept: member.kept });
    if (member.token && member.host) {
      /** @type {import("../play/types").Again} */
      const hosted = await call("POST", rematch, { token: member.host, body: {} });
      path = keep(game, { host: hosted.token, code: hosted.code || undefined });
    }
    navigate(path);
    return true;
  }
  const page = `${ROOT}/play/g/${table.game}`;
  const bundle = `${ROOT}/v1/games/${table.game}/bundle`;
  return html`<section class="panel over ${won ? "won" : ""}" aria-labelledby="over">
    <h2 id="over">${table.stage === "voided" ? t("over.voided") : said}</h2>
    ${table.stage === "ended" && html`<p>${t("over.more")}</p>`}
    ${people.length > 0 && html`<p class="waits" role="status">${waiting}</p>`}
    <div class="row">
      ${!token && next?.game && html`<a class="button primary"
        href=${`${ROOT}/play/g/${next.game}`}>${t("over.next")}</a>`}
      ${token && table.seats.every(Boolean) && !EMBEDDED && html`
        <button type="button" class="primary" disabled=${busy}
        onClick=${() => run(again)}>${t("over.again")}</button>`}
      <a class="button" href=${`${page}/replay`}>${t("over.replay")}</a>
      <a class="button" href=${`${page}/scores`}>${t("scores.title")}</a>
      <a class="button" href=${bundle} download=${`${table.game}.bundle`}>${t("over.bundle")}</a>
      <a class="button" href=${`${page}/dispute`}>${t("over.verify")}</a>
      <a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a>
    </div>
    <${Fault} fault=${fault} />
    ${last?.ended && html`<${Results} event=${last.ended} view=${view} info=${info}
      position=${last.position} />`}
  </section>`;
}
