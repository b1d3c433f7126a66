// Signatures by Ed25519, verifier keys, signed notes and checkpoints.

import { hex, sha256, unbase64, unhex, utf8 } from "./hashes.js";

const LONGEST_NOTE = 64 * 1024;

// The y of the points whose order divides 8, for which anybody can make signatures; in hex, without
// the sign of x. (RFC 8032 leaves them in.)
const SMALL = new Set([
  "00".repeat(32), "01" + "00".repeat(31), "ec" + "ff".repeat(30) + "7f",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]);
const PRIME = "7f" + "ff".repeat(30) + "ed"; // 2^255 - 19, the highest digits first

// Whether a public key is no point of small order, and its y below the prime: it has one spelling.
export function isUsable(publicKey) {
  if (publicKey.length !== 32) return false;
  const y = publicKey.slice();
  y[31] &= 0x7f;
  return !SMALL.has(hex(y)) && hex(y.reverse()) < PRIME;
}

export async function isSigned(publicKey, signature, message) {
  if (signature.length !== 64 || !isUsable(publicKey)) return false;
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, message);
  } catch {
    return false; // no point of the curve
  }
}

// Whether this browser verifies Ed25519: by RFC 8032, 7.1, test 1.
export async function knowsEd25519() {
  const key = unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  const signature = unhex(
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155" +
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  );
  return isSigned(key, signature, new Uint8Array());
}

const KEY = /^([!-*,-~]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{44})$/;

// A verifier key as C2SP signed-note writes it, or null.
export async function verifierKey(text) {
  const [, name, digits, body] = KEY.exec(text) ?? [];
  const raw = body === undefined ? null : unbase64(body);
  if (!raw || raw.length !== 33 || (raw[0] !== 1 && raw[0] !== 4)) return null;
  const hash = hex((await sha256(`${name}\n`, raw)).slice(0, 4));
  return hash === digits ? { id: `${name}+${hash}`, kind: raw[0], bytes: raw.slice(1) } : null;
}

// A signed note's text and signatures, or null.
export function noteOf(text) {
  // eslint-disable-next-line no-control-regex
  if (text.length > LONGEST_NOTE || /[\x00-\x09\x0b-\x1f]/.test(text)) return null;
  const at = text.lastIndexOf("\n\n");
  const below = text.slice(at + 2).split("\n");
  if (at < 0 || below.pop() !== "" || below.length === 0 || below.length > 64) return null;
  const signatures = below.map((line) => {
    const [, name, body] = /^\u2014 ([!-*,-~]{1,200}) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const raw = body === undefined ? null : unbase64(body);
    if (!raw || raw.length <= 4) return null;
    return { id: `${name}+${hex(raw.slice(0, 4))}`, raw: raw.slice(4) };
  });
  return signatures.includes(null) ? null : { text: text.slice(0, at + 1), signatures };
}

const CHECKPOINT = /^([!-~]{1,200})\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n$/;

// What a checkpoint's text says, or null.
export function checkpointOf(text) {
  const [, origin, size, root] = CHECKPOINT.exec(text) ?? [];
  const bytes = root === undefined ? null : unbase64(root);
  if (!bytes || bytes.length !== 32 || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: bytes };
}

export function bigEndian(bytes) {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

export function signsNote(key, signature, text) {
  if (key.kind === 1) return isSigned(key.bytes, signature, utf8(text));
  const seen = bigEndian(signature.slice(0, 8));
  return isSigned(key.bytes, signature.slice(8), utf8(`cosignature/v1\ntime ${seen}\n${text}`));
}
