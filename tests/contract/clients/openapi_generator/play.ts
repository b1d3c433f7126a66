/** A game against a bot, over the client of openapi-generator's typescript-fetch. */
import { Configuration, GamesApi, ProblemFromJSON, ResponseError, Stage } from "../generated";

function api(origin: string, accessToken = ""): GamesApi {
  return new GamesApi(new Configuration({ basePath: origin, accessToken }));
}

async function main(origin: string): Promise<void> {
  const anybody = api(origin);
  const openTable = {
    ruleset: "classic",
    seats: [{ kind: "person" as const }, { kind: "bot" as const }],
    options: { variant: "n_phases(1)" },
  };
  const opened = await anybody.openGame({ openTable });
  const game = opened.game;
  const joined = await anybody.takeSeat({ game, joinTable: { name: "Ada" } });
  await api(origin, opened.hostToken).startGame({ game });
  const seat = api(origin, joined.token);
  try {
    await seat.sendCommand({ game, play: { type: "hit", group: 0, cards: "R1" } });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    console.log("refused", ProblemFromJSON(await error.response.json()).code);
  }

  let version = 0;
  let stage: Stage = joined.table.stage;
  while (stage !== Stage.STAGE_ENDED && stage !== Stage.STAGE_VOIDED) {
    const asked = await seat.listActions({ game });
    const play = asked.commands[0];
    const done = play && (await seat.sendCommand({ game, play }));
    version = done?.version ?? asked.version + 1;
    stage = (await seat.getGame({ game, atLeast: version })).table.stage;
  }
  const first = (await seat.listEvents({ game }))?.events[0];
  if (first?.type === "GameOpened/1") console.log("opened", first.data.ruleset.id);
  console.log(stage);
}

void main(process.argv[2] ?? "");
