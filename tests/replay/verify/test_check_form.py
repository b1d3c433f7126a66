"""The ids of commands in a bundle: one for each command, borne by all of its events."""

import pytest

from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.terms import Clock
from tests.support.browser import Verifier, codes
from tests.support.replay import operator_games
from tests.support.replay.clocked_games import asked, dealt, finish, stored, write
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import bundled


def test_one_id_for_all_commands(page: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the game is over or goes on: the service takes each id once."""
    monkeypatch.setattr(operator_games, "command_id", lambda *_: "ab" * 32)
    table = dealt(None)
    for over in (False, True):
        if over:
            finish(table)
        lines = bundled(stored(table))
        (problem,) = judged(lines).problems
        assert (problem.code, problem.seq) == ("command_repeated", 2)
        assert codes(page.verify(b"".join(lines))) == ["order"]


def test_an_event_with_another_id_than_its_command(page: Verifier) -> None:
    """Of a game that goes on, which nobody can decide again."""
    table = dealt(Clock(5))
    while True:
        seat = asked(table)
        _, events = step(table.state, Act(table.answer(seat), seat))
        if len(events) > 1:
            break
        table.decide(table.answer(seat), seat)
    write(table, events[0])
    write(table, *events[1:])
    lines = bundled(stored(table))
    (problem,) = judged(lines).problems
    assert (problem.code, problem.seq) == ("no_decision", table.entries[-len(events) + 1].seq)
    assert "order" in codes(page.verify(b"".join(lines)))
