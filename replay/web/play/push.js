/** Notices of a table in this browser, while nobody looks at it: asked for by a switch, and kept up. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { call, randomHex } from "./api.js";
import { Fault, useAnswer, usePress } from "./faces.js";
import { EMBEDDED, ROOT } from "./navigation.js";
import { load, save } from "./storage.js";
import { keep, membership } from "./tokens.js";

const DEVICE = "phaseledger.device";

/** Why this browser has no notices, as the key of a sentence; empty where it may have some. */
function hindrance() {
  if (!isSecureContext) return "push.insecure";
  const apple = /iPhone|iPad|Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 0;
  if (!("Notification" in window && "PushManager" in window)) return apple ? "push.home" : "push.missing";
  return Notification.permission === "denied" ? "push.blocked" : "";
}

/** The same id for this browser at every table. */
function device() {
  const id = load(DEVICE) ?? randomHex(16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  save(DEVICE, id);
  return id;
}

/** @param {string} game */
const path = (game) => `/games/${game}/notices/${device()}`;

/** The browser's subscription to this service; one that was made for another key is given up.
 * @param {string} key */
async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
}

/** Have the service send notices of the seat here.
 * @param {string} game @param {PushSubscription} subscription */
async function told(game, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  await call("PUT", path(game), { token: membership(game).token, body: { endpoint, keys } });
  keep(game, { notify: endpoint });
}

/** @param {string} game @param {string} key */
async function turnOn(game, key) {
  if ((await Notification.requestPermission()) !== "granted") return;
  const subscription = await subscribed(key).catch(() => {
    throw new Error(t("push.failed"));
  });
  await told(game, subscription);
}

/** @param {string} game */
async function turnOff(game) {
  await call("DELETE", path(game), { token: membership(game).token });
  keep(game, { notify: "" });
}

/** Whoever looks at the table has read its notices; and browsers change where they are reached.
 * @param {string} game */
export async function renew(game) {
  const registration = await navigator.serviceWorker.ready;
  for (const shown of await registration.getNotifications({ tag: game })) shown.close();
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription || subscription.endpoint === membership(game).notify) return;
  await told(game, subscription);
}

/** Say that it is the person's turn, where another page lies before this one.
 * @param {string} game @param {string} title */
export async function calledBack(game, title) {
  const registration = await navigator.serviceWorker.ready;
  const data = location.href.split(/[?#]/)[0];
  await registration.showNotification(title, { tag: game, icon: `${ROOT}/play/icon.png`, data });
}

/** The switch of a table, where the service sends notices. @param {{ game: string }} props */
export function NoticeSwitch({ game }) {
  const channels = useAnswer(() => call("GET", "/notices"), []);
  const { busy, fault, run } = usePress();
  const [, redraw] = useState(0);
  const key = channels.data?.web_push;
  const { token, notify } = membership(game);
  if (!key || !token || EMBEDDED) return null;
  const hinders = hindrance();
  const on = Boolean(notify) && !hinders;
  const turn = () => (on ? turnOff(game) : turnOn(game, key));
  const change = () => run(() => turn().finally(() => redraw(Math.random())));
  return html`<div class="stack"><label class="check"><input type="checkbox" name="notify" checked=${on}
      disabled=${busy || Boolean(hinders)} onChange=${change} /> ${t("push.switch")}</label>
    <p class="soft" role="status">${t(hinders || (on ? "push.on" : "push.more"))}</p>
    <${Fault} fault=${fault} /></div>`;
}
