"""The board game over HTTP: what it shows to some alone, what everybody keeps, a whole game."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import SourceRow
from tests.support.polling import eventually
from tests.support.replay.game_beginnings import RING
from tests.support.service.api_tables import (
    PERSON,
    PLAIN,
    Table,
    answer,
    at_random,
    bearer,
    by_host,
    lay_out,
    ok,
    on_space,
    started,
    waits,
)
from tests.support.service.fixed_deals import fixed_deals


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
    host = asyncio.run(served.parts.credentials.issue(UUID(table.game), None))
    voided = by_host(table._replace(host=host), "POST", "/void", json={"reason": "rain"})
    assert ok(voided)["look"] is None


# --- what everybody keeps for the next round, at the same time ------------------------------------

LAST_TURN = {"max_turns_per_round": 1}


@pytest.fixture
def keeping(served: Any, client: httpx2.Client) -> Table:
    """Three people, none of whom has laid a phase, asked at once what they keep."""
    table = on_space(served, client, 1, options=LAST_TURN)
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    ok(table.send(0, {"type": "discard", "cards": "R1"}))
    assert [q["kind"] for q in waits(table)] == ["keep"] * 3
    return table


def test_everybody_keeps_at_once(keeping: Table) -> None:
    """B-72, B-83: whoever answers an older version is told so, and answers again."""
    version = keeping.version()
    etags = {seat: keeping.get(seat=seat).headers["etag"] for seat in range(3)}
    assert etags == {seat: f'"{version}.{seat}"' for seat in range(3)}
    ok(keeping.send(1, {"type": "keep", "cards": "R7 B7"}, If_Match=etags[1]))
    stale = keeping.send(2, {"type": "keep", "cards": "Y7"}, If_Match=etags[2])
    assert (stale.status_code, stale.json()["code"]) == (412, "stale_version")
    fresh = keeping.get(seat=2).headers["etag"]
    ok(keeping.send(2, {"type": "keep", "cards": "Y7"}, If_Match=fresh))
    twice = keeping.send(2, {"type": "keep", "cards": "Y7"}).json()
    assert (twice["status"], twice["code"]) == (409, "nothing_to_keep")
    done = ok(keeping.send(0, {"type": "keep"}))
    assert (done["table"]["round"], done["table"]["waits"][0]["kind"]) == (2, "move")
    hands = [keeping.get(seat=seat).json()["table"]["hand"].split() for seat in range(3)]
    assert [len(hand) for hand in hands] == [10, 10, 10]
    assert (hands[1][:2], hands[2][:1]) == (["R7", "B7"], ["Y7"])
    deal = next(event for event in done["events"] if event["type"] == "RoundDealt/1")
    assert deal["data"]["kept"] == [0, 2, 1]


def test_what_is_kept_is_told_to_nobody(keeping: Table) -> None:
    """Nor how many, before all have chosen."""
    ok(keeping.send(1, {"type": "keep", "cards": "R7 B7"}))
    view = keeping.get(seat=0).json()["table"]
    assert {q["seat"] for q in view["waits"]} == {0, 2}
    assert view["seats"][1]["cards"] == 3
    kept = keeping.get("/events", 0, limit=1000).json()["events"][-1]
    assert (kept["type"], set(kept["sealed"]), "hidden" in kept) == ("CardsKept/1", {"1"}, False)
    assert kept["data"]["act"]["command"] == {"type": "keep"}
    mine = keeping.get("/events", 1, limit=1000).json()["events"][-1]
    assert mine["hidden"] == {"1": {"said": "R7 B7"}}


def test_bots_keep_while_people_think(served: Any, client: httpx2.Client) -> None:
    """Asked at the same time, the bots answer at once, and the people are still free to."""
    bots = ("", "", "random")
    table = on_space(served, client, 1, options=LAST_TURN, bots=bots)
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    ok(table.send(0, {"type": "discard", "cards": "R1"}))
    eventually(lambda: {question["seat"] for question in waits(table)} == {0, 1})
    ok(table.send(1, {"type": "keep"}))
    done = ok(table.send(0, {"type": "keep", "cards": "B1"}))
    assert (done["table"]["round"], done["table"]["waits"][0]["kind"]) == (2, "move")
    assert [seat["cards"] for seat in done["table"]["seats"]] == [10, 10, 10]


# --- a whole game ---------------------------------------------------------------------------------

QUICK = {"board_phases": ["set(2)"] * 10, "board_track": list(RING), "max_turns_per_round": 6}
KINDS = {"move", "draw", "play", "choose", "search", "swap", "ask", "give", "keep"}


def test_a_whole_board_game_by_people(served: Any, client: httpx2.Client) -> None:
    """Every kind of question is asked and answered, each by a client that sees its seat only."""
    with fixed_deals("a board game by people"):
        table = started(client, (PERSON, PERSON, PERSON), ruleset="board", options=QUICK)
        assert _play_out(table) == KINDS
    board = table.get("/scoreboard", at_least=table.version()).json()
    assert {seat["points"] for line in board["rounds"] for seat in line["seats"]} == {0}
    rows = asyncio.run(served.parts.store.read(UUID(table.game)))
    given = [SourceRow(table.game, row.topic, row.state, row.version, row.version) for row in rows]
    (verdict,) = audit(given)
    assert verdict.sound, verdict


def _play_out(table: Table) -> set[str]:
    """Play to the end; the kinds of questions that were answered."""
    asked, view, number = set(), table.get().json()["table"], 0
    while view["stage"] != "ended":
        question = view["waits"][number % len(view["waits"])]
        seat = question["seat"]
        offered = table.get("/actions", seat).json()
        assert offered["questions"] == [wait for wait in view["waits"] if wait["seat"] == seat]
        done = ok(answer(table, seat, at_random, number))
        asked.add(question["kind"])
        turned = [event for event in done["events"] if event["type"] == "CardTurned/1"]
        assert (done["look"] is not None) == bool(turned)
        view, number = done["table"], number + 1
    assert view["winners"]
    return asked
