"""Cards checked without a game: what is said of them, and which questions have no answer."""

import re
from inspect import getsource

import pytest

from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.check import (
    HitOnIt,
    HitQuestion,
    ImpossibleGroup,
    LaidAlready,
    NoSuchPhase,
    Senseless,
    check,
)
from phaseledger.domain.groups import melds
from phaseledger.domain.rulesets import preset
from phaseledger.domain.words import has_message, reason_of, spoken
from tests.support.card_checks import hit, lay
from tests.support.cases import looped

BLANK = HitQuestion(LaidAlready("set", "R1 B1"), (HitOnIt(" "),))


@looped(
    ("attempt", "sentence"),
    [
        (
            lambda: lay("classic", 2, "R5 B5 W", "R8 B9 G10 Y11"),
            (
                "Phase 2 can be laid: a set of 5s (red 5, blue 5 and wild as 5) "
                "and a run from 8 to 11 (red 8, blue 9, green 10 and yellow 11)."
            ),
        ),
        (
            lambda: lay("classic", 2, "R5 B5 W", "R8 B9 G10 Y12"),
            (
                "Phase 2 (a set of 3 and a run of 4) cannot be laid like this: in group 2 "
                "(red 8, blue 9, green 10, yellow 12), the cards of a run follow one another, "
                "and yellow 12 is out of step."
            ),
        ),
        (
            lambda: lay("classic", 1, "R5 B5 G5"),
            (
                "Phase 1 (2 sets of 3) cannot be laid like this: a phase is laid whole, and "
                "something is missing here."
            ),
        ),
        (
            lambda: lay("standard-deck", 2, "5H 5S 5C", "2S KH QC JD"),
            (
                "Phase 2 (a set of 3 and a run of 4) cannot be laid like this: in group 2 "
                "(2 of spades, king of hearts, queen of clubs, jack of diamonds), the cards of a "
                "run follow one another, and king of hearts is out of step."
            ),
        ),
        (
            lambda: hit("classic", "run R3 B4 G5 Y6", "R2 low", "B1 low"),
            (
                "It fits, and makes a run from 1 to 6 "
                "(blue 1, red 2, red 3, blue 4, green 5 and yellow 6)."
            ),
        ),
        (
            lambda: hit("classic", "run R3 B4 G5 Y6", "R2 low", "B2 low"),
            (
                "Hit 2 (blue 2) cannot be made on a run from 2 to 6 "
                "(red 2, red 3, blue 4, green 5 and yellow 6): blue 2 does not fit there."
            ),
        ),
        (
            lambda: hit("express", "parityrun odd R1 B3 G5 Y7", "R9 high"),
            (
                "It fits, and makes a run of odd numbers from 1 to 9 "
                "(red 1, blue 3, green 5, yellow 7 and red 9)."
            ),
        ),
    ],
    ids=range(7),
)
def test_the_sentence(attempt, sentence: str) -> None:
    """A whole sentence that names the cards and, where it is one of several, the group."""
    assert attempt().sentence == sentence


