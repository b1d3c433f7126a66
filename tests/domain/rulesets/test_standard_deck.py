"""What rules of RULES.md section 3 say of the standard-deck game alone, by the rule's ID."""

import pytest
from msgspec.structs import replace

from phaseledger.domain.cards import SKIP, WILD, parse, show
from phaseledger.domain.commands import (
    Discard,
    Draw,
    Hit,
    Lay,
)
from phaseledger.domain.events import (
    GameEnded,
    RoundDealt,
    SkipServed,
)
from phaseledger.domain.legal import legal
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.scenario import play_random
from tests.support.standard_deck_positions import (
    EIGHT,
    FREE,
    HEARTS,
    TEN,
    laid_out,
)
from tests.support.table import GAME, events_of, play, refusal
from tests.support.worked_cases import lay

STANDARD = preset("standard-deck")


def hand_of(state: State, seat: int) -> str:
    return show(state.seat(seat).hand, "french")


# --- players, deck, set-up ----------------------------------------------------------------------


def test_d_03_d_04_d_05_french_cards() -> None:
    """D-03: 2 to K are ranks 1 to 12. D-04: Aces are wild. D-05: jokers skip."""
    ranks = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    assert list(parse(ranks, "french")) == list(range(1, 13))
    assert set(parse("AH AS AD AC A", "french")) == {WILD}
    assert parse("*", "french") == bytes([SKIP])


# --- the turn and the jokers --------------------------------------------------------------------


def test_d_21_under_an_empty_pile() -> None:
    """D-21: the joker is then the top, and may be drawn (D-22)."""
    after = play(laid_out(["* 2H", "3H", "4H"], discard=""), (0, Discard("*", target=1)))
    assert show(after.discard, "french") == "*"
    assert hand_of(play(after, (2, Draw("discard"))), 2) == "4H *"


def test_d_29_jokers_in_front_at_the_end_of_a_round() -> None:
    """D-29: gone (HC-197). With `skip_survives_round` the turn is lost all the same (O-15)."""
    state = laid_out(["*", "3H", "4H"], laid={0: 1}, skip_survives_round=True)
    *_, dealt, served, _ = events_of(state, 0, Discard("*", target=1))
    assert isinstance(dealt, RoundDealt)
    assert dealt.skips == (0, 1, 0)
    assert isinstance(served, SkipServed)
    assert (served.seat, served.card, served.to) == (1, "", "")
    after = play(state, (0, Discard("*", target=1)))
    assert (after.active, after.seat(1).front) == (2, b"")


# --- phases and combinations --------------------------------------------------------------------


def test_d_33_colour_is_suit() -> None:
    """D-33; `color_is_suit=false` makes it red and black, in laying, hitting and finding (O-17)."""
    reds = "[2H 2D 5H 9H JD QH AS]"
    held = f"{reds[1:-1]} KD KS 6C"
    strict = laid_out([held, "3S", "3C"], phases=[8, 1, 1], discard="7H")
    assert refusal(strict, 0, lay(reds)) == ("not_one_colour", "D-33")
    state = laid_out([held, "3S", "3C"], phases=[8, 1, 1], discard="7H", color_is_suit=False)
    assert any(isinstance(command, Lay) for command in legal(state, 0))
    after = play(state, (0, lay(reds)))
    assert [command for command in legal(after, 0) if isinstance(command, Hit)] == [Hit(0, "KD")]
    assert refusal(after, 0, Hit(0, "KS")) == ("does_not_fit", "D-50")
    assert len(play(after, (0, Hit(0, "KD"))).groups[0].cards) == 8
    black = laid_out(["2S 2C 5S 9C JS QC 6C 3H", "", ""], phases=[8, 1, 1], color_is_suit=False)
    assert play(black, (0, lay("[2S 2C 5S 9C JS QC 6C]"))).seat(0).laid == 8


# --- the four styles ----------------------------------------------------------------------------

STYLES = ["complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free"]


@pytest.mark.untraced
@looped("style", STYLES)
def test_d_56_d_59_whole_games(style: str) -> None:
    """D-56: chosen before play. D-59: ten rounds or more in the complete styles, else just ten."""
    for seats in (3 + 2 * style.endswith("free"),):
        state, log = play_random(GAME, seats, style, {"style": style}, "greedy", "standard-deck")
        assert isinstance(log[-1], GameEnded)
        complete = style.startswith("complete")
        assert state.round >= 10 if complete else state.round == 10
        best = min(state.seats, key=lambda seat: (-seat.made.bit_count() * complete, seat.points))
        assert state.seats[state.winners[0]].points == best.points


def test_d_57_in_order() -> None:
    """D-57: each seat its own next phase, whatever the others do."""
    state = laid_out(["2H", "3H", "4H"], phases=[3, 1, 7], laid={0: 3, 1: 1})
    after = play(state, (0, Discard("2H")))
    assert [after.seat(n).phase for n in range(3)] == [4, 2, 7]
    named = replace(lay("[JS JS JD] [4H 4C 4C]"), phase=1)
    state = laid_out(["JS JS JD 4H 4C 4C 2H", "", ""], phases=[2, 1, 1])
    assert refusal(state, 0, named) == ("wrong_phase", "D-57")


