"""What a caller may do, over HTTP, with a hand such as no card game deals."""

from typing import Any

import httpx2
import pytest

from phaseledger.domain.legal import MOST_CHOICES
from phaseledger.domain.words import Language
from phaseledger.service.games import view
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.view import game_view
from phaseledger.service.schemas.games import GameView
from tests.support.service.api_tables import PLAIN, lay_out, ok, started

ODD = "R1 B1 G1 Y1 R3 B3 G3 Y3 R5 B5 G5 Y5 R7 B7 G7 Y7"
EVEN = "R2 B2 G2 Y2 R4 B4 G4 Y4 R6 B6 G6 Y6 R8 B8 G8"
LARGE = PLAIN._replace(
    hands=(f"{ODD} {EVEN}", "R9 B9 G9 Y9"),
    discard="R12",
    stock="R10 B10 G10",
    options={
        "board_track": ("TAKE3*", *("TAKE3",) * 31),
        "board_phases": ("parity(5, odd) + parity(5, even)",) * 10,
    },
)
"""31 cards, of which twelve million lays can be made."""


def test_a_view_of_an_unchanged_game_is_encoded_once(
    client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each viewer and language; after each event, anew, and always where deadlines run."""
    made: list[tuple[int, int | None, str]] = []

    def noted(now: Snapshot, viewer: int | None, seconds: int, lang: Language) -> GameView:
        made.append((now.version, viewer, lang))
        return game_view(now, viewer, seconds, lang)

    monkeypatch.setattr(view, "game_view", noted)
    table = started(client)

    def views() -> set[bytes]:
        looks = ((0, "en"), (1, "en"), (None, "en"), (0, "fr"))
        return {table.get("", seat, lang=lang).content for seat, lang in looks for _ in range(3)}

    assert len(views()) == 3  # no group is laid, so no language tells
    assert len(made) == 4
    first = table.get("", 0).json()
    ok(table.send(first["table"]["active"], {"type": "draw"}))
    later = table.get("", 0).json()
    assert later["version"] > first["version"]
    assert later["table"]["stock"] == first["table"]["stock"] - 1
    assert len(made) == 5
    clocked = started(client, terms={"clock": {"seconds": 600}})
    for number in range(3):
        assert ok(clocked.get("", 0))["deadlines"]
        assert len(made) == 6 + number


def test_a_large_hand_has_the_first_of_its_lays_listed(served: Any, client: httpx2.Client) -> None:
    """And more, which may be sent all the same; each discard is among those listed."""
    table = lay_out(served.parts, client, LARGE)
    for command in ({"type": "move", "steps": 1}, *[{"type": "draw"}] * 3):
        ok(table.send(0, command))
    answer = table.get("/actions", 0)
    listed = ok(answer)
    lays = [command for command in listed["commands"] if command["type"] == "lay"]
    discards = [command for command in listed["commands"] if command["type"] == "discard"]
    assert (len(lays), len(discards), listed["more"]) == (MOST_CHOICES, 34, True)
    assert len(answer.content) < 150_000
    last = {"type": "lay", "groups": [{"cards": "Y5 R7 B7 G7 Y7"}, {"cards": "Y6 R8 B8 G8 R10"}]}
    assert last not in lays
    assert ok(table.send(0, last))["table"]["seats"][0]["laid"]


def test_b_17_a_move_says_where_it_leads(served: Any, client: httpx2.Client) -> None:
    """And does lead there; who is asked something else is told of no space."""
    table = lay_out(served.parts, client, PLAIN._replace(dice=(1, 4)))
    offered = ok(table.get("/actions", 0))
    assert offered["more"] is False
    moves = offered["moves"]
    assert [(move["steps"], move["action"]) for move in moves] == [(1, "TAKE1"), (4, "ASK")]
    after = ok(table.send(0, {"type": "move", "steps": 4}))["table"]
    assert (after["seats"][0]["pawn"], after["action"]) == (moves[1]["space"], "ASK")
    assert ok(table.get("/actions", 0))["moves"] == []