@looped(
    ("attempt", "code", "at", "words"),
    [
        (
            lambda: lay("classic", 1, "R5 B5 2H", "R7 B7 G7"),
            "unknown_card", 0, "2H is no card in this game, where cards are written as in R4, B10",
        ),
        (lambda: lay("classic", 1, "R5 B5 G5", "X", "Y"), "unknown_card", 1, "X is no card"),
        (lambda: lay("classic", 1, "R5 B5 G5", ""), "cards_needed", 1, "no card"),
        (lambda: lay("classic", 1, "R5 R5 R5", "R7 B7 G7"), "not_in_hand", None, "only 2 of them"),
        (lambda: lay("board", 1, "R5 R6 R7 R8 W"), "not_in_hand", None, "has no such card"),
        (lambda: lay("classic", 8, "R5 R6 R7 R8 R9 R1 J"), "not_in_hand", None, "down) is more"),
        (lambda: lay("classic", 8, "R5 R6 R7 R8 R9 R1 J1"), "not_in_hand", None, "no jokers"),
        (lambda: lay("board", 1, "R5 R6 R7 J2 J2"), "not_in_hand", None, "a joker is one card"),
        (lambda: lay("classic", 1, "R5 B5 G5", "R7 B7"), "incomplete_phase", 1, "missing"),
        (lambda: lay("classic", 1, "R5 B5 G5", "R7 S B7"), "skip_in_group", 1, "skip is a skip"),
        (lambda: lay("classic", 1, "R5 B5 G5", "W W W"), "needs_natural", 1, "natural"),
        (
            lambda: lay("classic", 1, "R5 B5 G5", "W W W", wild_min_scope="none"),
            "value_needed", 1, "has to be said",
        ),
        (lambda: lay("express", 5, "W W W"), "needs_natural", None, "natural"),
        (lambda: lay("express", 8, "R1 W W B4"), "not_consecutive", 0, "blue 4"),
        (lambda: lay("standard-deck", 8, "2H 3H 5H 9H JH QH 2S"), "not_one_colour", 0, "one suit"),
        (lambda: lay("classic", 8, "R2 R3 R5 R9 R1 R6 B2"), "not_one_colour", 0, "one colour"),
        (lambda: lay("classic", 1, "R5 B5 G5", " "), "cards_needed", 1, "in group 2, no card"),
        (lambda: check(preset("classic"), BLANK), "cards_needed", 0, "cannot be added"),
        (lambda: lay("classic", 1, "W W W=3", "R5 B5 G5"), "needs_natural", 0, "natural"),
        (lambda: lay("express", 2, "W W=3", "J W=3"), "not_in_hand", None, "no jokers"),
        (lambda: lay("express", 5, "W W W=3"), "needs_natural", None, "natural"),
        (lambda: hit("classic", "set R1 B1", "B1 G1", "R2"), "does_not_fit", 1, "red 2 does not"),
        (lambda: hit("classic", "set R1 B1", "B1", "B1"), "not_in_hand", 1, "only 2 of them"),
        (lambda: hit("classic", "set R1 R1", "R1"), "not_in_hand", 0, "only 2 of them"),
        (lambda: hit("classic", "run R3 B4 G5 Y6", "W"), "end_needed", 0, "low or high"),
        (lambda: hit("board", "run J R3 J", "J J J J high", "J"), "end_needed", 1, "down) fits at"),
        (
            lambda: lay("classic", 1, "R5 B5 G5 Y5", "R7 B7 G7", lay_oversize=False),
            "oversize", 0, "more cards",
        ),
    ],
    ids=range(27),
)  # fmt: skip
def test_why_not(attempt, code: str, at: int | None, words: str) -> None:
    """The code of the game, the group or hit at fault, and the reason in words."""
    verdict = attempt()
    assert (verdict.legal, verdict.code, verdict.at) == (False, code, at)
    assert words in verdict.sentence


@looped(
    ("attempt", "meanings"),
    [
        (lambda: lay("classic", 2, "R5 W W", "W B2 W Y4"), ["5", "5", "1", "3"]),
        (lambda: lay("classic", 8, "G1 G3 G3 G7 G9 G12 W"), ["any green card"]),
        (lambda: lay("standard-deck", 8, "2H 2H 5H 9H JH QH AS"), ["any card of hearts"]),
        (
            lambda: lay("standard-deck", 8, "2H 2D 5H 9H JH QH AS", color_is_suit=False),
            ["any red card"],
        ),
        (lambda: lay("standard-deck", 4, "9H AS JH QH A KH", "2H"), []),
        (lambda: lay("standard-deck", "run(4)", "AS JH QH A"), ["10", "K"]),
        (lambda: lay("express", 1, "R1 W W B3"), ["any odd card", "any odd card"]),
        (lambda: lay("express", 2, "W W=7", "R7 W"), ["7", "7", "7"]),
        (lambda: lay("express", 4, "W R6 W Y7"), ["6", "7"]),
        (lambda: lay("express", 7, "W G4 W"), ["green 3", "green 5"]),
        (lambda: lay("classic", "colorrun(3)", "W W W=4", wild_min_scope="none"), list("456")),
        (lambda: lay("express", 8, "R1 W W B7"), ["3", "5"]),
        (lambda: lay("express", 6, "R11 W W B2", run_wrap=True), ["12", "1"]),
        (lambda: lay("express", 6, "W W B1 W", run_wrap=True), ["11", "12", "2"]),
        (lambda: lay("board", 3, "R5 J B5", "J1 R9 J3"), ["5", "8", "10"]),
        (
            lambda: hit("board", "run J R2 B3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12", "J low", "J high"),
            ["no card of its own", "1", "no card of its own"],
        ),
        (
            lambda: hit("express", "pairrun R6 B6 G7 Y7", "W low", "W high", "W high",
                        pairrun_hit="single_cards"),
            ["5", "8", "8"],
        ),
    ],
    ids=range(17),
)  # fmt: skip
def test_what_wilds_stand_for(attempt, meanings: list[str]) -> None:
    """By the place in a run (C-39, X-36, B-59), else by what the group shares (C-36, B-56)."""
    verdict = attempt()
    wilds = [wild for group in verdict.groups for wild in group.stands_for]
    assert [wild.meaning for wild in wilds] == meanings
    shown = [group.cards.split()[wild.place]
             for group in verdict.groups for wild in group.stands_for]  # fmt: skip
    assert [wild.card for wild in wilds] == shown


