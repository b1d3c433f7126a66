// The grade: whose word the bundle is, as `phaseledger verify --no-bots` says of the same files. This
// page makes no bot move again, so where it says "unproven" of bots, `verify` may know better. GRADES
// and FACETS are the tables of `verify`.

const isFacetMet = (name, value, demand) =>
  FACETS[name].indexOf(value) <= FACETS[name].indexOf(demand);

const gradeOf = (facets) =>
  Object.keys(GRADES).find((grade) =>
    Object.entries(GRADES[grade]).every(([name, weakest]) =>
      isFacetMet(name, facets[name], weakest)));

// Whether a seat's own commands are signed by a key that the policy names.
const signsFor = ({ policy, seats }, seat) => namesKey(policy, seat, seats.get(seat)?.key);

const bringing = ({ seats }) =>
  [...seats].filter(([, { event }]) => event.value.data.brought_secret).map(([seat]) => seat);

const unsignedSeats = (bundle) => [...bundle.people].filter((seat) => !signsFor(bundle, seat));

function facetsOf(bundle) {
  const { events, over, people, bots } = bundle, brought = bringing(bundle);
  const dealt = events.some(({ value }) => value.type === "DealOpened/1");
  const ended = ({ type, data }) =>
    type === "TurnTimedOut/1" || data.act?.command.type === "close_reveal";
  const own = brought.some((seat) => signsFor(bundle, seat)) ? "players" : "seats";
  const signed = unsignedSeats(bundle).length || bundle.closed ? "unsigned" : "signed";
  return {
    secrets: !over ? "unrevealed" : !dealt ? "none" : brought.length ? own : "server",
    moves: people.size ? signed : "none",
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
  let needed = events.length, signed = 0;
  if (header.status === "finished" && !bots.size) needed = 1;
  for (const event of events) {
    const { seq, data: { act } } = event.value;
    if (!act || !seats.has(act.seat)) continue;
    const { key, event: taken } = seats.get(act.seat), isBot = !key && taken.value.data.bot;
    if (!isBot && header.status === "finished" && !bots.size) needed = seq;
    if (signsFor(bundle, act.seat) && (act.sig || decision(event)?.sig)) signed = seq;
  }
  const covered = bundle.cosigners ? inclusions.at(-1).value.seq : 0;
  const isCosigned = (bundle.cosigners?.size ?? 0) >= Math.max(1, policy.needed);
  if (needed <= Math.max(bundle.newestKept, signed, isCosigned ? covered : 0)) return "witnessed";
  const last = receipts.at(-1)?.value.seq ?? 0;
  return needed <= Math.max(last, covered) ? "operator" : "nobody";
}

const listed = (parts) =>
  parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : `${parts}`;

// What an operator who lies could have done, and nothing in the bundle would show.
function deedsOf(bundle, facets) {
  const some = (numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    return `seat${sorted.length > 1 ? "s" : ""} ${listed(sorted)}`;
  };
  const { bots } = bundle, brought = bringing(bundle), unsigned = unsignedSeats(bundle);
  const signing = [...bundle.seats.keys()].filter((seat) => signsFor(bundle, seat));
  const deck = {
    server: "chosen the deck",
    seats: `chosen the deck if ${some(brought)} ${brought.length > 1 ? "are" : "is"} its own`,
    unrevealed: "dealt cards of its choice, which shows once the game is over",
  };
  const rewritten = "rewritten the game before it signed this";
  return listed([
    deck[facets.secrets],
    facets.moves === "unsigned" && `made the moves of ${some(unsigned.length ? unsigned : signing)}`,
    facets.story === "operator" && (facets.moves === "signed" ? "replaced the end" : rewritten),
    facets.bots === "unproven" && `played for the bot${bots.size > 1 ? "s" : ""} of ${some(bots)}`,
    facets.times === "recorded" && "timed seats out too early, or lost their answers",
  ].filter(Boolean));
}

const ENDINGS = {
  finished: "the game is over and kept its rules",
  voided: "the game was broken off, and kept its rules up to there",
  unfinished: "the game is not over, and not all can be checked",
};

// The verdict in one sentence, that of `verify`. Without Ed25519 there is no grade: nobody has looked
// at the signatures.
function headlineOf(status, ending, facets, deeds, ed25519) {
  if (!facets) return VERDICTS[status][0];
  const verdict = ed25519 ? VERDICTS[status][0] : "NO CONTRADICTION";
  const grade = ed25519 ? gradeOf(facets) : UNJUDGED;
  const unsigned = ed25519 ? "" : ", but signatures were NOT checked";
  const asks = status === "lacking" ? "nothing is wrong, but the policy asks for more: " : "";
  const nobody = facets.story === "nobody";
  const author = nobody ? "; nobody vouches for this file, so anybody could have made it all up" : "";
  const could = deeds || (nobody ? "" : "changed neither its cards nor its moves");
  const unseen = could ? `; unseen, a lying operator could have ${could}` : "";
  return `${verdict}, grade ${grade}: ${asks}${ENDINGS[ending]}${unsigned}${author}${unseen}`;
}
