"""Law 7 over HTTP: nothing that a seat receives depends on cards it may not see."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.decide import step
from phaseledger.domain.evolve import fold
from phaseledger.domain.kernel import is_compiled
from phaseledger.domain.legal import legal
from phaseledger.service.app import Components, create_app
from phaseledger.service.eventlog.rows import Row
from tests.support.cases import looped
from tests.support.service.api_tables import PLAIN, Layout, bearer, dealt, rows_of, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.server import FREE

PATHS = (
    *("", "/actions", "/table", "/scoreboard", "/rules", "/analysis", "/hint"),
    *("/frames", "/frames?lang=de", "/frames?seat=spectator", "/frames?seat=1", "/frames?seat=all"),
)
Answers = list[tuple[str, int, bytes, list[tuple[str, str]]]]
LEAF = re.compile("-[0-9a-f]{16}-")
SALTED = re.compile(rb'"head":"[0-9a-f]{64}"')
"""The hash over the last event's public form, seals and all; their salts are hidden."""


def _answers(
    rows: list[Row],
    game: str,
    seat: int = 0,
    tries: Sequence[dict[str, Any]] = (),
    paths: Sequence[str] = PATHS,
) -> Answers:
    """What a seat, and then a spectator, get for every read, and the seat for refused commands."""

    async def ask() -> Answers:
        parts: Components = in_memory()
        assert isinstance(parts.store, MemoryStore)
        await parts.store.append(UUID(game), rows)
        token = await parts.credentials.issue(UUID(game), seat)
        me = bearer(token)
        transport = httpx2.ASGITransport(app=create_app(parts, replace(FREE, patience_seconds=0.0)))
        got = []
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            client.headers["X-Request-Id"] = "one-of-two"  # or each answer has an id of its own
            client.headers["Accept-Encoding"] = "identity"  # or hashes decide on how long it is
            for headers in (me, {}):
                for path in paths:
                    answer = await client.get(f"/games/{game}{path}", headers=headers)
                    body = SALTED.sub(b'"head"', answer.content)
                    got.append((path, answer.status_code, body, _headers(answer)))
            for command in tries:
                answer = await client.post(f"/games/{game}/commands", json=command, headers=me)
                assert answer.status_code >= 400, answer.text
                got.append((command["type"], answer.status_code, answer.content, _headers(answer)))
        return got

    return asyncio.run(ask())


def _headers(answer: httpx2.Response) -> list[tuple[str, str]]:
    # The tag of frames names their history.
    return sorted((name, LEAF.sub("", value)) for name, value in answer.headers.items())


def _require_equal_but_for_seals(page: bytes, other: bytes) -> None:
    assert page != other
    assert len(page) == len(other)
    plain, changed = (msgspec.json.decode(body)["events"] for body in (page, other))
    for event in (*plain, *changed):
        event.get("sealed", {}).clear()
        event.pop("prev")
    assert plain == changed


# --- what the board hides -------------------------------------------------------------------------

JOKERS = PLAIN._replace(options={"board_track": ("ASK*", *["JOKER"] * 31)})
LAST_TURN = {"max_turns_per_round": 1}
FIRST = (0, c.Move(1))
"""The move to space 1, 2 TAKE1, SEARCH; 4 ASK, 6 SWAP with other dice."""
ONWARD = c.Move(0)
"""The first of the moves that the dice allow."""
MEANT = [
    {"type": "discard", "cards": "R6"},
    {"type": "discard", "cards": "J(R6)"},
    {"type": "discard", "cards": "J"},
    {"type": "discard", "cards": "J3"},
    {"type": "hit", "group": 0, "cards": "J1"},
    {"type": "lay", "groups": [{"cards": "R1 J1 J1 J1 J1"}]},
    {"type": "lay", "groups": [{"cards": "R1 J1"}]},
    {"type": "keep", "cards": "J1"},
    {"type": "swap", "cards": "J1"},
]
CHOSEN = PLAIN._replace(
    stock="R6 Y1 Y2 Y3 Y4 Y5 Y6 R6",
    options={
        "board_track": ("CHOOSE*", *["CHOOSE"] * 17, *["EVERY"] * 2, "JOKER", *["CHOOSE"] * 11)
    },
)
TWO_JOKERS = (
    (0, ONWARD), (0, c.Choose("JOKER")), (0, c.Discard("R1")),
    (1, ONWARD), (1, c.Choose("EVERY")), (1, c.Discard("R7")),
    (2, ONWARD), (2, c.Choose("EVERY")), (2, c.Discard("Y7")),
    (0, ONWARD), (0, c.Choose("JOKER")), (0, c.Discard("J2")),
)  # fmt: skip
"""Seat 0 gets a joker, two other cards, and a second joker, which it discards."""
Story = tuple[Layout, tuple[tuple[int, c.Command], ...]]

