/** The games of this browser: those that go on, and how the others ended. */

import { html, useState } from "../vendor/preact.js";
import { Names } from "../parts/names.js";
import { t } from "../words.js";
import { Refusal, call } from "../play/api.js";
import { Face, useAnswer } from "../play/faces.js";
import { ROOT } from "../play/navigation.js";
import { NewTable } from "../play/new_table.js";
import { memberships } from "../play/tokens.js";

const MOST = 12; // that are asked for at once

/** @typedef {import("../play/types").Membership} Membership */
/** @typedef {import("../play/types").Scoreboard} Scoreboard */
/**
 * A game of this browser; `board` is null where the service has the game no more.
 * @typedef {{ game: string, member: Membership, board: Scoreboard | null }} Own
 */

export function MyGames() {
  const seats = memberships().filter(([, { token }]) => token).reverse();
  const [most, setMost] = useState(MOST);
  const ask = () => Promise.all(seats.slice(0, most).map(([game, member]) => own(game, member)));
  const answer = useAnswer(ask, [most]);
  /** @type {Own[]} */
  const games = answer.data ?? [];
  const ended = games.filter(({ board }) => board?.stage === "ended");
  const won = ended.filter(hasWon).length;
  return html`<main class="page" id="main"><h1 tabindex="-1">${t("mine.title")}</h1>
    <p class="soft">${t("mine.lead")}</p>
    ${!seats.length && html`<div class="face"><b>${t("mine.none")}</b>
      <${NewTable} class="button primary" /></div>`}
    ${seats.length > 0 && html`<${Face} answer=${answer} />`}
    ${ended.length > 0 && html`<p>
      <b>${t("mine.ended", { count: ended.length })}</b> ${t("mine.won", { count: won })}</p>`}
    <ul class="tables">${games.map((one) =>
      html`<${Game} key=${`${one.game} ${one.member.seat}`} own=${one} />`)}</ul>
    ${seats.length > most && html`<button type="button"
      onClick=${() => setMost(most + MOST)}>${t("mine.more")}</button>`}
  </main>`;
}

/** A game with the way to it. @param {{ own: Own }} props */
function Game({ own }) {
  const { game, member, board } = own;
  const names = board?.players.flatMap((player) => (player ? [player.name] : [])) ?? [];
  const count = points(own);
  return html`<li class="panel">
    <div class="what"><b>${member.ruleset ?? board?.ruleset}</b>
      <span class=${`badge ${hasWon(own) ? "good" : ""}`}>${result(own)}</span></div>
    <p class="who"><${Names} names=${names} />${count !== null && ` · ${t("points", { count })}`}</p>
    ${board && html`<div class="row">
      <a class="button" href=${`${ROOT}/play/g/${game}`}>${t("mine.open")}</a>
      <a class="button" href=${`${ROOT}/play/g/${game}/scores`}>${t("scores.title")}</a></div>`}</li>`;
}

/** @param {string} game @param {Membership} member @returns {Promise<Own>} */
async function own(game, member) {
  const { token = "" } = member;
  try {
    return { game, member, board: await call("GET", `/games/${game}/scoreboard`, { token }) };
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
