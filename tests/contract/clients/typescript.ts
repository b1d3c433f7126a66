/** A game against a bot, over the types of openapi-typescript and its companion openapi-fetch. */
import createClient from "openapi-fetch";
import type { components, paths } from "../generated/typescript";

type Command = components["schemas"]["Actions"]["commands"][number];
type Problem = components["schemas"]["Problem"];
type Recorded = components["schemas"]["EventPage"]["events"][number];

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

async function main(origin: string): Promise<void> {
  const api = createClient<paths>({ baseUrl: origin });
  const opened = await api.POST("/v1/games", {
    body: {
      ruleset: "classic",
      seats: [{ kind: "person" }, { kind: "bot" }],
      options: { variant: "n_phases(1)" },
    },
  });
  if (opened.error) refuse(opened.error);
  const game = opened.data.game;
  const joined = await api.POST("/v1/games/{game}/seats", {
    params: { path: { game } },
    body: { name: "Ada" },
  });
  if (joined.error) refuse(joined.error);
  const host = { Authorization: `Bearer ${opened.data.host_token}` };
  const seat = { Authorization: `Bearer ${joined.data.token}` };
  const started = await api.POST("/v1/games/{game}/start", { params: { path: { game } }, headers: host });
  if (started.error) refuse(started.error);

  const wrong = await api.POST("/v1/games/{game}/commands", {
    params: { path: { game } },
    headers: seat,
    body: { type: "hit", group: 0, cards: "R1" },
  });
  console.log("refused", wrong.error?.code);

  let stage = joined.data.table.stage;
  let last: string | undefined;
  while (stage !== "ended" && stage !== "voided") {
    const asked = await api.GET("/v1/games/{game}/actions", { params: { path: { game } }, headers: seat });
    if (asked.error) refuse(asked.error);
    const command = asked.data?.commands[0];
    if (command) {
      last = worded(command);
      const done = await api.POST("/v1/games/{game}/commands", {
        params: { path: { game } },
        headers: seat,
        body: command,
      });
      if (done.error) refuse(done.error);
      if (!done.data) throw new Error("that was no dry run");
      stage = done.data.table.stage;
    } else {
      const now = await api.GET("/v1/games/{game}", {
        params: { path: { game }, query: { at_least: (asked.data?.version ?? 0) + 1 } },
        headers: seat,
      });
      if (now.error) refuse(now.error);
      stage = now.data?.table.stage ?? stage;
    }
  }
  const page = await api.GET("/v1/games/{game}/events", { params: { path: { game } } });
  if (page.error) refuse(page.error);
  const first: Recorded | undefined = typeof page.data === "object" ? page.data.events[0] : undefined;
  if (first?.type === "GameOpened/1") console.log("opened", first.data.ruleset.id);
  console.log(stage, last);
}

void main(process.argv[2] ?? "");
