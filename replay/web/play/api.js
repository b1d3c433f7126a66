/**
 * Requests to the service. What it refuses is thrown as a `Refusal` with the service's own words,
 * and that it cannot be reached as `Away`; a write is sent again with the same Idempotency-Key, so
 * that it is carried out once however often the line breaks.
 */

import { language } from "../words.js";
import { ROOT } from "./navigation.js";
import { named } from "./people.js";

/** @typedef {import("./types").Problem} Problem */

export const TRIES = 4;
const FIRST_WAIT = 400; // milliseconds until a write is sent again; doubled each time

/** The service said no; the message is its sentence. */
export class Refusal extends Error {
  /** @param {Problem} problem @param {number} wait seconds after which another try makes sense */
  constructor(problem, wait) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.wait = wait;
  }
}

/** The service cannot be reached. */
export class Away extends Error {}

/** As many random bytes as hex digits; a plain http page on a local network has no randomUUID.
 * @param {number} bytes */
export function randomHex(bytes) {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} token @param {string} accept */
export function headers(token, accept) {
  /** @type {Record<string, string>} */
  const lines = { Accept: accept, "Accept-Language": language() };
  if (token) lines.Authorization = `Bearer ${token}`;
  return lines;
}

/** The refusal that an answer is.
 * @param {Response} answer */
export async function refusalOf(answer) {
  /** @type {Problem} */
  let problem = {
    type: "", title: answer.statusText, status: answer.status, detail: "", code: "", instance: "",
  };
  try {
    problem = JSON.parse(await named(await answer.text()));
  } catch {
    problem.title ||= `HTTP ${answer.status}`; // a proxy's page
  }
  return new Refusal(problem, Number(answer.headers.get("Retry-After")) || 0);
}

/** The answer to a request, where the service gives one.
 * @param {string} path below /v1 @param {RequestInit} request @throws {Refusal | Away} */
export async function fetched(path, request) {
  const answer = await fetch(`${ROOT}/v1${path}`, request).catch(() => {
    throw new Away("away");
  });
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/**
 * What the service answers, decoded.
 *
 * @param {string} method
 * @param {string} path below /v1
 * @param {{ token?: string, body?: unknown, key?: string }} [more] `key`: an Idempotency-Key, which
 *   is made up where a write has none
 * @returns {Promise<any>}
 * @throws {Refusal | Away}
 */
export async function call(method, path, { token = "", body, key } = {}) {
  const writes = method !== "GET";
  const lines = headers(token, "application/json, application/problem+json");
  if (method === "POST") lines["Idempotency-Key"] = key || randomHex(32);
  if (body !== undefined) lines["Content-Type"] = "application/json";
  const content = body === undefined ? undefined : JSON.stringify(body);
  /** @type {RequestInit} */
  const request = { method, headers: lines, body: content, cache: "no-cache", keepalive: writes };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetched(path, request);
      return answer.status === 204 ? null : JSON.parse(await named(await answer.text()));
    } catch (fault) {
      if (!(fault instanceof Away) || !writes || attempt === TRIES) throw fault;
      await pause(FIRST_WAIT * 2 ** (attempt - 1));
    }
  }
}
