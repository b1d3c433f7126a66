/** The screen of one game: it connects, and shows the waiting room, the table or the end. */

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Board, marked } from "../parts/board.js";
import { face } from "../parts/face.js";
import { Announcer, Log, brief } from "../parts/log.js";
import { Scoreboard } from "../parts/scoreboard.js";
import { language, t } from "../words.js";
import { Away, call } from "../play/api.js";
import { Face, Sheet, useAnswer, useSeconds } from "../play/faces.js";
import { useTold } from "../play/embedded.js";
import { later } from "../play/later.js";
import { ROOT } from "../play/navigation.js";
import { settings } from "../play/settings.js";
import { isGuided, setIsGuided } from "../play/storage.js";
import { dropLink, forget, keep, membership, takeFromAddress } from "../play/tokens.js";
import { sentence } from "./askbar.js";
import { Desk } from "./desk.js";
import { useLast } from "./last.js";
import { useFlights } from "./flights.js";
import { useFocus } from "./keyboard.js";
import { play } from "./live.js";
import { useNotices } from "./notices.js";
import { Reveal } from "./reveal.js";
import { Say, useSaid } from "./said.js";
import { Why } from "./why.js";

/** @typedef {import("../play/types").GameView} GameView */
/** @typedef {import("../play/types").RulesetInfo} RulesetInfo */
/** @typedef {ReturnType<typeof play>} Controls */

const GameOver = later(async () => (await import("./over.js")).GameOver);
const Guide = later(async () => (await import("./guide.js")).Guide);
const LostSheet = later(async () => (await import("./endings.js")).LostSheet);
const Luck = later(async () => (await import("./luck.js")).Luck);
const Menu = later(async () => (await import("./menu.js")).Menu);
const RoundEnd = later(async () => (await import("./endings.js")).RoundEnd);
const RulesSheet = later(async () => (await import("../rules/how_to_play.js")).RulesSheet);
const SettingsSheet = later(async () => (await import("./settings_sheet.js")).SettingsSheet);
const WaitingRoom = later(async () => (await import("../lobby/waiting.js")).WaitingRoom);

/** @param {{ game: string, lang: string }} props */
export function TableScreen({ game, lang }) {
  const [, redraw] = useState(0);
  const [epoch, setEpoch] = useState(0); // one more whenever the person's token has changed
  const [left, setLeft] = useState(false); // whether the person has given the seat up here
  const changed = (gone = false) => {
    setLeft(gone);
    setEpoch(epoch + 1);
  };
  const controls = useRef(/** @type {Controls | null} */ (null));
  useEffect(() => {
    takeFromAddress(game);
    const own = play(game, membership(game).token ?? "", () => redraw(Math.random()));
    controls.current = own;
    redraw(Math.random());
    return () => own.stop();
  }, [game, lang, epoch]);
  const rules = useAnswer(() => {
    const { token = "" } = membership(game);
    return call("GET", `/games/${game}/rules`, { token });
  }, [game, lang, epoch]);
  const own = controls.current;
  const you = own?.live.view?.table.seats[own.live.view.table.you ?? -1];
  useEffect(() => { // who came by a seat's link is known in the lobby, too
    const { name, link } = membership(game);
    if (!you || !rules.data || (name === you.name && !link)) return;
    keep(game, { name: you.name, ruleset: rules.data.title });
  }, [game, you?.name, rules.data]);
  const stage = own?.live.view?.table.stage;
  const over = stage === "ended" || stage === "voided";
  useEffect(() => {
    const member = membership(game);
    if (over && !member.over && (member.token || member.host)) keep(game, { over });
  }, [game, over]);
  useTold(own?.live.view ?? null);
  if (!own || !own.live.view || !rules.data) {
    return html`<main class="page" id="main"><h1 tabindex="-1" class="unseen">${t("table.title")}</h1>
      <${Connecting} controls=${own} game=${game} left=${left} again=${changed} /></main>`;
  }
  const view = own.live.view;
  if (view.table.stage === "lobby") {
    return html`<${WaitingRoom} key=${game} view=${view} info=${rules.data} live=${own.live}
      changed=${changed} />`;
  }
  return html`<${Table} key=${game} controls=${own} info=${rules.data} left=${left} changed=${changed} />`;
}

