"""The questions that only the board game asks, over HTTP: answered right, and wrong."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import httpx2
import msgspec
import pytest

from phaseledger.domain.commands import Play
from phaseledger.domain.view import TableView
from tests.support.service.api_tables import (
    PERSON,
    PLAIN,
    bearer,
    lay_out,
    ok,
    on_space,
    open_table,
    waits,
)


def test_a_pawn_moves_by_one_die_or_twice_a_double(served: Any, client: httpx2.Client) -> None:
    """B-15, B-16."""
    table = lay_out(served.parts, client, PLAIN._replace(dice=(2, 5)))
    offered = table.get("/actions", 0).json()
    assert offered["questions"] == [{"seat": 0, "kind": "move"}]
    assert [move["steps"] for move in offered["commands"]] == [2, 5]
    assert table.get("/actions", 1).json()["commands"] == []
    refused = table.send(0, {"type": "move", "steps": 7}).json()
    assert (refused["code"], refused["rule"]) == ("no_such_move", "B-15")
    double = lay_out(served.parts, client, PLAIN._replace(dice=(3, 3)))
    moves = double.get("/actions", 0).json()["commands"]
    assert [move["steps"] for move in moves] == [3, 6]
    view = ok(double.send(0, {"type": "move", "steps": 6}))["table"]
    assert (view["seats"][0]["pawn"], view["action"]) == (6, "SWAP")


def test_the_pile_is_open_to_whoever_searches_it(served: Any, client: httpx2.Client) -> None:
    """B-23, B-24: and to nobody else, nor afterwards."""
    table = on_space(served, client, 2)
    piles = [table.get(seat=seat).json()["table"]["pile"] for seat in (0, 1, None)]
    assert piles == ["R12 B12 G12 Y12 R11", "? ? ? ? R11", "? ? ? ? R11"]
    assert table.get("/table").json()["table"]["pile"] == "? ? ? ? R11"
    done = ok(table.send(0, {"type": "search", "card": "B12"}))
    assert done["table"]["hand"].split()[-1] == "B12"
    assert done["table"]["pile"] == "? ? ? R11"
    event = table.get("/events", 1, limit=1000).json()["events"][-1]
    assert (event["type"], "hidden" in event) == ("CardDrawn/1", False)
    assert event["data"]["act"]["command"] == {"card": "", "type": "search"}


def test_cards_are_swapped(served: Any, client: httpx2.Client) -> None:
    """B-25, B-26: as many and one more; the others see the top."""
    table = on_space(served, client, 6)
    done = ok(table.send(0, {"type": "swap", "cards": "R1 B1 G5 Y9"}))
    assert done["table"]["hand"] == "R6 B6 G6 Y6 R10"
    swapped = table.get("/events", 1, limit=1000).json()["events"]
    swap = next(event for event in swapped if event["type"] == "CardsSwapped/1")
    assert (swap["data"]["count"], swap["data"]["top"]) == (4, "Y9")
    assert (swap["data"]["act"]["command"]["cards"], "hidden" in swap) == ("", False)
    assert table.get(seat=1).json()["table"]["pile"] == "? ? ? ? ? ? ? ? Y9"


def test_a_card_is_asked_for_and_given(served: Any, client: httpx2.Client) -> None:
    """B-33, B-37: the first who holds the number chooses, and nobody else may play meanwhile."""
    table = on_space(served, client, 4)
    ok(table.send(0, {"type": "ask", "value": 7, "direction": "left"}))
    assert waits(table) == [{"seat": 1, "kind": "give", "number": 7}]
    offered = table.get("/actions", 1).json()["commands"]
    assert [command["card"] for command in offered] == ["R7", "B7"]
    early = table.send(0, {"type": "discard", "cards": "R1"}).json()
    assert (early["status"], early["code"]) == (409, "not_your_turn")
    hidden = table.send(1, {"type": "give", "card": "G3"}).json()
    assert (hidden["code"], hidden["rule"]) == ("not_asked_for", "B-33")
    done = ok(table.send(1, {"type": "give", "card": "B7"}))
    assert done["table"]["hand"] == "R7 G3 R6"
    assert table.get(seat=0).json()["table"]["hand"].split()[-1] == "B7"
    logs = [table.get("/events", seat, limit=1000).json()["events"] for seat in (0, 1, 2)]
    given = [next(e for e in events if e["type"] == "CardGiven/1") for events in logs]
    assert ["hidden" in event for event in given] == [True, True, False]
    assert waits(table) == [{"seat": 0, "kind": "play"}]


def test_another_action_is_chosen(served: Any, client: httpx2.Client) -> None:
    """B-39..B-42, on a ring that begins with CHOOSE."""
    ring = ["JOKER*", "CHOOSE", *["TAKE1"] * 28, "ASK", "AGAIN"]
    table = on_space(served, client, 1, options={"board_track": tuple(ring)})
    offered = table.get("/actions", 0).json()["commands"]
    assert [command["action"] for command in offered] == ["TAKE1", "ASK", "AGAIN"]
    itself = table.send(0, {"type": "choose", "action": "CHOOSE"}).json()
    assert (itself["code"], itself["rule"]) == ("chooses_itself", "B-41")
    taken = table.send(0, {"type": "choose", "action": "JOKER"}).json()
    assert (taken["code"], taken["rule"]) == ("action_occupied", "B-40")
    view = ok(table.send(0, {"type": "choose", "action": "ASK"}))["table"]
    assert (view["seats"][0]["pawn"], view["waits"][0]["kind"]) == (30, "ask")


def test_another_turn(served: Any, client: httpx2.Client) -> None:
    """B-27: draw, discard, and the dice are thrown again."""
    table = on_space(served, client, 4, options={"board_track": ("JOKER*", *["AGAIN"] * 31)})
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    done = ok(table.send(0, {"type": "discard", "cards": "R1"}))
    assert [event["type"] for event in done["events"]] == ["CardDiscarded/1", "DiceRolled/1"]
    assert done["table"]["waits"] == [{"seat": 0, "kind": "move"}]
    assert done["table"]["active"] == 0


def test_one_look_at_a_joker(served: Any, client: httpx2.Client) -> None:
    """B-29, B-30: in the answer to the command that drew it, and nowhere else for its owner."""
    layout = PLAIN._replace(dice=(5, 5), options={"board_track": ("ASK*", *["JOKER"] * 31)})
    table = lay_out(served.parts, client, layout)
    key = uuid4().hex
    moved = table.send(0, {"type": "move", "steps": 5}, Idempotency_Key=key)
    done = ok(moved)
    assert done["look"] == "R6"
    assert done["table"]["hand"] == "R1 B1 G5 Y9 J1"
    assert done["table"]["seats"][0]["jokers"] == "?"
    turned = next(event for event in done["events"] if event["type"] == "CardTurned/1")
    assert "hidden" not in turned
    retry = table.send(0, {"type": "move", "steps": 5}, Idempotency_Key=key)
    assert retry.content == moved.content

    def jokers(seat: int | None) -> str:
        shown: str = table.get(seat=seat).json()["table"]["seats"][0]["jokers"]
        return shown

    assert [jokers(seat) for seat in (0, 1, 2, None)] == ["?", "R6", "R6", "?"]
    for seat in (1, 2):
        events = table.get("/events", seat, limit=1000).json()["events"]
        assert next(e for e in events if e["type"] == "CardTurned/1")["hidden"] == {
            "not:0": {"card": "R6"}
        }
    for path in ("", "/actions", "/events?limit=1000", "/table", "/scoreboard"):
        mine = client.get(table.path + path, headers=bearer(table.tokens[0]))
        assert b"R6" not in mine.content, path
    later = ok(table.send(0, {"type": "discard", "cards": "J1"}))
    assert (later["look"], later["table"]["discard"]) == (None, "R6")


def test_nobody_gets_a_look_at_anothers_joker(served: Any, client: httpx2.Client) -> None:
    """The next seat's turn follows, and the host and the bots see nothing either."""
    layout = PLAIN._replace(
        bots=("", "random", "random"), options={"board_track": ("ASK*", *["JOKER"] * 31)}
    )
    table = lay_out(served.parts, client, layout)
    ok(table.send(0, {"type": "move", "steps": 1}))
    done = ok(table.send(0, {"type": "discard", "cards": "R1"}))
    assert done["look"] is None
    voided = client.post(
        f"{table.path}/void",
        json={"reason": "rain"},
        headers=bearer(asyncio.run(served.parts.credentials.issue(UUID(table.game), None))),
    )
    assert ok(voided)["look"] is None


