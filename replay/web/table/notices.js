/** What calls a person back to the table: the title and the icon of the page, and sounds. */

import { useEffect, useState } from "../vendor/preact.js";
import { settings } from "../play/settings.js";
import { membership } from "../play/tokens.js";
import { language, t } from "../words.js";

/** @typedef {import("./live.js").Live} Live */

const HURRY = 10_000; // milliseconds before the time is up
const LONGEST = 2 ** 31 - 1; // milliseconds that a timer can wait
const END = "%3C/svg%3E"; // of the icon
const DOT = "%3Ccircle cx='7.5' cy='2.500' r='2.500' fill='%23e0442f'/%3E";

/** A sound of a kind that `sounds.js` knows, if the person wants any. @param {string} kind */
async function sound(kind) {
  if (!settings().sound) return;
  const sounds = await import("./sounds.js").catch(() => null); // away: the table says so
  sounds?.sounded(kind);
}

/** Do what a person has asked for who is to be notified.
 * @param {(late: typeof import("../play/push.js")) => Promise<void>} work */
async function push(work) {
  await import("../play/push.js").then(work).catch(() => {}); // the service is away, or the browser refuses
}

/** @param {Live} live @param {import("../play/types").RulesetInfo} info */
export function useNotices({ view, moves, ended, waiting }, info) {
  const { table, deadlines } = /** @type {import("../play/types").GameView} */ (view);
  const calls = table.you !== null && table.waits.some(({ seat }) => seat === table.you);
  const notified = Boolean(membership(table.game).notify);
  const due = calls ? deadlines.find(({ seat }) => seat === table.you)?.due_at ?? 0 : 0;
  const [hurried, setHurried] = useState(0);
  const hurries = due > 0 && hurried === due;
  const title = hurries ? t("notice.hurry") : calls ? t("notice.turn") : "";
  useEffect(() => {
    if (!due) return undefined;
    const wait = due - HURRY - Date.now();
    if (wait > LONGEST) return undefined;
    const timer = setTimeout(setHurried, Math.max(0, wait), due);
    return () => clearTimeout(timer);
  }, [due]);
  useEffect(() => {
    document.title = [title, info.title, "phaseledger"].filter(Boolean).join(" · ");
    const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    if (icon) icon.href = icon.href.replace(DOT, "").replace(END, `${calls ? DOT : ""}${END}`);
  }, [title, info.title, calls, language()]);
  useEffect(() => {
    if (notified) push((late) => late.renew(table.game));
  }, [table.game]);
  useEffect(() => {
    const title = `${t("notice.turn")} · ${info.title}`;
    if (notified && calls && document.hidden) push((late) => late.calledBack(table.game, title));
  }, [calls]);
  useEffect(() => {
    if (hurries) sound("hurry");
    else if (calls) sound("turn");
  }, [calls, hurries]);
  useEffect(() => {
    if (moves.length && waiting < 2) sound("card");
  }, [moves]);
  useEffect(() => {
    if (ended.length) sound("round");
  }, [ended]);
  return hurries ? title : "";
}