/** The faces of a game that is not there yet, or not for the caller.
 * @param {{ controls: Controls | null, game: string, left: boolean, again: () => void }} props */
function Connecting({ controls, game, left, again }) {
  const live = controls?.live;
  if (live?.link === "refused") {
    const { token, link } = membership(game);
    const lost = Boolean(token); // a token of another game finds none at all
    const go = () => {
      if (link) dropLink(game);
      else forget(game);
      again();
    };
    const title = link ? "table.bad_link" : lost ? "table.token_lost" : "table.refused";
    return html`<div class="face fault" role="alert">
      <b>${t(left ? "left.title" : title)}</b>
      <p>${left ? t("left.closed") : link ? t("table.bad_link.text") : live.closed?.message}</p>
      ${lost && html`<button type="button" onClick=${go}>${t(link ? "table.go_on" : "table.watch")}</button>`}
      <a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></div>`;
  }
  const fault = live?.link === "away" ? new Away("away") : null;
  return html`<${Face} answer=${{ data: null, fault, busy: true, wait: 0, again: controls?.again }} />`;
}

/**
 * @param {{ controls: Controls, info: RulesetInfo, left: boolean,
 *   changed: (left?: boolean) => void }} props
 */
function Table({ controls, info, left, changed }) {
  const { live } = controls;
  const view = /** @type {GameView} */ (live.view);
  const { table } = view;
  const [sheet, setSheet] = useState("");
  const [guided, setGuided] = useState(isGuided());
  const guide = (/** @type {boolean} */ on) => {
    setGuided(on);
    setIsGuided(on);
  };
  const page = useRef(/** @type {HTMLElement | null} */ (null));
  useFocus(page);
  useFlights(page, live);
  const said = useSaid(live);
  const say = table.you !== null && settings().reactions && html`<${Say} game=${table.game} />`;
  const hurry = useNotices(live, info);
  const close = () => setSheet("");
  const looked = () => controls.settle({ look: "" });
  const member = membership(table.game);
  const over = table.stage === "ended" || table.stage === "voided";
  const last = useLast(view, member.token ?? "");
  const plays = table.you !== null && !over;
  const newest = live.lines[live.lines.length - 1];
  const [ended] = live.ended;
  const position = last?.position ? { ...last.position, table: { ...last.position.table, you: table.you } }
    : /** @type {any} */ ({ table, legend: view.legend ?? { groups: [] } });
  const busy = String(plays && (!live.asked || live.flight !== null));
  const practice = isPractice(table);
  const question = plays && live.asked ? sentence(live, view) : "";
  const scores = html`<${Scoreboard} table=${table} rules=${info} you=${table.you} />`;
  return html`<main class="table-page" id="main" ref=${page} data-version=${view.version} data-busy=${busy}>
    <${Bar} title=${info.title} view=${view} show=${setSheet} />
    <${Link} controls=${controls} changed=${changed} />
    <div class="columns">
      ${plays && guided && practice && html`<${Guide} live=${live} view=${view}
        stop=${() => guide(false)} />`}
      <div class="stack">
        ${newest && html`<p class="newest soft" aria-hidden="true">${brief(newest.sentence)}</p>`}
        ${over && html`<${GameOver} view=${view} info=${info} member=${member} last=${last} />`}
        ${table.stage === "ended" && !info.track.length && html`<${Luck} key=${`luck ${language()}`}
          view=${view} info=${info} token=${member.token ?? ""} />`}
        ${plays ? html`<${Desk} controls=${controls} info=${info} help=${() => setSheet("help")}
            said=${said.seats} say=${say} />`
          : html`<${Board} position=${position} rules=${info} marks=${marked(live.moves, position)}
            said=${said.seats} say=${say} explains />`}
        ${plays && live.asked?.questions.some(({ kind }) => kind === "reveal") && html`<${Reveal}
          controls=${controls} member=${member} />`}
        ${!plays && !over && html`<${Watched} controls=${controls} left=${left} />`}
      </div>
      <aside class="side">
        <section class="panel"><h2>${t("log")}</h2><${Log} lines=${live.lines} most=${14} /></section>
        <section class="panel"><h2>${t("scores")}</h2>${scores}</section></aside>
    </div>
    <${Announcer} sentence=${said.sentence} />
    <${Announcer} sentence=${[newest?.sentence, question].filter(Boolean).join(". ")} />
    <${Why} view=${view} info=${info} />
    ${sheet === "log" && html`<${Sheet} title=${t("table.log.title")} close=${close}>
      ${scores}<${Log} lines=${live.lines} most=${60} /></${Sheet}>`}
    ${sheet === "rules" && html`<${RulesSheet} game=${table.game} info=${info} options=${view.options}
      close=${close} guide=${practice ? { on: guided, set: guide } : null} />`}
    ${sheet === "menu" && html`<${Sheet} title=${t("table.menu")} close=${close}>
      <${Menu} view=${view} close=${close} changed=${changed} /></${Sheet}>`}
    ${sheet === "help" && html`<${SettingsSheet} game=${table.game} close=${close} />`}
    ${ended && !over && html`<${RoundEnd} key=${ended.seq} event=${ended} view=${view} info=${info}
      token=${member.token ?? ""} close=${() => controls.settle({ ended: live.ended.slice(1) })} />`}
    ${hurry && html`<p class="unseen" role="alert">${hurry}</p>`}
    ${live.lost && html`<${LostSheet} close=${() => controls.settle({ lost: false })} />`}
    ${live.look && html`<${Sheet} title=${t("look.title")} close=${looked}>
      <p>${t("look.face", { card: face(live.look).name })}</p>
      <button type="button" class="primary" onClick=${looked}>${t("look.done")}</button></${Sheet}>`}
  </main>`;
}

