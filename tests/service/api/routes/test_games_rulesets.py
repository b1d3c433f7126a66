"""Games of every rule set over HTTP, and what the younger card games add to a turn."""

import asyncio
from typing import Any
from uuid import UUID

import httpx2
import pytest

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import SourceRow
from tests.support.replay.game_beginnings import RING
from tests.support.service.api_tables import (
    BOT,
    PERSON,
    Layout,
    Table,
    answer,
    at_random,
    lay_out,
    ok,
    started,
)

QUICK = {"board_phases": ["set(2)"] * 10, "board_track": list(RING), "max_turns_per_round": 12}
KINDS = {"move", "draw", "play", "choose", "search", "swap", "ask", "give", "keep"}


def _sound(served: Any, table: Table) -> None:
    rows = asyncio.run(served.parts.store.read(UUID(table.game)))
    given = [SourceRow(table.game, row.topic, row.state, row.version, row.version) for row in rows]
    (verdict,) = audit(given)
    assert verdict.sound, verdict


def test_a_whole_board_game_by_people(served: Any, client: httpx2.Client) -> None:
    """Every kind of question is asked and answered, each by a client that sees its seat only."""
    asked: set[str] = set()
    for _ in range(3):
        table = started(client, (PERSON, PERSON, PERSON), ruleset="board", options=QUICK)
        asked |= _play_out(table)
        _sound(served, table)
        board = table.get("/scoreboard", at_least=table.version()).json()
        assert {seat["points"] for line in board["rounds"] for seat in line["seats"]} == {0}
        if asked >= KINDS:
            break
    assert asked == KINDS


def test_phases_that_ask_for_too_much_work_open_no_table(client: httpx2.Client) -> None:
    """The sum is told, and what is affordable."""
    heavy = {"board_phases": ["set(2) + set(2) + set(2) + set(2) + set(2)"] * 10}
    refused = client.post(
        "/games", json={"ruleset": "board", "seats": [PERSON, PERSON], "options": heavy}
    )
    problem = refused.json()

    assert (refused.status_code, problem["code"]) == (422, "bad_option")
    assert "weigh 21,840 pairs of a card and a way; 15,000 are affordable" in problem["detail"]


def _play_out(table: Table) -> set[str]:
    """Play to the end; the kinds of questions that were answered."""
    asked, view, number = set(), table.get().json()["table"], 0
    while view["stage"] != "ended":
        question = view["waits"][number % len(view["waits"])]
        seat = question["seat"]
        offered = table.get("/actions", seat).json()
        mine = [wait for wait in view["waits"] if wait["seat"] == seat]
        assert offered["questions"] == mine
        done = answer(table, seat, at_random, number)
        assert done.status_code == 200, done.text
        asked.add(question["kind"])
        turned = [e for e in done.json()["events"] if e["type"] == "CardTurned/1"]
        assert (done.json()["look"] is not None) == bool(turned)
        view, number = done.json()["table"], number + 1
    assert view["winners"]
    return asked


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        pytest.param("board", QUICK, marks=pytest.mark.system),
        ("express", {"variant": "n_phases(4)", "max_turns_per_round": 60}),
        pytest.param(
            "standard-deck",
            {"style": "complete_free", "max_turns_per_round": 60},
            marks=pytest.mark.system,
        ),
    ],
)
def test_a_mixed_table_of_every_game(
    served: Any, client: httpx2.Client, ruleset: str, options: dict[str, Any]
) -> None:
    """Two people among bots play some rounds; the bots answer whatever they are asked."""
    bot = {**BOT, "level": "random"}
    table = started(client, (PERSON, bot, PERSON, bot), ruleset=ruleset, options=options)
    view, number = table.get().json(), 0
    while view["table"]["stage"] != "ended" and view["table"]["round"] < 4:
        people = [q["seat"] for q in view["table"]["waits"] if q["seat"] in table.tokens]
        if people:
            done = answer(table, people[0], at_random, number)
            assert done.status_code in (200, 409, 412), done.text
            number += 1
            view = table.get().json()
        else:
            view = table.get(at_least=view["version"] + 1).json()
    _sound(served, table)


# --- the other two games --------------------------------------------------------------------------


def test_a_free_style_asks_which_phase(served: Any, client: httpx2.Client) -> None:
    """HC-177 (D-62, D-66): eight nines are phase 1 or phase 7."""
    nines = "9H 9S 9D 9C"
    layout = Layout(
        "standard-deck",
        (f"{nines} {nines} 2H 3H", "2S 3S 4S", "2D 3D 4D"),
        discard="KH",
        stock="A 5C",
        options={"style": "complete_free"},
    )
    table = lay_out(served.parts, client, layout)
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    offered = table.get("/actions", 0).json()["commands"]
    assert {lay["phase"] for lay in offered if lay["type"] == "lay"} >= {1, 7}
    lay = {"type": "lay", "groups": [{"cards": nines}, {"cards": nines}]}
    refused = table.send(0, lay)
    assert (refused.status_code, refused.json()["code"]) == (422, "phase_needed")
    assert (refused.json()["rule"], refused.json()["detail"][-5:]) == ("D-66", "1, 7.")
    done = ok(table.send(0, {**lay, "phase": 7}))
    assert done["table"]["seats"][0]["made"] == [7]
    ace = ok(table.send(0, {"type": "hit", "group": 0, "cards": "A"}))
    assert ace["table"]["groups"][0]["cards"] == f"{nines} A"


def test_a_free_style_needs_no_name_where_one_phase_fits(
    served: Any, client: httpx2.Client
) -> None:
    """D-66: a run of seven is phase 4 alone."""
    layout = Layout(
        "standard-deck",
        ("2H 3S 4D 5C 6H 7S 8D KC KD", "2S 3D 4S", "2D 3C 4H"),
        discard="*",
        options={"style": "complete_free"},
    )
    table = lay_out(served.parts, client, layout)
    ok(table.send(0, {"type": "draw", "source": "discard"}))
    run = {"type": "lay", "groups": [{"cards": "2H 3S 4D 5C 6H 7S 8D"}]}
    done = ok(table.send(0, run))
    assert (done["table"]["seats"][0]["made"], done["table"]["groups"][0]["high"]) == ([4], 7)
    before = ok(table.send(0, {"type": "discard", "cards": "*", "target": 2}))
    assert before["table"]["seats"][2]["front"] == "*"


def test_pairs_are_hit_by_pairs(served: Any, client: httpx2.Client) -> None:
    """X-55: two cards in one command; a single card is refused."""
    layout = Layout(
        "express",
        ("R6 B6 G7 Y7 R8 B8 R1", "R2 B2 G2"),
        discard="Y12",
        phases=(4, 4),
    )
    table = lay_out(served.parts, client, layout)
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    ok(table.send(0, {"type": "lay", "groups": [{"cards": "R6 B6 G7 Y7"}]}))
    offered = table.get("/actions", 0).json()["commands"]
    hits = [command["cards"] for command in offered if command["type"] == "hit"]
    assert "R8 B8" in hits
    half = table.send(0, {"type": "hit", "group": 0, "cards": "R8", "end": "high"})
    assert (half.status_code, half.json()["code"], half.json()["rule"]) == (
        422, "whole_rows_only", "X-55",
    )  # fmt: skip
    done = ok(table.send(0, {"type": "hit", "group": 0, "cards": "R8 B8", "end": "high"}))
    assert done["table"]["groups"][0]["cards"] == "R6 B6 G7 Y7 R8 B8"
