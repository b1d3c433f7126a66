/** A game against a bot over the package, on a line that breaks: nothing is lost, and nothing is done twice. */
import assert from "node:assert/strict";
import { type Actions, type Command, type GameView, Phaseledger, Refusal } from "phaseledger";

const lobby = new Phaseledger(process.argv[2] ?? "", { language: "de" });
const options = { variant: "n_phases(1)", max_turns_per_round: 12 };
const seats = [{ kind: "person" as const }, { kind: "bot" as const }];
const { game, host_token } = await lobby.open({ ruleset: "classic", seats, options });
const seat = lobby.at((await lobby.join(game, { name: "Ada" })).token);
await lobby.at(host_token).start(game);
const { ticket } = await seat.ticket(game);

const wrong: Command = { type: "hit", group: 0, cards: "R1" };
const refusal: unknown = await seat.send(game, wrong).catch((fault) => fault);
if (!(refusal instanceof Refusal)) throw new Error("it is not refused");

let [breaks, sent, version] = [0, 0, -1];
const seen: number[] = [];
const sentences: string[] = [];
const done: Promise<unknown>[] = [];

async function play(asked: Actions): Promise<void> {
  const [first] = asked.commands;
  if (!first || asked.version <= version) return; // what a line that is whole again repeats
  version = asked.version;
  await seat.send(game, asked.commands.find(({ type }) => type === "lay") ?? first);
  sent += 1;
}

const followed = seat.follow(game, {
  onState: (view) => seen.push(view.version),
  onEvents({ events, lines = [] }) {
    seen.push(...events.map(({ seq }) => seq));
    sentences.push(...lines.map(({ sentence }) => sentence));
  },
  onAsked: (asked) => done.push(play(asked)),
  onLink(live) { if (!live) breaks += 1; },
});
const last: GameView | null = await followed.done;
await Promise.all(done);
assert.deepEqual(last, await seat.view(game));
const played = await seat.call("GET", `/games/${game}/events?limit=1000`);
const own = played.events.filter((event: { data: { seat?: number }, type: string }) =>
  event.data.seat === 0 && /^(CardDrawn|PhaseLaid|CardsHit|CardDiscarded|TurnPassed)/.test(event.type));
console.log(JSON.stringify({
  breaks, sent, own: own.map(({ type }: { type: string }) => type), seen, sentences: sentences.length,
  refused: [refusal.status, refusal.code], ticket: ticket.length > 20, stage: last?.table.stage,
}));
