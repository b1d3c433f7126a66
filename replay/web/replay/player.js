<<<<<<< HEAD
// What plays a game back: the line of its events, the buttons, the speed and the chair.
=======
// What plays a game back: the line of its events with their marks, the buttons, speed and chair.
//
//   html`<${Player} source=${source} recording=${recording} seq=${120} text="..." chair="all" speed=${1}
//     playing=${false} onSeek=${(seq) => ...} onStep=${(where) => ...} onPlay=${() => ...} ... />`
>>>>>>> h33-verifier

import { html } from "../vendor/preact.js";
import { t } from "../words.js";
import { Legend, Scrubber } from "./scrubber.js";
import { Buttons, Choices } from "./transport.js";

/**
<<<<<<< HEAD
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
=======
 * @param {{ source: import("../feed/document.js").Source,
 *   recording: import("../feed/frames.js").Recording, seq: number, text: string, chair: string,
 *   speed: number, playing: boolean, onSeek: (seq: number) => void, onStep: (where: string) => void,
 *   onPlay: () => void, onChair: (chair: string) => void, onSpeed: (speed: number) => void }} props
 *   `text`: what is shown now
 */
export function Player({ source, recording, seq, text, chair, speed, playing, ...on }) {
  const { first, last } = recording;
  return html`<section class="panel player" aria-label=${t("replay")}>
    <div class="deck">
      <${Scrubber} source=${source} first=${first} last=${last} seq=${seq} text=${text} onSeek=${on.onSeek} />
      <${Buttons} playing=${playing} onStep=${on.onStep} onPlay=${on.onPlay} />
    </div>
    <${Choices} source=${source} chair=${chair} speed=${speed} onChair=${on.onChair} onSpeed=${on.onSpeed} />
>>>>>>> h33-verifier
    <${Legend} source=${source} />
  </section>`;
}
