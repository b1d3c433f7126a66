// A table in a page of one's own, over clients/js: open or join, follow the stream, play.
// It may come from any origin that PHASELEDGER_ALLOWED_ORIGINS names; ?api= says where the service is.
import { Phaseledger } from "../../clients/js/src/index.js";

const service = new Phaseledger(new URLSearchParams(location.search).get("api") ?? "http://127.0.0.1:8000");
const byId = (id) => document.getElementById(id);
const say = (text) => (byId("status").textContent = text);
let seat = JSON.parse(sessionStorage.getItem("seat")); // {game, token, host}: a reload plays on
let view = null, rules = null, asked = null;

// Follow the game to its end; what broke is taken up where it broke.
async function follow() {
  const player = service.at(seat.token);
  rules = await player.call("GET", `/games/${seat.game}/rules`);
  const shown = (change) => (...given) => draw(change(...given));
  await player.follow(seat.game, {
    onState: shown((state) => { view = state; }),
    onEvents: shown(({ events }, after) => { view = after; asked = null; events.forEach(record); }),
    onAsked: shown((questions) => { asked = questions; }),
    onEnd: () => sessionStorage.removeItem("seat"),
    onLink: (live) => live || say("The connection broke. Trying again."),
  }).done;
}

function record({ type, data }) {
  const cards = data.cards ?? data.card ?? data.groups?.map((group) => group.cards).join(" | ");
  const who = data.seat === undefined ? "" : `${name(data.seat)}: `;
  byId("log").prepend(element("li", `${who}${type.split("/")[0]} ${cards ?? ""}`));
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
    await service.at(seat.token).send(seat.game, command);
  } catch (refusal) {
    draw(asked ??= before);
    say(`${refusal.message} (${refusal.problem?.rule || refusal.code})`);
  }
}

async function sit(form) {
  const { player, ruleset, bots, people, length, game } = Object.fromEntries(new FormData(form));
  const seats = [...Array(+people + 1).fill({ kind: "person" }), ...Array(+bots).fill({ kind: "bot" })];
  const body = { ruleset, seats, options: length ? { variant: length } : {} };
  const opened = game ? { game } : await service.open(body);
  const joined = await service.join(opened.game, { name: player });
  seat = { game: opened.game, token: joined.token, host: opened.host_token };
  sessionStorage.setItem("seat", JSON.stringify(seat));
  if (seat.host && +people === 0) await start();
  show();
}

function show() {
  byId("form").hidden = !(byId("table").hidden = false);
  follow().catch((fault) => say(fault.message));
}

const start = () => service.at(seat.host).start(seat.game);
byId("start").addEventListener("click", () => start().catch((fault) => say(fault.message)));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  sit(event.target).catch((fault) => say(fault.message));
});
if (seat) show();
