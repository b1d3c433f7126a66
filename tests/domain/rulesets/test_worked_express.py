"""RULES.md section 8: every worked case of Express, by its ID."""

from msgspec.structs import replace

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import Discard, Draw, Hit, Lay, Pass
from phaseledger.domain.events import RoundEnded, SkipPlaced, StockShuffled
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.express_positions import NUMBERED, laid_out, valued
from tests.support.table import events_of, play, refusal
from tests.support.worked_cases import cards_of, check_hits, check_lay, hit, lay

LAYS: list[tuple[str, int, Lay, tuple[str, str] | None]] = [
    ("HC-050", 1, lay("[B1 G3 R5 Y7]"), None),
    ("HC-051", 1, lay("[R3 B3 R5 B5]"), None),
    ("HC-052", 1, lay("[R7 B7 G7 Y7]"), None),
    ("HC-053", 1, lay("[R1 B5 G9 Y11]"), None),
    ("HC-054", 1, lay("[R3 W W W]"), None),
    ("HC-055", 1, lay("[R2 B3 G5 Y7]"), ("not_one_parity", "X-23")),
    ("HC-056", 2, lay("[R7 B7] [G10 Y10]"), None),
    ("HC-057", 2, lay("[R10 B10] [G10 Y10]"), None),
    ("HC-058", 2, lay("[R5 B5] [G7 Y7]"), None),
    ("HC-059", 2, NUMBERED, None),
    ("HC-059 without the number", 2, lay("[R7 B7] [W W]"), ("value_needed", "X-34")),
    ("HC-060", 2, valued("[R7 W] [W W]", None, 7), None),
    ("HC-060 without the number", 2, lay("[R7 W] [W W]"), ("value_needed", "X-34")),
    ("X-34: another number", 2, valued("[R7 W] [W W]", 8, 7), ("value_mismatch", "X-34")),
    ("HC-061", 3, lay("[R2 B2 G8 W]"), None),
    ("X-P03", 3, lay("[R2 B2 G8 Y9]"), ("not_one_parity", "X-23")),
    ("HC-062", 4, lay("[R6 B6 G7 Y7]"), None),
    ("HC-063", 4, lay("[R6 B6 R8 B8]"), ("not_consecutive", "X-P04")),
    ("HC-064", 4, lay("[R6 B6 G6 Y6]"), ("not_consecutive", "X-P04")),
    ("HC-065", 4, lay("[R12 B12 R1 B1]"), ("run_wraps", "X-24")),
    ("HC-067", 4, lay("[R6 B6 G7 Y7 R8 B8]"), None),
    ("HC-068", 4, lay("[R6 B6 G7 Y7 R8]"), ("whole_rows_only", "X-55")),
    ("HC-069", 5, lay("[R4 B4 W]"), None),
    ("X-19", 5, lay("[R4 B4 G5]"), ("not_one_rank", "X-19")),
    ("HC-070", 6, lay("[R3 B4 W G6]"), None),
    ("HC-071", 6, lay("[R10 B11 G12 W]"), ("off_the_end", "X-36")),
    ("HC-073", 7, lay("[G3 G4 G5]"), None),
    ("HC-074", 7, lay("[G3 R4 G5]"), ("not_one_colour", "X-P07")),
    ("HC-075", 7, lay("[G3 W G5]"), None),
    ("HC-076", 8, lay("[R1 B3 G5 Y7]"), None),
    ("HC-077", 8, lay("[R1 B3 G5 Y9]"), ("not_consecutive", "X-P08")),
    ("HC-080", 8, lay("[R1 B2 G3 Y4]"), ("not_consecutive", "X-P08")),
    ("X-24: odd runs", 8, lay("[R9 B11 G1 Y3]"), ("run_wraps", "X-24")),
    ("X-36: no odd run", 8, lay("[R2 B4 G6 Y8]"), ("not_one_parity", "X-23")),
    ("HC-083", 9, lay("[R6 B8 G10 Y12]"), None),
    ("HC-084", 10, lay("[G1 G4 G9 W]"), None),
    ("X-P10", 10, lay("[G1 G4 G9 R2]"), ("not_one_colour", "X-P10")),
    ("HC-085", 10, lay("[R1 R4 R9 S]"), ("skip_in_group", "X-42")),
    ("X-27", 2, lay("[R7 B7]"), ("incomplete_phase", "X-27")),
    ("X-31", 2, lay("[R7 B7] [G10 Y10] [R1 B1]"), ("wrong_group_count", "X-31")),
    ("X-33", 1, lay("[W W W R2]"), ("not_one_parity", "X-23")),
]


