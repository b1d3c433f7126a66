"""RULES.md section 7: the house rules that each card game has, and those that make no game."""

import re
from itertools import product

import msgspec
import pytest

from phaseledger.domain.commands import Act, OpenGame, Rejected
from phaseledger.domain.commands import RejectCode as Code
from phaseledger.domain.decide import step
from phaseledger.domain.options import PARAMETERS, Options, OptionValue
from phaseledger.domain.resolve import (
    Unplayable,
    phase_text,
    read_phase,
    resolve,
    usual_value,
    values,
)
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, preset
from tests.support.cases import looped
from tests.support.table import GAME

CARD_GAMES = ("classic", "standard-deck", "express")
NO = None
"""For a game that does not have the option."""

N_PHASES = [f"n_phases({n})" for n in range(1, 11)]
# Number, name, values, then what classic, standard-deck and express have by default.
CATALOGUE: list[tuple[str, str, list[OptionValue], OptionValue | None, ...]] = [
    (
        "O-01",
        "stock_exhausted",
        ["reshuffle_all_but_top", "reshuffle_all", "end_round"],
        *("reshuffle_all_but_top",) * 3,
    ),
    (
        "O-02",
        "no_card_to_draw",
        ["continue_without_draw", "end_round"],
        *("continue_without_draw",) * 3,
    ),
    ("O-03", "wild_min_scope", ["group", "phase", "none"], "group", "group", "phase"),
    ("O-04", "wild_on_full_run", [True, False], False, False, False),
    ("O-05", "wild_on_full_set", [True, False], True, True, True),
    ("O-06", "run_wrap", [True, False], False, False, False),
    ("O-07", "wild_placement", ["explicit", "high_then_low"], *("explicit",) * 3),
    ("O-08", "going_out", ["any", "discard_required"], "any", "any", "any"),
    ("O-09", "skip_as_last_card", [True, False], True, True, True),
    ("O-10", "skip_repeat", ["until_served", "until_normal_turn"], *("until_served",) * 3),
    (
        "O-11",
        "initial_skip",
        ["skip_first_player", "cover", "return_and_redraw", "keep"],
        *("skip_first_player", "keep", "skip_first_player"),
    ),
    ("O-12", "initial_wild", ["drawable", "return_and_redraw"], *("drawable",) * 3),
    ("O-13", "skip_drawable", [True, False], False, True, False),
    ("O-14", "skip_plain_discard", [True, False, "only_if_no_target"], False, True, False),
    ("O-15", "skip_survives_round", [True, False], False, False, False),
    ("O-16", "dealer_rotation", ["left", "fixed"], "left", "left", "left"),
    ("O-16", "first_player", ["left_of_dealer", "dealer", "random"], *("left_of_dealer",) * 3),
    ("O-17", "color_is_suit", [True, False], NO, True, NO),
    ("O-18", "lay_oversize", [True, False], True, True, True),
    ("O-19", "players", ["2-6", "3-4", "2-2"], NO, NO, "2-6"),
    ("O-20", "express_white_cards", ["wild", "none"], NO, NO, "wild"),
    ("O-21", "pairrun_hit", ["whole_pairs", "single_cards", "none"], NO, NO, "whole_pairs"),
    ("O-22", "final_tie", ["replay", "shared", "went_out"], "replay", "shared", "replay"),
    (
        "O-23",
        "final_tie_10rounds",
        ["more_phases_then_shared", "shared"],
        *("more_phases_then_shared",) * 3,
    ),
    ("O-24", "final_tie_replay", ["tied_only", "everybody"], *("tied_only",) * 3),
    ("O-36", "discard_taken_card", [True, False], True, True, True),
    ("O-37", "free_phase_named", [True, "auto_lowest"], NO, True, NO),
    ("O-39", "max_turns_per_round", ["none", 1, 100_000], "none", "none", "none"),
    ("O-40", "twist_phases", ["classic"], "classic", NO, NO),
    (
        "O-41",
        "style",
        ["complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free"],
        *(NO, "complete_ordered", NO),
    ),
    ("O-42", "variant", ["none", "ten_rounds", "even_phases", *N_PHASES], "none", NO, "none"),
]
SENSELESS = {("express", "variant", "even_phases")}
"""Values that section 7 leaves to another game."""
TOGETHER = {"until_normal_turn": {"skip_plain_discard": "only_if_no_target"}}
"""What a value goes with (O-10)."""
ROWS = {row[1]: row for row in CATALOGUE}


