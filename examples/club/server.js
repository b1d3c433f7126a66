// A club's own server, which alone has the key: node examples/club/server.js
//   PHASELEDGER_URL=http://127.0.0.1:8000 PHASELEDGER_KEY=p10k_... PORT=8080
// Its page embeds the table: the service is started with PHASELEDGER_EMBEDDERS=http://127.0.0.1:8080.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Refusal, Phaseledger } from "../../clients/js/src/index.js"; // "phaseledger", where it is installed

const { PHASELEDGER_URL: url = "http://127.0.0.1:8000", PHASELEDGER_KEY: key, PORT = "8080" } = process.env;
if (!key) throw new Error("PHASELEDGER_KEY is not set: phaseledger admin apps create makes a key");
const phaseledger = new Phaseledger(url, { key });
const page = (await readFile(new URL("index.html", import.meta.url), "utf8")).replaceAll("{{service}}", url);
const seats = new Map(); // by member: the game and the token, which the member's browser forgets

// Seat a member at a table with a bot, and begin.
async function seated(name) {
  const seats = [{ kind: "person" }, { kind: "bot" }];
  const { game, host_token } = await phaseledger.open({ ruleset: "express", seats });
  const { token } = await phaseledger.join(game, { name });
  await phaseledger.at(host_token).start(game);
  return { game, token };
}

const routes = {
  "GET /": (member, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    return page;
  },
  "GET /seat": (member) => JSON.stringify(seats.get(member) ?? null),
  "POST /seat": async (member, response, name) => {
    seats.set(member, await seated(name));
    return JSON.stringify(seats.get(member));
  },
};

createServer(async (request, response) => {
  const cookie = /\bmember=([\w-]{36})/.exec(request.headers.cookie ?? "");
  const member = cookie?.[1] ?? randomUUID(); // your sign-in knows better
  response.setHeader("Set-Cookie", `member=${member}; HttpOnly; SameSite=Strict; Path=/`);
  response.setHeader("Cache-Control", "no-store");
  try {
    const route = routes[`${request.method} ${request.url}`];
    let body = "";
    for await (const part of request) body += part;
    if (route) return response.end(await route(member, response, body));
    response.writeHead(404).end();
  } catch (fault) {
    const status = fault instanceof Refusal ? 422 : 502; // a name that is no name, or the service is away
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(fault.message);
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));
