// Checks of secrets, rule set and seals: who committed to what, and what was opened.

import { ENDS } from "./chain.js";
import { saltOf, sealKey, sealOf, seatCommit, serverCommit, transcriptText } from "./deal.js";
import { Finding, at, same } from "./finding.js";
import { hex, sha256, unhex } from "./hashes.js";
import { canonical, isHash, within } from "./values.js";
import { amount, moment, phrase, sentences } from "./words.js";

const PSEUDONYM = /^player-[a-z2-7]{20}$/; // of a player whom an application knows

export const hiddenOf = (event, audience) => event?.opens.get(audience)?.value;

// The game's opening, by the rules of docs/reference/evidence.md: who committed to what, what was revealed,
// when cards could be dealt, and who still owed an answer when the game was broken off.
function opening(bundle) {
  const { events } = bundle, [opened, ...rest] = events;
  same("order", phrase("about.first_event"), opened, "GameOpened/1", opened.value.type);
  same("order", phrase("about.game"), opened, bundle.header.game, opened.value.data.game);
  const seats = new Map(), size = opened.value.data.seats;
  let sealed = null, dealt = null, overdue = [];
  const due = () =>
    [...seats].filter(([, { event, secret }]) =>
      event.value.data.brought_secret && secret === undefined,
    ).map(([number]) => number).sort((a, b) => a - b);
  for (const event of rest) {
    const { type, data, at: time } = event.value;
    const rule = (holds, code, what, expected, recorded = type) => {
      if (!holds) throw new Finding(code, what, at(event, expected, recorded));
    };
    if (type === "GameOpened/1") {
      rule(false, "order", phrase("about.event"), phrase("due.no_opening"));
    } else if (type === "SeatTaken/1") {
      rule(
        !sealed,
        "commitment",
        phrase("about.seat"),
        phrase("due.none_after_sealing"),
        phrase("there.one_more"),
      );
      const free = within(0, size - 1)(data.seat) && !seats.has(data.seat);
      rule(free, "order", phrase("about.the_seat"), phrase("due.free_seat"), data.seat);
      const secret = data.brought_secret ? undefined : hiddenOf(event, "server")?.secret;
      const { commit, key = "", name, bot } = data;
      seats.set(data.seat, { event, commit, key, secret, shown: event, name, fixed: key || bot });
    } else if (type === "SeatFreed/1") {
      rule(!sealed, "commitment", phrase("about.seat"), phrase("due.none_freed"), phrase("there.a_seat"));
      seats.delete(data.seat);
    } else if (type === "SeatNamed/1") {
      const seat = seats.get(data.seat), others = [...seats.values()].map(({ name }) => name);
      const guest = seat && !seat.fixed && !PSEUDONYM.test(seat.name);
      rule(guest && PSEUDONYM.test(data.name) && !others.includes(data.name), "order",
        phrase("about.named"), phrase("due.guest_named"), data.name);
      seat.name = data.name;
    } else if (type === "TableSealed/1") {
      rule(!sealed, "order", phrase("about.sealing"), phrase("due.once"), phrase("there.again"));
      same("commitment", phrase("about.committed"), event, size, seats.size);
      sealed = event;
    } else if (type === "SeatSecretRevealed/1") {
      const wanted = phrase("due.reveals");
      const asked = sealed && due().includes(data.seat);
      rule(asked, "commitment", phrase("about.reveal"), wanted, phrase("there.another_order"));
      Object.assign(seats.get(data.seat), { secret: data.secret, shown: event });
    } else if (type === "DealOpened/1") {
      const missing = due();
      rule(sealed && !due().length, "commitment", phrase("about.deal"), phrase("due.after_reveals"),
        missing.length ? phrase("there.before_reveal", { seats: missing })
          : phrase("there.before_sealing"));
      rule(!dealt, "order", phrase("about.deal"), phrase("due.opened_once"), phrase("there.again"));
      dealt = event;
    } else if (type === "GameVoided/1") {
      const owing = dealt ? overdue : sealed ? due() : [];
      const told = canonical(data.owing ?? []);
      rule(told === canonical(owing), "owing", phrase("about.owing"), canonical(owing), told);
      if (data.act?.command.type === "close_reveal") {
        const seconds = sealed?.value.data.reveal_seconds ?? 0;
        const inTime = seconds > 0 && time >= sealed.value.at + 1000 * seconds;
        rule(
          inTime,
          "times",
          phrase("about.wait"),
          phrase("due.after_seconds", { count: seconds }),
          moment(time),
        );
      }
    } else if (type === "SeatHandedOver/1" && !dealt) {
      const free = sealed && !due().includes(data.seat);
      rule(free, "order", phrase("about.handed_seat"), phrase("due.owes_none"), data.seat);
    } else {
      rule(dealt, "order", phrase("about.play"), phrase("due.after_opening"));
    }
    if (type === "SeatHandedOver/1" && seats.has(data.seat)) seats.get(data.seat).fixed = true;
    overdue = type === "TurnTimedOut/1" && data.then === "void" ? [data.seat] : [];
  }
  return { opened, seats };
}