# --- every refusal can be read --------------------------------------------------------------------

WRONG: list[tuple[int, dict[str, Any], str]] = [
    (2, {"type": "search", "card": "R1"}, "not_in_pile"),
    (2, {"type": "draw"}, "action_due"),
    (4, {"type": "give", "card": "R1"}, "action_due"),
    (4, {"type": "discard", "cards": "R1"}, "action_due"),
    (6, {"type": "swap", "cards": "R1 B1 G5 Y9 R1"}, "swap_count"),
    (6, {"type": "swap", "cards": ""}, "swap_count"),
    (6, {"type": "swap", "cards": "J1"}, "not_in_hand"),
    (1, {"type": "swap", "cards": "R1"}, "must_draw"),
    (1, {"type": "move", "steps": 1}, "must_draw"),
    (1, {"type": "keep", "cards": "R1"}, "must_draw"),
]


@pytest.mark.parametrize(("space", "command", "code"), WRONG)
def test_wrong_answers_on_the_board(
    served: Any, client: httpx2.Client, space: int, command: dict[str, Any], code: str
) -> None:
    refused = on_space(served, client, space).send(0, command)
    problem = refused.json()
    assert refused.headers["content-type"] == "application/problem+json"
    assert (problem["code"], problem["status"] in (409, 422)) == (code, True), problem
    assert problem["rule"].startswith("B-")
    assert problem["detail"].endswith(".")


@pytest.mark.parametrize(
    "command",
    [
        {"type": "ask", "value": 13},
        {"type": "ask", "value": 7, "direction": "up"},
        {"type": "move", "steps": 13},
        {"type": "choose", "action": "FLY"},
        {"type": "give"},
        {"type": "swap", "cards": "R1", "secret": "x"},
    ],
)
def test_malformed_answers_say_where(
    served: Any, client: httpx2.Client, command: dict[str, Any]
) -> None:
    refused = lay_out(served.parts, client, PLAIN).send(0, command)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_body")
    assert refused.json()["errors"] or refused.json()["detail"]


def test_views_can_be_read_by_clients(served: Any, client: httpx2.Client) -> None:
    """What the questions are, in the shapes that the description promises."""
    table = on_space(served, client, 4)
    view = msgspec.convert(table.get(seat=0).json()["table"], TableView)
    assert (view.dice, view.action, view.waits[0].kind) == ((4, 4), "ASK", "ask")
    offered = table.get("/actions", 0).json()["commands"]
    assert len(msgspec.convert(offered, list[Play])) == 24
    assert open_table(client, (PERSON, PERSON), ruleset="board").get().json()["table"]["dice"] == []