def chosen(game: str, **options: object) -> RuleSet:
    """The game under the options, as it is opened with them."""
    return resolve(GAMES[game].rules, options, GAMES[game].settings)


def refused(game: str, **options: object) -> str:
    """The sentence with which the options are refused, which they must be."""
    with pytest.raises(Unplayable) as wrong:
        chosen(game, **options)
    return str(wrong.value)


def takes(game: str, name: str) -> str:
    """What the sentence says that the option takes: nothing that the game refuses."""
    taken = values(name)
    if (game, name) == ("express", "variant"):
        return taken.replace(", even_phases", "")
    return taken


@looped("game", CARD_GAMES)
def test_each_game_has_the_options_of_the_catalogue(game: str) -> None:
    """Section 7: names and usual values; no others."""
    column = 3 + CARD_GAMES.index(game)
    expected = {row[1]: row[column] for row in CATALOGUE if row[column] is not NO}
    assert {name: usual_value(preset(game), name) for name in GAMES[game].settings} == expected


@looped("row", CATALOGUE, ids=[row[1] for row in CATALOGUE])
def test_every_value_is_accepted(row: tuple) -> None:
    """Section 7: each value, in each game that has the option, and no value that it has not."""
    number, name, values, *defaults = row
    assert PARAMETERS[name].number == number
    for (game, default), value in product(zip(CARD_GAMES, defaults, strict=True), values):
        if default is NO:
            assert refused(game, **{name: value}).startswith(f"'{name}' is no option of this")
        elif (game, name, value) in SENSELESS:
            assert refused(game, **{name: value}) == (
                f"option {name}: {value} makes no sense in this game; it takes {takes(game, name)}"
            )
        else:
            ruleset = chosen(game, **{name: value}, **TOGETHER.get(str(value), {}))
            assert getattr(ruleset.options, name) == value


WRONG: list[object] = ["", "never", 0, -1, 1.5, None, [], {"a": 1}, "True", "reshuffle_all "]


@looped("game", CARD_GAMES)
def test_other_values_are_refused(game: str) -> None:
    """The sentence names the option and the values it takes."""
    for name, value in product(GAMES[game].settings, WRONG):
        sentence = refused(game, **{name: value})
        assert sentence.startswith(f"option {name}: ")
        assert sentence.endswith(f"it takes {takes(game, name)}") or "is not" in sentence


def test_whatever_is_recorded_reads_back() -> None:
    """What was chosen is in the rule set that `GameOpened` carries."""
    for game in CARD_GAMES:
        for name, row in ROWS.items():
            if name in GAMES[game].settings and (game, name, row[2][-1]) not in SENSELESS:
                ruleset = chosen(game, **{name: row[2][0]})
                decoded = msgspec.json.decode(msgspec.json.encode(ruleset), type=RuleSet)
                assert decoded == ruleset


# --- what options make of a game ----------------------------------------------------------------


def test_styles_and_variants_are_policies() -> None:
    """O-41, O-42: rounds, progress and end; nothing else."""
    rows = [
        ("standard-deck", {}, (0, "in_order", "last_phase", 10)),
        ("standard-deck", {"style": "complete_ordered"}, (0, "in_order", "last_phase", 10)),
        ("standard-deck", {"style": "ten_rounds_ordered"}, (10, "by_round", "rounds", 10)),
        ("standard-deck", {"style": "complete_free"}, (0, "free", "last_phase", 10)),
        ("standard-deck", {"style": "ten_rounds_free"}, (10, "free", "rounds", 10)),
        ("classic", {"variant": "ten_rounds"}, (10, "by_round", "rounds", 10)),
        ("classic", {"variant": "even_phases"}, (0, "in_order", "last_phase", 5)),
        ("express", {"variant": "none"}, (0, "in_order", "last_phase", 10)),
        ("express", {"variant": "ten_rounds"}, (10, "by_round", "rounds", 10)),
        ("express", {"variant": "n_phases(1)"}, (0, "in_order", "last_phase", 1)),
        ("express", {"variant": "n_phases(10)"}, (0, "in_order", "last_phase", 10)),
    ]
    for game, options, expected in rows:
        made = chosen(game, **options)
        assert (made.rounds, made.progress, made.finish, len(made.phases)) == expected
        assert (made.hand, made.deck, made.points) == (
            preset(game).hand,
            preset(game).deck,
            preset(game).points,
        )


