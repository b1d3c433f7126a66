"""Verdicts on cards in German and French, and no word of them from anywhere but the tables."""

import re

from phaseledger.domain.commands import GroupToLay
from phaseledger.domain.explain.check import HitOnIt, HitQuestion, LaidAlready, LayQuestion, check
from phaseledger.domain.explain.shortfall import find
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.words import Language
from tests.support.cases import looped
from tests.support.languages import pseudo_german

CARD = re.compile(r"\b(?:[RBGY]\d+|(?:10|[2-9JQKA])[HSDC]|[AWSJ]|J\d+)\b|\b[JQK]\b")


def lay(*groups: str, phase: int | str = 2) -> LayQuestion:
    return LayQuestion(phase, tuple(GroupToLay(cards) for cards in groups))


def hit(kind: str, cards: str, *hits: HitOnIt) -> HitQuestion:
    return HitQuestion(LaidAlready(kind, cards), hits)  # type: ignore[arg-type]


QUESTIONS = [
    ("classic", lay("R5 B5 W", "R8 B9 G10 Y11")),
    ("classic", lay("R5 B5 G6", "R8 B9 G10 Y11")),
    ("classic", lay("R5 B5 G5")),
    ("classic", lay("R5 B5 S", "R8 B9 G10 Y11")),
    ("classic", lay("W W W", "R8 B9 G10 Y11")),
    ("classic", lay("R5 B5 G5", "R10 B11 G12 W")),
    ("classic", lay("R5 R5 R5", "R10 B11 G12 W")),
    ("classic", lay("R5 Q5 R5", "R10 B11 G12 W")),
    ("classic", lay("R5 J1 R5", "R10 B11 G12 W")),
    ("classic", lay("G1 G3 G3 G7 G9 G12 W", phase=8)),
    ("classic", lay("G1 G3 G3 G7 G9 G12 B2", phase=8)),
    ("classic", lay("R5 B5 G5", phase="set(3)")),
    ("classic", hit("run", "R3 B4 G5 W", HitOnIt("Y7"), HitOnIt("B9"))),
    ("classic", hit("run", "R3 B4 G5 W", HitOnIt("R2", "low"), HitOnIt("B7", "high"))),
    ("classic", hit("run", "R3 B4 G5 W", HitOnIt("W"))),
    ("standard-deck", lay("5H 5S A", "10H JS QD KC")),
    ("standard-deck", lay("2H 2H 5H 9H JH QH A", phase=8)),
    ("standard-deck", lay("5H 5S A", "J1 JS QD KC")),
    ("standard-deck", lay("5H 5S A", "XX JS QD KC")),
    ("express", lay("R1 B3 W G5", phase=1)),
    ("express", lay("R1 B3 W G6", phase=1)),
    ("express", lay("G3 W G5", phase=7)),
    ("express", lay("R6 B6 G7 Y7", phase=4)),
    ("express", hit("pairrun", "R6 B6 G7 Y7", HitOnIt("R8"))),
    ("board", lay("R1 J B3 G4 Y5 R6 B7 G8", phase=6)),
    ("board", lay("Q1 J B3 G4 Y5 R6 B7 G8", phase=6)),
    ("board", lay("J1 J1 B3 G4 Y5 R6 B7 G8", phase=6)),
]


def test_no_word_of_a_verdict_comes_from_elsewhere() -> None:
    with pseudo_german():
        verdicts = [check(preset(game), question, "de") for game, question in QUESTIONS]
    assert [verdict.code for verdict in verdicts] == [
        check(preset(game), question).code for game, question in QUESTIONS
    ]
    for verdict in verdicts:
        for text in (verdict.sentence, *(s.meaning for g in verdict.groups for s in g.stands_for)):
            bare = CARD.sub("", text).replace("XX", "").replace("Q", "")
            assert not re.search(r"[^\W\d_]", bare), text


@looped(
    ("lang", "hand", "sentence"),
    [
        ("de", "R5 B5 G5 R8 B9", "es fehlen mindestens 2 Karten."),
        ("de", "R5 B5 G5 R8 B9 G10", "es fehlt mindestens eine Karte."),
        ("fr", "R5 B5 G5 R8 B9 G10", "il manque au moins une carte."),
        (
            "fr",
            "R5 B5 G5 R8 B9 G10 Y11",
            "une suite de 8 à 11 (8 rouge, 9 bleu, 10 vert et 11 jaune).",
        ),
    ],
)
def test_what_a_hand_lacks(lang: Language, hand: str, sentence: str) -> None:
    best = find(preset("classic"), hand, 2, lang)
    assert best.sentence.endswith(sentence)
    assert all(lack.need.startswith(("ein", "un")) for lack in best.lacks)


def test_a_whole_hand() -> None:
    """B-67: a card is left to discard."""
    game = GAMES["board"]
    rules = resolve(game.rules, {}, game.settings)
    best = find(rules, "R1 R2 R3 R4 R5", 1, "de")
    assert best.sentence.endswith(
        "braucht die ganze Hand, und eine Karte muss zum Ablegen bleiben."
    )
