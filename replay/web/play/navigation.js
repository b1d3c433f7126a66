/**
 * Addresses within the pages. Lobby, table and looking back are a document each, with a script of its
 * own; a step within one of them needs no new document.
 */

/** What all addresses of the service begin with, where a proxy serves it below a path. */
export const ROOT = document.documentElement.dataset.root ?? "";
/** Whether people may open tables here, and not the operator's applications alone. */
export const OPENS = document.documentElement.dataset.openers !== "applications";
/** The origins of pages that the table may be a part of. */
export const EMBEDDERS = (document.documentElement.dataset.embedders ?? "").split(" ").filter(Boolean);
/** Whether it may: it leads to other pages beside it alone, and keeps nothing in the browser. */
export const EMBEDDED = EMBEDDERS.length > 0;

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} moved called after each step @returns {() => void} ends that */
export function onMove(moved) {
  listeners.add(moved);
  addEventListener("popstate", moved);
  return () => {
    listeners.delete(moved);
    removeEventListener("popstate", moved);
  };
}

/** Which document shows an address. @param {string} path */
function documentOf(path) {
  const [, first = "", , screen = ""] = path.slice(ROOT.length).split("/").filter(Boolean);
  if (first === "embed") return first;
  if (first === "rules" || screen === "rules") return "rules";
  if (first === "open" || (screen && screen !== "scores")) return "replay";
  return first === "g" && !screen ? "table" : "lobby";
}

/** Go to another address of these pages. @param {string} path @param {boolean} [instead] whether
 * the step back leads past the present one */
export function navigate(path, instead = false) {
  if (documentOf(path) !== documentOf(location.pathname)) {
    if (instead) location.replace(path);
    else location.assign(path);
    return;
  }
  if (instead) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  scrollTo(0, 0);
  for (const moved of listeners) moved();
}

/** Take a click on a link within the pages. @param {MouseEvent} event */
export function clicked(event) {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const target = /** @type {Element | null} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null | undefined} */ (target?.closest?.("a[href]"));
  if (!plain || !link || link.target || link.hasAttribute("download") || event.defaultPrevented) return;
  const own = link.origin === location.origin && `${link.pathname}/`.startsWith(`${ROOT}/play/`);
  if (!own || documentOf(link.pathname) !== documentOf(location.pathname)) {
    if (EMBEDDED) link.target = "_blank"; // in the frame it would be refused
    return;
  }
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