@looped(("case", "phase", "command", "verdict"), LAYS, ids=[r[0] for r in LAYS])
def test_laying(case: str, phase: int, command: Lay, verdict: tuple[str, str] | None) -> None:
    """Section 8.1: the player holds the cards shown and one other.

    X-19, X-20, X-21, X-22, X-23, X-30, X-32, X-33, X-34, X-36.
    """
    hands = [f"{cards_of(command)} Y1", "Y2"]
    check_lay(laid_out(hands, phases=[phase, 1], discard="", stock=""), command, verdict)


def test_hc_059_one_natural_for_each_group() -> None:
    """HC-059: illegal with `wild_min_scope=group`."""
    state = laid_out(["R7 B7 W W Y1", "Y2"], phases=[2, 1], wild_min_scope="group")
    assert refusal(state, 0, NUMBERED) == ("needs_natural", "X-33")


def test_hc_067_six_cards_are_all_laid() -> None:
    """HC-067 (X-30, X-57): the player goes out at once."""
    state = laid_out(["R6 B6 G7 Y7 R8 B8", "Y2"], phases=[4, 1])
    _, ended, *_ = events_of(state, 0, lay("[R6 B6 G7 Y7 R8 B8]"))
    assert isinstance(ended, RoundEnded)
    assert ended.out == 0


HITS = [
    ("HC-120", "set", "R4 B4 G4", ["Y4"], None),
    ("HC-121", "set", "R4 B4 G4 Y4", ["W"], None),
    ("HC-122", "run", "R3 B4 G5 Y6", ["R2 low"], None),
    ("HC-123", "run", "R3 B4 G5 Y6", ["B7 high", "G8 high"], None),
    ("HC-124", "run", "R3 B4 G5 Y6", ["G8 high"], ("does_not_fit", "X-50")),
    ("HC-125", "color", "G1 G4 G7 G9", ["G12"], None),
    ("HC-126", "color", "G1 G4 G7 G9", ["W"], None),
    ("HC-127", "pairrun", "R6 B6 G7 Y7", ["R8+B8 high"], None),
    ("HC-128", "pairrun", "R6 B6 G7 Y7", ["R8 high"], ("whole_rows_only", "X-55")),
    ("HC-129", "pairrun", "R6 B6 G7 Y7", ["G6 high"], ("whole_rows_only", "X-55")),
    ("HC-130", "pairrun", "R6 B6 G7 Y7", ["R5+W low"], None),
    ("HC-133", "parityrun odd", "R1 B3 G5 Y7 R9 B11", ["W high"], ("full_run", "X-37")),
    ("X-37: even", "parityrun even", "R2 B4 G6 Y8 R10 B12", ["W low"], ("full_run", "X-37")),
    ("X-52", "parityrun odd", "R1 B3 G5 Y7", ["R9 high"], None),
    ("X-52: not 8", "parityrun odd", "R1 B3 G5 Y7", ["R8 high"], ("does_not_fit", "X-50")),
    ("X-36: below 1", "parityrun odd", "R1 B3 G5 Y7", ["W low"], ("off_the_end", "X-36")),
    ("X-24: from 11 to 1", "parityrun odd", "R5 B7 G9 Y11", ["B1 high"], ("run_wraps", "X-24")),
    ("X-24: pairs", "pairrun", "R11 B11 R12 B12", ["B1+W high"], ("run_wraps", "X-24")),
    ("HC-135", "colorrun", "G3 G4 G5", ["G6 high"], None),
    ("X-53", "colorrun", "G3 G4 G5", ["R6 high"], ("does_not_fit", "X-50")),
    ("HC-137", "colorrun", "G3 G4 G5", ["W high"], None),
    ("HC-137: W = green 6", "colorrun", "G3 G4 G5", ["W high", "G7 high"], None),
    ("HC-139", "parity even", "R2 B2 G8 Y10", ["R5"], ("does_not_fit", "X-50")),
    ("X-54", "parity even", "R2 B2 G8 Y10", ["R6"], None),
    ("X-42", "set", "R4 B4 G4", ["S"], ("skip_in_group", "X-42")),
]


@looped(("case", "kind", "group", "hits", "verdict"), HITS, ids=[r[0] for r in HITS])
def test_hitting(
    case: str, kind: str, group: str, hits: list[str], verdict: tuple[str, str] | None
) -> None:
    """Section 8.2: the hitter has laid the own phase. ``R8+B8`` is one hit of two cards."""
    commands = [hit(line) for line in hits]
    hands = [f"{cards_of(*commands)} Y5", "Y2"]
    state = laid_out(hands, laid={0: 1}, groups=[(1, kind, group)], stock="")
    check_hits(state, commands, verdict)


# --- 8.3: drawing and the order of the turn -----------------------------------------------------


