/**
 * The screen to which an issuer sends a person back, who is signed in then, or reads why not. Seats
 * that a guest had in this browser are offered to the player.
 */

import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { Refusal, call } from "../play/api.js";
import { Fault, usePress } from "../play/faces.js";
import { ROOT, navigate } from "../play/navigation.js";
import { SignIn, session, shownAs, signedIn } from "../play/session.js";
import { keep, memberships } from "../play/tokens.js";

const guests = () => memberships().filter(([, { token, over, player }]) => token && !over && !player);

/** Let the guest's seats be the player's; one that the service refuses stays as it is. */
async function takeAlong() {
  for (const [game, member] of guests()) {
    const body = { player: "me", token: member.token };
    try {
      await call("POST", `/games/${game}/player`, { token: session()?.token ?? "", body });
      keep(game, { ...member, ...shownAs("") });
    } catch (refused) {
      if (!(refused instanceof Refusal) || refused.status >= 500) throw refused;
    }
  }
}

export function SignedInScreen() {
  const [failed, setFailed] = useState(/** @type {Error | null} */ (null));
  const [back, setBack] = useState("");
  const { busy, fault, run } = usePress();
  const leave = (/** @type {string} */ path) => navigate(path, true);
  useEffect(() => {
    signedIn().then((path) => (guests().length ? setBack(path) : leave(path)), setFailed);
  }, []);
  const take = () => run(async () => {
    await takeAlong();
    leave(back);
    return true;
  });
  return html`<main class="page narrow-page" id="main"><h1 tabindex="-1">${t("signin.go")}</h1>
    ${!failed && !back && html`<p class="face" role="status">${t("face.loading")}</p>`}
    ${failed && html`<div class="face fault" role="alert"><b>${t("signin.failed")}</b>
      <p>${failed.message}</p></div>
    <p class="row"><${SignIn} /><a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></p>`}
    ${back && html`<section class="panel"><p><${SignIn} changed=${() => leave(back)} /></p>
      <h2>${t("signin.take")}</h2><p>${t("signin.take.more", { count: guests().length })}</p>
      <ul class="plain">${guests().map(([game, { name, ruleset, seat }]) => html`<li key=${`${game} ${seat}`}>
        <b><bdi>${name}</bdi></b> <span class="soft">${ruleset ?? game.slice(0, 8)}</span></li>`)}</ul>
      <${Fault} fault=${fault} />
      <div class="row"><button type="button" class="primary" disabled=${busy}
        onClick=${take}>${t("signin.take.go")}</button>
        <button type="button" disabled=${busy} onClick=${() => leave(back)}>${t("signin.take.not")}</button>
      </div></section>`}
  </main>`;
}
