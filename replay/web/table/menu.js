/** The menu of a table: the own seat, who may watch, who is away, and the ways out of a game. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { LinkBox, MySeat, breakOff, giveUp } from "../lobby/share.js";
import { call } from "../play/api.js";
import { Face, Fault, useAnswer, usePress } from "../play/faces.js";
import { EMBEDDED, ROOT } from "../play/navigation.js";
import { Final } from "../play/final.js";
import { membership } from "../play/tokens.js";

const EVERY = 5; // seconds after which it is asked again who is late

/** @typedef {import("../play/types").GameView} GameView */

/** @param {{ view: GameView, close: () => void, changed: (left?: boolean) => void }} props
 *   `changed`: the person's tokens have, and whether the seat was given up */
export function Menu({ view, close, changed }) {
  const { table, terms } = view;
  const { game } = table;
  const member = membership(game);
  const isOver = table.stage === "ended" || table.stage === "voided";
  const sits = table.you !== null;
  const leave = async () => {
    await giveUp(game);
    close();
    changed(true);
  };
  const forgotten = () => {
    close();
    changed();
  };
  const away = table.seats.some((seat, number) => seat && !seat.bot && number !== table.you);
  const watch = `${location.origin}${ROOT}/play/g/${game}`;
  const stop = () => breakOff(game).then(close);
  return html`<div class="menu">
    ${member.token && sits && !EMBEDDED && html`<${Entry} title=${t("table.seat")}>
      <${MySeat} game=${game} changed=${forgotten} /></${Entry}>`}
    ${terms.spectators !== "none" && !EMBEDDED && html`<${Entry} title=${t("menu.watch")}>
      <${LinkBox} link=${watch} label=${t("menu.watch.link")} /></${Entry}>`}
    ${!isOver && sits && away && html`<${Entry} title=${t("menu.away")}>
      <${Away} view=${view} token=${member.token ?? ""} /></${Entry}>`}
    ${!isOver && sits && html`<${Entry} title=${t("menu.bot")}>
      <${Final} says=${t("menu.bot.sure")} does=${t("menu.bot")} run=${leave} /></${Entry}>`}
    ${!isOver && member.host && html`<${Entry} title=${t("menu.void")}>
      <${Final} says=${t("menu.void.sure")} does=${t("menu.void")} run=${stop} /></${Entry}>`}
    <p><a href=${`${ROOT}/play/g/${game}/scores`}>${t("scores.title")}</a></p>
  </div>`;
}

/** One thing of the menu, folded until it is wanted. @param {{ title: string, children?: any }} props */
function Entry({ title, children }) {
  const [open, set] = useState(false);
  return html`<details name="menu" onToggle=${(/** @type {any} */ event) => set(event.target.open)}>
    <summary>${title}</summary>${open && html`<div class="stack">${children}</div>`}</details>`;
}

/**
 * Who has not answered in time, and going on without them.
 * @param {{ view: GameView, token: string }} props
 */
function Away({ view, token }) {
  const { game, seats } = view.table;
  const now = useAnswer(() => call("GET", `/games/${game}`, { token }), [game, view.version], EVERY);
  const { busy, fault, run } = usePress();
  if (!view.terms.clock) return html`<p>${t("menu.away.no_clock")}</p>`;
  /** @type {GameView["deadlines"]} */
  const deadlines = now.data?.deadlines ?? [];
  const late = deadlines.filter(({ seat, grace_until: end }) => seat !== view.table.you && end <= Date.now());
  const claim = (/** @type {number} */ seat) =>
    run(() => call("POST", `/games/${game}/claims`, { token, body: { seat } }));
  return html`<${Face} answer=${now} /><${Fault} fault=${fault} />
    ${now.data && !late.length && html`<p>${t("menu.away.nobody")}</p>`}
    ${late.map(({ seat }) => {
      const name = seats[seat]?.name ?? "";
      return html`<p key=${seat}>${t("menu.away.late", { name })}
        ${" "}<button type="button" disabled=${busy}
          onClick=${() => claim(seat)}>${t("menu.claim", { name })}</button></p>`;
    })}`;
}