def test_hc_154_a_skip_is_not_drawn() -> None:
    """HC-154 (X-14, X-15)."""
    state = laid_out(["R2", "R3"], question="draw", discard="R1 S")
    assert refusal(state, 0, Draw("discard")) == ("skip_not_drawable", "X-14")
    assert [Draw("stock")] == list(legal(state, 0))


def test_hc_161_a_skip_on_an_empty_pile() -> None:
    """HC-161 (X-43, X-40, X-15): B takes the only card, C serves, A finds the skip alone."""
    state = laid_out(["R2", "S R3", "R4"], question="draw", active=1, discard="B7")
    state = play(state, (1, Draw("discard")), (1, Discard("S", target=2)))
    assert (state.active, show(state.discard)) == (0, "S")
    assert refusal(state, 0, Draw("discard")) == ("skip_not_drawable", "X-14")
    assert len(play(state, (0, Draw("stock"))).seat(0).hand) == 2


def test_hc_168_the_pile_becomes_the_stock() -> None:
    """HC-168 (X-17)."""
    state = laid_out(["R2", "R3"], question="draw", discard="Y7 G4 B2 R9", stock="")
    shuffled, _ = events_of(state, 0, Draw("stock"))
    assert isinstance(shuffled, StockShuffled)
    assert sorted(shuffled.hidden["stock"].stock.split()) == ["B2", "G4", "Y7"]
    after = play(state, (0, Draw("stock")))
    assert (show(after.discard), len(after.stock)) == ("R9", 2)


def test_hc_172_nobody_passes() -> None:
    """HC-172 (X-12)."""
    state = laid_out(["R2", "R3"], question="draw")
    assert refusal(state, 0, Pass()) == ("must_draw", "X-12")
    assert refusal(play(state, (0, Draw())), 0, Pass()) == ("must_discard", "X-16")


# --- 8.4: skips ---------------------------------------------------------------------------------


def test_hc_182_one_skip_in_front() -> None:
    """HC-182 (X-41)."""
    state = laid_out(["S R2", "S R3", "R4"])
    state = play(state, (0, Discard("S", target=2)), (1, Draw()))
    assert refusal(state, 1, Discard("S", target=2)) == ("target_already_skipped", "X-41")


def test_hc_186_again_once_served() -> None:
    """HC-186 (X-44): with two players A plays again, and may skip B again."""
    state = play(laid_out(["S S R2", "R3"]), (0, Discard("S", target=1)), (0, Draw()))
    assert play(state, (0, Discard("S", target=1))).active == 0


def test_hc_188_the_skip_is_the_discard() -> None:
    """HC-188 (X-39): no second card, neither at once nor afterwards."""
    state = laid_out(["S R3 R4", "R5", "R6"])
    assert refusal(state, 0, Discard("S R3", target=1)) == ("one_card", "X-39")
    after = play(state, (0, Discard("S", target=1)))
    assert refusal(after, 0, Discard("R3")) == ("not_your_turn", "X-08")


def test_hc_189_nothing_but_the_skip() -> None:
    """HC-189 (X-40): the skip went to the pile before B could draw."""
    after = play(laid_out(["S R3", "R5", "R6"]), (0, Discard("S", target=1)))
    assert refusal(after, 1, Draw()) == ("not_your_turn", "X-08")
    assert show(after.discard) == "Y12 S"


def test_hc_194_a_skip_as_last_card() -> None:
    """HC-194 (X-46)."""
    state = laid_out(["S", "R5", "R6"], laid={0: 1})
    placed, ended, *_ = events_of(state, 0, Discard("S", target=1))
    assert isinstance(placed, SkipPlaced)
    assert isinstance(ended, RoundEnded)
    assert ended.out == 0


def test_hc_197_an_unserved_skip_is_forgotten() -> None:
    """HC-197 (X-63): whoever had it in front begins the next round."""
    state = laid_out(["S R1", "R5", "R6 R7"], laid={1: 1}, groups=[(1, "set", "B9 G9 Y9")])
    state = replace(state, dealer=0, stock=parse("R9 R8"))
    state = play(state, (0, Discard("S", target=2)), (1, Draw()), (1, Hit(0, "R9")))
    assert show(state.seat(2).front) == "S"
    after = play(state, (1, Discard("R5")))
    assert (after.round, after.active) == (2, 2)
    assert (after.seat(2).skips, after.seat(2).front) == (0, b"")


# --- 8.5: lay, hit and going out ----------------------------------------------------------------


