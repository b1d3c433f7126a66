// Checks of the recorded times against the terms of the clock.

import { askedAfter } from "./chain.js";
import { Finding, at, same } from "./finding.js";
import { amount, moment, phrase } from "./words.js";

const FOLLOWS = { bot_move: "", bot_for_good: "SeatHandedOver/1", void: "GameVoided/1" };

// The rules of the clock (docs/reference/evidence.md), by the terms and the recorded times.
class TurnClock {
  constructor({ clock, stand_in: standIn = "greedy" } = {}) {
    this.clock = clock && { grace: 0, then: "bot_move", ...clock };
    this.standIn = standIn;
    this.asked = new Map();
    this.bots = new Map();
    this.late = null;
  }

  take(event) {
    const { type, data } = event.value, { act, seat } = data, { late, bots } = this;
    const rule = (holds, what, expected, recorded) => {
      if (!holds) throw new Finding("times", what, at(event, expected, recorded));
    };
    if (late) {
      const next = FOLLOWS[late.then], recorded = act ? phrase("terms.other_command", { type }) : type;
      rule(next === (act ? "" : type), phrase("about.after_time_out", { seat: late.seat }),
        next || phrase("due.another_command"), recorded);
    }
    this.late = null;
    if (type === "SeatTaken/1" && data.bot) bots.set(seat, "for good");
    else if (type === "SeatFreed/1") bots.delete(seat);
    else if (type === "TurnBegan/1" && bots.get(seat) === "for a turn") bots.delete(seat);
    else if (type === "TurnTimedOut/1") this.timeOut(event, rule);
    else if (type === "SeatHandedOver/1") {
      const left = act?.command.type === "leave_seat" && act.seat === seat;
      const lost = late?.then === "bot_for_good" && late.seat === seat;
      rule(
        data.why === "left" ? left : lost, phrase("about.handed_over", { seat }),
        data.why === "left" ? phrase("due.to_leave") : phrase("due.its_time_out"),
        phrase("there.another_reason"),
      );
      rule(data.bot === this.standIn, phrase("about.stand_in"), this.standIn, data.bot);
      bots.set(seat, "for good");
    }
    if (this.clock && (data.asks ?? act) !== undefined) {
      this.asked = askedAfter(this.asked, event.value);
    }
  }

  timeOut({ value: { data, at: time } }, rule) {
    const { clock, asked, bots } = this, { seat, then, bot = "", act } = data;
    const asking = asked.get(seat), what = phrase("about.time_out", { seat });
    rule(clock, what, phrase("due.without_clock"), phrase("there.a_time_out"));
    rule(asking && !bots.has(seat), what, phrase("due.owing_none"), phrase("there.a_time_out"));
    const after = clock.seconds + clock.grace, { seq } = asking;
    rule(time >= asking.time + 1000 * after, what, phrase("due.seconds_after", { count: amount(after), seq }),
      phrase("time.seconds", { count: amount((time - asking.time) / 1000) }));
    const { type, overdue } = act?.command ?? {};
    const commanded = type === "time_out" && overdue === seat && act.seat === undefined;
    rule(commanded, what, phrase("due.time_out"), type ?? phrase("none"));
    const standIn = clock.then === "bot_move" ? this.standIn : "";
    rule(then === clock.then && bot === standIn, what, `${clock.then} ${standIn}`, `${then} ${bot}`);
    if (standIn) bots.set(seat, "for a turn");
    this.late = data;
  }
}

export async function checkTimes(bundle) {
  const clock = new TurnClock(bundle.events[0].value.data.table);
  let last = 0;
  for (const event of bundle.events) {
    const time = event.value.at;
    if (time < last) {
      same(
        "times", phrase("about.time"), event, phrase("due.or_later", { time: moment(last) }), moment(time)
      );
    }
    last = time;
    clock.take(event);
  }
  return ["passed", phrase("checked.times")];
}
