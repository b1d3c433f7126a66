"""Transcript and table in German and French, and no word from anywhere but the tables."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from phaseledger.domain.evolve import evolve
from phaseledger.domain.state import QuestionKind, Stage, State
from phaseledger.domain.words import Language, texts
from phaseledger.replay.evidence.walk import walk
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.table import Step, table_text
from phaseledger.replay.transcript.transcript import describe
from tests.support.cases import looped
from tests.support.languages import pseudo_german
from tests.support.replay.game_beginnings import BEGINNINGS, begun, stored
from tests.support.replay.log_edits import rows

HERE = Path(__file__).parent


def steps(name: str) -> list[Step]:
    walked = walk(rows(stored(name)), name)
    assert walked.verdict.sound
    return walked.steps


@looped("lang", ["de", "fr"])
@looped("name", ["classic", "standard-deck", "express", "board"])
def test_golden(name: str, lang: Language) -> None:
    """Read the difference, and then write the file anew with ``GOLDEN=write``."""
    lines = []
    for seq, (event, state) in enumerate(steps(name), 1):
        sentence, *details = describe(state, event, "all", lang)
        lines += [f"{seq:5}  {sentence}", *(f"         {line}" for line in details)]
    text = "\n".join(lines) + "\n"
    file = HERE / f"transcript-{name}-{lang}.txt"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text)

    assert file.read_text() == text


@pytest.fixture
def _dots() -> Iterator[None]:
    with pseudo_german():
        yield


OF_THE_GAME = re.compile(r"\bseat \d\b|\b[0-9a-f]{64}\b|\b[A-Z]-P\d\d\b|\b[JQK]\b")
"""What is no word: the players' names, the deal, a phase of the rule book, a rank as on cards."""

OF_THE_TABLE = re.compile(
    r"\b[RBGY]\d+\b|\b(?:10|[2-9JQKA])[HSDC]\b|\b[AWSJ]\b|\bJ\d+\b"  # cards
    r"|\b[a-z-]+@1\b|(?<=, )[A-Z]{3,}\d?$"  # the rule set, the pawn's space
)
"""What a terminal's table has besides: cards as commands name them."""


@pytest.mark.usefixtures("_dots")
@looped("name", BEGINNINGS)
def test_no_word_comes_from_elsewhere(name: str) -> None:
    """Neither of an event nor of the table after it."""
    state: State | None = None
    viewers: tuple[Viewer, ...] = ("all", None, 0, 1)
    for event in begun(name):
        state = evolve(state, event)
        for viewer in viewers:
            table = (OF_THE_TABLE.sub("", line) for line in table_text(state, viewer, "de"))
            for line in (*describe(state, event, viewer, "de"), *table):
                assert not re.search(r"[^\W\d_]", OF_THE_GAME.sub("", line)), line


def test_every_stage_and_question_of_a_table_has_words() -> None:
    codes = {f"stage.{stage}" for stage in get_args(Stage)}
    codes |= {f"waits.{kind}" for kind in get_args(QuestionKind)}
    assert codes == {
        f"{kind}.{code}" for kind in ("stage", "waits") for code in texts("en", f"{kind}.")
    }


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "de",
            (
                "classic@1, im Spiel, Runde 1, Zug 1 (seat 1)",
                "Nachziehstapel 77 Karten, Ablagestapel 1 Karte, oben Y1",
                "am Zug: seat 1 (ziehen)",
            ),
        ),
        (
            "fr",
            (
                "classic@1, en cours, manche 1, tour 1 (seat 1)",
                "pioche\xa0: 77 cartes, défausse\xa0: 1 carte, dessus Y1",
                "on attend seat 1 (piocher)",
            ),
        ),
    ],
)
def test_a_table(lang: Language, lines: tuple[str, ...]) -> None:
    state = next(state for _, state in steps("classic") if state.stage == "playing" and state.turn)
    first, piles, *_, waits = table_text(state, None, lang)
    assert (first, piles, waits) == lines
