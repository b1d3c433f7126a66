/** Components whose modules are loaded when they are first drawn. */

import { html } from "../vendor/preact.js";
import { Away } from "./api.js";
import { Face, useAnswer } from "./faces.js";

/**
 * A component that is loaded before it is drawn; until then its place says so.
 *
 * @param {() => Promise<any>} load gives the component, of a module that is imported by it
 */
export function later(load) {
  /** @type {any} */
  let component = null;
  const ask = async () => {
    component = await load().catch(() => {
      throw new Away("away");
    });
    return component;
  };
  return function Later(/** @type {object} */ props) {
    const answer = useAnswer(async () => component ?? ask(), []);
    if (component) return html`<${component} ...${props} />`;
    return html`<div data-coming><${Face} answer=${answer} /></div>`;
  };
}