def test_o_19_o_20_players_and_white_cards() -> None:
    """How many may play; and the three cards fewer."""
    assert (chosen("express", players="2-9").seats_min, chosen("express").seats_max) == (2, 6)
    assert chosen("express", players="3-10").seats_max == 10
    assert len(chosen("express", express_white_cards="none").deck.cards()) == 51
    assert len(chosen("express", express_white_cards="wild").deck.cards()) == 54


PLAYERS = [
    ("6-2", "option players: '6-2' is not the fewest and the most players, as in 2-6"),
    ("1-6", "option players: '1-6' is not the fewest and the most players, as in 2-6"),
    ("0-6", "'0-6' is not"),
    ("4", "'4' is not"),
    ("2 - 6", "'2 - 6' is not"),
    ("2-6\n", "is not"),
    ("2-٦", "is not"),
    ("2-100", "is not"),
    ("2-11", "option players: 11 hands of 5 and the first discard leave no stock"),
    ("2-99", "99 hands of 5"),
]


@looped(("value", "sentence"), PLAYERS)
def test_o_19_players_that_cannot_play(value: str, sentence: str) -> None:
    """O-19: fewest above most, nobody to skip, or a deck too small."""
    assert sentence in refused("express", players=value)


def test_o_19_a_deck_too_small_without_the_white_cards() -> None:
    """O-19, O-20: ten hands and the first discard are 51 cards, the whole deck then."""
    assert chosen("express", players="2-10").seats_max == 10
    assert "leave no stock" in refused("express", players="2-10", express_white_cards="none")
    assert chosen("express", players="2-9", express_white_cards="none").seats_max == 9


def test_o_10_a_skip_without_a_target() -> None:
    """O-10: the stricter reading needs a way out; standard-deck has one by D-23."""
    for game in ("classic", "express"):
        assert "(O-10)" in refused(game, skip_repeat="until_normal_turn")
        for way in (True, "only_if_no_target"):
            chosen(game, skip_repeat="until_normal_turn", skip_plain_discard=way)
    chosen("standard-deck", skip_repeat="until_normal_turn")
    both = {"skip_repeat": "until_normal_turn", "skip_plain_discard": False}
    assert "(O-10)" in refused("standard-deck", **both)


def test_unknown_options() -> None:
    """No option, or one of another game: the sentence lists those that there are."""
    for name in ("no_such", "", "Style", "board_track", "board_phases", "style", "pairrun_hit"):
        sentence = refused("classic", **{name: "any"})
        assert sentence.startswith(f"{name!r} is no option of this rule set; it has: stock_exh")
        assert sentence.endswith(", ".join(GAMES["classic"].settings))
    with pytest.raises(Unplayable, match="'no_such' is no option"):
        resolve(preset("classic"), {"no_such": 1})


def test_options_are_refused_at_opening() -> None:
    """The domain's one door: `bad_option` with the sentence."""
    opening = OpenGame(GAME, "express", 3, {"variant": "even_phases"}, secret="0" * 64)
    with pytest.raises(Rejected) as refusal:
        step(None, Act(opening))
    assert refusal.value.code == Code.BAD_OPTION
    assert refusal.value.detail == (
        "option variant: even_phases makes no sense in this game; "
        "it takes none, ten_rounds or n_phases(1) to n_phases(10)"
    )


# --- phases and the ring as text ----------------------------------------------------------------


def phases(*others: str) -> tuple[str, ...]:
    """Ten phases: those, then pairs."""
    return (*others, *("set(2) + set(2)",) * (10 - len(others)))


PHASES = [
    "set(3) + run(4)",
    "set(2) + set(2) + set(2) + set(2)",
    "color(10)",
    "parity(4, odd)",
    "parity(4,even)",
    "pairrun(2)",
    "parityrun(6, odd)",
    "colorrun(3) + set(2)",
    "run(10)",
    "set(3)+run(3)",
]


def test_o_25_phases_are_read_as_written() -> None:
    """O-25: every kind; what is shown can be read again."""
    made = chosen("board", board_phases=PHASES)
    assert [phase.rule for phase in made.phases] == ["O-25"] * 10
    for text, phase in zip(PHASES, made.phases, strict=True):
        assert read_phase(phase_text(phase)) == phase
        assert phase_text(phase).replace(" ", "") == text.replace(" ", "")
    assert usual_value(preset("board"), "board_phases")[1] == PHASES[1]


