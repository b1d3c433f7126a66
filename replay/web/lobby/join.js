/** Sitting down at a table, with a name and, where it is private, its code. */

import { html, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { withValue } from "../parts/field.js";
import { randomHex } from "../play/api.js";
import { Fault, useKey, usePress } from "../play/faces.js";
import { navigate } from "../play/navigation.js";
import { person, remember } from "../play/person.js";
import { canCommit, committed } from "../play/secret.js";
import { SIGNS_IN, SignIn, asPerson, session, sitting } from "../play/session.js";
import { keep, membership } from "../play/tokens.js";
import { StayCheck } from "./share.js";

/**
 * @param {{ game?: string, seat?: number, code?: string | undefined, isPrivate: boolean,
 *   changed: () => void }} props `game` and `seat`, a free one, are left out where only a code is known
 */
export function SitDown({ game = "", seat, code = "", isPrivate, changed }) {
  const [name, setName] = useState(person().name ?? "");
  const [written, setWritten] = useState(code);
  const [stays, setStays] = useState(true);
  const [commits, setCommits] = useState(false);
  const { busy, fault, run } = usePress();
  const keyOf = useKey(); // a second press takes no second seat
  const [, drawn] = useState(0);
  const who = session();

  async function sit() {
    if (!who) needName(name);
    const own = commits && seat !== undefined ? await brought(game, seat) : {};
    const body = { ...asPerson(name), ...(isPrivate ? { code: written.trim() } : {}), ...own };
    /** @type {import("../play/types").Joined} */
    const joined = await sitting(game ? `/games/${game}/seats` : "/joins", body, keyOf([body, who?.token]));
    if (!who) remember({ name: name.trim() }, stays);
    const sat = { seat: joined.seat, token: joined.token, name: who?.player.name ?? name.trim() };
    const table = keep(joined.game, { ...sat, kept: stays });
    if (game) changed();
    else navigate(table, true);
    return true;
  }
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(sit);
  };
  return html`<form class="panel" onSubmit=${submit}><h2>${t("join.sit")}</h2>
    ${!who && html`<label>${t("join.name")}<input required maxlength="40" value=${name}
      autocomplete="nickname" onInput=${withValue(setName)} /></label>`}
    ${SIGNS_IN && html`<p><${SignIn} changed=${() => drawn((before) => before + 1)} /></p>`}
    ${isPrivate && html`<label>${t("lobby.code.label")}
      <input required maxlength="20" value=${written} autocomplete="off" autocapitalize="characters"
        spellcheck=${false} onInput=${withValue(setWritten)} /></label>`}
    <${StayCheck} stays=${stays} change=${setStays} />
    ${game && seat !== undefined && html`<${OwnSecret} checked=${commits} change=${setCommits} />`}
    <${Fault} fault=${fault} />
    <button type="submit" class="primary" disabled=${busy}>${t("join.go")}</button>
  </form>`;
}

/** Refuse a name that is left out, before anything is sent. @param {string} name */
export function needName(name) {
  if (!name.trim()) throw new Error(t("fault.name"));
}

/**
 * The seat and its commitment for the service; the secret is kept here before anybody is told, and is
 * the same when the same is sent again.
 * @param {string} game @param {number} seat
 */
export async function brought(game, seat) {
  const { secret = randomHex(32), kept } = membership(game);
  keep(game, { secret, kept: kept ?? false });
  return { seat, commit: await committed(game, seat, secret) };
}

/**
 * Whether the person brings a secret.
 * @param {{ checked: boolean, change: (checked: boolean) => void }} props
 */
export function OwnSecret({ checked, change }) {
  if (!canCommit()) return null;
  return html`<label class="check">
    <input type="checkbox" name="secret" checked=${checked} onChange=${() => change(!checked)} />
    <span>${t("secret.bring")} <span class="soft">${t("secret.more")}</span></span></label>`;
}
