// What is to be read: a code of the tables of words, and the values that are put in. It is said in a
// language only where somebody reads it, so that the page can change its language at any time.
// WORDS has the tables of each, the ones by which `phaseledger verify --lang` speaks among them.

class Phrase {
  constructor(code, given) {
    Object.assign(this, { code, given });
  }

  // A text may have plurals, of which `count` selects one: a number or an amount.
  in(lang) {
    const { code, given } = this, text = WORDS[lang][code], { count } = given;
    const number = count instanceof Amount ? count.number : count;
    const category = Number.isInteger(number) ? new Intl.PluralRules(lang).select(number) : "other";
    const template = typeof text === "string" ? text : text[category] ?? text.other;
    return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (part, name) =>
      name === undefined ? part[0] : spoken(given[name], lang));
  }
}

// A number that is written as the language writes amounts.
class Amount {
  constructor(number) {
    this.number = number;
  }

  in(lang) {
    return this.number.toLocaleString(lang);
  }
}

export const phrase = (code, given = {}) => new Phrase(code, given);
export const amount = (number) => new Amount(number);

// A value with a word of its own: `end.low` of "low", or `nothing`. What has none stays as it is.
export function wordOf(kind, value, mark = ".") {
  const codes = [`${kind}${mark}${value}`.replaceAll(" ", "_"), value];
  const code = codes.find((one) => Object.hasOwn(WORDS.en, one));
  return code === undefined ? value : phrase(code);
}

// One of several, in words.
export const either = (values) =>
  values.reduceRight((other, step) => phrase("step.or", { step, other_step: other }));

// Several as a list in words: `a, b and c`.
export const inWords = (values) => ({
  in(lang) {
    const parts = values.map((value) => spoken(value, lang)), last = parts.pop();
    if (!parts.length) return last ?? "";
    return `${parts.join(", ")} ${WORDS[lang]["headline.and"]} ${last}`;
  },
});

// Sentences one after the other; those that are none are left out.
export const sentences = (...parts) => ({
  in: (lang) => parts.filter(Boolean).map((part) => spoken(part, lang)).join(" "),
});

const MOMENT = {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit",
  minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
  timeZone: "UTC", timeZoneName: "short",
};

// A point in time, of milliseconds since 1970; a text where it is beyond all dates.
export const moment = (time) => ({
  in(lang) {
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? `${time}` : date.toLocaleString(lang, MOMENT);
  },
});

export const share = (part) => ({ in: (lang) => part.toLocaleString(lang, { style: "percent" }) });

// A value as a text of the language.
export function spoken(value, lang) {
  if (typeof value?.in === "function") return value.in(lang);
  if (Array.isArray(value)) return value.map((one) => spoken(one, lang)).join(", ");
  return typeof value === "boolean" ? WORDS[lang][`value.${value}`] : `${value}`;
}

// A name as text: in quotation marks, which no name can end.
export const quoted = (name) => JSON.stringify(name);

const NUMBERED = new Set(["policy.seat_key", "dealer.none"]); // what is about the number itself

// The value with the quoted names of players for the numbers of their seats. A number that stays is
// the record's, counted from 0 (docs/reference/verify.md, "Seats in texts").
export function named(value, names) {
  if (!(value instanceof Phrase) || NUMBERED.has(value.code)) return value;
  const name = (seat) => (names.has(seat) ? quoted(names.get(seat)) : seat);
  const given = Object.entries(value.given).map(([key, part]) => {
    if (key === "seat") return [key, name(part)];
    return [key, key === "seats" && Array.isArray(part) ? part.map(name) : named(part, names)];
  });
  return phrase(value.code, Object.fromEntries(given));
}

const CARD = /^(?:[RBGY]\d{1,2}|(?:10|[2-9JQK])[HSDC]|A[HSDC]?|J\d*|J\([RBGY]\d{1,2}\)|[WS*])$/;

// The cards that a value names: a text of cards, or what a phrase says of its `card` or `cards`.
export function cardsIn(value, isOfCards = true) {
  if (value instanceof Phrase) {
    const given = Object.entries(value.given);
    return given.flatMap(([name, part]) => cardsIn(part, /^(?:other_)?cards?$/.test(name)));
  }
  if (!isOfCards || typeof value !== "string") return [];
  return value.split(" ").filter((word) => CARD.test(word));
}

// Whether two values are the same to whoever reads them.
export const isAlike = (one, other) =>
  one === other || (typeof one?.in === "function" && spoken(one, "en") === spoken(other, "en"));

// Why something that was given cannot be read.
export class Fault extends Error {
  constructor(text) {
    super(spoken(text, "en"));
    this.text = text;
  }
}
