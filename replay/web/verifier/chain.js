// Checks of the hash chain, and of what each decision follows on.

import { same } from "./finding.js";
import { leafHash } from "./hashes.js";
import { canonical } from "./values.js";
import { amount, phrase } from "./words.js";

export const ENDS = new Map([["GameEnded/1", "finished"], ["GameVoided/1", "voided"]]);

export async function checkChain(bundle, breathe) {
  const { header, events } = bundle;
  const step = 256;
  for (let i = 0; i < events.length; i += step) {
    await breathe(0.25 + i / events.length / 4);
    const some = events.slice(i, i + step);
    const leaves = await Promise.all(some.map((event) => leafHash(event.body)));
    some.forEach((event, j) => (event.leaf = leaves[j]));
  }
  let head = "0".repeat(64);
  for (const [i, event] of events.entries()) {
    const { value } = event;
    same("order", phrase("about.game"), event, header.game, value.game);
    same("order", phrase("about.number"), event, i + 1, value.seq);
    // Where what follows continues from this event as it stands, the one before was changed.
    const following = i + 1 < events.length ? events[i + 1].value.prev : header.head;
    if (i > 0 && value.prev !== head && following === event.leaf) {
      same("chain", phrase("about.own_hash"), events[i - 1], value.prev, head);
    }
    same("chain", phrase("about.prev"), event, head, value.prev);
    if (i > 0 && ENDS.has(events[i - 1].value.type)) {
      same("order", phrase("about.after_end"), event, phrase("nothing"), value.type);
    }
    head = event.leaf;
  }
  const last = events.at(-1);
  same("header", phrase("about.head"), last, head, header.head);
  const ending = ENDS.get(last.value.type) ?? "unfinished";
  same("header", phrase("about.ending"), last, ending, header.status);
  if (bundle.over) {
    same(
      "header", phrase("about.view"), last, phrase("there.nobodys"), header.seat ?? phrase("there.nobodys")
    );
  }
  return ["passed", phrase("checked.chain", { count: amount(events.length), hash: head })];
}

// Whether public facts show that the last command of a running game is not whole: after each one
// the game waits for somebody. Who may watch only late has honest files that end anywhere.
function isCut({ header, events, over }) {
  const { spectators } = events[0].value.data.table ?? {};
  if (over || (header.seat === undefined && ["delayed", "round"].includes(spectators))) return false;
  const { type, data } = events.at(-1).value;
  if (type === "TurnTimedOut/1" && data.then !== "bot_move") return true;
  const sealed = events.some((event) => event.value.type === "TableSealed/1");
  const asking = events.findLast((event) => event.value.data.asks !== undefined);
  return sealed && !asking?.value.data.asks.length;
}

// The decisions: each command's first event carries it, all of its events have its id.
export async function checkCommands(bundle) {
  let first = null;
  const ids = new Set();
  for (const event of bundle.events) {
    const { data, cmd, at: time } = event.value;
    if (data.act === undefined) {
      if (!first) {
        same("order", phrase("about.decision_facts"), event, phrase("due.a_decision"), phrase("none"));
      }
      same("order", phrase("about.command_id"), event, first.value.cmd, cmd);
      same("order", phrase("about.command_time"), event, first.value.at, time);
    } else {
      const known = ids.has(cmd) ? phrase("there.old_id") : phrase("due.a_new_id");
      same("order", phrase("about.new_id"), event, phrase("due.a_new_id"), known);
      ids.add(cmd);
      first = event;
    }
    first.last = event;
    event.first = first;
  }
  if (isCut(bundle)) {
    same(
      "order",
      phrase("about.last_command"),
      bundle.events.at(-1),
      phrase("due.event_more"),
      phrase("nothing"),
    );
  }
  return ["passed", phrase("checked.commands", { count: amount(ids.size) })];
}

// Since when each seat is asked what it is asked after the event: what others answer gives it no
// more time, and its own answer begins a new wait. Secrets that are due have a time of their own.
export function askedAfter(asked, { seq, at: time, data: { act, asks } }) {
  const waits = asks ?? [...asked.values()].map(({ question }) => question);
  return new Map(waits.filter(({ kind }) => kind !== "reveal").map((question) => {
    const before = asked.get(question.seat);
    const same = before && canonical(before.question) === canonical(question);
    const stays = same && act?.seat !== question.seat;
    return [question.seat, stays ? before : { question, seq, time }];
  }));
}
