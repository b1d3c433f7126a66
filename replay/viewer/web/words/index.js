// The words of the pages, in the reader's language.
//
//   t("pile.stock")                  the text of that key
//   t("cards", { count: 3 })         the key `cards.one`, `cards.other` ... by the language's plural
//   t("turn", { turn: 1273 })        {turn} is put in, numbers as the language writes them
//
// A language is a module with one flat object from keys to texts (`en.js`). English is here from the
// start; the others are taken in by `learn`: all at once where a page has them inside (`all.js`), one
// by one where a service sends the words. English has every key; another language falls back to it, and a test holds them
// equal. A key is `place.thing`, with `.zero .one .two .few .many .other` after it where a count
// decides; texts are plain, never markup.

import { en } from "./en.js";

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { en };

let current = "en";
let plural = new Intl.PluralRules(current);
let figures = new Intl.NumberFormat(current);

/**
 * Take in the words of further pages, by their language.
 * @param {Record<string, Record<string, string>>} more
 */
export function learn(more) {
  for (const [name, words] of Object.entries(more)) LANGUAGES[name] = Object.assign(LANGUAGES[name] ?? {}, words);
}

/** The languages that there are words for. @returns {string[]} */
export function languages() {
  return Object.keys(LANGUAGES);
}

/** The language that `t` speaks now. @returns {string} */
export function language() {
  return current;
}

/**
 * Speak this language from now on: one that is not there gives English.
 * @param {string} wanted a tag such as `fr` or `de-CH`
 * @returns {string} the language taken
 */
export function speak(wanted) {
  const base = String(wanted).toLowerCase().split("-")[0] ?? "en";
  current = Object.hasOwn(LANGUAGES, base) ? base : "en";
  plural = new Intl.PluralRules(current);
  figures = new Intl.NumberFormat(current);
  return current;
}

/**
 * The first of the reader's languages that there are words for.
 * @param {string[]} among
 * @returns {string}
 */
export function preferred(among = languages()) {
  const wishes = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return wishes.find((base) => among.includes(base)) ?? "en";
}

/** A number as the language writes it. @param {number} value */
export function number(value) {
  return figures.format(value);
}

/**
 * The names as a list in words: `Ada, Bo and Cy`.
 * @param {string[]} names
 */
export function list(names) {
  return new Intl.ListFormat(current).format(names);
}

/**
 * The text of a key. What the language lacks is said in English; an unknown key shows itself.
 * @param {string} key
 * @param {Record<string, string | number>} [args]
 */
export function t(key, args = {}) {
  const text = lookup(LANGUAGES[current] ?? en, key, args) ?? lookup(en, key, args) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = args[name];
    return typeof value === "number" ? number(value) : (value ?? whole);
  });
}

/**
 * Whether English has the key, with a plural or without.
 * @param {string} key
 */
export function has(key) {
  return Object.hasOwn(en, key) || Object.hasOwn(en, `${key}.other`);
}

/**
 * @param {Record<string, string>} words
 * @param {string} key
 * @param {Record<string, string | number>} args
 * @returns {string | undefined}
 */
function lookup(words, key, args) {
  const { count } = args;
  if (typeof count === "number") {
    const form = words[`${key}.${plural.select(count)}`] ?? words[`${key}.other`];
    if (form !== undefined) return form;
  }
  return Object.hasOwn(words, key) ? words[key] : undefined;
}
