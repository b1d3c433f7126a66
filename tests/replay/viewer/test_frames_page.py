"""docs/reference/frames.md: its examples are frames of a real game, its tables name every key."""

import json
import re
from collections.abc import Iterator
from typing import Any

from phaseledger.replay.transcript.frames import Frame, FramesHeader
from phaseledger.replay.transcript.moves import _MOVED, CardMove
from phaseledger.replay.viewer.analysed import AnalysedDocument
from phaseledger.replay.viewer.findings import DisputedEvent
from tests.golden.games import GAMES
from tests.support.cases import looped
from tests.support.replay.golden_steps import golden_steps
from tests.support.replay.log_edits import short_game
from tests.support.replay.processes import ROOT
from tests.support.replay.viewer_documents import chair_frames, export, read

PAGE = (ROOT / "docs" / "reference" / "frames.md").read_text()


def examples() -> list[dict[str, Any]]:
    return [
        json.loads(block)
        for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    ]


def rows(title: str) -> Iterator[str]:
    """The names in the first column of the table under the heading, or after the line."""
    section = PAGE.partition(f"\n{title}\n")[2].partition("\n#")[0].lstrip("\n")
    for line in section[section.index("| ---") :].partition("\n\n")[0].splitlines()[1:]:
        yield from re.findall(r"`([\w:]+)`", line.split("|")[1])


def test_the_examples_are_frames_of_the_game() -> None:
    frames = {row["seq"]: row for row in chair_frames(read(export(short_game())), "0")}

    assert len(examples()) == 2
    for example in examples():
        assert example == frames[example["seq"]]


def names(struct: Any) -> set[str]:
    return {*struct.__struct_encode_fields__}


@looped(
    ("title", "struct"),
    [
        ("## A frame", Frame),
        ("## The header", FramesHeader),
        ("## The viewer's document", AnalysedDocument),
        ("A finding:", DisputedEvent),
    ],
)
def test_every_key_is_explained(title: str, struct: Any) -> None:
    assert {*rows(title)} == names(struct)


def test_every_place_is_explained() -> None:
    def kind(place: str) -> str:
        return re.sub(r"\d+", "#", place)

    moves: list[CardMove] = [
        move
        for name in GAMES
        for event, state in golden_steps(name)
        if type(event) in _MOVED
        for move in _MOVED[type(event)](state, event, None)
    ]
    places = {kind(place) for move in moves for place in (move.origin, move.to)}
    assert places == {kind(place) for place in rows("## Moves")}
