/** A game against a bot, over orval's client, whose functions call fetch. */
import { getGame, listActions, openGame, sendCommand, startGame, takeSeat } from "../generated/orval";
import type { Actions, EventRecord, Problem, TableView } from "../generated/orval";

type Command = Actions["commands"][number];

function refuse(problem: Problem): never {
  throw new Error(`${problem.status} ${problem.code}: ${problem.detail} ${problem.rule ?? ""}`);
}

function worded(command: Command): string {
  switch (command.type) {
    case "draw": return `draw from the ${command.source ?? "stock"}`;
    case "lay": return `lay ${command.groups.map((group) => group.cards).join(" | ")}`;
    case "discard": return `discard ${command.cards}`;
    default: return command.type;
  }
}

function isDraw(event: EventRecord): boolean {
  return event.type === "CardDrawn/1" && event.data.source === "stock";
}

/** The paths of the generated functions begin at the root: in a page that is the page's origin. */
function setOrigin(origin: string): void {
  const plain = globalThis.fetch;
  globalThis.fetch = (path, options) => plain(new URL(String(path), origin), options);
}

async function main(origin: string): Promise<void> {
  setOrigin(origin);
  const opened = await openGame({
    ruleset: "classic",
    seats: [{ kind: "person" }, { kind: "bot", level: "greedy" }],
    options: { variant: "n_phases(1)" },
  });
  if (opened.status !== 201) refuse(opened.data);
  const { game, host_token } = opened.data;
  const joined = await takeSeat(game, { name: "Ada" });
  if (joined.status !== 201) refuse(joined.data);
  const seat = { headers: { Authorization: `Bearer ${joined.data.token}` } };
  const started = await startGame(game, { headers: { Authorization: `Bearer ${host_token}` } });
  if (started.status !== 200) refuse(started.data);
  const wrong = await sendCommand(game, { type: "hit", group: 0, cards: "R1" }, {}, seat);
  if (wrong.status !== 200 && wrong.status !== 204) console.log("refused", wrong.data.code);

  let stage: TableView["stage"] = joined.data.table.stage;
  let last: string | undefined;
  let drawn = 0;
  while (stage !== "ended" && stage !== "voided") {
    const asked = await listActions(game, seat);
    if (asked.status !== 200) throw new Error(`no actions: ${asked.status}`);
    const command: Command | undefined = asked.data.commands[0];
    if (command) {
      last = worded(command);
      const done = await sendCommand(game, command, {}, seat);
      if (done.status === 204) throw new Error("that was no dry run");
      if (done.status !== 200) refuse(done.data);
      stage = done.data.table.stage;
      drawn += done.data.events.filter(isDraw).length;
    } else {
      const now = await getGame(game, { at_least: asked.data.version + 1 }, seat);
      if (now.status === 200) stage = now.data.table.stage;
    }
  }
  if (drawn > 0) console.log("opened", opened.data.ruleset);
  console.log(stage, last);
}

void main(process.argv[2] ?? "");