export async function checkSecrets(bundle) {
  const { header, events, secrets } = bundle, { opened, seats } = opening(bundle);
  const commit = opened.value.data.server_commit, last = events.at(-1);
  const ended = ENDS.has(last.value.type) ? last.value.data.secret : undefined;
  bundle.seats = seats;
  if (isHash(ended) && (await serverCommit(header.game, ended)) === commit) bundle.secret = ended;
  const secret = hiddenOf(opened, "server")?.secret;
  const given = new Map([["server", { event: opened, commit, secret, made: "server" }]]);
  for (const [number, seat] of [...seats].sort((a, b) => a[0] - b[0])) {
    const made = seat.event.value.data.brought_secret ? "seat" : "server";
    given.set(`${number}`, { ...seat, event: seat.shown, made });
  }
  let count = 0;
  const keeps = async (event, by, committed, secret) => {
    const shown = isHash(secret) ? secret : "", server = by === "server";
    const made = server
      ? await serverCommit(header.game, shown)
      : await seatCommit(header.game, by, shown);
    const what = server ? phrase("about.commitment_server")
      : phrase("about.commitment_seat", { seat: Number(by) });
    same("commitment", what, event, committed, made);
    count++;
  };
  for (const [by, one] of given) {
    if (one.secret !== undefined) await keeps(one.event, by, one.commit, one.secret);
  }
  if (ENDS.has(last.value.type)) await keeps(last, "server", commit, ended);
  const listed = secrets.map(({ value }) => value.by).join(", ");
  same("commitment", phrase("about.who_committed"), last, [...given.keys()].join(", "), listed);
  for (const { value, line } of secrets) {
    const one = given.get(value.by), lined = { ...one.event, line };
    const facts = { commit: one.commit, made_by: one.made, secret: one.secret ?? phrase("there.none_yet") };
    for (const [name, fact] of Object.entries(facts)) {
      const what = phrase("about.secret_line", { name, party: value.by });
      same("commitment", what, lined, fact, value[name] ?? phrase("there.none_yet"));
    }
  }
  if (bundle.secret === undefined) {
    const shown = { count: amount(count), total: amount(given.size) };
    return ["passed", phrase("checked.commitments_so_far", shown)];
  }
  const open = [...given.values()].filter((one) => one.secret === undefined).length;
  const owing = open && phrase("checked.unrevealed", { count: amount(open) });
  const shown = amount(given.size - 1 - open);
  return ["passed", sentences(phrase("checked.commitments", { count: shown }), owing)];
}

export async function checkRules(bundle) {
  const { ruleset, events } = bundle, { data } = events[0].value;
  const rules = canonical(data.ruleset ?? {}), hash = hex(await sha256(rules));
  const lined = { ...events[0], line: ruleset.line };
  const stated = canonical(ruleset.value.rules);
  same("transcript", phrase("about.ruleset_line"), lined, rules, stated);
  same("transcript", phrase("about.ruleset_hash"), lined, hash, ruleset.value.hash);
  const name = `${data.ruleset.id}`.split("@")[0];
  same("transcript", phrase("about.ruleset_name"), lined, name, ruleset.value.name);
  const event = events.find((one) => one.value.type === "DealOpened/1");
  if (!event) return ["skipped", phrase("checked.not_dealt")];
  const seats = [...bundle.seats].sort((a, b) => a[0] - b[0]).map(([, seat]) => seat);
  if (seats.some((seat) => seat.secret === undefined)) {
    if (bundle.over) {
      same(
        "commitment", phrase("about.deal"), event, phrase("due.every_secret"), phrase("there.one_missing")
      );
    }
    return ["skipped", phrase("checked.transcript_hidden")];
  }
  const text = transcriptText(bundle.header.game, name, hash, data.server_commit, seats);
  const made = hex(await sha256(text));
  same("transcript", phrase("about.transcript"), event, made, event.value.data.transcript);
  return ["passed", phrase("checked.transcript", { ruleset: data.ruleset.id })];
}

// Whether a viewer (undefined: the public) may know what is hidden from others.
function belongs(audience, viewer) {
  if (viewer === undefined || audience === "stock" || audience === "server") return false;
  if (audience.startsWith("not:")) return audience !== `not:${viewer}`;
  return audience.split(",").includes(`${viewer}`);
}

export async function checkSeals(bundle, breathe) {
  const { events, over, secret, header } = bundle;
  const key = secret === undefined ? null : await sealKey(bundle.header.game, secret);
  let checked = 0, closed = 0;
  for (const [i, event] of events.entries()) {
    if (i % 200 === 0) await breathe(0.5 + i / events.length / 8);
    const { seq, sealed = {} } = event.value;
    for (const audience of Object.keys(sealed).sort()) {
      const opened = event.opens.get(audience), what = phrase("about.seal", { seq, audience });
      if (!opened) {
        if (over) same("seal", what, event, phrase("due.opened"), phrase("there.closed"));
        closed++;
        continue;
      }
      if (!over && !belongs(audience, header.seat)) {
        same("seal", what, event, phrase("due.closed"), phrase("there.opened"));
      }
      if (key) {
        const salt = hex(await saltOf(key, seq, audience));
        same("seal", phrase("about.salt", { seq, audience }), event, salt, opened.salt);
      }
      const seal = await sealOf(unhex(opened.salt), canonical(opened.value));
      same("seal", what, event, seal, sealed[audience]);
      checked++;
    }
  }
  const rest = closed && phrase("checked.closed_seals", { count: amount(closed) });
  if (!checked) return ["skipped", sentences(phrase("checked.no_seals"), rest)];
  const code = key ? "checked.seals_salted" : "checked.seals";
  return ["passed", sentences(phrase(code, { count: amount(checked) }), rest)];
}