/**
 * What is played, how far it is, and what can be opened over the table.
 * @param {{ title: string, view: GameView, show: (sheet: string) => void }} props
 */
function Bar({ title, view, show }) {
  const { round, turn, replay } = view.table;
  const where = [t("round", { round }), t("turn", { turn }), ...(replay ? [t("replayed_round")] : [])];
  return html`<div class="bar"><a class="home" href=${`${ROOT}/play`} aria-label=${t("over.lobby")}>‹</a>
    <h1 tabindex="-1">${title}</h1>
    ${view.terms.test && html`<span class="badge note">${t("terms.is.test")}</span>`}
    <span class="soft">${where.join(" · ")}</span>
    <nav class="row" aria-label=${t("table.more")}>
      <button type="button" class="narrow" onClick=${() => show("log")}>${t("table.log")}</button>
      <button type="button" onClick=${() => show("rules")}>${t("table.rules")}</button>
      <button type="button" data-menu onClick=${() => show("menu")}>${t("table.menu")}</button>
      <button type="button" class="quiet" aria-label=${t("help.title")}
        onClick=${() => show("help")}>⚙</button></nav></div>`;
}

/**
 * Who is waited for, where the person does not play: it watches, has left, or has lost its seat.
 * @param {{ controls: Controls, left: boolean }} props
 */
function Watched({ controls: { live, skip }, left }) {
  const view = /** @type {GameView} */ (live.view);
  const { game, you } = view.table;
  const lost = membership(game).token ? "left.lost" : "table.watching";
  return html`<div class="ask">
    <p class="question">${you === null ? t(left ? "left.watching" : lost) : ""} ${sentence(live, view)}</p>
    ${live.waiting > 0 && html`<button type="button"
      onClick=${skip}>${t("do.skip_waiting", { count: live.waiting })}</button>`}</div>`;
}

/** Whether the person plays against bots alone. @param {GameView["table"]} table */
function isPractice(table) {
  return table.you !== null && table.seats.every((seat) => seat?.seat === table.you || seat?.bot);
}

/** What is shown may be old: says since when, and goes away by itself.
 * @param {{ controls: Controls, changed: () => void }} props */
function Link({ controls, changed }) {
  const { live } = controls;
  const away = live.link === "away";
  useSeconds(away ? Number.MAX_SAFE_INTEGER : 0); // the age is told anew each second
  if (live.link === "refused") {
    return html`<div class="banner fault" role="alert"><b>${live.closed?.message}</b>
      <button type="button" onClick=${() => changed()}>${t("face.again")}</button></div>`;
  }
  if (!away) return null;
  const age = Math.max(0, Math.round((Date.now() - live.heardAt) / 1000));
  return html`<div class="banner fault">
    <p><b role="status">${t("link.away")}</b> <span>${t("link.age", { count: age })}</span></p>
    <button type="button" onClick=${controls.again}>${t("face.again")}</button></div>`;
}
