/** Components whose modules are loaded when they are first drawn. */

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Away } from "./api.js";
import { Face, useAnswer } from "./faces.js";
import { ROOT } from "./navigation.js";

const OUTDATED = "outdated";

/**
 * A component that is loaded before it is drawn; until then its place says so.
 *
 * @param {() => Promise<any>} load gives the component, of a module that is imported by it
 */
export function later(load) {
  /** @type {any} */
  let component = null;
  const ask = async () => {
    try {
      return (component = await load());
    } catch (fault) {
      const { address } = /** @type {{ address: string }} */ (fault);
      const answer = await fetch(`${ROOT}/play/${address}`).catch(() => null);
      if (answer?.status === 404) return OUTDATED;
      throw new Away("away");
    }
  };
  return function Later(/** @type {object} */ props) {
    const answer = useAnswer(async () => component ?? ask(), []);
    if (answer.data === OUTDATED) return html`<div data-coming><${Outdated} /></div>`;
    if (component) return html`<${component} ...${props} />`;
    return html`<div data-coming><${Face} answer=${answer} /></div>`;
  };
}

/** The service has another version of the page, whose modules do not fit this one. */
function Outdated() {
  return html`<div class="face fault" role="alert"><b>${t("outdated.title")}</b><p>${t("outdated.more")}</p>
    <button type="button" onClick=${() => location.reload()}>${t("broken.again")}</button></div>`;
}
