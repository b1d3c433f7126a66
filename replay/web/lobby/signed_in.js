/** The screen to which an issuer sends a person back, who is signed in then, or reads why not. */

import { html, useEffect, useState } from "../vendor/preact.js";
import { t } from "../words.js";
import { ROOT, navigate } from "../play/navigation.js";
import { SignIn, signedIn } from "../play/session.js";

export function SignedInScreen() {
  const [fault, setFault] = useState(/** @type {Error | null} */ (null));
  useEffect(() => {
    signedIn().then((back) => navigate(back, true), setFault);
  }, []);
  return html`<main class="page narrow-page" id="main"><h1 tabindex="-1">${t("signin.go")}</h1>
    ${!fault && html`<p class="face" role="status">${t("face.loading")}</p>`}
    ${fault && html`<div class="face fault" role="alert"><b>${t("signin.failed")}</b>
      <p>${fault.message}</p></div>
    <p class="row"><${SignIn} /><a class="button" href=${`${ROOT}/play`}>${t("over.lobby")}</a></p>`}
  </main>`;
}
