/** The games of this browser: those that go on, and how the others ended. */

import { html, useState } from "../vendor/preact.js";
import { Names } from "../parts/names.js";
import { t } from "../words.js";
import { Refusal, call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { memberships } from "../play/tokens.js";

const MOST = 12; // that are asked for at once

/** @typedef {import("../play/types").Membership} Membership */
/** @typedef {{ game: string, member: Membership, board: import("../play/types").Scoreboard | null }} Own `board`: null where the service has the game no more */

export function MyGames() {
  const seats = memberships().filter(([, { token }]) => token).reverse();
  const [most, setMost] = useState(MOST);
  const answer = useAnswer(() => Promise.all(seats.slice(0, most).map(([game, member]) => own(game, member))), [most]);
  /** @type {Own[]} */
  const games = answer.data ?? [];
  const ended = games.filter(({ board }) => board?.stage === "ended");
  return html`<main class="page" id="main"><h1 tabindex="-1">${t("mine.title")}</h1>
    <p class="soft">${t("mine.lead")}</p>
    ${!seats.length && html`<div class="face"><b>${t("mine.none")}</b><a class="button primary" href=${`${ROOT}/play/new`}>${t("lobby.new")}</a></div>`}
    ${seats.length > 0 && html`<${Face} answer=${answer} />`}
    ${ended.length > 0 && html`<p><b>${t("mine.ended", { count: ended.length })}</b> ${t("mine.won", { count: ended.filter(hasWon).length })}</p>`}
    <ul class="tables">${games.map((one) => html`<li key=${`${one.game} ${one.member.seat}`} class="panel">
      <div class="what"><b>${one.member.ruleset ?? one.board?.ruleset}</b> <span class=${`badge ${hasWon(one) ? "good" : ""}`}>${result(one)}</span></div>
      <p class="who"><${Names} names=${one.board?.players.flatMap((player) => (player ? [player.name] : [])) ?? []} />
        ${points(one) !== null && ` · ${t("points", { count: points(one) ?? 0 })}`}</p>
      ${one.board && html`<div class="row"><a class="button" href=${`${ROOT}/play/g/${one.game}`}>${t("mine.open")}</a>
        <a class="button" href=${`${ROOT}/play/g/${one.game}/scores`}>${t("scores.title")}</a></div>`}</li>`)}</ul>
    ${seats.length > most && html`<button type="button" onClick=${() => setMost(most + MOST)}>${t("mine.more")}</button>`}
  </main>`;
}

/** @param {string} game @param {Membership} member @returns {Promise<Own>} */
async function own(game, member) {
  try {
    return { game, member, board: await call("GET", `/games/${game}/scoreboard`, { token: member.token ?? "" }) };
  } catch (refused) {
    if (refused instanceof Refusal && refused.status < 429) return { game, member, board: null };
    throw refused;
  }
}

/** @param {Own} own */
function hasWon({ board, member }) {
  return Boolean(board?.winners.includes(member.seat ?? -1));
}

/** How it ended, or that it goes on. @param {Own} own */
function result(own) {
  if (!own.board) return t("mine.gone");
  if (own.board.stage !== "ended") return t(`stage.${own.board.stage}`);
  return hasWon(own) ? t("mine.is_won") : t("mine.is_lost");
}

/** @param {Own} own */
function points({ board, member }) {
  return board?.rounds.at(-1)?.seats[member.seat ?? -1]?.total ?? null;
}
