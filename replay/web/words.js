// The words of the pages, in the reader's language.
//
//   t("pile.stock")                  the text of that key
//   t("cards", { count: 3 })         the form of it for that count
//   t("turn", { turn: 1273 })        {turn} is put in, numbers as the language writes them
//
// They come from the catalogue, `domain/words`: what joins the modules puts the tables of some languages
// before them as WORDS, and `learn` takes in others that a service sends. A text that depends on a count
// has one form for each plural category; texts are plain, never markup.

/** @typedef {Record<string, string | Record<string, string>>} Table */
/** @type {Record<string, Table>} */
const TABLES = typeof WORDS === "undefined" ? {} : { ...WORDS };
/** How each language calls itself. @type {Record<string, string>} */
export const NAMES = typeof LANGUAGE_NAMES === "undefined" ? {} : LANGUAGE_NAMES;

let current = "en";
let plural = new Intl.PluralRules(current);
let figures = new Intl.NumberFormat(current);

/** Take in words of a language, beside those that are here. @param {string} lang @param {Table} table */
export function learn(lang, table) {
  TABLES[lang] = { ...TABLES[lang], ...table };
}

/** The languages that there are words for. @returns {string[]} */
export function languages() {
  return Object.keys(TABLES);
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
  current = Object.hasOwn(TABLES, base) ? base : "en";
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
 * A number with so many decimal places; `signed`: with its sign, but for 0.
 * @param {number} value @param {number} places @param {boolean} [signed]
 */
export function decimal(value, places, signed = false) {
  return new Intl.NumberFormat(current, {
    minimumFractionDigits: places, maximumFractionDigits: places,
    roundingMode: "halfEven", signDisplay: signed ? "exceptZero" : "negative",
  }).format(/** @type {any} */ (value.toFixed(20))); // exactly, so that it is rounded as Python rounds it
}

/** A name in a sentence, whatever its direction of writing. @param {string} name */
export function isolated(name) {
  return /[\u0590-\u08ff\u202a-\u202e]/.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * The names as a list in words: `Ada, Bo and Cy`.
 * @param {string[]} names
 */
export function list(names) {
  return new Intl.ListFormat(current).format(names);
}

/** The same list in parts, those of the type `element` being the names. @param {string[]} names */
export function listed(names) {
  return new Intl.ListFormat(current).formatToParts(names);
}

/** The text without the marks and the case that a search does not tell apart. @param {string} text */
export function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase(current);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60]];

/** How long ago that was, in words: `5 minutes ago`. @param {number} time in milliseconds since 1970 */
export function ago(time) {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  const [unit, size] = UNITS.find((one) => seconds >= one[1]) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(current, { numeric: "auto" }).format(-Math.floor(seconds / size), unit);
}

/**
 * The text of a key; an unknown key shows itself.
 * @param {string} key
 * @param {Record<string, string | number>} [args]
 */
export function t(key, args = {}) {
  const { count } = args, text = TABLES[current]?.[key] ?? key;
  const category = typeof count === "number" ? plural.select(count) : "other";
  const form = typeof text === "string" ? text : text[category] ?? text.other ?? key;
  return form.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = args[name];
    return typeof value === "number" ? number(value) : (value ?? whole);
  });
}

/** Whether there is a text of the key. @param {string} key */
export function has(key) {
  return Object.hasOwn(TABLES[current] ?? {}, key);
}
