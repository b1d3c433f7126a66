// Patches (RFC 6902) on plain objects. A patched value is a new one: what did not change is the
// very object that it was, so a drawing sees at once what to draw anew, and every earlier position
// stays as it is.

/** An operation, of which the service has three: a copy, a move or a test is never sent.
 * @typedef {{ op: string, path: string, value?: unknown }} Operation */

const KNOWN = ["add", "replace", "remove"];

/**
 * The document after all operations.
 * @template T
 * @param {T} document
 * @param {Operation[]} operations
 * @returns {T}
 * @throws {Error} where a path leads nowhere, or an operation is none
 */
export function patched(document, operations) {
  /** Objects of this patching, which may be written to. @type {Set<unknown>} */
  const fresh = new Set();
  return operations.reduce((result, { op, path, value }) => {
    if (!KNOWN.includes(op)) throw new Error(`no operation of a patch: ${op}`);
    return edited(result, steps(path), op, value, fresh);
  }, document);
}

/**
 * The steps of a JSON pointer (RFC 6901).
 * @param {string} path
 */
function steps(path) {
  if (path === "") return [];
  if (!path.startsWith("/")) throw new Error(`not a JSON pointer: ${path}`);
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * A copy of the document in which one place is set or removed; only the way there is copied.
 * @param {any} document
 * @param {string[]} way
 * @param {string} op
 * @param {unknown} value
 * @param {Set<unknown>} fresh
 * @returns {any}
 */
function edited(document, way, op, value, fresh) {
  const [step, ...rest] = way;
  if (step === undefined) {
    if (op === "remove") throw new Error("a whole document is not removed");
    return value;
  }
  if (document === null || typeof document !== "object") throw new Error(`no place: ${step}`);
  const copy = fresh.has(document) ? document : copied(document);
  fresh.add(copy);
  if (rest.length) {
    if (!Object.hasOwn(copy, step)) throw new Error(`no place: ${step}`);
    copy[step] = edited(copy[step], rest, op, value, fresh);
  } else if (Array.isArray(copy)) {
    editList(copy, step, op, value);
  } else if (op === "remove") {
    if (!Object.hasOwn(copy, step)) throw new Error(`no place: ${step}`);
    delete copy[step];
  } else {
    copy[step] = value;
  }
  return copy;
}

/** @param {any} value an object or a list */
function copied(value) {
  return Array.isArray(value) ? [...value] : { ...value };
}

/**
 * @param {unknown[]} items
 * @param {string} step
 * @param {string} op
 * @param {unknown} value
 */
function editList(items, step, op, value) {
  const index = step === "-" ? items.length : /^(0|[1-9]\d*)$/.test(step) ? Number(step) : NaN;
  if (!(index <= items.length - (op === "add" ? 0 : 1))) throw new Error(`no place: ${step}`);
  if (op === "add") items.splice(index, 0, value);
  else if (op === "remove") items.splice(index, 1);
  else items[index] = value;
}
