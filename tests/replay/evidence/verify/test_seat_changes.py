"""Games whose seats were freed and taken again, left, or were overdue: both verifiers agree."""

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from phaseledger.domain.commands import LeaveSeat, OpenGame, TakeSeat, VoidGame
from phaseledger.domain.events import SeatFreed, SeatHandedOver, TurnTimedOut
from phaseledger.domain.options import OptionValue
from phaseledger.domain.terms import Clock, Terms
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.formats.records.findings import SourceRow
from tests.support.browser import Verifier
from tests.support.cases import looped
from tests.support.replay.judgements import judged
from tests.support.replay.operator_forgeries import linked
from tests.support.replay.operator_games import OPERATOR, ORIGIN, Plan, Table, bundled, played
from tests.support.replay.page_grades import agree, judged_without_bots
from tests.support.replay.tampering_tools import apart, values, written

SHORT: dict[str, OptionValue] = {"max_turns_per_round": 8, "variant": "ten_rounds"}
GAMES = {
    "freed": Plan("classic", 3, "freed", SHORT, restless=(0, 1, 2), signing=(1,), bringing=(2,)),
    "stand-ins": Plan(
        "classic",
        3,
        "stand-ins",
        SHORT,
        signing=(0, 1),
        bringing=(1, 2),
        table=Terms(clock=Clock(30, 10)),
    ),
    "dropped": Plan(
        "express",
        3,
        "dropped",
        SHORT,
        signing=(0,),
        bringing=(1, 2),
        table=Terms(clock=Clock(30, then="bot_for_good"), stand_in="random"),
    ),
    "left": Plan("classic", 3, "left", SHORT, signing=(0, 1), bringing=(2,), leaving=(0, 2)),
    "board": Plan(
        "board",
        3,
        "absent",
        {"max_turns_per_round": 12},
        signing=(0, 1, 2),
        void_after=250,
        restless=(1,),
        leaving=(0, 1),
        table=Terms(clock=Clock(5)),
    ),
    "void": Plan(
        "classic", 2, "void", SHORT, bringing=(0, 1), table=Terms(clock=Clock(5, then="void"))
    ),
    "never taken again": Plan("classic", 2, "gone"),
}
HAPPENS = {
    "freed": SeatFreed,
    "stand-ins": TurnTimedOut,
    "dropped": SeatHandedOver,
    "left": SeatHandedOver,
    "board": SeatHandedOver,
    "void": TurnTimedOut,
    "never taken again": SeatFreed,
}


@cache
def stored(name: str) -> tuple[bytes, ...]:
    if name == "never taken again":
        return tuple(given_up(GAMES[name]))
    return tuple(played(GAMES[name]))


def given_up(plan: Plan) -> list[bytes]:
    """A game that is broken off before the start, with a seat that somebody has left."""
    table = Table(plan)
    table.decide(OpenGame(plan.game, plan.ruleset, plan.seats, secret="5e" * 32))
    for seat in (0, 1):
        table.decide(TakeSeat(f"Seat {seat}", secret="ab" * 32), seat)
    table.decide(LeaveSeat(), 0)
    table.decide(VoidGame("nobody came"))
    return [entry.stored for entry in table.entries]


def judgement_of(name: str) -> Judgement:
    return judged(bundled(stored(name)))


@looped("name", GAMES)
def test_it_happens(name: str) -> None:
    types = [msgspec.json.decode(record)["type"] for record in stored(name)]
    assert f"{HAPPENS[name].__name__}/1" in types


@looped("name", GAMES)
def test_the_audit_is_sound(name: str) -> None:
    rows = [
        SourceRow(GAMES[name].game, msgspec.json.decode(record)["type"], record, n)
        for n, record in enumerate(stored(name), 1)
    ]
    (verdict,) = audit(rows)
    assert verdict.findings == ()
    assert verdict.sound


@looped("name", GAMES)
def test_the_bundle_is_sound(name: str) -> None:
    judgement = judgement_of(name)
    assert judgement.problems == ()
    assert judgement.conclusion == "sound"


@looped("name", GAMES)
def test_the_page_agrees(page: Verifier, name: str) -> None:
    answer = page.verify(b"".join(bundled(stored(name))))
    assert (answer["findings"], answer["status"], answer["ok"]) == ([], "sound", True)
    agree(answer, judged_without_bots(bundled(stored(name))))


@looped("viewer", [None, 0, 1])
@looped("name", GAMES)
def test_a_running_one_is_followed(page: Verifier, name: str, viewer: int | None) -> None:
    """Cut before every ninth decision, and each viewer gets other cuts."""
    events = stored(name)
    starts = [n for n, event in enumerate(events) if b'"act":' in event][2::9]
    first = 0 if viewer is None else viewer + 1
    for cut in starts[first::3] or starts[-1:]:
        lines = bundled(events[:cut], viewer=viewer)
        assert judged(lines).problems == ()
    assert page.verify(b"".join(lines))["findings"] == []


def test_it_says_who_was_away_and_what_a_bot_did() -> None:
    """A signed seat that a bot answered for has not signed all that it did."""
    judgement = judgement_of("stand-ins")
    overdue = [note for note in judgement.notes if "by the operator's clock alone" in note]
    assert all(re.match(r"Seat \d was overdue at event \d+, by", note) for note in overdue)
    assert len(overdue) == sum(b'"TurnTimedOut/1"' in record for record in stored("stand-ins"))
    assert [seat.word for seat in judgement.seats] == ["signed", "signed", "repudiable"]
    assert all(seat.stood_in for seat in judgement.seats)
    asked = Policy("p", (OPERATOR.public,), ORIGIN, require=frozenset({"signatures"}))
    (problem,) = judged(bundled(stored("stand-ins")), asked).problems
    assert (problem.code, problem.recorded) == ("signatures_missing", "seats 0, 1, 2")
    left = judgement_of("left")
    assert sum("left with event" in note for note in left.notes) == 2
    assert [seat.stood_in > 0 for seat in left.seats] == [True, False, True]
    assert sum(seat.stood_in for seat in left.seats) == stood_in(stored("left"))


def test_a_freed_seat_that_nobody_takes_has_no_report() -> None:
    assert [seat.name for seat in judgement_of("never taken again").seats] == ["Seat 1"]


def stood_in(events: Sequence[bytes]) -> int:
    """Commands of play without a signature, of seats that sign and have left."""
    gone: set[int] = set()
    count = 0
    for event in map(msgspec.json.decode, events):
        act = event["data"].get("act")
        if event["type"] == "SeatHandedOver/1":
            gone.add(event["data"]["seat"])
        elif act and act.get("seat") in gone:
            count += 1
    return count


def test_the_operator_cannot_play_for_a_seat_that_is_there(page: Verifier) -> None:
    """Without `TurnTimedOut` before it, an unsigned answer of a seat with a key is refused."""
    lines = unsigned(GAMES["stand-ins"])
    assert "bad_signature" in {problem.code for problem in judged(lines).problems}
    assert page.verify(b"".join(lines))["ok"] is False


def unsigned(plan: Plan) -> list[bytes]:
    """A bundle of the plan in which one signed answer of a seat has lost its signature."""
    parts = apart(b"".join(bundled(played(plan))))
    event = next(
        candidate
        for candidate in values(parts, "event")
        if candidate["data"].get("act", {}).get("sig")
        and candidate["data"]["act"]["command"]["type"] in ("draw", "discard")
    )
    del event["data"]["act"]["sig"]
    return written(linked(parts)).splitlines(keepends=True)
