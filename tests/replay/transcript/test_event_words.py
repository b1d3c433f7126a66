"""Events in table words: every kind has some, and a name in them stays a name."""

import json
from collections.abc import Iterator
from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.events import (
    EVENTS,
    CardDiscarded,
    CardGiven,
    CardsKept,
    Event,
    RoundDealt,
    SeatTaken,
    SkipServed,
    TurnBegan,
    TurnTimedOut,
)
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.words import texts
from phaseledger.replay.transcript.event_words import TablePlace, table_places
from tests.support.cases import looped
from tests.support.replay.bundles import game

SEATED = (SeatTaken(seat=1, name="Bob", commit=""), TurnBegan(seat=1, turn=17))


@cache
def events(name: str) -> tuple[Event, ...]:
    """The events of a recorded game."""
    topics = {f"{kind.__name__}/1": kind for kind in EVENTS.values()}
    return tuple(
        decode(topic, stored)[1]
        for stored in game(name)
        for topic in topics
        if f'"type":"{topic}"'.encode() in stored
    )


def last_place(*happened: Event) -> TablePlace:
    return [*table_places([*SEATED, *happened])][-1]


def test_every_kind_of_event_has_words() -> None:
    kinds = {code.partition(".")[0] for code in texts("en", "place.")} - {"in_round"}
    assert kinds == {kind.__name__ for kind in EVENTS.values()}


@looped(
    ("event", "words"),
    [
        (CardDiscarded(seat=1, cards="R5"), """"Bob"'s discard in turn 17"""),
        (CardDiscarded(seat=2, cards="R5"), "seat 2's discard in turn 17"),
        (TurnTimedOut(seat=1, then="void"), """"Bob"'s time-out in turn 17"""),
        (CardGiven(seat=2, to=1), """seat 2's giving of a card to "Bob" in turn 17"""),
        (SkipServed(seat=1, turn=18), """the loss of "Bob"'s turn 18 by a skip"""),
        (CardsKept(seat=1), """"Bob"'s choice of cards to keep after round 0"""),
    ],
)
def test_an_event_has_the_words_of_the_table(event: Event, words: str) -> None:
    assert last_place(event).words == words


@looped("name", ["classic", "standard-deck", "express", "board"])
def test_turns_are_counted_through_the_whole_game(name: str) -> None:
    places = [*table_places(events(name))]
    assert len(places) == len(game(name))
    turns = [place.turn for place in places if place.turn]
    assert turns == sorted(turns)
    for event, place in zip(events(name), places, strict=True):
        if isinstance(event, RoundDealt):
            assert (place.round, place.words) == (event.round, f"the deal of round {event.round}")
        if isinstance(event, TurnBegan):
            assert (place.turn, place.seat) == (event.turn, event.seat)


def quotations(words: str) -> Iterator[str]:
    """The JSON strings in the words, read from the left."""
    while '"' in words:
        name, end = json.JSONDecoder().raw_decode(words[words.index('"') :])
        words = words[words.index('"') + end :]
        yield name


@given(st.text(st.characters() | st.sampled_from('"\\: \n'), max_size=80))
def test_no_name_ends_its_quotation(name: str) -> None:
    taken = replace(SEATED[0], name=name)
    *_, place = table_places([taken, SEATED[1], CardDiscarded(seat=1, cards="R5")])
    (quotation,) = quotations(place.words)
    assert place.words == f"{json.dumps(quotation, ensure_ascii=False)}'s discard in turn 17"
    assert place.words.isprintable()


def test_a_very_long_name_is_cut() -> None:
    taken = replace(SEATED[0], name="x" * 5_000)
    *_, place = table_places([taken, CardDiscarded(seat=1, cards="R5")])
    assert len(place.words) < 250
