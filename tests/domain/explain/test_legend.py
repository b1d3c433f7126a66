"""The words of laid groups: what wilds stand for, what goes on at the ends of a run."""

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain.cards import is_wild, parse
from phaseledger.domain.explain.legend import legend
from phaseledger.domain.groups.melds import Misfit, extend
from phaseledger.domain.ruleset import Need, RuleSet
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Group
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.scenario import TABLES, a_position
from tests.support.table import table
from tests.support.twin_states import twin


def of(ruleset: RuleSet, *groups: Group) -> list[dict[str, Any]]:
    """The legend of groups on a table of the game, as data."""
    seats = max(3, ruleset.seats_min)
    state = table([""] * seats, ruleset=ruleset, discard="")
    text = msgspec.json.encode(legend(replace(state, groups=groups)))
    rows: list[dict[str, Any]] = msgspec.json.decode(text)["groups"]
    return rows


def rules(game: str, **options: object) -> RuleSet:
    return table([""] * 3, ruleset=preset(game), discard="", **options).ruleset


def group(kind: str, cards: str, low: int, high: int = 0, half: int = 0, parity: str = "") -> Group:
    need = Need(kind, 2, parity)  # type: ignore[arg-type]
    return Group(0, need, parse(cards), low, high or low, half)


TO_12 = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"
RUN = group("run", "R3 W B5 Y6", 3, 6)
FULL = group("run", f"W {TO_12} W", 1, 12)
PAIRS = group("pairrun", "R6 W G7 Y7", 6, 7)
HALVES = group("pairrun", "R5 R6 B6 W", 5, 7, half=3)

CASES = [
    pytest.param(
        *("classic", {}, group("set", "R5 W B5", 5), "a set of 5s", {1: "5"}, None),
        id="C-24 a wild of a set has its number",
    ),
    pytest.param(
        *("classic", {}, RUN, "a run from 3 to 6", {1: "4"}, ("2", "7")),
        id="C-25 a wild of a run has the number of its place",
    ),
    pytest.param(
        *("classic", {}, group("run", "B9 R10 R11 W", 9, 12), "a run from 9 to 12"),
        *({3: "12"}, ("8", "")),
        id="C-26 a run does not go on after 12",
    ),
    pytest.param(
        *("classic", {}, group("run", "W B2 R3 R4", 1, 4), "a run from 1 to 4"),
        *({0: "1"}, ("", "5")),
        id="C-26 nothing is below 1",
    ),
    pytest.param(
        *("classic", {"run_wrap": True}, group("run", "B11 R12 W B2", 11, 14)),
        *("a run from 11 to 2", {2: "1"}, ("10", "3")),
        id="O-06 a run that wraps",
    ),
    pytest.param(
        *("classic", {}, group("color", "G1 W G9", 3), "cards of one colour, green"),
        *({1: "any green card"}, None),
        id="C-27 a wild of a colour group",
    ),
    pytest.param(
        *("classic", {}, group("run", TO_12, 1, 12), "a run from 1 to 12", {}, ("", "")),
        id="O-04 a full run takes nothing",
    ),
    pytest.param(
        *("classic", {"wild_on_full_run": True}, FULL, "a run from 1 to 12"),
        *({0: "no card of its own", 13: "no card of its own"}, ("W", "W")),
        id="O-04 a full run that takes wilds",
    ),
    pytest.param(
        *("standard-deck", {}, group("run", "10H A QC", 9, 11), "a run from 10 to Q"),
        *({1: "J"}, ("9", "K")),
        id="D-04 an Ace in a run of French cards",
    ),
    pytest.param(
        *("standard-deck", {"run_wrap": True}, group("run", "JS QC KH", 10, 12)),
        *("a run from J to K", {}, ("10", "2")),
        id="O-06 after the king comes the 2",
    ),
    pytest.param(
        *("standard-deck", {}, group("color", "2H A 5H", 1), "cards of one suit, hearts"),
        *({1: "any card of hearts"}, None),
        id="D-33 a suit",
    ),
    pytest.param(
        *("standard-deck", {"color_is_suit": False}, group("color", "2H A 5D", 1)),
        *("cards of one colour, red", {1: "any red card"}, None),
        id="O-17 a colour of two suits",
    ),
    pytest.param(
        *("standard-deck", {}, group("colorrun", "2H A 4H", 1, 3), "a run in hearts from 2 to 4"),
        *({1: "hearts 3"}, ("", "5")),
        id="D-33 a run in one suit",
    ),
    pytest.param(
        *("express", {}, group("parity", "R1 W B7", 1), "odd cards", {1: "any odd card"}, None),
        id="X-54 a parity group",
    ),
    pytest.param(
        *("express", {}, group("parityrun", "R3 W B7", 3, 7, parity="odd")),
        *("a run of odd numbers from 3 to 7", {1: "5"}, ("1", "9")),
        id="X-52 the next odd number",
    ),
    pytest.param(
        *("express", {}, group("parityrun", "R8 W B12", 8, 12, parity="even")),
        *("a run of even numbers from 8 to 12", {1: "10"}, ("6", "")),
        id="X-37 no even number after 12",
    ),
    pytest.param(
        *("express", {}, group("colorrun", "W R4 R5", 3, 5), "a run in red from 3 to 5"),
        *({0: "red 3"}, ("2", "6")),
        id="X-53 a colour run",
    ),
    pytest.param(
        *("express", {}, PAIRS, "a run of pairs from 6 to 7", {1: "6"}, ("5", "8")),
        id="X-55 the next pair",
    ),
    pytest.param(
        *("express", {"pairrun_hit": "single_cards"}, HALVES, "a run of pairs from 5 to 7"),
        *({3: "7"}, ("5", "7")),
        id="O-21 half a pair at both ends",
    ),
    pytest.param(
        *("express", {"pairrun_hit": "none"}, PAIRS, "a run of pairs from 6 to 7"),
        *({1: "6"}, ("", "")),
        id="O-21 a run of pairs that is closed",
    ),
    pytest.param(
        *("board", {}, group("run", "R3 J(R9) B5", 3, 5), "a run from 3 to 5"),
        *({1: "4"}, ("2", "6")),
        id="B-56 a joker in a run",
    ),
    pytest.param(
        *("board", {}, group("run", f"{TO_12} J(R9)", 1, 12), "a run from 1 to 12"),
        *({12: "no card of its own"}, ("J", "J")),
        id="B-60 a full run takes jokers",
    ),
]


