/**
 * Requests to a service. What it refuses is thrown as a `Refusal` with the service's own words, and
 * that it cannot be reached as `Away`; a write is sent again with the same Idempotency-Key, so that
 * it is carried out once however often the line breaks.
 */

/** @typedef {import("./schemas.js").Problem} Problem */

/** @typedef {Omit<RequestInit, "headers"> & { headers?: Record<string, string> }} Request */

/**
 * Who asks which service.
 * @typedef {object} Caller
 * @property {string} url the service's address, below which `/v1` stands
 * @property {string} token of a seat or a host, or the key of an application; empty for nobody
 * @property {string} language of sentences; empty for the service's choice
 * @property {(text: string) => Promise<string>} [naming] puts names into a text before it is decoded
 */

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

/** The refusal that an answer is.
 * @param {Response} answer */
async function refusalOf(answer) {
  /** @type {Problem} */
  let problem = {
    type: "", title: answer.statusText, status: answer.status, detail: "", code: "", instance: "",
  };
  try {
    problem = await answer.json();
  } catch {
    problem.title ||= `HTTP ${answer.status}`; // a proxy's page
  }
  return new Refusal(problem, Number(answer.headers.get("Retry-After")) || 0);
}

/**
 * The answer to a request, where the service gives one.
 *
 * @param {Caller} caller
 * @param {string} path below /v1
 * @param {string} accept
 * @param {Request} [request]
 * @throws {Refusal | Away}
 */
export async function fetched({ url, token, language }, path, accept, { headers, ...request } = {}) {
  /** @type {Record<string, string>} */
  const lines = { Accept: accept, ...headers };
  if (language) lines["Accept-Language"] = language;
  if (token) lines.Authorization = `Bearer ${token}`;
  const answer = await fetch(`${url}/v1${path}`, { ...request, headers: lines }).catch((cause) => {
    throw new Away(`${url || "the service"} cannot be reached`, { cause });
  });
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** What a text of the service says, as JSON.
 * @param {Caller} caller @param {string} text @returns {Promise<any>} */
export async function decoded({ naming }, text) {
  return JSON.parse(naming ? await naming(text) : text);
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/**
 * What the service answers, decoded; null where it has nothing to say.
 *
 * @param {Caller} caller
 * @param {string} method
 * @param {string} path below /v1
 * @param {{ body?: unknown, key?: string }} [more] `key`: an Idempotency-Key, which is made up where
 *   a write has none
 * @returns {Promise<any>}
 * @throws {Refusal | Away}
 */
export async function call(caller, method, path, { body, key } = {}) {
  const writes = method !== "GET";
  /** @type {Record<string, string>} */
  const headers = method === "POST" ? { "Idempotency-Key": key || randomHex(32) } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const content = body === undefined ? undefined : JSON.stringify(body);
  /** @type {Request} */
  const request = { method, headers, body: content, cache: "no-cache", keepalive: writes };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetched(caller, path, "application/json, application/problem+json", request);
      return answer.status === 204 ? null : await decoded(caller, await answer.text());
    } catch (fault) {
      if (!(fault instanceof Away) || !writes || attempt === TRIES) throw fault;
      await pause(FIRST_WAIT * 2 ** (attempt - 1));
    }
  }
}