NO_PHASES = [
    ("", "is no phase: write it as in set(3) + run(4)"),
    ("set", "is no phase: write it"),
    ("a full house", "with the kinds set, color, parity, run, pairrun, parityrun and colorrun"),
    ("set(3) run(4)", "is no phase: write it"),
    ("set(3) +", "is no phase: write it"),
    ("street(4)", "is no phase: write it"),
    ("set(03)", "is no phase: write it"),
    ("set(٣)", "is no phase: write it"),
    ("set(3, odd)", "odd or even goes with parity and parityrun"),
    ("parity(4)", "odd or even goes with parity and parityrun"),
    ("parity(4, blue)", "is no phase: write it"),
    ("set(1)", "the size of set is 2 or more, not 1"),
    ("run(2)", "the size of run is 3 to 12, not 2"),
    ("colorrun(13)", "the size of colorrun is 3 to 12, not 13"),
    ("parityrun(7, odd)", "the size of parityrun is 3 to 6, not 7"),
    ("pairrun(1)", "the size of pairrun is 2 to 12, not 1"),
    ("set(8) + set(3)", "phase 1 (set(8) + set(3)) takes 11 cards, more than the hand of 10"),
    ("pairrun(6)", "phase 1 (pairrun(6)) takes 12 cards, more than the hand of 10"),
]


@looped(("text", "sentence"), NO_PHASES)
def test_o_25_what_is_no_phase(text: str, sentence: str) -> None:
    """O-25: unreadable, of no size, or larger than a hand."""
    detail = refused("board", board_phases=phases(text))
    assert sentence in detail
    assert detail.startswith(("option board_phases: ", "phase 1 "))


def test_o_25_o_05_a_set_larger_than_the_deck_has() -> None:
    """O-05, O-25: beyond the eight cards of a rank only wilds are left, which may be forbidden."""
    assert chosen("board", board_phases=phases("set(9)")).options.wild_on_full_set
    sentence = refused("board", board_phases=phases("set(9)"), wild_on_full_set=False)
    assert "(set(9)) needs wilds on a set of 8, which wild_on_full_set=false forbids" in sentence
    assert chosen("board", board_phases=phases("set(8)"), wild_on_full_set=False)


def test_o_25_ten_phases() -> None:
    """O-25: no more, no fewer."""
    for count in (9, 11):
        sentence = refused("board", board_phases=("set(2)",) * count)
        assert sentence.startswith(
            f"option board_phases: 10 phases are needed, not {count}; it takes a list"
        )
    assert "it is empty" in refused("board", board_phases=())


RING = usual_value(preset("board"), "board_track")
TRACKS = [
    (("JOKER", *RING[1:]), "option board_track: no start; it takes a list of 32 spaces"),
    ((*RING[:-1], "AGAIN*"), "2 spaces are marked as the start, not 1"),
    (RING[:-1], "the ring has 32 spaces, not 31"),
    ((*RING, "SWAP"), "the ring has 32 spaces, not 33"),
    ((*RING[:-1], "GOTO"), "'GOTO' is no space"),
    ((*RING[:-1], "again"), "'again' is no space"),
    ((*RING[:-1], "AGAIN**"), "'AGAIN*' is no space"),
    ((), "it is empty"),
]


@looped(("ring", "sentence"), TRACKS)
def test_o_26_what_is_no_ring(ring: tuple[str, ...], sentence: str) -> None:
    """O-26."""
    assert sentence in refused("board", board_track=ring)


def test_o_26_the_ring_begins_at_its_start() -> None:
    """O-26: wherever the list begins; every space that the sentence names is one."""
    turned = (*(space.removesuffix("*") for space in RING[5:]), *RING[:5])
    assert chosen("board", board_track=turned).track == preset("board").track
    named = re.findall("[A-Z]+[1-3]?", values("board_track").partition(", the start")[0])
    assert set(named) == set(preset("board").track)


def test_every_field_of_the_options_is_described() -> None:
    """`PARAMETERS` has each, in the catalogue's order."""
    assert set(PARAMETERS) == {field.name for field in msgspec.structs.fields(Options)}
    numbers = [parameter.number for parameter in PARAMETERS.values()]
    assert numbers == sorted(numbers)
