/**
 * The tokens of this browser, by game. A tab has its own, which it finds again by itself; every other
 * one finds those of the lasting storage, where a seat is kept unless the person says otherwise. An
 * address has a token for the moment in which it is opened: no server is sent its fragment.
 */

import { EMBEDDED, ROOT } from "./navigation.js";
import { load, save } from "./storage.js";

/** @typedef {import("./types").Membership} Membership */

const KEY = "phaseledger.games";
const MOST = 40; // seats that are kept; the first to be dropped are those of games that are over

/**
 * @param {boolean} lasting
 * @returns {Record<string, Membership>} by game; a second seat of a game has its number behind that
 */
function read(lasting) {
  try {
    return JSON.parse(load(KEY, lasting) || "{}");
  } catch {
    return {};
  }
}

/** @param {string} key */
const gameOf = (key) => key.split("#")[0] ?? "";

/** Where the lasting storage has the seat of a game, or would have it.
 * @param {Record<string, Membership>} kept @param {string} game @param {number | undefined} seat */
function keyOf(kept, game, seat) {
  const own = Object.keys(kept).find((key) =>
    gameOf(key) === game && [undefined, seat].includes(kept[key]?.seat));
  return own ?? (game in kept ? `${game}#${seat}` : game);
}

/** Put a seat down, or take it away: whether it outlives the page.
 * @param {string} game @param {Membership} member @param {{ tab: boolean, kept: boolean }} where */
function write(game, member, where) {
  const [kept, own] = [read(true), read(false)];
  const key = keyOf(kept, game, member.seat);
  delete kept[key];
  delete own[game];
  if (where.kept) kept[key] = member;
  if (where.tab) own[game] = member;
  while (Object.keys(kept).length > MOST) {
    const [first = ""] = Object.keys(kept);
    delete kept[Object.keys(kept).find((one) => kept[one]?.over) ?? first];
  }
  const lasts = save(KEY, JSON.stringify(kept));
  return save(KEY, JSON.stringify(own), false) || (lasts && where.kept);
}

/** Every seat that this browser has a token of, with its game. @returns {[string, Membership][]} */
export function memberships() {
  const seats = [...Object.entries(read(true)), ...Object.entries(read(false))];
  const names = seats.map(([key, { seat }]) => `${gameOf(key)} ${seat}`);
  return seats
    .filter(([, { token, host }], index) => names.indexOf(names[index] ?? "") === index && (token || host))
    .map(([key, member]) => [gameOf(key), member]);
}

/** @param {string} game @returns {Membership} */
export function membership(game) {
  return read(false)[game] ?? memberships().find(([other]) => other === game)?.[1] ?? {};
}

/** Keep what is new of a game's tokens. @param {string} game @param {Membership} more
 * @returns {string} the address of the table, with the tokens where this browser keeps nothing */
export function keep(game, more) {
  const { link, ...known } = membership(game);
  const all = merged(known, more);
  const lasts = write(game, all, { tab: true, kept: all.kept !== false });
  return lasts ? `${ROOT}/play/g/${game}` : seatPath(game, all, true);
}

/** What is known of a seat with what is new; nothing of another seat.
 * @param {Membership} known @param {Membership} more @returns {Membership} */
function merged(known, more) {
  const isOther = more.seat !== undefined && known.seat !== undefined && more.seat !== known.seat;
  return { ...(isOther ? {} : known), ...more };
}

/** Forget a game's tokens. @param {string} game */
export function forget(game) {
  write(game, membership(game), { tab: false, kept: false });
}

/** The path that seats a browser on the same chair: the token is in its fragment.
 * @param {string} game @param {Membership} member @param {boolean} [hosts] with the host's token, too */
export function seatPath(game, { seat, token, host }, hosts = false) {
  const fragment = new URLSearchParams(token ? { seat: String(seat), token } : {});
  if (host && (hosts || !token)) fragment.set("host", host);
  return `${ROOT}/play/g/${game}#${fragment}`;
}

/** Take the tokens out of the address of a seat's link. What they replace is kept until the service has
 * taken them: no broken link costs a seat. @param {string} game */
export function takeFromAddress(game) {
  if (EMBEDDED) return; // the page around it hands a seat over
  const given = new URLSearchParams(location.hash.slice(1));
  const [token, host] = [given.get("token"), given.get("host")];
  if (!token && !host) return;
  history.replaceState(null, "", location.pathname + location.search);
  const seat = token && given.has("seat") ? { seat: Number(given.get("seat")), token } : {};
  const more = { ...seat, ...(host || !given.has("seat") ? { host: host ?? token ?? "" } : {}) };
  dropLink(game);
  const [former, known] = [read(false)[game], membership(game)];
  if (seat.token && token !== known.token || more.host && known.host && more.host !== known.host) {
    put(game, { ...merged(known, more), link: { former } });
  } else keep(game, more);
}

/** Go back to what the tab had before its link, if that has not been taken. @param {string} game */
export function dropLink(game) {
  const { link } = read(false)[game] ?? {};
  if (link) put(game, link.former);
}

/** Put a seat down for this tab alone. @param {string} game @param {Membership} [member] */
function put(game, member) {
  save(KEY, JSON.stringify({ ...read(false), [game]: member }), false);
}
