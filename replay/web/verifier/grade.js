// The grade: whose word the bundle is, as `phaseledger verify --no-bots` says of the same files. This
// page makes no bot move again, so where it says "unproven" of bots, `verify` may know better. GRADES
// and FACETS are the tables of `verify`.

import { inWords, phrase, quoted } from "./words.js";

const namesKey = (policy, seat, key) =>
  Boolean(policy && key) && (policy.players.includes(key) || policy.seats.get(seat) === key);

export const isFacetMet = (name, value, demand) =>
  FACETS[name].indexOf(value) <= FACETS[name].indexOf(demand);

export const gradeOf = (facets) =>
  Object.keys(GRADES).find((grade) =>
    Object.entries(GRADES[grade]).every(([name, weakest]) =>
      isFacetMet(name, facets[name], weakest)));

// Whether a seat has signed, and all its commands, by a key that the policy names.
const signsFor = ({ policy, seats, signed }, seat) =>
  signed.has(seat) && namesKey(policy, seat, seats.get(seat)?.key);

const bringing = ({ seats }) =>
  [...seats].filter(([, { event }]) => event.value.data.brought_secret).map(([seat]) => seat);

export const isBotSeat = ({ seats }, seat) => Boolean(seats.get(seat).event.value.data.bot);
const peopleOf = (bundle) => [...bundle.seats.keys()].filter((seat) => !isBotSeat(bundle, seat));
const unsignedSeats = (bundle) => peopleOf(bundle).filter((seat) => !signsFor(bundle, seat));

// The players of seats, by their names in order; a seat that nobody has, by its number.
export const playersOf = ({ seats }, numbers) =>
  [...numbers].sort((a, b) => a - b).map((number) =>
    seats.has(number) ? quoted(seats.get(number).name) : number);

export function facetsOf(bundle) {
  const { events, over, bots } = bundle, brought = bringing(bundle);
  const dealt = events.some(({ value }) => value.type === "DealOpened/1");
  const ended = ({ type, data }) =>
    type === "TurnTimedOut/1" || data.act?.command.type === "close_reveal";
  const own = brought.some((seat) => signsFor(bundle, seat)) ? "players" : "seats";
  const signed = unsignedSeats(bundle).length || bundle.closed ? "unsigned" : "signed";
  const isTest = events[0].value.data.table?.test;
  return {
    secrets: isTest ? "test" : !over ? "unrevealed" : !dealt ? "none" : brought.length ? own : "server",
    moves: peopleOf(bundle).length ? signed : bots.size || !over ? "none" : "unsigned",
    bots: bots.size ? "unproven" : "none",
    times: events.some(({ value }) => ended(value)) ? "recorded" : "none",
    story: storyOf(bundle),
  };
}

// Who is held to these events, to the last that could have been another one, were all before it
// the same: where no bot has moved in a game that was played to its end, a person's last command.
function storyOf(bundle) {
  const { policy, events, header, bots, receipts, inclusions, seats } = bundle;
  if (!policy) return "nobody";
  let needed = events.length;
  if (header.status === "finished" && !bots.size) needed = 1;
  for (const event of events) {
    const { seq, data: { act } } = event.value;
    if (!act || !seats.has(act.seat)) continue;
    if (!isBotSeat(bundle, act.seat) && header.status === "finished" && !bots.size) needed = seq;
  }
  const named = [...bundle.signed].filter(([seat]) => signsFor(bundle, seat));
  const signed = Math.max(0, ...named.map(([, seq]) => seq));
  const covered = bundle.cosigners ? inclusions.at(-1).value.seq : 0;
  const isCosigned = (bundle.cosigners?.size ?? 0) >= Math.max(1, policy.needed);
  const seen = Math.max(bundle.others ? bundle.newestKept : 0, signed, isCosigned ? covered : 0);
  // Whoever has seen the end after a restore has not seen what the restore left out.
  const isRestored = events.at(-1).value.data.act?.command.type === "void_restored";
  if (needed <= seen && !isRestored) return "witnessed";
  const last = receipts.at(-1)?.value.seq ?? 0;
  return needed <= Math.max(seen, bundle.newestKept, last, covered) ? "operator" : "nobody";
}

// What an operator who lies could have done, and nothing in the bundle would show: a list of phrases.
export function deedsOf(bundle, facets) {
  const deed = (code, numbers = []) => {
    const seats = inWords(playersOf(bundle, numbers));
    return phrase(`headline.deed.${code}`, { seats, count: numbers.length });
  };
  const { bots, people } = bundle, mute = unsignedSeats(bundle), isOpen = facets.moves === "unsigned";
  const movers = mute.filter((seat) => people.has(seat));
  const absent = mute.filter((seat) => !people.has(seat));
  const signing = [...bundle.seats.keys()].filter((seat) => signsFor(bundle, seat));
  const deck = {
    server: () => deed("deck"), test: () => deed("deck"), seats: () => deed("deck_with", bringing(bundle)),
    unrevealed: () => deed("dealt"),
  };
  return [
    deck[facets.secrets]?.(),
    isOpen && movers.length && deed("moves", movers),
    isOpen && absent.length && deed("seated", absent),
    isOpen && !mute.length && (signing.length ? deed("moves", signing) : deed("table")),
    facets.story === "operator" && deed(facets.moves === "signed" ? "end" : "rewritten"),
    facets.bots === "unproven" && deed("bots", [...bots]),
    facets.times === "recorded" && deed("times"),
  ].filter(Boolean);
}

const HEADLINES = {
  sound: "sound", open: "sound_so_far", lacking: "too_little", unsound: "unsound",
  unreadable: "unreadable",
};

// The verdict in one sentence, that of `verify`. Without Ed25519 there is no grade: nobody has looked
// at the signatures.
export function headlineOf(status, ending, facets, deeds, ed25519, isWorthless) {
  if (!facets) return phrase(`headline.${HEADLINES[status]}`);
  const conclusion = phrase(`headline.${ed25519 ? HEADLINES[status] : "no_contradiction"}`);
  const grade = phrase(ed25519 ? `headline.grade.${gradeOf(facets)}` : "headline.unjudged");
  let end = phrase(`headline.${ending}`);
  if (status === "lacking") {
    end = phrase(isWorthless ? "headline.worthless" : "headline.asks_for_more", { ending: end });
  }
  if (!ed25519) end = phrase("headline.unsigned", { ending: end });
  let verdict = phrase("headline.verdict", { conclusion, grade, ending: end });
  const isNobodys = facets.story === "nobody";
  if (facets.secrets === "test") verdict = phrase("headline.test", { verdict });
  if (isNobodys) verdict = phrase("headline.nobody", { verdict });
  const could = deeds.length || isNobodys ? deeds : [phrase("headline.deed.none")];
  return could.length ? phrase("headline.unseen", { verdict, deeds: inWords(could) }) : verdict;
}
