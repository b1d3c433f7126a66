/** What cannot be taken back. */

import { html } from "../vendor/preact.js";
import { Fault, usePress } from "./faces.js";

/** A sentence, and the button. @param {{ says: string, does: string, run: () => Promise<void> }} props */
export function Final({ says, does, run }) {
  const press = usePress();
  return html`<p>${says}</p><${Fault} fault=${press.fault} />
    <div class="row"><button type="button" class="danger" disabled=${press.busy}
      onClick=${() => press.run(run)}>${does}</button></div>`;
}
