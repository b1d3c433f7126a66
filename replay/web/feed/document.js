// The document of the viewer (`p10-viewer/v1`): a game for every chair, its marks and its verdict.

import { Recording, Unreadable, readFrames } from "./frames.js";

/** @typedef {import("../types.js").Analysis} Analysis */
/** @typedef {import("../types.js").Chair} Chair */
/** @typedef {import("../types.js").ViewerDocument} ViewerDocument */

const FORMAT = "p10-viewer/v1";

/**
 * What a screen plays back, wherever it comes from; `request` draws what asks for an analysis.
 * @typedef {{ title: string, rules: import("../types.js").RulesetInfo, stage: string, events: number,
 *   seats: (import("../types.js").Sitter | null)[], chairs: Chair[], marks: import("../types.js").Marks,
 *   distance: import("../types.js").Distance, verdict?: import("../types.js").ViewerVerdict,
 *   findings: import("../types.js").DisputedEvent[], translations?: ViewerDocument["translations"],
 *   load: (chair: Chair, lang: string) => Promise<Recording>, analysis?: () => Promise<Analysis>,
 *   request?: (done: (analysis: Analysis) => void) => unknown }} Source
 */

/**
 * The document of a text.
 * @param {string} text
 * @returns {ViewerDocument}
 * @throws {Unreadable} where it is none, or one of another version
 */
export function readDocument(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    throw new Unreadable("fault.damaged", String(fault));
  }
  if (typeof value?.viewer !== "string") throw new Unreadable("fault.no_document");
  if (value.viewer !== FORMAT) throw new Unreadable("fault.version", value.viewer);
  return value;
}

/** @param {ViewerDocument & { analysis?: string }} document @returns {Source} */
export function documentSource({ analysis, ...document }) {
  const chairs = document.chairs.filter((chair) => document.frames[chair]);
  if (chairs.length === 0) throw new Unreadable("fault.no_frames");
  /** @type {Map<string, Promise<Recording>>} */
  const loaded = new Map();
  return {
    ...document,
    chairs,
    distance: /** @type {import("../types.js").Distance} */ (document.distance ?? []),
    load(chair, lang) {
      const key = `${lang} ${chair}`;
      const recording = loaded.get(key) ?? load(document, chair, lang);
      loaded.set(key, recording);
      return recording;
    },
    ...(analysis ? { analysis: async () => JSON.parse(await inflated(analysis)) } : {}),
  };
}

/** @param {ViewerDocument} document @param {Chair} chair @param {string} lang */
async function load(document, chair, lang) {
  const frames = readFrames(await inflated(document.frames[chair] ?? ""));
  const other = document.sentences?.[lang]?.[chair];
  if (!other) return new Recording(frames);
  /** @type {string[][]} */
  const sentences = JSON.parse(await inflated(other));
  const phrases = document.translations?.[lang]?.phrases ?? {};
  return new Recording(frames.map((frame, index) => {
    const [sentence = frame.sentence, ...more] = sentences[index] ?? [];
    return { ...translated(frame, phrases), sentence, more };
  }));
}

/**
 * The frame with the legend of its groups in another language.
 * @param {import("../types.js").Frame} frame @param {Record<string, string>} phrases
 */
function translated(frame, phrases) {
  const { position, patch } = frame;
  if (position) return { ...frame, position: { ...position, legend: spoken(position.legend, phrases) } };
  if (!patch?.some(({ path }) => path.startsWith("/legend"))) return frame;
  return {
    ...frame,
    patch: patch.map((step) =>
      step.path.startsWith("/legend") ? { ...step, value: spoken(step.value, phrases) } : step),
  };
}

const CODES = new Set(["code", "grade", "rule"]);

/**
 * The value with every phrase in it translated, but for codes.
 * @template T
 * @param {T} value
 * @param {Record<string, string>} phrases
 * @returns {T}
 */
export function spoken(value, phrases) {
  /** @param {unknown} node @returns {unknown} */
  const said = (node) => {
    if (typeof node === "string") return Object.hasOwn(phrases, node) ? phrases[node] : node;
    if (Array.isArray(node)) return node.map(said);
    if (node === null || typeof node !== "object") return node;
    const entries = Object.entries(node);
    return Object.fromEntries(entries.map(([key, below]) => [key, CODES.has(key) ? below : said(below)]));
  };
  return /** @type {T} */ (said(value));
}

/** The text that was compressed with gzip and written in base64. @param {string} packed */
async function inflated(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).text();
  } catch (fault) {
    throw new Unreadable("fault.damaged", String(fault));
  }
}