def test_hc_201_lay_and_hit_in_one_turn() -> None:
    """HC-201 (X-47): an opponent's group, too."""
    state = laid_out(["R1 R3 R5 R7 Y9 R2", "R4"], groups=[(1, "set", "R9 B9 G9")])
    after = play(state, (0, lay("[R1 R3 R5 R7]")), (0, Hit(0, "Y9")))
    assert len(after.groups[0].cards) == 4


def test_hc_203_no_new_group_after_the_phase() -> None:
    """HC-203 (X-31)."""
    state = laid_out(["R4 B4 G4 Y4 R1", "R2"], laid={0: 1}, groups=[(0, "set", "R9 B9 G9")])
    assert refusal(state, 0, lay("[R4 B4 G4 Y4]")) == ("already_laid", "X-26")
    assert refusal(state, 0, Hit(1, "R4 B4 G4 Y4")) == ("no_such_group", "X-31")


def test_hc_208_hits_alone_empty_the_hand() -> None:
    """HC-208 (X-57)."""
    state = laid_out(["Y4 W", "R2 R3"], laid={0: 1}, groups=[(1, "set", "R4 B4 G4")])
    _, ended, *_ = events_of(state, 0, Hit(0, "Y4 W"))
    assert isinstance(ended, RoundEnded)
    assert (ended.out, [result.points for result in ended.results]) == (0, [0, 10])


def test_hc_213_a_phase_is_made_when_laid() -> None:
    """HC-213 (X-28): somebody else goes out, and the next phase is 3 all the same."""
    state = laid_out(
        ["R5 B5 G7 R1 R3", "R2"],
        phases=[2, 1],
        laid={1: 1},
        question="draw",
        stock="Y7 B8",
        groups=[(1, "set", "R8 G8 Y8")],
    )
    state = play(state, (0, Draw()), (0, lay("[R5 B5] [G7 Y7]")), (0, Discard("R1")))
    after = play(state, (1, Draw("stock")), (1, Hit(0, "B8")), (1, Discard("R2")))
    assert (after.round, [after.seat(n).phase for n in range(2)]) == (2, [3, 2])


def test_hc_217_a_laid_wild_stays() -> None:
    """HC-217 (X-35, X-50): G4 is added as fourth card, the wild is nobody's again."""
    state = laid_out(["G4 R1", "R2"], laid={0: 5}, phases=[5, 1], groups=[(0, "set", "R4 B4 W")])
    kinds = {type(command) for command in legal(state, 0)}
    assert kinds == {Hit, Discard}
    after = play(state, (0, Hit(0, "G4")))
    assert show(after.groups[0].cards) == "R4 B4 W G4"


# --- 8.6: scoring and end of the game -----------------------------------------------------------


def _last_round(points: list[int], **rows: object) -> State:
    """Seat 0 is about to go out; the others hold a card of five points."""
    hands = ["R2", "B2", "G2"][: len(points)]
    return laid_out(hands, laid=dict.fromkeys(range(len(points)), 10), points=points, **rows)


def test_hc_226_227_the_tied_replay_phase_10() -> None:
    """HC-226 (X-66): equal points replay. HC-227 (X-65, X-66): C with 95 does not take part."""
    after = play(_last_round([80, 75, 90], phases=[10] * 3), (0, Discard("R2")))
    assert (after.round, after.replay, set(after.players)) == (2, True, {0, 1})
    assert [after.seat(n).points for n in range(3)] == [80, 80, 95]
    assert [len(after.seat(n).hand) for n in range(3)] == [5, 5, 0]
    assert [after.seat(n).phase for n in (0, 1)] == [10, 10]

    first = after.active
    seat = replace(after.seat(first), laid=10, hand=parse("R2"))
    seats = tuple(seat if n == first else after.seat(n) for n in range(3))
    last = replace(after, waits=(replace(after.waits[0], kind="play"),), seats=seats)
    won = play(last, (first, Discard("R2")))
    assert (won.stage, won.winners) == ("ended", (first,))
    assert [won.seat(n).points for n in range(3)] == [80, 80, 95]


def test_hc_231_variant_1_moves_everybody_on() -> None:
    """HC-231 (X-67): after round 3 the next phase is 4, made or not."""
    state = laid_out(["R2", "B2"], phases=[3, 3], laid={0: 3}, variant="ten_rounds")
    after = play(replace(state, round=3), (0, Discard("R2")))
    assert (after.round, [after.seat(n).phase for n in range(2)]) == (4, [4, 4])


def test_hc_232_variant_2_ends_with_phase_n() -> None:
    """HC-232 (X-69)."""
    state = laid_out(["R2", "B2"], phases=[5, 3], laid={0: 5}, variant="n_phases(5)")
    after = play(state, (0, Discard("R2")))
    assert (after.stage, after.winners) == ("ended", (0,))
