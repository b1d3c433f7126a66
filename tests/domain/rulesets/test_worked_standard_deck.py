"""RULES.md section 8: every worked case of the standard-deck game, by its ID."""

from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import Discard, Draw, Hit, Pass
from phaseledger.domain.events import RoundEnded, SkipServed, StockShuffled
from tests.support.cases import looped
from tests.support.standard_deck_positions import EIGHT, FREE, HEARTS, TEN, laid_out
from tests.support.table import events_of, play, refusal
from tests.support.worked_cases import cards_of, check_hits, check_lay, hit, lay

LAYS = [
    ("HC-031", 1, "[JS JS JD] [4H 4C AS]", None),
    ("HC-032", 1, "[7H 7S 7D] [7C 7H AS]", None),
    ("HC-034", 9, "[9H 9S 9D 9C 9H] [9S 9D]", None),
    ("HC-035", 7, "[9H 9S 9D 9C] [9H 9S 9D 9C]", None),
    ("HC-038", 2, "[5H 5S 5C] [10H JS QD KC]", None),
    ("HC-040", 2, "[5H 5S 5C] [2H 3D 4C AS]", None),
    ("HC-042", 2, "[5H 5S 5C] [AC JH QS KD]", None),
    ("HC-043", 8, "[2H 2H 5H 9H JH QH AS]", None),
    ("HC-048", 6, "[8H 9S 10D JC QH KS AS AD AC]", ("off_the_end", "D-43")),
    ("HC-049", 6, "[AS AD AC 8H 9S 10D JC QH KS]", None),
    ("D-25", 8, "[2H 2H 5H 9H JH QH *]", ("skip_in_group", "D-25")),
    ("D-30", 1, "[JS JS QD] [4H 4C AS]", ("not_one_rank", "D-30")),
    ("D-31", 2, "[5H 5S 5C] [10H JS QD QC]", ("not_consecutive", "D-31")),
    ("D-32", 2, "[5H 5S 5C] [QH KS 2D 3C]", ("run_wraps", "D-32")),
    ("D-33", 8, "[2H 2H 5H 9H JH QH 3D]", ("not_one_colour", "D-33")),
    ("D-34 a part", 1, "[JS JS JD]", ("incomplete_phase", "D-34")),
    ("D-34 one more", 1, "[JS JS JD] [4H 4C AS] [5H 5S 5D]", ("wrong_group_count", "D-34")),
    ("D-42 no value said", 1, "[JS JS JD] [AH AS AD]", ("needs_natural", "D-42")),
]


@looped(("case", "phase", "cards", "verdict"), LAYS, ids=[row[0] for row in LAYS])
def test_laying(case: str, phase: int, cards: str, verdict: tuple[str, str] | None) -> None:
    """Section 8.1: the player holds the cards shown and one other.

    D-30, D-31, D-36, D-37, D-38, D-41, D-42, D-43.
    """
    command = lay(cards)
    hands = [f"{cards_of(command)} 6C", "3S", "3C"]
    check_lay(laid_out(hands, phases=[phase, 1, 1], stock=""), command, verdict)


TOP_RUN = "10H JS QD KC"
HITS = [
    ("HC-113", "run", TOP_RUN, ["2H high"], ("run_wraps", "D-32")),
    ("HC-114", "run", TOP_RUN, ["AS high"], ("off_the_end", "D-43")),
    ("HC-115", "run", TOP_RUN, ["AS low"], None),
    ("HC-116", "run", TOP_RUN, ["AS low", "8H low"], None),
    (
        "HC-116: 9 is taken by the Ace",
        "run",
        TOP_RUN,
        ["AS low", "9H low"],
        ("does_not_fit", "D-50"),
    ),
    ("D-32: nor from 2 to K", "run", "2H 3D 4C 5S", ["KH low"], ("run_wraps", "D-32")),
    ("D-50: past the end", "run", TOP_RUN, ["7H high"], ("does_not_fit", "D-50")),
    ("D-25", "set", "4H 4S 4D", ["* "], ("skip_in_group", "D-25")),
]


@looped(("case", "kind", "group", "hits", "verdict"), HITS, ids=[r[0] for r in HITS])
def test_hitting(
    case: str, kind: str, group: str, hits: list[str], verdict: tuple[str, str] | None
) -> None:
    """Section 8.2: the hitter has laid the own phase."""
    commands = [hit(line) for line in hits]
    hands = [f"{cards_of(*commands)} 6C", "3S", "3C"]
    state = laid_out(hands, laid={0: 1}, groups=[(1, kind, group)], stock="")
    check_hits(state, commands, verdict)


# --- 8.3: drawing, discarding, order of the turn ------------------------------------------------


def test_hc_159_an_initial_joker_is_drawn() -> None:
    """HC-159 (D-09, D-22): nobody was skipped, and the joker may be had."""
    state = laid_out(["2H", "3H", "4H"], question="draw", discard="*")
    assert show(play(state, (0, Draw("discard"))).seat(0).hand, "french") == "2H *"


