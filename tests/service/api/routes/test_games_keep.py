"""What is kept for the next round, over HTTP: by several at once, in secret, by people and bots."""

import asyncio
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from litestar.testing import TestClient

from phaseledger.domain.commands import Act, Discard, Draw, Move
from phaseledger.domain.decide import step
from phaseledger.domain.events import Event
from phaseledger.domain.evolve import fold
from phaseledger.service.app import in_memory, routes
from tests.support.polling import eventually
from tests.support.service.api_tables import PLAIN, Table, dealt, ok, on_space, rows_of, waits
from tests.support.service.server import FREE

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


@pytest.mark.parametrize(
    ("seat", "command", "status", "code", "rule"),
    [
        (1, {"type": "keep", "cards": "R7 B7 R7"}, 422, "not_in_hand", "B-72"),
        (0, {"type": "discard", "cards": "B1"}, 409, "must_keep", "B-72"),
        (1, {"type": "keep", "cards": "R7 B7 G3 R7 B7 G3"}, 422, "keep_count", "B-72"),
        (1, {"type": "keep", "cards": "Z1"}, 422, "unknown_card", ""),
    ],
)
def test_wrong_answers_to_keep(
    keeping: Table, seat: int, command: dict[str, Any], status: int, code: str, rule: str
) -> None:
    refused = keeping.send(seat, command)
    problem = refused.json()
    assert (refused.status_code, problem["code"], problem.get("rule", "")) == (status, code, rule)
    assert problem["detail"].endswith(".")


def _awaits(table: Table, *seats: int) -> None:
    """Wait until the game asks these seats and no others."""
    eventually(lambda: waits(table), lambda asked: {q["seat"] for q in asked} == set(seats))


def test_bots_keep_while_people_think(served: Any, client: httpx2.Client) -> None:
    """Asked at the same time, the bots answer at once, and the people are still free to."""
    bots = ("", "", "random")
    table = on_space(served, client, 1, options=LAST_TURN, bots=bots)
    ok(table.send(0, {"type": "draw", "source": "stock"}))
    ok(table.send(0, {"type": "discard", "cards": "R1"}))
    _awaits(table, 0, 1)
    ok(table.send(1, {"type": "keep"}))
    done = ok(table.send(0, {"type": "keep", "cards": "B1"}))
    assert (done["table"]["round"], done["table"]["waits"][0]["kind"]) == (2, "move")
    assert [seat["cards"] for seat in done["table"]["seats"]] == [10, 10, 10]


def _until_keep(bots: tuple[str, ...], game: UUID) -> list[Event]:
    """The events up to the questions what everybody keeps."""
    layout = PLAIN._replace(dice=(1, 1), options=LAST_TURN, bots=bots)
    events = dealt(layout, str(game))
    state = fold(events)
    for command in (Move(1), Draw(), Discard("R1")):
        state, made = step(state, Act(command, 0))
        events += made
    return events


@pytest.fixture
def restarted() -> Iterator[Table]:
    """A service that starts over a log in which a bot among people is asked what it keeps."""
    parts, game = in_memory(), uuid4()
    events = _until_keep(("", "", "random"), game)
    asyncio.run(parts.store.append(game, rows_of(events)))
    with TestClient(routes(parts, FREE)) as client:
        token = asyncio.run(parts.credentials.issue(game, 0))
        client.base_url = f"{client.base_url}/v1"
        yield Table(client, str(game), "", {0: token})  # type: ignore[arg-type]


def test_bots_keep_after_a_restart(restarted: Table) -> None:
    """Without any request, and the people are still asked."""
    _awaits(restarted, 0, 1)
