/** A game against a bot, over the client of @hey-api/openapi-ts. */
import {
  getGame, listActions, listEvents, openGame, sendCommand, startGame, takeSeat,
} from "../generated/hey";
import { client } from "../generated/hey/client.gen";
import type { Actions, EventRecord, Problem, TableView } from "../generated/hey";

type Command = Actions["commands"][number];

function refuse(problem: Problem | undefined): never {
  throw new Error(`${problem?.status} ${problem?.code}: ${problem?.detail} ${problem?.rule ?? ""}`);
}

function worded(command: Command): string {
  switch (command.type) {
    case "draw": return `draw from the ${command.source ?? "stock"}`;
    case "lay": return `lay ${command.groups.map((group) => group.cards).join(" | ")}`;
    case "discard": return `discard ${command.cards}`;
    default: return command.type;
  }
}

async function main(origin: string): Promise<void> {
  client.setConfig({ baseUrl: origin });
  const opened = await openGame({
    body: {
      ruleset: "classic",
      seats: [{ kind: "person" }, { kind: "bot", level: "greedy" }],
      options: { variant: "n_phases(1)" },
    },
  });
  if (!opened.data) refuse(opened.error);
  const path = { game: opened.data.game };
  const joined = await takeSeat({ path, body: { name: "Ada" } });
  if (!joined.data) refuse(joined.error);
  const seat = { path, auth: joined.data.token };
  const started = await startGame({ path, auth: opened.data.host_token });
  if (!started.data) refuse(started.error);
  const wrong = await sendCommand({ ...seat, body: { type: "hit", group: 0, cards: "R1" } });
  console.log("refused", wrong.error?.code);

  let stage: TableView["stage"] = joined.data.table.stage;
  let last: string | undefined;
  while (stage !== "ended" && stage !== "voided") {
    const asked = await listActions(seat);
    if (!asked.data) refuse(asked.error);
    const command = asked.data.commands[0];
    if (command) {
      last = worded(command);
      const done = await sendCommand({ ...seat, body: command });
      if (!done.data) refuse(done.error);
      stage = done.data.table.stage;
    } else {
      const now = await getGame({ ...seat, query: { at_least: asked.data.version + 1 } });
      if (!now.data) refuse(now.error);
      stage = now.data.table.stage;
    }
  }
  const page = await listEvents({ path });
  if (!page.data || typeof page.data === "string") refuse(page.error);
  const first: EventRecord | undefined = page.data.events[0];
  if (first?.type === "GameOpened/1") console.log("opened", first.data.ruleset.id);
  console.log(stage, last);
}

void main(process.argv[2] ?? "");