@looped(("game", "options", "laid", "words", "wilds", "ends"), CASES)
def test_what_a_group_is(
    game: str,
    options: dict[str, object],
    laid: Group,
    words: str,
    wilds: dict[int, str],
    ends: tuple[str, str] | None,
) -> None:
    (row,) = of(rules(game, **options), laid)

    labels = {
        name: label for name, label in zip(("low", "high"), ends or (), strict=False) if label
    }
    assert row.pop("ends", None) == (None if ends is None else labels)
    expected = [{"at": at, "stands_for": meaning} for at, meaning in wilds.items()]
    assert row == {"group": 0, "words": words, "wilds": expected}


def test_groups_are_numbered_as_in_the_view() -> None:
    assert [row["group"] for row in of(rules("classic"), RUN, RUN)] == [0, 1]
    assert of(rules("classic")) == []


def test_a_legend_is_in_the_readers_language() -> None:
    state = table([""] * 3, discard="")
    state = replace(state, groups=(RUN, group("color", "G1 W G9", 3)))
    english, german = legend(state), legend(state, "de")

    assert all(
        row.words != other.words for row, other in zip(english.groups, german.groups, strict=True)
    )
    assert german.groups[0].ends == english.groups[0].ends
    assert german.groups[1].wilds != english.groups[1].wilds


RUNS = [
    group("run", "R3 W B5 Y6", 3, 6),
    group("run", "R9 W B11 Y12", 9, 12),
    group("run", "R1 W B3 Y4", 1, 4),
    group("run", TO_12, 1, 12),
    group("parityrun", "R3 B5 Y7", 3, 7, parity="odd"),
    group("parityrun", "R2 B4 Y6 Y8 Y10 Y12", 2, 12, parity="even"),
    group("colorrun", "R3 R4 R5", 3, 5),
    group("pairrun", "R6 B6 G7 Y7", 6, 7),
    group("pairrun", "R6 B6 G7 Y7 Y8", 6, 8, half=2),
    group("pairrun", "R5 R6 B6 G7 Y7", 5, 7, half=1),
]


@looped("laid", RUNS, ids=lambda laid: f"{laid.need.kind}{laid.low}-{laid.high}")
@looped(("wrap", "full"), [*product((False, True), repeat=2)])
@looped("pairs", ["whole_pairs", "single_cards", "none"])
def test_an_end_takes_what_its_label_says(
    laid: Group, *, wrap: bool, full: bool, pairs: str
) -> None:
    """Held against `melds.extend`, which decides, with every card of the deck."""
    ruleset = rules("express", run_wrap=wrap, wild_on_full_run=full, pairrun_hit=pairs)
    labels = of(ruleset, laid)[0]["ends"]
    cards = sorted(set(ruleset.deck.cards()))
    for end in ("low", "high"):
        accepted = {card for card in cards if fits(laid, card, end, ruleset)}
        ranks = {str(card & 15) for card in accepted if not is_wild(card)}
        assert ranks <= {labels.get(end)}
        assert bool(accepted) == (end in labels)
        assert ranks or labels.get(end) in (None, "W")


def fits(laid: Group, card: int, end: Any, ruleset: RuleSet) -> bool:
    pairs = laid.need.kind == "pairrun" and ruleset.options.pairrun_hit == "whole_pairs"
    try:
        extend(laid, bytes([card]) * (2 if pairs else 1), end, ruleset)
    except Misfit:
        return False
    return True


@pytest.mark.untraced
@given(
    number=st.sampled_from([n for n, row in enumerate(TABLES) if row[0] == "board"]),
    at=st.integers(0, 9_999),
    seed=st.integers(0, 9_999),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
def test_the_face_of_a_joker_is_not_told(number: int, at: int, seed: int) -> None:
    """Law 7, B-30: not to spectators, and so to nobody."""
    state = a_position(number, at)
    assert legend(state) == legend(twin(state, None, chooser(b"%d" % seed, 0)))
