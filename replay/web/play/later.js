/** What a page needs only at times: the script that has it is loaded when it is needed first. */

import { html } from "../vendor/preact.js";
import { Away } from "./api.js";
import { Face, useAnswer } from "./faces.js";

/** @type {Promise<Record<string, unknown>> | null} */
let loading = null;

/** What the later script exports, loaded once. @throws {Away} */
function loaded() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    SHARED.come = done;
    script.onerror = () => {
      loading = null; // the next one who asks tries again
      script.remove();
      failed(new Away("away"));
    };
    script.src = document.documentElement.dataset.later ?? "";
    document.head.append(script);
  });
  return loading;
}

/** A component of the later script, with its props. @param {{ of: string, [prop: string]: unknown }} props */
export function Later({ of, ...props }) {
  const answer = useAnswer(loaded, []);
  return answer.data ? html`<${answer.data[of]} ...${props} />` : html`<${Face} answer=${answer} />`;
}
