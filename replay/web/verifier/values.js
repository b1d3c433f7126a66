// Canonical JSON, and the kinds of values that a bundle holds.

import { Fault, phrase } from "./words.js";

const LONE = /[\ud800-\udfff]/u;

// Canonical JSON (RFC 8785) of what a bundle may hold: no floats, no nulls, ASCII keys.
export function canonical(value) {
  if (typeof value === "string") {
    if (LONE.test(value)) throw new Fault(phrase("fault.half_character"));
    return JSON.stringify(value);
  }
  if (typeof value === "boolean") return String(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) {
    throw new Fault(phrase(value === null ? "fault.null" : "fault.number"));
  }
  const keys = Object.keys(value).sort();
  // eslint-disable-next-line no-control-regex
  if (keys.some((key) => /[^\x00-\x7f]/.test(key))) throw new Fault(phrase("fault.key"));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

// How deeply brackets are nested outside of strings.
export function depth(text) {
  let deepest = 0, now = 0, quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 91 || c === 123) deepest = Math.max(deepest, ++now);
    else if (c === 93 || c === 125) now--;
  }
  return deepest;
}

export const isText = (value) => typeof value === "string";
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const matches = (pattern) => (value) => isText(value) && pattern.test(value);
export const within = (low, high) => (value) =>
  Number.isSafeInteger(value) && value >= low && value <= high;
export const isHash = matches(/^[0-9a-f]{64}$/);
export const isCount = within(0, Number.MAX_SAFE_INTEGER);
export const isNumber = within(1, Number.MAX_SAFE_INTEGER);
export const listOf = (is) => (value) => Array.isArray(value) && value.every(is);
export const isGame = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const isSeals = (value) =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isHash);
