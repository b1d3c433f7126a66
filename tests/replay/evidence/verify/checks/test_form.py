"""The events of a bundle: bound to one another, and each command is whole and has an id."""

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.terms import Clock, Overdue, Spectators, Terms
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay import operator_games
from tests.support.replay.bundles import good, of_kind
from tests.support.replay.clocked_games import (
    SHORT,
    asked,
    dealt,
    finish,
    stored,
    timed_out,
    write,
)
from tests.support.replay.judgements import judged
from tests.support.replay.operator_games import Plan, bundled, played
from tests.support.replay.tampered_bundles import edited


def cuts(events: list[bytes]) -> list[tuple[int, str]]:
    """Every place within a command, with the last event before it."""
    return [
        (end, str(msgspec.json.decode(events[end - 1])["type"]))
        for end in range(1, len(events))
        if b'"act":' not in events[end]
    ]


UNDECIDED = {
    "CardAsked/1",
    "CardDrawn/1",
    "CardGiven/1",
    "CardsHit/1",
    "CardsSwapped/1",
    "PawnMoved/1",
}
"""Events that end some commands and not others: which, only the rules can tell."""
CUT = {
    "classic": Plan("classic", 3, "cut", SHORT, bringing=(1,)),
    "no secrets": Plan("express", 2, "cut", {"max_turns_per_round": 3, "variant": "n_phases(1)"}),
    "board": Plan("board", 3, "cut", {"max_turns_per_round": 4}, void_after=60),
}


@looped("name", CUT)
def test_a_running_game_that_ends_within_a_command(page: Verifier, name: str) -> None:
    """A game that goes on waits for somebody after every command."""
    events = played(CUT[name])
    places = cuts(events)
    assert len(places) > 5
    for end, last in places[::3]:
        lines = bundled(events[:end])
        judged_codes = {problem.code for problem in judged(lines).problems}
        assert judged_codes == ({"truncated"} if last not in UNDECIDED else set()), (end, last)
        if end % 2 == 0:
            assert (codes(page.verify(b"".join(lines))) == ["order"]) == (judged_codes != set())


@pytest.mark.parametrize("then", ["bot_for_good", "void"])
def test_a_time_out_without_its_consequence(page: Verifier, then: Overdue) -> None:
    events = stored(timed_out(Clock(5, then=then), 5_000))
    end = next(n for n, event in enumerate(events, 1) if b'"TurnTimedOut/1"' in event)
    lines = bundled(events[:end])
    assert [problem.code for problem in judged(lines).problems] == ["truncated"]
    assert codes(page.verify(b"".join(lines))) == ["order"]


@pytest.mark.parametrize("spectators", ["delayed", "round"])
def test_who_watches_late_has_files_that_end_anywhere(
    page: Verifier, spectators: Spectators
) -> None:
    """So many events late, or before the round that is played; a seat sees all of it at once."""
    terms = Terms(spectators=spectators, delay=3 * (spectators == "delayed"))
    events = played(replace(CUT["classic"], table=terms))
    end = next(end for end, last in cuts(events) if last == "DealOpened/1")
    lines = bundled(events[:end])
    assert judged(lines).problems == ()
    assert codes(page.verify(b"".join(lines))) == []
    mine = bundled(events[:end], viewer=0)
    assert [problem.code for problem in judged(mine).problems] == ["truncated"]
    assert codes(page.verify(b"".join(mine))) == ["order"]


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


@looped("number", [1, 2, 30, -2])
def test_the_changed_event_is_named_where_the_chain_breaks(page: Verifier, number: int) -> None:
    """Not the one after it, which bears the hash of the event as it was."""
    lines = [*good()]
    number %= len(of_kind(lines, "event"))
    edited("event", number, lambda event: event.update(at=event["at"] + 1))(lines)
    (problem,) = [
        candidate for candidate in judged(lines).problems if candidate.code == "broken_chain"
    ]
    assert problem.seq == number + 1
    answer = page.verify(b"".join(lines))
    (finding,) = [candidate for candidate in answer["findings"] if candidate["code"] == "chain"]
    assert finding["seq"] == number + 1
