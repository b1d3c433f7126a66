// Check of the rules of play, by the second referee (replay/evidence/referee) in `referee/`.

import { Decisions } from "./decisions.js";
import { Finding, at, same } from "./finding.js";
import { Referee, readEvent } from "./referee/referee.js";
import { phrase } from "./words.js";

// The first event that is against the rules. It reads what was hidden, and so only games that are
// over; and no further than to the first event of which something else is wrong.
export async function checkReferee(bundle, breathe) {
  const { events, over, findings } = bundle;
  if (!over) return ["skipped", phrase("checked.rules_later")];
  const bad = Math.min(...findings.map(({ seq }) => seq || Infinity));
  const referee = new Referee(), decisions = new Decisions();
  for (const [i, event] of events.entries()) {
    const { seq, type, data } = event.value;
    if (seq >= bad) return ["skipped", phrase("checked.rules_until", { seq: bad })];
    if (i % 200 === 0) await breathe(0.8 + i / events.length / 20);
    const opened = [...event.opens].map(([audience, { value }]) => [audience, value]);
    try {
      decisions.take(event, referee.table);
      const objection = referee.watch(readEvent(type, data, opened));
      if (objection) {
        const { rule, text, who } = objection, expected = phrase("rule", { rule, objection: text });
        throw new Finding("rules", who, { ...at(event, expected, ""), rule });
      }
      if (event.first?.last === event) decisions.ends(event, referee.table);
    } catch (wrong) {
      if (wrong instanceof Finding) throw wrong;
      same(
        "form", phrase("about.facts"), event, phrase("due.documented_facts"), phrase("there.malformed_facts")
      );
    }
  }
  bundle.table = referee.table;
  return ["passed", phrase("checked.rules")];
}
