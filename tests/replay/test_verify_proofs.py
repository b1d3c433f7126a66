"""The two proofs of a game that is over, each on its own."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from domain.commands import OpenGame
from domain.events import CardDrawn, DealOpened, Event, GameOpened, RoundDealt
from replay import proofs
from replay.bundle import parse_bundle
from replay.verify import verify
from tests.replay.staged import leaves_of
from tests.replay.test_bundle import game, good, of_kind
from tests.replay.test_verify import judged, outcomes


@cache
def read_back() -> tuple[Any, ...]:
    """The records and events of the good game."""
    (examined,) = verify([parse_bundle(good(), "file")])
    return tuple(examined.case.read)


def secrets() -> dict[str, str]:
    return {each["by"]: each["secret"] for each in of_kind(good(), "secret")}


def recorded() -> list[tuple[bytes, str]]:
    leaves = leaves_of(game("classic"))
    return [(stored, leaf.hex()) for stored, leaf in zip(game("classic"), leaves, strict=True)]


def decided(read: Sequence[Any] = ()) -> list[proofs.Decided]:
    return list(proofs.decisions(read or read_back(), secrets()))


# --- seed and decisions ---------------------------------------------------------------------------


def test_seed_and_decisions_take_nothing_else_from_the_log() -> None:
    """Every outcome is left out of the events; acts, ids and times rebuild them."""
    bare = []
    for record, event in read_back():
        if event.act is not None:
            keep = {} if isinstance(event.act.command, OpenGame) else event.hidden
            bare.append((replace(record, data=None), replace(event, hidden=keep)))
    state = proofs.replayed(decided(bare), recorded())

    assert state == proofs.fold([event for _, event in read_back()], complete=True)


@pytest.mark.parametrize("by", ["server", "1"])
def test_the_secrets_are_those_of_their_lines(by: str) -> None:
    wrong = {**secrets(), by: "ab" * 32}
    with pytest.raises(proofs.Refuted):
        proofs.replayed(proofs.decisions(read_back(), wrong), recorded())


BYTES = {
    "another event": (lambda log: log.__setitem__(40, (log[40][0] + b" ", log[40][1])), 41),
    "another leaf": (lambda log: log.__setitem__(-1, (log[-1][0], "0" * 64)), 81),
    "an event less": (lambda log: log.pop(), 81),
    "an event more": (lambda log: log.append(log[-1]), 82),
}


@pytest.mark.parametrize("what", BYTES)
def test_decisions_that_lead_to_other_events(what: str) -> None:
    change, seq = BYTES[what]
    log = recorded()
    change(log)
    with pytest.raises(proofs.Refuted) as refuted:
        proofs.replayed(decided(), log)

    assert refuted.value.seq == seq


def test_a_decision_less() -> None:
    made = decided()
    with pytest.raises(proofs.Refuted):
        proofs.replayed([*made[:20], *made[21:]], recorded())


# --- events ---------------------------------------------------------------------------------------


def folded(kind: type[Event], change: Callable[[Any], Event], *, complete: bool = True) -> None:
    """Fold the events, the first of a kind being another one."""
    events = [event for _, event in read_back()]
    place = next(n for n, event in enumerate(events) if isinstance(event, kind) and event.hidden)
    events[place] = change(events[place])
    if not complete:
        events = [replace(event, hidden={}) for event in events]
    proofs.fold(events, complete=complete)


def another_card(event: Any) -> Event:
    ((who, secret),) = event.hidden.items()
    return replace(event, hidden={who: replace(secret, card="R1" if secret.card != "R1" else "R2")})


def test_a_card_that_comes_from_nowhere() -> None:
    with pytest.raises(proofs.Refuted, match="the cards are not those of the deck"):
        folded(CardDrawn, another_card)


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("name", ["stock", "covered", "hands", "jokers"])
def test_more_cards_than_there_are(name: str, *, complete: bool) -> None:
    """Nobody makes room for a trillion cards."""
    many = (2**40,) * 3 if name in ("hands", "jokers") else 2**40
    with pytest.raises(proofs.Refuted, match="it moves more cards than there are"):
        folded(RoundDealt, lambda event: replace(event, **{name: many}), complete=complete)


def test_a_promise_that_was_not_kept() -> None:
    events = [event for _, event in read_back()]
    place = next(n for n, event in enumerate(events) if isinstance(event, DealOpened))
    events[place] = replace(events[place], transcript="0" * 64)
    with pytest.raises(proofs.Refuted, match="the deal transcript: expected") as refuted:
        proofs.fold(events, complete=True)

    assert refuted.value.seq == place + 1


OPENINGS = {"seats": 2**40, "dealer": 2, "game": "another"}


@pytest.mark.parametrize("name", OPENINGS)
def test_an_opening_that_nobody_asked_for(name: str) -> None:
    with pytest.raises(proofs.Refuted, match=f"the {name} of the game is not what its opener"):
        folded(GameOpened, lambda event: replace(event, **{name: OPENINGS[name]}))


def test_events_without_an_opening_or_after_the_end() -> None:
    events = [event for _, event in read_back()]
    for wrong, seq in (
        (events[1:], 1),
        ([*events, events[-1]], 82),
        ([*events[:9], events[0]], 10),
    ):
        with pytest.raises(proofs.Refuted) as refuted:
            proofs.fold(wrong, complete=True)
        assert refuted.value.seq == seq


# --- both -----------------------------------------------------------------------------------------


def test_proofs_that_disagree_are_a_finding_even_if_no_event_is_bad(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a fault of one of the two would show."""
    honest = proofs.fold
    monkeypatch.setattr(proofs, "fold", lambda *a, **k: replace(honest(*a, **k), turn=0))
    found = judged(good())

    assert [problem.code for problem in found.problems] == ["proofs_disagree"]
    assert "turn = 0" in found.problems[0].expected
    assert outcomes(found)["agreement"] == "failed"
