/**
 * The session of a player who has signed in, where the operator has named an issuer. It is kept as the
 * tokens of seats are; it sits down as its player, and is shown at no table.
 */

import { html, useState } from "../vendor/preact.js";
import { Refusal, call } from "./api.js";
import { ROOT } from "./navigation.js";
import { load, save } from "./storage.js";
import { t } from "../words.js";

const KEY = "phaseledger.session";
const BACK = "phaseledger.back"; // where the person was
const RETURNED = `${ROOT}/play/signed-in`; // where the issuer sends browsers back to

/** Whether people can sign in here. */
export const SIGNS_IN = document.documentElement.dataset.signIn === "on";

/** @typedef {import("./types").SignedIn} SignedIn */

/** Who has signed in; null for a guest. @returns {SignedIn | null} */
export function session() {
  try {
    const kept = JSON.parse(load(KEY) || "null");
    return SIGNS_IN && kept?.expires_at > Date.now() ? kept : null;
  } catch {
    return null;
  }
}

/** Sign in with what the issuer has sent this browser back with, which leaves the address first.
 * @returns {Promise<string>} where the person was before */
export async function signedIn() {
  const { code, state } = Object.fromEntries(new URLSearchParams(location.search));
  history.replaceState(null, "", location.pathname);
  if (!code || !state) throw new Error(t("signin.failed.more"));
  save(KEY, JSON.stringify(await call("POST", "/sign-in", { body: { code, state } })));
  const back = load(BACK, false) ?? "";
  return back.startsWith(`${ROOT}/play`) ? back : `${ROOT}/play`;
}

/** Ask as the player who has signed in, or without one. A session that has ended is forgotten.
 * @param {string} path @param {object} body @param {string} key */
export async function sitting(path, body, key) {
  try {
    return await call("POST", path, { body, key, token: session()?.token ?? "" });
  } catch (refused) {
    if (refused instanceof Refusal && refused.status === 401) save(KEY, "null");
    throw refused;
  }
}

/** The person's part of the body that takes a seat. @param {string} name a guest's */
export const asPerson = (name) => (session() ? { player: "me" } : { name: name.trim() });

/** Who has signed in, with the way out; or the way in. @param {{ changed?: () => void }} props */
export function SignIn({ changed = () => {} }) {
  const [, drawn] = useState(0);
  const who = session();
  if (!SIGNS_IN) return null;
  const out = async () => {
    await call("DELETE", "/sign-in", { token: who?.token ?? "" }).catch(() => {}); // it ends by itself, too
    save(KEY, "null");
    drawn((before) => before + 1);
    changed();
  };
  if (!who) {
    const begin = () => location.pathname !== RETURNED && save(BACK, location.pathname, false);
    return html`<a class="button" href=${`${ROOT}/play/sign-in`} target="_self"
      onClick=${begin}>${t("signin.go")}</a>`;
  }
  return html`<span class="row signed-in"><span>${t("signin.as")} <b><bdi>${who.player.name}</bdi></b></span>
    <button type="button" class="quiet" onClick=${out}>${t("signin.out")}</button></span>`;
}
