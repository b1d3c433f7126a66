// A table in a page of one's own, over the public API alone: open or join, follow the stream, play.
// It may come from any origin that PHASELEDGER_ALLOWED_ORIGINS names; ?api= says where the service is.
const API = new URLSearchParams(location.search).get("api") ?? "http://127.0.0.1:8000";
const byId = (id) => document.getElementById(id);
const say = (text) => (byId("status").textContent = text);
let seat = JSON.parse(sessionStorage.getItem("seat")); // {game, token, host}: a reload plays on
let view = null, rules = null, asked = null;

// One request. A repeat after a lost connection has the same key, so nothing happens twice.
async function ask(method, path, { body, token } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(`${API}${path}`, { method, headers, body: body && JSON.stringify(body) });
      const answer = await response.json();
      if (response.ok) return answer;
      throw Object.assign(new Error(answer.detail), answer); // a problem of RFC 9457
    } catch (fault) {
      if (fault.code || tries === 5) throw fault;
      await new Promise((next) => setTimeout(next, 300 * tries));
    }
  }
}

// The messages of a stream of server-sent events. EventSource could not send the token.
async function* messages(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s)));
      if (fields.data) yield { ...fields, data: JSON.parse(fields.data) };
    }
  }
}

// Follow the game to its end; after a break go on after the last message that came.
async function follow() {
  rules = await ask("GET", `/v1/games/${seat.game}/rules`, seat);
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${seat.token}` };
  for (;;) {
    try {
      const response = await fetch(`${API}/v1/games/${seat.game}/events`, { headers });
      if (response.status === 204) return;
      if (!response.ok) return say((await response.json()).detail);
      for await (const { event, id, data } of messages(response)) {
        if (id) headers["Last-Event-ID"] = id;
        if (event === "state") view = data;
        if (event === "events") take(data);
        if (event === "asked") asked = data;
        draw();
        if (event === "end") return sessionStorage.removeItem("seat");
      }
    } catch (fault) {
      say(`The connection broke (${fault.message}). Trying again.`);
    }
    await new Promise((next) => setTimeout(next, 1000));
  }
}

// A commit: its patch (RFC 6902) makes the view new, and its events go into the log.
function take({ events, patch }) {
  asked = null;
  for (const { op, path, value } of patch) {
    const keys = path.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop(), parent = keys.reduce((at, key) => at[key], view);
    if (!Array.isArray(parent)) op === "remove" ? delete parent[last] : (parent[last] = value);
    else if (op === "remove") parent.splice(last, 1);
    else parent.splice(last === "-" ? parent.length : last, op === "add" ? 0 : 1, value);
  }
  for (const { type, data } of events) {
    const cards = data.cards ?? data.card ?? data.groups?.map((group) => group.cards).join(" | ");
    const who = data.seat === undefined ? "" : `${name(data.seat)}: `;
    byId("log").prepend(element("li", `${who}${type.split("/")[0]} ${cards ?? ""}`));
  }
}

function element(tag, text, className = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className });
}

const name = (number) => view.table.seats[number]?.name ?? `seat ${number}`;
const WORDS = {
  draw: ({ source = "stock" }) => `Draw from the ${source === "stock" ? "stock" : "discard pile"}`,
  lay: ({ groups }) => `Lay ${groups.map(({ cards }) => cards).join(" | ")}`,
  hit: ({ cards, group }) => `Add ${cards} to group ${group + 1}`,
  discard: ({ cards, target }) => `Discard ${cards}${target == null ? "" : `, skip ${name(target)}`}`,
};
const worded = ({ type, ...rest }) => WORDS[type]?.(rest) ?? [type, ...Object.values(rest)].join(" ");

function draw() {
  const { table } = view;
  byId("start").hidden = !seat.host || table.stage !== "lobby";
  byId("seats").replaceChildren(...table.seats.filter(Boolean).map((player) => {
    const phase = `phase ${player.phase} (${rules.phases[player.phase - 1]?.words ?? ""})`;
    const line = `${player.name}: ${player.cards} cards, ${player.points} points, ${phase}`;
    return element("li", line + (player.laid ? ", laid" : ""), table.active === player.seat ? "turn" : "");
  }));
  byId("piles").textContent = `Stock ${table.stock}, discard pile ${table.discard ?? "empty"}`;
  byId("groups").replaceChildren(...table.groups.map(({ group, owner, kind, cards }) =>
    element("li", `Group ${group + 1}, ${kind} of ${name(owner)}: ${cards}`)));
  const hand = (table.hand ?? "").split(" ").filter(Boolean);
  byId("hand").replaceChildren(...hand.map((card) => element("li", card, `card ${card[0]}`)));
  const isFocused = byId("actions").contains(document.activeElement);
  byId("actions").replaceChildren(...(asked?.commands ?? []).slice(0, 60).map((command) =>
    Object.assign(element("button", worded(command)), { onclick: () => play(command) })));
  if (isFocused) (byId("actions").firstChild ?? byId("status")).focus();
  if (table.stage === "ended") say(`The game is over: ${table.winners.map(name).join(" and ")} won.`);
  else if (table.stage === "voided") say("The game was broken off.");
  else if (table.stage === "lobby") say(`Others join with the game's id: ${seat.game}`);
  else say(asked?.commands.length ? "It is your move." : "Somebody else is asked.");
}

async function play(command) {
  const before = asked;
  draw(asked = null); // no button is pressed twice
  try {
    await ask("POST", `/v1/games/${seat.game}/commands`, { body: command, token: seat.token });
  } catch (problem) {
    draw(asked ??= before);
    say(`${problem.message} (${problem.rule || problem.code})`);
  }
}

async function sit(form) {
  const { player, ruleset, bots, people, length, game } = Object.fromEntries(new FormData(form));
  const seats = [...Array(+people + 1).fill({ kind: "person" }), ...Array(+bots).fill({ kind: "bot" })];
  const body = { ruleset, seats, options: length ? { variant: length } : {} };
  const opened = game ? { game } : await ask("POST", "/v1/games", { body });
  const joined = await ask("POST", `/v1/games/${opened.game}/seats`, { body: { name: player } });
  seat = { game: opened.game, token: joined.token, host: opened.host_token };
  sessionStorage.setItem("seat", JSON.stringify(seat));
  if (seat.host && +people === 0) await start();
  byId("form").hidden = !(byId("table").hidden = false);
  follow();
}

const start = () => ask("POST", `/v1/games/${seat.game}/start`, { token: seat.host });
byId("start").addEventListener("click", () => start().catch((fault) => say(fault.message)));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  sit(event.target).catch((fault) => say(fault.message));
});
if (seat) byId("form").hidden = !(byId("table").hidden = false), follow();
