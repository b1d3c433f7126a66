// Commitments, seals, and all that is drawn from the secrets (docs/reference/deal.md).

import { hex, sha256, unhex, utf8 } from "./hashes.js";

export const sealOf = async (salt, value) => hex(await sha256(Uint8Array.of(2), salt, value));
export const serverCommit = async (game, secret) =>
  hex(await sha256(`p10/server-commit/v1\n${game}\n`, unhex(secret)));
export const seatCommit = async (game, seat, secret) =>
  hex(await sha256(`p10/seat-commit/v1\n${game}\n${seat}\n`, unhex(secret)));

// HKDF-SHA-256 of a secret under one salt: a key for `derived`.
async function keyed(secret, salt) {
  const base = await crypto.subtle.importKey("raw", unhex(secret), "HKDF", false, ["deriveBits"]);
  return { base, salt };
}

async function derived(key, info, length) {
  const how = { name: "HKDF", hash: "SHA-256", salt: key.salt, info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key.base, length * 8));
}

export const sealKey = async (game, secret) => keyed(secret, await sha256(game));
export const saltOf = (key, seq, audience) => derived(key, `p10-seal/v1 seq=${seq} key=${audience}`, 16);
export const dealKey = (secret, transcript) => keyed(secret, unhex(transcript));

export function transcriptText(game, name, ruleset, commit, seats) {
  const lines = seats.map((seat, i) => `seat ${i} ${seat.commit} ${seat.secret}\n`);
  const head = `p10-deal/v1\ngame ${game}\nruleset ${name} ${ruleset}\nserver-commit ${commit}\n`;
  return `${head}${lines.join("")}beacon none\n`;
}

// The first `blocks` * 16 words, big-endian 16-bit numbers.
async function words(key, info, blocks) {
  const bytes = await derived(key, info, blocks * 32);
  return Array.from({ length: blocks * 16 }, (_, i) => (bytes[2 * i] << 8) | bytes[2 * i + 1]);
}

// A reader of numbers 0..bound-1 without bias; it gives -1 when the words do not suffice.
function uniform(given) {
  let at = 0;
  return (bound) => {
    const limit = 65536 - (65536 % bound);
    while (at < given.length) {
      const word = given[at++];
      if (word < limit) return word % bound;
    }
    return -1;
  };
}

function permutation(n, given) {
  const order = Array.from({ length: n }, (_, i) => i), below = uniform(given);
  for (let i = n - 1; i > 0; i--) {
    const j = below(i + 1);
    if (j < 0) return null;
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export function numbers(bounds, given) {
  const below = uniform(given), made = bounds.map(below);
  return made.includes(-1) ? null : made;
}

// What `make` makes of as many words as it takes.
async function enough(key, info, blocks, make) {
  for (let count = blocks; ; count = Math.min(255, 2 * count)) {
    const made = make(await words(key, info, count));
    if (made) return made;
    if (count === 255) throw new Error("all words were passed over");
  }
}

export function shuffle(key, round, k, n) {
  const info = `p10-shuffle/v1 hand=${round} shuffle=${k} n=${n}`;
  return enough(key, info, Math.ceil((n + 8) / 16), (given) => permutation(n, given));
}

export async function shuffled(key, round, k, cards) {
  const sorted = [...cards].sort((a, b) => a - b);
  return (await shuffle(key, round, k, sorted.length)).map((i) => sorted[i]);
}

export async function dice(key, turn, roll) {
  const info = `p10-dice/v1 turn=${turn} roll=${roll}`;
  return (await enough(key, info, 1, (given) => numbers([6, 6], given))).map((x) => x + 1);
}

export async function starter(key, round, players) {
  return (await enough(key, `p10-first/v1 hand=${round}`, 1, (g) => numbers([players], g)))[0];
}
