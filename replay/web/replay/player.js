// What plays a game back: the line of its events, the buttons, the speed and the chair.

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Legend, Scrubber } from "./scrubber.js";
import { Buttons, Choices } from "./transport.js";

/**
 * @param {Omit<Parameters<typeof Scrubber>[0], "first" | "last"> & Parameters<typeof Buttons>[0]
 *   & Parameters<typeof Choices>[0] & { recording: import("../feed/frames.js").Recording }} props
 */
export function Player({ recording: { first, last }, source, seq, text, onSeek, ...props }) {
  const { playing, onStep, onPlay, chair, speed, onChair, onSpeed } = props;
  return html`<section class="panel player" aria-label=${t("replay")}>
    <div class="deck">
      <${Scrubber} source=${source} first=${first} last=${last} seq=${seq} text=${text} onSeek=${onSeek} />
      <${Buttons} playing=${playing} onStep=${onStep} onPlay=${onPlay} />
    </div>
    <${Choices} source=${source} chair=${chair} speed=${speed} onChair=${onChair} onSpeed=${onSpeed} />
    <${Legend} source=${source} />
  </section>`;
}