STORIES: list[Any] = [
    pytest.param(
        0,
        (JOKERS, (FIRST,)),
        (JOKERS._replace(stock="B12 B6 G6 Y6 R10"), (FIRST,)),
        id="B-30 the face of one's own joker",
    ),
    pytest.param(
        0,
        (CHOSEN, TWO_JOKERS),
        (CHOSEN._replace(stock="B10 Y1 Y2 Y3 Y4 Y5 Y6 R6"), TWO_JOKERS),
        id="B-65 whether two jokers of one's own are alike",
    ),
    pytest.param(
        1,
        (PLAIN._replace(dice=(2, 2)), ((0, c.Move(2)),)),
        (PLAIN._replace(dice=(2, 2), discard="B6 G6 Y6 R6 R11", stock="R12"), ((0, c.Move(2)),)),
        id="B-23 the pile that another searches",
    ),
    pytest.param(
        1,
        (PLAIN._replace(dice=(2, 2)), ((0, c.Move(2)), (0, c.Search("R12")))),
        (PLAIN._replace(dice=(2, 2)), ((0, c.Move(2)), (0, c.Search("Y12")))),
        id="B-23 the card that another found",
    ),
    pytest.param(
        1,
        (PLAIN._replace(dice=(6, 6)), ((0, c.Move(6)), (0, c.Swap("R1 B1 Y9")))),
        (PLAIN._replace(dice=(6, 6)), ((0, c.Move(6)), (0, c.Swap("B1 G5 Y9")))),
        id="B-25 what another swaps below the top",
    ),
    pytest.param(
        2,
        (PLAIN._replace(dice=(4, 4)), ((0, c.Move(4)), (0, c.Ask(7)), (1, c.Give("R7")))),
        (PLAIN._replace(dice=(4, 4)), ((0, c.Move(4)), (0, c.Ask(7)), (1, c.Give("B7")))),
        id="B-34 what a third is given",
    ),
    *(
        pytest.param(
            0,
            (PLAIN._replace(options=LAST_TURN), (*DONE, (1, c.Keep("R7 B7 G3")))),
            (PLAIN._replace(options=LAST_TURN), (*DONE, (1, c.Keep(kept)))),
            id=f"B-83 that another keeps {kept or 'nothing'}",
        )
        for DONE in ((FIRST, (0, c.Draw()), (0, c.Discard("R1"))),)
        for kept in ("R7", "G3 B7 R7", "")
    ),
]


def _rows(story: Story, game: str) -> list[Row]:
    layout, acts = story
    events = dealt(layout, game)
    state = fold(events)
    assert state is not None
    for seat, command in acts:
        chosen = next(legal(state, seat)) if command is ONWARD else command
        state, made = step(state, c.Act(chosen, seat))
        events += made
    return rows_of(events)


@looped(("viewer", "first", "other"), STORIES)
def test_equal_bytes_whatever_the_board_hides(viewer: int, first: Story, other: Story) -> None:
    """Bodies, lengths, headers, ETags and refusals, for the seat and for a spectator."""
    game = "11111111-1111-4111-8111-111111111111"
    rows = [_rows(story, game) for story in (first, other)]
    assert rows[0] != rows[1]
    assert _answers(rows[0], game, viewer, MEANT) == _answers(rows[1], game, viewer, MEANT)
    pages = [_answers(events, game, viewer, paths=["/events?limit=1000"])[0] for events in rows]
    _require_equal_but_for_seals(*(body for _, _, body, _ in pages))


PRACTICE = Layout(
    "classic",
    ("R1 B1 G5 Y9 W R3 R4 R5 G6 B7", "R7 B7 G3 Y2 R4 B4 G1 Y8 B10 R12"),
    discard="R12",
    stock="R6 B6 G8",
    bots=("", "greedy"),
)


@pytest.mark.skipif(not is_compiled(), reason="the kernel is not compiled: python hatch_build.py")
@looped("acts", [(), ((0, c.Draw()),)], ["draw", "play"])
def test_a_hint_depends_on_nothing_hidden(acts: tuple[tuple[int, c.Command], ...]) -> None:
    """On neither the bot's hand nor the order of the stock; but on the seat's own hand."""
    game = "11111111-1111-4111-8111-111111111111"
    own, theirs = PRACTICE.hands
    hidden = PRACTICE._replace(
        hands=(own, "S W G9 Y11 B11 R1 G1 G2 Y3 R10"), stock="R6 Y12 Y11 B12"
    )
    another_hand = PRACTICE._replace(hands=(own.replace("Y9", "Y10"), theirs))
    hints = [
        _answers(_rows((layout, acts), game), game, paths=("/hint",))[0]
        for layout in (PRACTICE, hidden, another_hand)
    ]
    assert hints[0][1] == 200, hints[0]
    assert hints[0] == hints[1]
    assert hints[0] != hints[2]


def test_a_command_answers_with_the_callers_own_card_only(client):
    table = started(client)
    seat = table.get().json()["table"]["waits"][0]["seat"]
    done = table.send(seat, {"type": "draw"}).json()
    drawn = next(event for event in done["events"] if event["type"] == "CardDrawn/1")
    assert drawn["hidden"][str(seat)]["card"] == done["table"]["hand"].split()[-1]
    shown = table.get("/events", 1 - seat, limit=1000).json()["events"]
    theirs = next(event for event in shown if event["seq"] == drawn["seq"])
    assert "hidden" not in theirs
    assert theirs["sealed"] == drawn["sealed"]
