// Bytes as text, and SHA-256 of them.

export const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

export function unbase64(text) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
  return base64(bytes) === text ? bytes : null;
}

function joined(...parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

export const leafHash = async (body) => hex(await sha256(Uint8Array.of(0), body));
export const nodeHash = (left, right) => sha256(Uint8Array.of(1), left, right);
