/**
 * The tokens of this browser, by game. They stay in the session's storage, and in the lasting one
 * only where the person says so; an address never has one but for the moment in which a seat's
 * link is opened, whose fragment no server is sent.
 */

/** @typedef {import("./types").Membership} Membership */

const KEY = "phaseledger.games";

/** @param {Storage} store @returns {Record<string, Membership>} */
function read(store) {
  try {
    return JSON.parse(store.getItem(KEY) || "{}");
  } catch {
    return {};
  }
}

/** @param {Storage} store @param {string} game @param {Membership | null} membership */
function write(store, game, membership) {
  const { [game]: _, ...others } = read(store);
  store.setItem(KEY, JSON.stringify(membership ? { ...others, [game]: membership } : others));
}

/** Every game that this browser has a token of. @returns {Record<string, Membership>} */
export function memberships() {
  return { ...read(localStorage), ...read(sessionStorage) };
}

/** @param {string} game @returns {Membership} */
export function membership(game) {
  return memberships()[game] || {};
}

/** Keep what is new of a game's tokens. @param {string} game @param {Membership} more */
export function keep(game, more) {
  const all = { ...membership(game), ...more };
  write(sessionStorage, game, all);
  write(localStorage, game, all.kept ? all : null);
}

/** Forget a game's tokens. @param {string} game */
export function forget(game) {
  write(sessionStorage, game, null);
  write(localStorage, game, null);
}

/** The link that seats another browser on the same chair: the token is in its fragment.
 * @param {string} game @param {Membership} member */
export function seatLink(game, member) {
  const fragment = new URLSearchParams({ seat: String(member.seat), token: member.token || "" });
  return `${location.origin}/play/g/${game}#${fragment}`;
}

/** Take the token out of the address of a seat's link. @param {string} game */
export function takeFromAddress(game) {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  const seat = Number(given.get("seat"));
  keep(game, given.has("seat") ? { seat, token } : { host: token });
}
