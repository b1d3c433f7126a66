/** What the replay plays back, from the service: a game's frames, or a file that it has read. */

import { Recording, readFrames } from "../feed/frames.js";
import { documentSource } from "../feed/document.js";
import { language } from "../words.js";
import { html } from "../vendor/preact.js";
import { AnalysisRequest } from "../play/analysis.js";
import { caller, fetched } from "../play/api.js";
import { named } from "../play/people.js";

/** @typedef {import("../feed/document.js").Source} Source */

/** What the marks of the scrubber are about. @type {Record<string, string[]>} */
const MARKED = {
  rounds: ["RoundDealt"], laid: ["PhaseLaid"], out: ["RoundEnded"], skips: ["SkipServed"],
  timeouts: ["TurnTimedOut"],
};

const NAME = 200; // characters of a file's name that are sent

/** A game of the service, from every chair that the caller may take.
 * @param {string} game @param {string} token @returns {Promise<Source>} */
export async function gameSource(game, token) {
  /** @param {string} chair @param {string} lang */
  const read = async (chair, lang) => {
    const query = new URLSearchParams({ lang, ...(chair ? { seat: chair } : {}) });
    const path = `/games/${game}/frames?${query}`;
    const answer = await fetched(caller(token), path, "application/x-ndjson");
    const text = await named(await answer.text());
    const end = text.indexOf("\n");
    /** @type {import("../play/types").FramesHeader} */
    const header = JSON.parse(text.slice(0, end));
    return { header, frames: readFrames(text.slice(end + 1)) };
  };
  const { header, frames } = await read("", language());
  const own = header.viewer === null ? "spectator" : String(header.viewer);
  const chairs = own === "all" ? ["all", "spectator", ...header.seats.map((_, seat) => String(seat))] : [own];
  const marks = Object.fromEntries(Object.entries(MARKED).map(([name, types]) =>
    [name, frames.filter((frame) => types.includes(frame.type)).map((frame) => frame.seq)]));
  const first = { lang: language(), recording: new Recording(frames) };
  /** @type {NonNullable<Source["translations"]>} */
  const translations = {}; // the rules in each language that was asked for
  /** @param {(analysis: import("../types.js").Analysis) => void} done */
  const request = (done) => html`<${AnalysisRequest} game=${game} token=${token} done=${done} />`;
  return {
    ...header, title: header.rules.title, chairs, findings: [], translations,
    marks: /** @type {any} */ (marks),
    distance: /** @type {import("../types.js").Distance} */ (header.distance ?? []),
    ...(header.stage === "ended" && !header.rules.track.length && { request }),
    async load(chair, lang) {
      if (chair === own && lang === first.lang) return first.recording;
      const other = await read(chair, lang);
      translations[lang] = { rules: other.header.rules, phrases: {} };
      return new Recording(other.frames);
    },
  };
}

/** A file that the service has read and judged.
 * @param {Blob} file @param {string} name its name @param {string} game which one of several games
 * @returns {Promise<Source>} */
export async function fileSource(file, name, game = "") {
  const query = new URLSearchParams({ lang: language(), name: name.slice(-NAME), ...(game ? { game } : {}) });
  const headers = { "Content-Type": "application/octet-stream" };
  const request = { method: "POST", body: file, headers };
  const answer = await fetched(caller(), `/replays?${query}`, "application/json", request);
  return documentSource(await answer.json());
}

/** The record of a game of the service, read and judged as a file would be.
 * @param {string} game @param {string} token @returns {Promise<Source>} */
export async function recordSource(game, token) {
  const answer = await fetched(caller(token), `/games/${game}/bundle`, "*/*");
  const source = await fileSource(await answer.blob(), `${game}.bundle.ndjson`);
  return { ...source, title: source.seats.flatMap((seat) => seat?.name ?? []).join(", ") };
}