def test_hc_162_a_served_joker_goes_under_the_pile() -> None:
    """HC-162 (D-18, D-20)."""
    state = laid_out(["* 2H", "3H", "4H"], discard="9C 7H")
    _, served, _ = events_of(state, 0, Discard("*", target=1))
    assert isinstance(served, SkipServed)
    assert (served.card, served.to) == ("*", "bottom")
    after = play(state, (0, Discard("*", target=1)))
    assert show(after.discard, "french") == "* 9C 7H"
    assert show(play(after, (2, Draw("discard"))).seat(2).hand, "french") == "4H 7H"


def test_hc_168_the_pile_becomes_the_stock() -> None:
    """HC-168 (D-27): all but the top card, buried jokers too."""
    state = laid_out(["2H", "3H", "4H"], question="draw", discard="* 7C 4D 2S 9H", stock="")
    shuffled, _ = events_of(state, 0, Draw("stock"))
    assert isinstance(shuffled, StockShuffled)
    assert sorted(shuffled.hidden["stock"].stock.split()) == ["*", "2S", "4D", "7C"]
    after = play(state, (0, Draw("stock")))
    assert (show(after.discard, "french"), len(after.stock)) == ("9H", 3)


def test_hc_172_nobody_passes() -> None:
    """HC-172 (D-15)."""
    state = laid_out(["2H 3H", "4H", "5H"], question="draw")
    assert refusal(state, 0, Pass()) == ("must_draw", "D-15")
    drawn = play(state, (0, Draw()))
    assert refusal(drawn, 0, Pass()) == ("must_discard", "D-15")


def test_hc_175_any_phase_first() -> None:
    """HC-175 (D-62)."""
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    after = play(state, (0, lay(HEARTS)))
    assert (after.seat(0).laid, after.seat(0).made) == (8, 1 << 7)


def test_hc_176_a_marked_phase_is_marked_once() -> None:
    """HC-176 (D-62): the cards fit no open phase."""
    state = laid_out([f"{HEARTS[1:-1]} 6C", "3S", "3C"], **FREE)
    marked = replace(state, seats=(replace(state.seat(0), made=1 << 7), *state.seats[1:]))
    assert refusal(marked, 0, lay(HEARTS)) == ("wrong_phase", "D-62")
    assert refusal(marked, 0, replace(lay(HEARTS), phase=8)) == ("wrong_phase", "D-62")


def test_hc_177_the_player_names_the_phase() -> None:
    """HC-177 (D-66, D-39): only the named phase is marked."""
    hand = EIGHT.replace("[", "").replace("]", "")
    state = laid_out([f"{hand} 6C", "3S", "3C"], **FREE)
    assert refusal(state, 0, lay(EIGHT)) == ("phase_needed", "D-66")
    for phase in (1, 7):
        after = play(state, (0, replace(lay(EIGHT), phase=phase)))
        assert (after.seat(0).laid, after.seat(0).made) == (phase, 1 << phase - 1)


RUN_OF_7 = "[2H 3D 4C 5S 6H 7D 8C]"


def test_hc_178_179_the_phase_of_the_round() -> None:
    """HC-178 (D-60): phase 4 in round 4, none of the first three made. HC-179: no other phase."""
    state = laid_out([f"{RUN_OF_7[1:-1]} JS JS JD", "3S", "3C"], phases=[4, 4, 4], **TEN)
    seats = tuple(replace(seat, made=0) for seat in state.seats if seat)
    state = replace(state, round=4, seats=seats)
    assert play(state, (0, lay(RUN_OF_7))).seat(0).made == 1 << 3
    first = replace(lay("[JS JS JD] [4C 4H 4D]"), phase=1)
    assert refusal(state, 0, first) == ("wrong_phase", "D-60")


# --- 8.4: jokers --------------------------------------------------------------------------------


def test_hc_181_one_joker_in_front() -> None:
    """HC-181 (D-16, N-01): C has one in front, so B takes A."""
    state = laid_out(["* 2H", "* 3H", "4H 5H"])
    state = play(state, (0, Discard("*", target=2)), (1, Draw()))
    assert show(state.seat(2).front, "french") == "*"
    assert refusal(state, 1, Discard("*", target=2)) == ("target_already_skipped", "D-16")
    after = play(state, (1, Discard("*", target=0)))
    assert (after.active, show(after.discard, "french")) == (1, "* * KD")


def test_hc_190_nothing_but_the_joker() -> None:
    """HC-190 (D-19): the turn is lost before B can do anything."""
    groups = [(0, "set", "9H 9S 9D")]
    state = laid_out(["* 2H", "9C 3H", "4H"], laid={0: 1, 1: 1}, groups=groups)
    after = play(state, (0, Discard("*", target=1)))
    assert after.active == 2
    assert refusal(after, 1, Hit(0, "9C")) == ("not_your_turn", "D-12")


def test_hc_193_a_joker_as_last_card() -> None:
    """HC-193 (D-26)."""
    state = laid_out(["*", "3H", "4H"], laid={0: 1})
    _, ended, *_ = events_of(state, 0, Discard("*", target=1))
    assert isinstance(ended, RoundEnded)
    assert ended.out == 0


