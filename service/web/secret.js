/** A secret of one's own for the deal, and the commitment to it that the service is sent. */

import { hex } from "./api.js";

/** Whether this browser hashes; on a plain http page of another machine none does. */
export function canCommit() {
  return Boolean(globalThis.crypto?.subtle);
}

/**
 * A new secret of a seat, as hex, and the SHA-256 by which it is committed to (`p10/seat-commit/v1`).
 * @param {string} game @param {number} seat
 */
export async function committed(game, seat) {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const lines = new TextEncoder().encode(`p10/seat-commit/v1\n${game}\n${seat}\n`);
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...lines, ...secret]));
  return { secret: hex(secret), commit: hex(new Uint8Array(digest)) };
}
