// Whether the game is over after a round, and who has won it.

import { sameList } from "./cards.js";
import { foul } from "./table.js";
import { phrase } from "../words.js";

// Penalty points of a card left in hand.
function valueOf(table, card) {
  const { wild, skip: skipped, ranks } = table.ruleset.points;
  return { wild, skip: skipped }[card.kind] ?? ranks[card.rank - 1];
}

export const pointsOf = (table, cards) => cards.reduce((sum, card) => sum + valueOf(table, card), 0);

// Who has won after this round; nobody where the game goes on, perhaps with a replay. Who is tied
// for a replay stands in `tied` afterwards.
export function decide(table) {
  if (table.isReplay) return afterReplay(table);
  const { finish, rounds } = table.ruleset;
  if (finish === "rounds") return table.round >= rounds ? afterAllRounds(table) : [];
  if (finish === "laurel") return firstPastLastPhase(table);
  return afterLastPhase(table, pastLastPhase(table));
}

function pastLastPhase(table) {
  const last = table.ruleset.phases.length;
  return [...table.seats.keys()].filter((number) => table.seats[number].phase > last);
}

// The first marker past the last phase, from who ended the round and on clockwise (B-74).
function firstPastLastPhase(table) {
  const size = table.seats.length, first = table.out ?? table.players[0];
  const steps = (number) => (number - first + size) % size;
  return pastLastPhase(table).sort((one, other) => steps(one) - steps(other)).slice(0, 1);
}

function fewest(numbers, count) {
  const least = Math.min(...numbers.map(count));
  return numbers.filter((number) => count(number) === least);
}

const fewestPoints = (table, numbers) => fewest(numbers, (number) => table.seats[number].points);

// The fewest points; then, by `final_tie_10rounds`, the most phases made (O-23).
function afterAllRounds(table) {
  const best = fewestPoints(table, [...table.seats.keys()]);
  if (table.options.final_tie_10rounds === "shared") return best;
  return fewest(best, (number) => -table.seats[number].made.size);
}

// The fewest points of those who have made the last phase; then by `final_tie` (O-22).
function afterLastPhase(table, finished) {
  const best = finished.length ? fewestPoints(table, finished) : [];
  const { final_tie: tie } = table.options;
  if (best.length < 2 || tie === "shared") return best;
  if (tie === "went_out") return best.includes(table.out) ? [table.out] : best;
  table.tied = best;
  return [];
}

// The tied player who went out; where another did, the fewest points in hand (O-24).
function afterReplay(table) {
  const { tied, out } = table;
  if (tied.includes(out)) return [out];
  if (out === null) return tied; // a limit ended it, and would end the next one
  if (!table.ruleset.revision) return []; // played again, in games opened before O-24 was clear
  return fewest(tied, (number) => pointsOf(table, table.seats[number].hand));
}

// The game is over; the winners are those that the rules say.
export function endGame(table, event) {
  table.expect("game end");
  const inOrder = (numbers) => [...numbers].sort((one, other) => one - other);
  const due = inOrder(table.winners);
  if (!sameList(inOrder(event.winners), due)) {
    const names = (numbers) => numbers.map((number) => table.name(number));
    const name = names(due);
    foul(
      "winner",
      event.winners.length
        ? phrase("won", { name, other_name: names(event.winners) })
        : phrase("won.nobody", { name }),
    );
  }
  table.next = "nothing";
}
