"""Frames: applied one after the other they are the table of every moment, for every viewer."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Rejected
from phaseledger.domain.events import TableSealed, belongs
from phaseledger.domain.evolve import evolve
from phaseledger.domain.explain.legend import legend
from phaseledger.domain.state import State
from phaseledger.replay.formats.json_patch import Operation, apply_patch
from phaseledger.replay.transcript.frames import (
    event_lines_after,
    frames,
    header,
    ndjson,
    position,
)
from phaseledger.replay.transcript.table import Step, table_data
from tests.golden.games import GAMES
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.replay.game_beginnings import BEGINNINGS, begun
from tests.support.replay.golden_steps import golden_steps, viewers
from tests.support.scenario import TABLES, moments
from tests.support.table import events_of, table
from tests.support.twin_decisions import NoTwin, two_courses


def as_read(lines: list[bytes]) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in lines]


def through_json(data: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(data))


@pytest.mark.parametrize("name", sampled(GAMES, "express-2", "board-2"))
def test_frames_lead_to_the_table_of_every_event(name: str) -> None:
    """What `replay --json --at N` answers, for each N and each viewer, through JSON and back."""
    steps = golden_steps(name)
    legends = [through_json(legend(state)) for _, state in steps]
    for viewer in viewers(len(steps[0].state.seats)):
        drawn: Any = None
        rows = as_read([*ndjson(frames(steps, viewer))])
        for row, (_, state), expected in zip(rows, steps, legends, strict=True):
            if "position" in row:
                drawn = row["position"]
            else:
                drawn = apply_patch(drawn, msgspec.convert(row["patch"], list[Operation]))
            hands = {"hands": drawn["hands"]} if viewer == "all" else {}
            assert drawn["table"] | hands == through_json(table_data(state, viewer))
            assert drawn["legend"] == expected
        assert ("hands" in drawn) == (viewer == "all")


def test_a_part_of_a_game_begins_with_the_whole_position() -> None:
    steps = golden_steps("classic-2")
    whole, part = [*frames(steps, 0)], [*frames(steps[40:50], 0, first=41)]

    assert [frame.seq for frame in part] == [*range(41, 51)]
    assert part[1:] == whole[41:50]
    assert part[0].position == position(steps[40].state, 0)
    assert part[0].patch is whole[0].patch is msgspec.UNSET


def test_the_header_says_whose_frames_they_are_and_has_the_games_rules() -> None:
    steps = golden_steps("classic-3-twist")
    (row,) = as_read([*ndjson([header(steps[-1].state, len(steps), None)])])

    rules = row.pop("rules")
    assert (rules["id"], len(rules["phases"])) == ("classic@1", 2)
    assert row == {
        "frames": "p10-frames/v1",
        "game": steps[0].state.game,
        "viewer": None,
        "lang": "en",
        "events": len(steps),
        "stage": "ended",
        "seats": [{"name": seat.name, "bot": seat.bot} for seat in steps[-1].state.seats if seat],
    }


def test_frames_are_in_the_readers_language() -> None:
    steps = golden_steps("express-2")
    english, french = [*frames(steps, 0)], [*frames(steps, 0, "fr")]
    words = [row.words for row in position(steps[-1].state, 0, "fr").legend.groups]

    assert header(steps[-1].state, 1, 0, "fr").lang == "fr"
    assert [frame.sentence for frame in english] != [frame.sentence for frame in french]
    assert [frame.moves for frame in english] == [frame.moves for frame in french]
    assert words == [row.words for row in legend(steps[-1].state, "fr").groups] != []


def test_seats_that_nobody_has_are_null() -> None:
    assert header(golden_steps("classic-2")[1].state, 2, None).seats[1] is None


# --- law 7 --------------------------------------------------------------------------------------


@looped("name", BEGINNINGS)
def test_frames_are_made_of_what_the_viewer_knows(name: str) -> None:
    """From the events as a viewer gets them come the same bytes as from all that is stored."""
    for viewer in (None, *range(BEGINNINGS[name].seats)):
        whole: list[Step] = []
        shown: list[Step] = []
        for event in begun(name):
            visible = {who: value for who, value in event.hidden.items() if belongs(who, viewer)}
            event_shown = replace(event, hidden=visible)
            whole.append(Step(event, evolve(whole[-1].state if whole else None, event)))
            shown.append(Step(event_shown, evolve(shown[-1].state if shown else None, event_shown)))
        # Only whoever searches the discard pile sees more than the events tell: the pile (B-23).
        blank = [without_pile(frame) for frame in ndjson(frames(whole, viewer))]
        assert blank == [without_pile(frame) for frame in ndjson(frames(shown, viewer))]


def without_pile(line: bytes) -> dict[str, Any]:
    (row,) = as_read([line])
    row["patch"] = [op for op in row.get("patch", ()) if op["path"] != "/table/pile"]
    return row


@pytest.mark.untraced
@given(
    number=st.sampled_from(range(len(TABLES))),
    at=st.integers(0, 9_999),
    viewer=st.none() | st.integers(0, 5),
    seed=st.integers(0, 9_999),
)
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_games_that_the_viewer_cannot_tell_apart_have_equal_frames(
    number: int, at: int, viewer: int | None, seed: int
) -> None:
    """Two games that differ only in cards it may not know, before a decision and after it."""
    sorts = moments(number)
    sort = sorts[at % len(sorts)]
    state, act = sort[at // len(sorts) % len(sort)]
    assume(viewer is None or viewer < len(state.seats))
    try:
        twins = two_courses(state, viewer, act, chooser(b"%d" % seed, 0))
    except (NoTwin, Rejected):
        assume(False)

    def shown(before: State, events: tuple[Any, ...]) -> list[bytes]:
        steps = [Step(TableSealed(), before)]
        for event in events:
            steps.append(Step(event, evolve(steps[-1].state, event)))
        lines = event_lines_after(before, events, 7, viewer)
        # The first step stands for the position before the decision.
        return [*ndjson(frames(steps, viewer))][1:] + [msgspec.json.encode(line) for line in lines]

    assert shown(state, twins.real.events) == shown(twins.state, twins.other.events)


# --- events as lines ----------------------------------------------------------------------------


def test_lines_of_a_stream_are_those_of_the_frames() -> None:
    steps = golden_steps("board-3")
    events = [event for event, _ in steps[100:140]]
    lines = [
        msgspec.to_builtins(line) for line in event_lines_after(steps[99].state, events, 101, 1)
    ]

    for line, frame in zip(lines, frames(steps[100:140], 1, first=101), strict=True):
        row = msgspec.to_builtins(frame)
        assert line == {key: row[key] for key in row if key not in ("patch", "position")}


def test_a_line_has_what_there_is_to_tell_and_nothing_else() -> None:
    state = table(["R5 R9", "B1"], discard="G1", question="draw")
    state = replace(state, round=3, turn=17)
    line, *_ = event_lines_after(state, events_of(state, 0, c.Draw("discard")), 120, None)

    assert msgspec.to_builtins(line) == {
        "seq": 120,
        "type": "CardDrawn",
        "seat": 0,
        "round": 3,
        "turn": 17,
        "sentence": "seat 0 draws green 1 from the discard pile",
        "rule": "C-14",
        "moves": ({"cards": "G1", "count": 1, "from": "discard", "to": "hand:0"},),
    }