def test_a_described_phase_is_the_game_s_own_where_it_has_it() -> None:
    """The text of phase 3 is phase 3, with its rule; a phase of nobody's has none (C-P03)."""
    own, other = (
        lay("classic", text, "R4 B4 G4 Y4", "R5 B6 G7 Y8")
        for text in ("set(4) + run(4)", "set(2) + run(3)")
    )
    assert (own.legal, own.rule) == (True, "C-P03")
    assert own.sentence.startswith("Phase 3 can be laid")
    assert (other.legal, other.rule) == (True, "")
    assert other.sentence.startswith("The phase can be laid")


def test_a_named_phase_is_checked_where_several_are_open() -> None:
    """HC-177 (D-66): the same cards are phase 1 or phase 7, as asked."""
    nines = ("9H 9S 9D 9C", "9H 9S 9D 9C")
    for phase, rule in ((1, "D-P01"), (7, "D-P07")):
        assert lay("standard-deck", phase, *nines, style="complete_free").rule == rule


def test_where_hits_went() -> None:
    """An end left out is the only one there is; a set has none."""
    assert hit("classic", "run R3 B4 G5 Y6", "R2", "B7").ends == ("low", "high")
    assert hit("classic", "set R3 B3", "G3", "Y3").ends == ("", "")


@looped(
    ("asked", "kind", "words"),
    [
        (lambda: lay("classic", 11, "R1"), NoSuchPhase, "phases 1 to 10, not 11"),
        (lambda: lay("classic", 6, "R1", variant="even_phases"), NoSuchPhase, "1 to 5"),
        (lambda: lay("classic", "run", "R1"), NoSuchPhase, "'run' is no phase"),
        (lambda: hit("classic", "pairrun R1 R1", "R2"), ImpossibleGroup, "set, run, colour"),
        (lambda: hit("express", "parity R1 R3 B1 B3", "R5"), ImpossibleGroup, "odd cards"),
        (lambda: hit("classic", "run R1 B2 R2 R3", "R4"), ImpossibleGroup, "follow"),
        (lambda: hit("classic", "run R1 B2 G3", "R4"), ImpossibleGroup, "a run of 4"),
        (lambda: hit("classic", "set W W=3", "R3"), ImpossibleGroup, "natural"),
        (lambda: hit("classic", "set R1 R1 R1", "B1"), ImpossibleGroup, "red 1 is more than"),
        (lambda: hit("classic", "set R1 J", "B1"), ImpossibleGroup, "no jokers"),
        (lambda: hit("board", "set R1 J1 J1", "B1"), ImpossibleGroup, "each once"),
        (lambda: hit("classic", "set R1 2H", "B1"), ImpossibleGroup, "no card"),
    ],
    ids=range(12),
)
def test_questions_without_sense(asked, kind: type[Senseless], words: str) -> None:
    with pytest.raises(kind) as senseless:
        asked()
    assert type(senseless.value) is kind
    assert words in str(senseless.value)


def test_an_impossible_group_is_refused_in_the_language_of_the_reader() -> None:
    with pytest.raises(ImpossibleGroup) as senseless:
        hit("classic", "set R1 R1 R1", "B1")
    german = (
        "Satz (rote 1, rote 1, rote 1): rote 1 ist mehr, als jemand haben kann: es gibt davon nur 2"
    )
    assert spoken(reason_of(senseless.value), "de") == german


def test_a_group_may_be_one_of_a_phase_that_the_game_has_not() -> None:
    """With a size, or grown where a phase is laid exactly (O-18)."""
    pairs = LaidAlready("pairrun", "R6 B6 G7 Y7", size=2)
    odd = LaidAlready("parity", "R1 B3", "odd", size=2)
    for group, cards in ((pairs, "R8 B8"), (odd, "R5")):
        assert check(preset("classic"), HitQuestion(group, (HitOnIt(cards),))).legal
    assert hit("classic", "set R6 B6 G6 Y6 R6 B6", "G6", lay_oversize=False).legal
    with pytest.raises(Senseless):
        check(preset("classic"), HitQuestion(LaidAlready("run", "R1", size=13), (HitOnIt("R2"),)))


def test_every_misfit_has_its_reason() -> None:
    codes = [RejectCode[name] for name in re.findall(r"Code\.(\w+)", getsource(melds))]
    assert [code for code in codes if not has_message(f"reason.{code}")] == []