def test_hc_196_a_joker_without_target() -> None:
    """HC-196 (D-23): it lies on the pile and skips nobody."""
    state = laid_out(["* 2H", "3H", "4H"])
    after = play(state, (0, Discard("*")))
    assert (after.active, show(after.discard, "french")) == (1, "KD *")


def test_hc_197_an_unserved_joker_is_forgotten() -> None:
    """HC-197 (D-29): whoever had it in front begins the next round."""
    state = laid_out(["* 2H", "3H", "4H 5H"], laid={1: 1}, groups=[(1, "set", "9H 9S 9D")])
    state = replace(state, dealer=0, stock=parse("9C 6H"))
    state = play(state, (0, Discard("*", target=2)), (1, Draw()), (1, Hit(0, "9C")))
    assert (state.seat(2).skips, show(state.seat(2).front, "french")) == (1, "*")
    after = play(state, (1, Discard("3H")))
    assert (after.round, after.active) == (2, 2)
    assert (after.seat(2).skips, after.seat(2).front) == (0, b"")


def test_hc_199_a_joker_in_front_costs_nothing() -> None:
    """HC-199 (D-53)."""
    state = laid_out(["3H", "2H", "4H"], laid={0: 1})
    held = replace(state.seat(1), skips=1, front=parse("*"))
    state = replace(state, seats=(state.seat(0), held, state.seat(2)))
    ended = events_of(state, 0, Discard("3H"))[1]
    assert isinstance(ended, RoundEnded)
    assert [result.points for result in ended.results] == [0, 5, 5]


# --- 8.5: lay, hit and going out ----------------------------------------------------------------


def test_hc_201_lay_and_hit_in_one_turn() -> None:
    """HC-201 (D-48): an opponent's group, too."""
    state = laid_out(["JS JS JD 4H 4C AS 9C 2H", "3H", "5H"], groups=[(1, "set", "9H 9S 9D")])
    after = play(state, (0, lay("[JS JS JD] [4H 4C AS]")), (0, Hit(0, "9C")))
    assert len(after.groups[0].cards) == 4


def test_hc_203_no_new_group_after_the_phase() -> None:
    """HC-203 (D-35): neither a second phase nor a group of one's own."""
    state = laid_out(["4H 4S 4D 4C 2H", "3H", "5H"], laid={0: 1}, groups=[(0, "set", "9H 9S 9D")])
    assert refusal(state, 0, lay("[4H 4S 4D 4C]")) == ("already_laid", "D-40")
    assert refusal(state, 0, Hit(1, "4H")) == ("no_such_group", "D-35")


def test_hc_216_two_sets_of_one_rank() -> None:
    """HC-216 (D-36): nobody can add anything but 7s and Aces."""
    six = "[7H 7S 7D] [7C 7H 7S]"
    state = laid_out([f"{six.replace('[', '').replace(']', '')} 2H 3H", "7D AH 8D", "5H"])
    state = play(state, (0, lay(six)), (0, Discard("2H")), (1, Draw()))
    state = replace(state, seats=(state.seat(0), replace(state.seat(1), laid=1), state.seat(2)))
    after = play(state, (1, Hit(0, "7D")), (1, Hit(1, "AH")))
    assert [len(group.cards) for group in after.groups] == [4, 4]
    assert refusal(after, 1, Hit(0, "8D")) == ("does_not_fit", "D-50")


# --- 8.6: scoring and end of the game -----------------------------------------------------------


def test_hc_228_equal_points_share_the_win() -> None:
    """HC-228 (D-67)."""
    state = laid_out(
        ["2H", "3H 4H", "KH"], phases=[10, 10, 9], laid={0: 10, 1: 10}, points=[60, 50, 0]
    )
    after = play(state, (0, Discard("2H")))
    assert (after.stage, after.winners) == ("ended", (0, 1))
    assert [after.seat(n).points for n in range(2)] == [60, 60]


TENTH = [
    ("HC-229", [210, 205, 300], [6, 6, 10], (1,)),
    ("HC-230", [200, 205, 300], [2, 8, 10], (0,)),
    ("D-67: equal in phases too", [210, 205, 300], [7, 6, 10], (0, 1)),
]


@looped(("case", "points", "made", "winners"), TENTH, ids=[r[0] for r in TENTH])
def test_ten_rounds(
    case: str, points: list[int], made: list[int], winners: tuple[int, ...]
) -> None:
    """HC-229, HC-230 (D-61): seat 1 still holds a card of five points and has laid phase 10."""
    state = laid_out(["2H", "3H", "4H"], phases=[10] * 3, laid={1: 10}, points=points, **TEN)
    seats = tuple(
        replace(state.seat(n), made=(1 << made[n]) - 1 | state.seat(n).made & 1 << 9)
        for n in range(3)
    )
    after = play(replace(state, round=10, seats=seats), (0, Discard("2H")))
    assert (after.stage, after.winners) == ("ended", winners)
