"""The description of events is true of whole games, as everybody may see them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from phaseledger.domain import events as e
from phaseledger.domain.commands import Act, Give, Keep, Search, Swap
from phaseledger.domain.draft import with_decision
from phaseledger.domain.events import EVENTS, GameOpened, Secret
from phaseledger.domain.evidence import codec
from phaseledger.domain.script import ScriptedDeal
from phaseledger.domain.terms import Terms
from phaseledger.service.api.openapi.event_schemas import HIDES
from tests.golden.games import GAMES, SAMPLE, game
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.openapi_operations import Description
from tests.support.scenario import records
from tests.support.table import CLASSIC, GAME

ELSEWHERE = [
    e.GameOpened(
        game=GAME,
        ruleset=CLASSIC,
        seats=2,
        dealer=0,
        server_commit="ab" * 32,
        table=Terms(test=True),
        hidden={"server": e.Secret(secret="ab" * 32, script=(ScriptedDeal(hands=("R1", "")),))},
    ),
    e.SeatFreed(seat=1, by="host"),
    e.SeatSecretRevealed(seat=0, secret="ab" * 32),
    e.TurnTimedOut(seat=0, then="bot_move", bot="greedy"),
    e.SeatHandedOver(seat=0, bot="greedy", why="left"),
    e.SeatNamed(seat=0, name=f"player-{'a' * 20}"),
    e.TurnPassed(seat=1),
    e.RoundDealt(
        round=2,
        dealer=0,
        players=(1, 0),
        hands=(10, 10),
        stock=60,
        discard="R5",
        phases=(1, 1),
        skips=(0, 0),
        kept=(0, 1),
        jokers=(0, 1),
        hidden={"0": Secret(hand="B1"), "1": Secret(hand="B2"), "not:1": Secret(kept="J(R7)")},
    ),
    e.GameVoided(reason="rain", secret="cd" * 32, owing=(0,)),
    with_decision(
        e.CardGiven(seat=1, to=0, hidden={"0,1": Secret(card="R5", said="R5")}),
        Act(Give("R5"), 1, "ef" * 64),
    ),
    with_decision(
        e.CardDrawn(seat=1, source="pile", hidden={"1": Secret(card="R5", said="R5", place=3)}),
        Act(Search("R5"), 1, "ef" * 64),
    ),
    with_decision(
        e.CardsSwapped(seat=1, count=1, top="R5", hidden={"1": Secret(said="R5")}),
        Act(Swap("R5"), 1, "ef" * 64),
    ),
    with_decision(
        e.CardsKept(seat=1, hidden={"1": Secret(said="R5")}), Act(Keep("R5"), 1, "ef" * 64)
    ),
]
"""Events that the golden games, whose seats neither leave nor sign, do not have."""


@pytest.fixture(scope="module")
def whole(description: Description) -> jsonschema_rs.Draft202012Validator:
    """What checks any event."""
    reference = {"$ref": "#/components/schemas/EventRecord"}
    return jsonschema_rs.Draft202012Validator(
        {**reference, "components": description["components"]}
    )


def visible(entries: list[codec.Entry], opened: GameOpened) -> Iterator[Any]:
    """The events as each seat, a spectator and, after the end, everybody gets them."""
    key = codec.new_chain(opened).key
    for entry in entries:
        stored = {codec.redact(entry.stored, key, None, opened=over) for over in (False, True)}
        stored |= {
            codec.redact(entry.stored, key, seat, opened=False) for seat in range(opened.seats)
        }
        yield from map(msgspec.json.decode, stored)


def golden(name: str) -> tuple[list[codec.Entry], GameOpened]:
    """A golden game as it is stored."""
    events = [event for _, events in game(name)[1] for event in events]
    assert isinstance(events[0], GameOpened)
    return records(events), events[0]


@pytest.mark.parametrize("name", sampled(GAMES, *SAMPLE))
def test_what_everybody_gets_of_a_game_is_described(
    name: str, whole: jsonschema_rs.Draft202012Validator
) -> None:
    for record in visible(*golden(name)):
        faults = [error.message[:300] for error in whole.iter_errors(record)]
        assert faults == [], record


def test_what_no_golden_game_has_is_described(whole: jsonschema_rs.Draft202012Validator) -> None:
    _, opened = golden("classic-2")
    _, entries = codec.append(codec.new_chain(opened), ELSEWHERE, "0" * 64, 1)
    for record in visible(entries, opened):
        assert [error.message[:300] for error in whole.iter_errors(record)] == []


def test_nothing_is_described_that_never_is() -> None:
    """Every kind comes about, and each of those that hide something hides all that is named."""
    kinds: set[str] = set()
    hidden: dict[Any, set[str]] = defaultdict(set)
    games = [golden(name) for name in SAMPLE]
    _, opened = games[0]
    more = codec.append(codec.new_chain(opened), ELSEWHERE, "0" * 64, 1)[1]
    for entries in (*(entries for entries, _ in games), more):
        for entry in entries:
            record, _ = codec.decode(entry.topic, entry.stored)
            kinds.add(entry.topic)
            for secret in record.hidden.values():
                hidden[EVENTS[entry.topic]] |= msgspec.to_builtins(secret).keys()
    assert kinds == set(EVENTS)
    assert hidden == {kind: set(names) for kind, (_, names) in HIDES.items()}


def test_every_kind_is_told_apart_by_its_type(description: Description) -> None:
    schemas = description["components"]["schemas"]
    mapping = schemas["EventRecord"]["discriminator"]["mapping"]
    assert schemas["EventRecord"]["discriminator"]["propertyName"] == "type"
    assert mapping == {
        topic: f"#/components/schemas/{kind.__name__}Record" for topic, kind in EVENTS.items()
    }
    assert [entry["$ref"] for entry in schemas["EventRecord"]["oneOf"]] == list(mapping.values())


HASH = "0" * 64
TURN = {"at": 0, "cmd": HASH, "data": {"seat": 1, "turn": 3}, "game": "g", "prev": HASH, "seq": 9}
TURN |= {"type": "TurnBegan/1", "v": 1}
DRAWN: dict[str, Any] = {"data": {"seat": 1, "source": "stock"}, "type": "CardDrawn/1"}
DRAWN |= {"sealed": {"1": HASH}}


@looped(
    ("changed", "fits"),
    [
        ({}, True),
        (DRAWN, True),
        ({"type": "TurnEnded/1"}, False),
        ({"type": "SkipPlaced/1"}, False),
        ({"v": 2}, False),
        ({"seq": 0}, False),
        ({"prev": "0"}, False),
        ({"data": {"seat": 1}}, False),
        ({"data": {"seat": 16, "turn": 3}}, False),
        ({"data": {"seat": 1, "turn": 3, "card": "R5"}}, False),
        ({"data": {"seat": 1, "turn": 3, "act": None}}, False),
        ({"data": {"seat": 1, "turn": 3, "hidden": {}}}, False),
        ({"sealed": {"1": "0" * 64}}, False),
        ({**DRAWN, "sealed": {"stock": "0" * 64}}, False),
        ({**DRAWN, "hidden": {"1": {"card": "R5"}}, "salts": {"1": "0" * 32}}, True),
        ({**DRAWN, "hidden": {"1": {"hand": "R5"}}, "salts": {"1": "0" * 32}}, False),
        ({**DRAWN, "salts": {"1": "0" * 31}}, False),
    ],
)
def test_the_description_of_events_is_strict(
    changed: dict[str, Any], fits: bool, whole: jsonschema_rs.Draft202012Validator
) -> None:
    assert whole.is_valid({**TURN, **changed}) is fits
