/** A secret of one's own for the deal, and the commitment to it that the service is sent. */

import { hex } from "./api.js";

/** Whether this browser hashes; on a plain http page of another machine none does. */
export function canCommit() {
  return Boolean(globalThis.crypto?.subtle);
}

/**
 * The SHA-256, as hex, by which the secret of a seat is committed to (`p10/seat-commit/v1`).
 * @param {string} game @param {number} seat @param {string} secret 64 hex digits
 */
export async function committed(game, seat, secret) {
  const lines = new TextEncoder().encode(`p10/seat-commit/v1\n${game}\n${seat}\n`);
  const bytes = (secret.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...lines, ...bytes]));
  return hex(new Uint8Array(digest));
}