def _last(points: list[int], made: list[int], **options: object) -> GameEnded:
    """How a game ends when seat 0 goes out; the other two hold a card of 20 points."""
    state = laid_out(["2H", "A", "A"], points=points, **options)
    seats = tuple(replace(state.seat(n), made=made[n], laid=10) for n in range(3))
    state = replace(state, round=10, seats=seats)
    *_, ended = events_of(state, 0, Discard("2H"))
    assert isinstance(ended, GameEnded)
    return ended


ALL, NINE = (1 << 10) - 1, (1 << 9) - 1


@looped("style", ["complete_ordered", "complete_free"])
def test_d_58_d_63_d_65_the_first_to_finish(style: str) -> None:
    """D-58, D-63: all ten made, then fewer points. D-65: that round's penalties are included."""
    assert _last([500, 0, 0], [ALL, NINE, NINE], style=style).winners == (0,)
    assert _last([50, 31, 0], [ALL, ALL, NINE], style=style).winners == (0,)
    assert _last([52, 31, 0], [ALL, ALL, NINE], style=style).winners == (1,)


def test_d_60_the_phase_of_the_round() -> None:
    """D-60: everybody attempts phase n in round n, and after ten rounds it is over."""
    state = replace(laid_out(["2H", "3H", "4H"], laid={0: 1}, **TEN), round=1)
    after = play(state, (0, Discard("2H")))
    assert (after.round, [after.seat(n).phase for n in range(3)]) == (2, [2, 2, 2])


@looped("style", ["ten_rounds_ordered", "ten_rounds_free"])
def test_d_61_d_64_d_67_after_ten_rounds(style: str) -> None:
    """D-61, D-64: fewest points (HC-230), then more phases (HC-229). D-67: then shared; at once by
    O-23.
    """
    assert _last([200, 190, 300], [0b11, ALL, ALL], style=style).winners == (0,)
    assert _last([210, 190, 300], [0b11, 0b111, ALL], style=style).winners == (1,)
    assert _last([210, 190, 300], [0b111, 0b111, ALL], style=style).winners == (0, 1)
    shared = {"style": style, "final_tie_10rounds": "shared"}
    assert _last([210, 190, 300], [0b11, 0b111, ALL], **shared).winners == (0, 1)


def test_d_62_any_phase_once() -> None:
    """D-62: HC-175, HC-176; what is listed is any open phase, by its number."""
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    listed = {command.phase for command in legal(state, 0) if isinstance(command, Lay)}
    assert listed == {8}
    after = play(state, (0, lay(HEARTS)), (0, Discard("6C")))
    assert (after.round, after.seat(0).made, after.seat(0).phase) == (2, 1 << 7, 1)
    last = replace(state, seats=(replace(state.seat(0), made=ALL ^ 1 << 7), *state.seats[1:]))
    assert play(last, (0, lay(HEARTS))).seat(0).made == ALL


def test_d_66_the_lowest_phase_by_itself() -> None:
    """`free_phase_named=auto_lowest` (O-37); D-66, HC-177 by default."""
    held = EIGHT.replace("[", "").replace("]", "")
    state = laid_out([f"{held} 6C", "3S", "3C"], free_phase_named="auto_lowest", **FREE)
    assert play(state, (0, lay(EIGHT))).seat(0).laid == 1
    assert play(state, (0, replace(lay(EIGHT), phase=7))).seat(0).laid == 7
    seven = replace(state, seats=(replace(state.seat(0), made=1), *state.seats[1:]))
    assert play(seven, (0, lay(EIGHT))).seat(0).laid == 7


def test_d_66_of_two_open_phases_it_is_the_one_that_the_cards_make() -> None:
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    two = replace(state, seats=(replace(state.seat(0), made=ALL ^ 0b1000_0001), *state.seats[1:]))
    assert play(two, (0, replace(lay(HEARTS), phase=None))).seat(0).laid == 8


def test_d_66_phases_count_from_1() -> None:
    """No phase has the number 0 or 11, in any style."""
    for options in ({}, TEN, FREE):
        state = laid_out(["JS JS JD 4H 4C 4C 2H", "", ""], **options)
        for number in (0, 11):
            named = replace(lay("[JS JS JD] [4H 4C 4C]"), phase=number)
            assert refusal(state, 0, named)[0] == "wrong_phase"


def test_d_67_other_ways_with_a_tie() -> None:
    """D-67: HC-228; `final_tie` replays, in a free style phase 10, or whoever went out (O-22)."""
    assert _last([70, 50, 0], [ALL, ALL, NINE], final_tie="went_out").winners == (0,)
    state = laid_out(["2H", "A", "A"], points=[70, 50, 0], final_tie="replay", **FREE)
    seats = tuple(replace(state.seat(n), made=m, laid=3) for n, m in enumerate([ALL, ALL, NINE]))
    after = play(replace(state, seats=seats), (0, Discard("2H")))
    assert (after.replay, set(after.players)) == (True, {0, 1})
    assert [after.seat(n).phase for n in (0, 1)] == [10, 10]
    tens = "[9H 9S 9D 9C 9H] [8H 8S 8D]"
    seat = replace(after.seat(after.active), hand=parse("9H 9S 9D 9C 9H 8H 8S 8D 2C"))
    seats = tuple(seat if n == after.active else after.seat(n) for n in range(3))
    playing = replace(after, seats=seats, waits=(replace(after.waits[0], kind="play"),))
    assert play(playing, (after.active, lay(tens))).seat(after.active).laid == 10
