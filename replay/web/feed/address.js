// The part of the address after `#`: which event, whose chair, how fast.

/** @typedef {{ event?: number, chair?: string, speed?: number }} Place */

/** @param {string} hash `#event=123&seat=1&speed=2` @returns {Place} */
export function readAddress(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const event = Number(given.get("event"));
  const speed = Number(given.get("speed"));
  return {
    ...(Number.isInteger(event) && event > 0 ? { event } : {}),
    ...(given.has("seat") ? { chair: String(given.get("seat")) } : {}),
    ...(speed > 0 ? { speed } : {}),
  };
}

/** @param {Place} place */
export function writtenAddress({ event, chair, speed }) {
  const speedy = speed === undefined || speed === 1 ? "" : `&speed=${speed}`;
  return `#event=${event}&seat=${chair}${speedy}`;
}
