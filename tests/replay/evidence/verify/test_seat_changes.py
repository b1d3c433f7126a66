"""Games whose seats were freed and taken again, left, or were overdue: both verifiers agree."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import cycle

import msgspec

from phaseledger.domain.commands import LeaveSeat, OpenGame, TakeSeat, VoidGame
from phaseledger.domain.events import SeatFreed, SeatHandedOver, SeatNamed, TurnTimedOut
from phaseledger.domain.options import OptionValue
from phaseledger.domain.terms import Clock, Terms
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from tests.support.browser import Verifier
from tests.support.cases import looped
from tests.support.replay.judgements import judged
from tests.support.replay.log_edits import verdict
from tests.support.replay.operator_forgeries import linked
from tests.support.replay.operator_games import (
    OPERATOR,
    ORIGIN,
    Plan,
    Table,
    bundled,
    played,
    pseudonym,
)
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
    "named": Plan(
        "classic",
        4,
        "named",
        SHORT,
        signing=(3,),
        bringing=(0, 1, 2),
        guests=(0, 1, 2),
        table=Terms(clock=Clock(30, 10)),
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
    "named": SeatNamed,
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
def test_both_verifiers_and_the_audit_find_nothing_wrong(page: Verifier, name: str) -> None:
    lines = bundled(stored(name))
    assert any(b'"%s/1"' % HAPPENS[name].__name__.encode() in record for record in stored(name))
    assert verdict([*stored(name)]).sound
    judgement = judged(lines)
    assert (judgement.problems, judgement.conclusion) == ((), "sound")
    answer = page.verify(b"".join(lines))
    assert (answer["findings"], answer["status"], answer["ok"]) == ([], "sound", True)
    agree(answer, judged_without_bots(lines))


@looped(("name", "viewer"), zip(GAMES, cycle([None, 0, 1])))
def test_a_running_one_is_followed(page: Verifier, name: str, viewer: int | None) -> None:
    """Cut before some of the decisions, as one viewer of each game has it."""
    events = stored(name)
    starts = [n for n, event in enumerate(events) if b'"act":' in event][2:]
    for cut in starts[:: max(1, len(starts) // 3)]:
        lines = bundled(events[:cut], viewer=viewer)
        assert judged(lines).problems == ()
    assert page.verify(b"".join(lines))["findings"] == []


FORGED = {
    "a name that is no pseudonym": {"name": "Bob"},
    "a player with two seats": {"name": pseudonym(0)},
    "a seat that signs": {"seat": 3},
    "a seat that is not there": {"seat": 4},
}


def test_neither_verifier_takes_another_naming(page: Verifier) -> None:
    for name, facts in FORGED.items():
        parts = apart(b"".join(bundled(stored("named"))))
        event = [e for e in values(parts, "event") if e["type"] == "SeatNamed/1"][1]
        event["data"] |= facts
        command = event["data"]["act"]["command"]
        command |= {"named" if fact == "seat" else fact: value for fact, value in facts.items()}
        lines = written(linked(parts)).splitlines(keepends=True)
        assert judged(lines).problems, name
        assert page.verify(b"".join(lines))["ok"] is False, name


def test_it_says_who_was_away_and_what_a_bot_did() -> None:
    """A signed seat that a bot answered for has not signed all that it did."""
    judgement = judgement_of("stand-ins")
    overdue = [note for note in judgement.notes if "by the operator's clock alone" in note]
    assert all(re.match(r'Seat "Seat \d" was overdue at event \d+, by', note) for note in overdue)
    assert len(overdue) == sum(b'"TurnTimedOut/1"' in record for record in stored("stand-ins"))
    assert [seat.word for seat in judgement.seats] == ["signed", "signed", "repudiable"]
    assert all(seat.stood_in for seat in judgement.seats)
    asked = Policy("p", (OPERATOR.public,), ORIGIN, require=frozenset({"signatures"}))
    (problem,) = judged(bundled(stored("stand-ins")), asked).problems
    assert (problem.code, problem.recorded) == (
        "signatures_missing",
        'seats "Seat 0", "Seat 1", "Seat 2"',
    )
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
    parts = apart(b"".join(bundled(stored("stand-ins"))))
    event = next(
        candidate
        for candidate in values(parts, "event")
        if candidate["data"].get("act", {}).get("sig")
        and candidate["data"]["act"]["command"]["type"] in ("draw", "discard")
    )
    del event["data"]["act"]["sig"]
    lines = written(linked(parts)).splitlines(keepends=True)
    assert "bad_signature" in {problem.code for problem in judged(lines).problems}
    assert page.verify(b"".join(lines))["ok"] is False
