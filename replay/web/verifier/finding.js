// A finding, and where it is: what a check throws at the first thing that is wrong.

import { isAlike } from "./words.js";

export class Finding extends Error {
  constructor(code, text, more = {}) {
    super(code);
    Object.assign(this, { code, text, seq: 0, line: 0, expected: "", recorded: "" }, more);
  }
}

export const at = (event, expected, recorded) => ({
  seq: event.value.seq, line: event.line, expected, recorded,
});

export function same(code, text, event, expected, recorded) {
  if (!isAlike(expected, recorded)) throw new Finding(code, text, at(event, expected, recorded));
}
