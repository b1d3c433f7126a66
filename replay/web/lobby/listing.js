/** Lists of the service, which come in pages. */

import { call } from "../play/api.js";

const PAGE = 50;

/**
 * Some pages of a list as one.
 *
 * @param {string} path @param {Record<string, string>} filters
 * @param {string} field that has a page's entries
 * @param {number} pages at most
 * @returns {Promise<{ entries: any[], next: string | null }>} `next`: where it goes on
 */
export async function listed(path, filters, field, pages) {
  const query = new URLSearchParams({ limit: String(PAGE), ...filters });
  const entries = [];
  let next = null;
  for (let page = 0; page < pages; page += 1) {
    const answer = await call("GET", `${path}?${query}`);
    entries.push(...answer[field]);
    next = answer.next;
    if (!next) break;
    query.set("cursor", next);
  }
  return { entries, next };
}
