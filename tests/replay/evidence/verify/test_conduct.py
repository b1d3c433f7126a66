"""What a bundle says of those who run and play the game: times, bots, keys of seats, who owes."""

from typing import NoReturn

import pytest
from msgspec.structs import replace

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import (
    CloseReveal,
    RevealSecret,
    VoidGame,
)
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.legal import legal
from phaseledger.replay.evidence.verify.checks import bots
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy, Requirement
from phaseledger.replay.evidence.verify.text import judgement_lines
from phaseledger.replay.formats.bundle import writer
from phaseledger.replay.formats.bundle.writer import TooLong, bundle_lines
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.text import utc_time
from tests.support.replay import operator_games
from tests.support.replay.bundles import PLANS, game, good
from tests.support.replay.clocked_games import REVEALING, sealed
from tests.support.replay.html_outline import report
from tests.support.replay.judgements import judged, outcomes
from tests.support.replay.operator_games import OPERATOR, Plan, Table, bundled


def judgement_of(table: Table) -> Judgement:
    return judged(bundled([entry.stored for entry in table.entries]))


# --- the operator's times -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "passed", "expected"),
    [
        (6, 5_999, "6 seconds from the sealing"),
        (6, 0, "6 seconds from the sealing"),
        (0, 900_000, "a time that was set"),
    ],
)
def test_a_wait_that_was_ended_too_early(
    seconds: int, passed: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sealed(seconds)
    table.count += 1
    monkeypatch.setattr(operator_games, "CLOCK", operator_games.CLOCK + passed - 4_000)
    table.decide(CloseReveal())
    (problem,) = judgement_of(table).problems
    assert (problem.code, problem.seq) == ("closed_early", 5)
    assert (problem.expected, problem.recorded) == (expected, f"{passed / 1_000:.3f} seconds")


def test_a_wait_that_was_long_enough_names_who_owes() -> None:
    """Not those who kept their word, and to whoever reads text, JSON or the report."""
    table = sealed(4)
    table.decide(RevealSecret(table.seat_secret(0).hex()), 0)
    table.decide(CloseReveal())
    judgement = judgement_of(table)
    lines = bundled([entry.stored for entry in table.entries])
    assert (judgement.conclusion, judgement.owing) == ("sound", (1,))
    owed = "owed, as the operator says, by"
    lines_of_text = list(judgement_lines(judgement))
    assert f'  {owed} seat "Seat 1": nothing shows that anybody sat there' in lines_of_text
    page = report(lines)
    assert f'<th scope="row">{owed}</th><td>seat &quot;Seat 1&quot;</td>' in page
    assert "<td>the service</td>" in page
    assert "owed" not in report(good())


def test_who_broke_a_game_off() -> None:
    """The host by a command of its own, the service by its clock."""
    for command, who in ((VoidGame("x"), "the host"), (CloseReveal(), "the service")):
        table = sealed(1)
        table.decide(command)
        page = report(bundled([entry.stored for entry in table.entries]))
        rows = page[page.index("Before the first round") :].split("<tr>")
        assert f"<td>{who}</td>" in rows[-1]
        assert judgement_of(table).owing == (0, 1)


def test_time_that_runs_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    table = sealed(60)
    monkeypatch.setattr(operator_games, "CLOCK", 1)
    table.decide(VoidGame("x"))
    judgement = judgement_of(table)
    (problem,) = judgement.problems
    assert (problem.code, problem.seq, judgement.conclusion) == ("time_backwards", 5, "operator")
    times = [decode(entry.topic, entry.stored)[0].at for entry in table.entries[-2:]]
    assert problem.expected == f"{utc_time(times[0])} or later, as the event before it"
    assert problem.recorded == utc_time(times[1])
    (times_check,) = [check for check in judgement.checks if check.topic == "times"]
    assert times_check.outcome == "failed"
    assert (
        times_check.text == "The operator's own times contradict one another, or the table's terms."
    )


# --- bots -----------------------------------------------------------------------------------------


def with_a_bot(*, meddle: bool = False, fails: bool = False) -> list[bytes]:
    """A game of seat 0, which signs, with a bot that plays as in the service, or as it is told."""
    plan = Plan("classic", 2, "a bot", REVEALING.options, ("random",), (), (0,))
    table = Table(plan)
    table.open()
    while table.state and table.state.stage == "playing":
        state, seat = table.state, table.state.waits[0].seat
        name = state.seat(seat).bot or "greedy"
        choices = list(legal(state, seat))
        move = choices[0]
        if not fails or seat == 0:
            move = decision(name, state, seat, bytes.fromhex(state.server_secret), table.chain.seq)
        others = [choice for choice in choices if choice != move]
        if meddle and seat == 1 and others:
            move, meddle = others[0], False
        table.decide(move, seat)
    return bundled([entry.stored for entry in table.entries])


SIGNATURES: frozenset[Requirement] = frozenset({"signatures"})
SIGNED = Policy("p", (OPERATOR.public,), require=SIGNATURES)


def test_a_bot_that_moves_as_its_program_does() -> None:
    judgement = judged(with_a_bot(), SIGNED)
    assert (judgement.conclusion, outcomes(judgement)["bots"]) == ("sound", "passed")
    assert [(seat.word, seat.program) for seat in judgement.seats] == [
        ("signed", False), ("bot", True)
    ]  # fmt: skip
    assert any("whose program makes the same moves" in line for line in judgement_lines(judgement))


def test_a_bot_in_whose_place_somebody_played_once() -> None:
    """Nothing is wrong with the game, but the operator alone says that it was a bot."""
    lines = with_a_bot(meddle=True)
    judgement = judged(lines)
    assert (judgement.conclusion, outcomes(judgement)["bots"]) == ("sound", "not_checked")
    (check,) = (check for check in judgement.checks if check.topic == "bots")
    assert check.text.startswith("1 of ")
    assert any("the operator could have played it" in line for line in judgement_lines(judgement))
    asked = judged(lines, SIGNED)
    assert [problem.code for problem in asked.problems] == ["signatures_missing"]
    assert asked.problems[0].recorded == 'seat "Seat 1"'


def test_a_bot_whose_program_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the service makes the first legal move, and so does the auditor."""
    lines = with_a_bot(fails=True)

    def fail(*_: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(bots, "chosen", fail)
    judgement = judged(lines, SIGNED)
    assert (judgement.conclusion, outcomes(judgement)["bots"]) == ("sound", "passed")


def test_a_bot_of_a_running_game_is_the_operators_word() -> None:
    judgement = judged(with_a_bot_running(), SIGNED)
    assert outcomes(judgement)["bots"] == "not_checked"
    assert [problem.code for problem in judgement.problems] == ["signatures_missing"]


def with_a_bot_running() -> list[bytes]:
    plan = Plan("classic", 2, "a bot", REVEALING.options, ("greedy",), (), (0,), void_after=30)
    return bundled(operator_games.played(plan)[:-1])


# --- keys of seats --------------------------------------------------------------------------------


def test_seats_with_keys_that_have_sent_nothing() -> None:
    table = sealed(60)
    sentences = [check.text for check in judgement_of(table).checks if check.topic == "signatures"]
    assert sentences == ["No seat with a key has sent a command."]
    unsigned = judged(bundled(operator_games.played(replace(REVEALING, signing=(), void_after=5))))
    sentences = [check.text for check in unsigned.checks if check.topic == "signatures"]
    assert sentences == ["No seat has registered a key."]


def test_the_key_that_the_policy_names_for_a_seat() -> None:
    plan = PLANS["classic"]
    keys = {n: public_key(Table(plan).key(n)) for n in plan.signing}
    policy = Policy("p", (OPERATOR.public,))
    assert judged(good(), replace(policy, seats=keys)).problems == ()
    for seats, expected, recorded in (
        ({1: keys[2]}, f"key {keys[2]} of seat 1", keys[1]),
        ({0: keys[2]}, f"key {keys[2]} of seat 0", "none"),
        ({9: keys[2]}, f"key {keys[2]} of seat 9", "none"),
    ):
        judgement = judged(good(), replace(policy, seats=seats))
        (problem,) = judgement.problems
        assert (problem.code, judgement.conclusion) == ("seat_key_differs", "operator")
        assert (problem.expected, problem.recorded) == (expected, recorded)


def test_a_seat_that_is_still_free_has_no_key_yet() -> None:
    plan, policy = PLANS["classic"], Policy("p", (OPERATOR.public,))
    asked = replace(policy, seats={2: public_key(Table(plan).key(2))})
    for upto, codes in ((3, []), (4, ["seat_unsigned"])):
        judgement = judged(bundled(game("classic")[:upto]), asked)
        assert [problem.code for problem in judgement.problems] == codes
    wrong = replace(policy, seats={1: public_key(Table(plan).key(2))})
    assert [problem.code for problem in judged(bundled(game("classic")[:4]), wrong).problems] == [
        "seat_key_differs"
    ]


# --- too long -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "least"), [("MOST_LINES", 100), ("LARGEST", 5_000)])
def test_a_game_that_is_too_long_for_a_bundle(
    limit: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file is written that nobody could read; whole and nearly too long is written."""
    lines, stored = list(bundle_lines(game("classic"), signer=OPERATOR)), game("classic")
    exact = len(lines) if limit == "MOST_LINES" else sum(map(len, lines))
    for most in (least, exact - 1):
        monkeypatch.setattr(writer, limit, most)
        with pytest.raises(TooLong, match=r"a bundle has at most .*; export the game and audit"):
            list(bundle_lines(stored, signer=OPERATOR))
    monkeypatch.setattr(writer, limit, exact)
    assert list(bundle_lines(stored, signer=OPERATOR)) == lines
