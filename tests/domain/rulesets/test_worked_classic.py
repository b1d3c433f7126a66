"""RULES.md section 8: every worked case of the classic game (and of all games), by its ID."""

from msgspec.structs import replace

from phaseledger.domain.cards import parse
from phaseledger.domain.commands import Discard, Draw, Hit, Pass
from phaseledger.domain.events import CardDrawn, RoundEnded, StockShuffled
from phaseledger.domain.state import Question
from tests.support.cases import looped
from tests.support.table import events_of, play, refusal, table
from tests.support.worked_cases import cards_of, check_hits, check_lay, hit, lay

FILLER = "Y12"


LAYS = [
    ("HC-001", 1, "[R5 B5 G5] [B7 Y7 W]", None),
    ("HC-002", 1, "[R5 B5 G5 Y5] [R7 B7 G7]", None),
    ("HC-003", 1, "[R6 B6 G6] [R8 B8 G8] [R10 B10 G10]", ("wrong_group_count", "C-32")),
    ("HC-008", 1, "[R5 B5 G5] [R7 B7]", ("incomplete_phase", "C-29")),
    ("HC-010", 2, "[R5 B5 G5] [R8 B9 G10 Y11 R12]", None),
    ("HC-011", 2, "[R2 B2 G2] [R11 B12 G1 Y2]", ("run_wraps", "C-26")),
    ("HC-012", 2, "[R2 B2 G2] [R10 B11 G12 W]", ("off_the_end", "C-39")),
    ("HC-015", 4, "[R3 B4 W G6 Y7 R8 B9]", None),
    ("HC-016", 4, "[W R2 B3 G4 Y5 R6 B7]", None),
    ("HC-017", 4, "[W R1 B2 G3 Y4 R5 B6]", ("off_the_end", "C-39")),
    ("HC-018", 4, "[R3 B4 G5 Y6 R7 B8 G9 Y10 R11]", None),
    ("HC-019", 4, "[R5 W W W W W W]", None),
    ("HC-020", 4, "[R7 W W W W W W]", ("off_the_end", "C-39")),
    ("HC-020 with a wild in front", 4, "[W R7 W W W W W]", None),
    ("HC-021", 4, "[R3 B4 G4 Y5 R6 B7 G8 Y9]", ("not_consecutive", "C-25")),
    ("HC-022", 8, "[G1 G3 G3 G7 G9 G12 W]", None),
    ("HC-024", 8, "[G1 G3 G3 G7 G9 G12 B2]", ("not_one_colour", "C-27")),
    ("HC-025", 8, "[G1 W W W W W W]", None),
    ("HC-027", 9, "[R4 B4 G4 Y4 R4] [B4 G4]", None),
    ("HC-028", 10, "[R1 B1 G1 Y1 R1] [B12 G12 W]", None),
    ("HC-029", 7, "[R2 B2 G2 Y2] [R3 B3 G3 W W]", None),
    ("HC-030", 6, "[R1 B2 G3 Y4 R5 B6 G7 Y8]", ("incomplete_phase", "C-29")),
    ("C-24", 1, "[R5 B5 G6] [B7 Y7 W]", ("not_one_rank", "C-24")),
    ("C-38", 1, "[R5 B5 G5] [W W W]", ("needs_natural", "C-38")),
    ("C-48", 8, "[G1 G3 G3 G7 G9 G12 S]", ("skip_in_group", "C-48")),
]


@looped(("case", "phase", "cards", "verdict"), LAYS, ids=[row[0] for row in LAYS])
def test_laying(case: str, phase: int, cards: str, verdict: tuple[str, str] | None) -> None:
    """Section 8.1, C-35, C-36: the player holds the cards shown and one other."""
    command = lay(cards)
    hands = [f"{cards_of(command)} {FILLER}", "R2"]
    check_lay(table(hands, phases=[phase, 1], discard="B10", stock=""), command, verdict)


FULL_RUN = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"
HITS = [
    ("HC-100", "run", "R3 B4 G5 Y6", ["R1 low"], ("does_not_fit", "C-59")),
    ("HC-101", "run", "R3 B4 G5 Y6", ["R2 low", "B1 low"], None),
    ("HC-103", "run", "R4 B5 G6 W", ["Y8 high"], None),
    ("HC-104", "run", FULL_RUN, ["W high"], ("full_run", "C-42")),
    ("HC-105", "run", FULL_RUN[3:], ["W low"], None),
    ("HC-106", "run", FULL_RUN[3:], ["W high"], ("off_the_end", "C-39")),
    ("HC-109", "color", "G1 G3 G3 G7 G9 G12 W", ["B3"], ("does_not_fit", "C-59")),
    ("C-48", "set", "R4 B4 G4", ["S"], ("skip_in_group", "C-48")),
]


@looped(("case", "kind", "group", "hits", "verdict"), HITS, ids=[r[0] for r in HITS])
def test_hitting(
    case: str, kind: str, group: str, hits: list[str], verdict: tuple[str, str] | None
) -> None:
    """Section 8.2: the hitter has laid the own phase."""
    commands = [hit(line) for line in hits]
    hands = [f"{cards_of(*commands)} {FILLER}", "R2"]
    state = table(hands, laid={0: 1}, groups=[(1, kind, group)], discard="B9", stock="")
    check_hits(state, commands, verdict)


def test_hc_103_the_wild_keeps_its_value() -> None:
    """HC-103: R4 B5 G6 W ends at 7, so 8 follows."""
    state = table(["Y8 R7 Y12", "R2"], laid={0: 1}, groups=[(1, "run", "R4 B5 G6 W")])

    assert refusal(state, 0, Hit(0, "R7", "high")) == ("does_not_fit", "C-59")
    assert play(state, (0, Hit(0, "Y8", "high"))).groups[0].high == 8


def test_hc_154_a_skip_is_not_drawn() -> None:
    """HC-154: the top of the discard pile is a skip; the stock it is (C-15, C-16)."""
    state = table(["R2 R3", "R4"], question="draw", discard="R1 S")

    assert refusal(state, 0, Draw("discard")) == ("skip_not_drawable", "C-15")
    assert len(play(state, (0, Draw("stock"))).seat(0).hand) == 3


def test_hc_166_the_taken_card_may_go_back() -> None:
    """HC-166 (C-17)."""
    state = table(["R2 R3", "R4"], question="draw", discard="R1 R9")

    after = play(state, (0, Draw("discard")), (0, Discard("R9")))
    assert after.active == 1


def test_hc_167_a_discarded_wild_may_be_drawn() -> None:
    """HC-167 (C-17, C-18)."""
    state = table(["R2 W", "R4 R5"])

    after = play(state, (0, Discard("W")), (1, Draw("discard")))
    assert 14 in after.seat(1).hand


def test_hc_168_the_pile_becomes_the_stock() -> None:
    """HC-168 (C-19): all but the top card is shuffled, then the card is drawn."""
    state = table(["R2 R3", "R5"], question="draw", discard="Y7 G4 B2 R9", stock="")

    shuffled, drawn = events_of(state, 0, Draw("stock"))
    assert isinstance(shuffled, StockShuffled)
    assert isinstance(drawn, CardDrawn)
    assert sorted(shuffled.hidden["stock"].stock.split()) == ["B2", "G4", "Y7"]
    assert shuffled.kept == 1
    after = play(state, (0, Draw("stock")))
    assert after.discard == b"\x09"
    assert len(after.stock) == 2


def test_hc_170_no_card_to_draw() -> None:
    """HC-170 (C-20, C-15): no stock, only a skip on the pile: no draw, but a discard."""
    state = table(["R2 R3 S", "R5 R6", "G1 G2"], discard="", stock="")

    after = play(state, (0, Discard("S", target=2)))
    assert [(q.seat, q.kind) for q in after.waits] == [(1, "play")]
    assert refusal(after, 1, Draw("stock")) == ("already_drawn", "C-13")
    assert refusal(after, 1, Pass()) == ("must_discard", "C-13")
    assert play(after, (1, Discard("R5"))).active == 0


def test_hc_172_nobody_passes() -> None:
    """HC-172 (C-13): neither the draw nor the discard may be left out."""
    state = table(["R2 R3", "R4"], question="draw")

    assert refusal(state, 0, Pass()) == ("must_draw", "C-13")
    assert refusal(state, 0, Discard("R2")) == ("must_draw", "C-13")
    drawn = play(state, (0, Draw("stock")))
    assert refusal(drawn, 0, Pass()) == ("must_discard", "C-13")


def test_hc_174_one_phase_a_round() -> None:
    """HC-174 (C-21, C-22, C-60)."""
    state = table(
        ["R2 B2 G2 Y2 R3 B3 G3 Y3 R9", "R4"],
        phases=[4, 1],
        laid={0: 4},
        groups=[(0, "run", "R5 B6 G7 Y8 R9 B10 G11")],
    )
    seven = lay("[R2 B2 G2 Y2] [R3 B3 G3 Y3]")

    assert refusal(state, 0, seven) == ("already_laid", "C-22")


def test_hc_180_184_whom_a_skip_may_hit() -> None:
    """HC-180 (C-49): not somebody already skipped. HC-184 (C-45): not oneself."""
    state = table(["S R2", "S R3", "R4 R5"])

    assert refusal(state, 0, Discard("S", target=0)) == ("target_self", "C-45")
    after = play(state, (0, Discard("S", target=2)), (1, Draw("stock")))
    assert refusal(after, 1, Discard("S", target=2)) == ("target_already_skipped", "C-49")


def test_hc_192_a_skip_may_be_the_last_card() -> None:
    """HC-192 (C-54, C-55): the round ends and the naming has no effect."""
    state = table(["S", "R4 R5", "R6"], laid={0: 1}, groups=[(0, "set", "R9 B9 G9")])

    after = play(state, (0, Discard("S", target=2)))
    assert after.round == 2
    assert [after.seat(n).skips for n in range(3)] == [0, 0, 0]


def test_hc_197_an_unserved_skip_is_forgotten() -> None:
    """HC-197 (C-55): B is named, somebody goes out before B's turn, B plays in the new round."""
    state = table(["S R1", "R4", "R6 R7"], laid={1: 1}, groups=[(1, "set", "R9 B9 G9")])

    named = play(state, (0, Discard("S", target=2)))
    assert named.seat(2).skips == 1
    named = replace(named, stock=parse("Y9 Y1"))
    after = play(named, (1, Draw("stock")), (1, Hit(0, "Y9")), (1, Discard("R4")))
    assert after.round == 2
    assert after.seat(2).skips == 0


def test_hc_198_a_skip_may_be_kept() -> None:
    """HC-198 (C-47)."""
    state = table(["R2 R3 R4 R5", "B2 B3 B4 B5"], question="draw", stock="S G1 G2 G3 G4 G5 G6")

    for card, other in (("R2", "B2"), ("R3", "B3"), ("R4", "B4")):
        state = play(state, (0, Draw()), (0, Discard(card)), (1, Draw()), (1, Discard(other)))
    after = play(state, (0, Draw("discard")), (0, Discard("S", target=1)))
    assert after.active == 0


def test_hc_201_lay_and_hit_in_one_turn() -> None:
    """HC-201 (C-56): an opponent's group, too."""
    state = table(["R5 B5 G5 R7 B7 G7 Y9 R1", "R4"], groups=[(1, "set", "R9 B9 G9")])

    after = play(state, (0, lay("[R5 B5 G5] [R7 B7 G7]")), (0, Hit(0, "Y9")))
    assert len(after.groups[0].cards) == 4


def test_hc_203_no_new_group_after_the_phase() -> None:
    """HC-203 (C-60)."""
    state = table(["R4 B4 G4 Y4 R1", "R2"], laid={0: 1}, groups=[(0, "set", "R9 B9 G9")])

    assert refusal(state, 0, lay("[R4 B4 G4 Y4]")) == ("already_laid", "C-22")
    assert refusal(state, 0, Hit(7, "R4")) == ("no_such_group", "C-60")


def test_hc_210_all_cards_laid_at_once() -> None:
    """HC-210 (C-31, C-62)."""
    state = table(["R4 B4 G4 Y4 R4 R5 B6 G7 Y8 R9 B10", "R2 W"], phases=[3, 1])

    _, ended, *_ = events_of(state, 0, lay("[R4 B4 G4 Y4 R4] [R5 B6 G7 Y8 R9 B10]"))
    assert isinstance(ended, RoundEnded)
    assert ended.out == 0
    assert [result.points for result in ended.results] == [0, 30]


def test_hc_212_the_last_discard_ends_the_round() -> None:
    """HC-212 (C-61): nobody gets another turn."""
    state = table(["R1", "R2", "R3"], laid={0: 1}, discard="R4")

    _, ended, *_ = events_of(state, 0, Discard("R1"))
    assert isinstance(ended, RoundEnded)
    assert [result.points for result in ended.results] == [0, 5, 5]


def test_hc_226_227_only_the_tied_replay() -> None:
    """HC-226, HC-227 for classic (C-70..C-72): equal points replay, more points do not."""
    state = table(
        ["R2", "W G1 G2", "R4 R5", "Y1"],
        phases=[10, 10, 10, 9],
        laid={0: 10, 1: 10, 2: 10},
        points=[80, 45, 95, 10],
    )

    after = play(state, (0, Discard("R2")))
    assert (after.round, after.replay) == (2, True)
    assert {0, 1} == set(after.players)
    assert [len(after.seat(n).hand) for n in range(4)] == [10, 10, 0, 0]
    assert [after.seat(n).phase for n in (0, 1)] == [10, 10]
    assert 80 == after.seat(0).points == after.seat(1).points

    first = after.active
    last = replace(
        after,
        waits=(Question(first, "play"),),
        seats=tuple(
            replace(seat, laid=10, hand=parse("R2")) if n == first else seat
            for n, seat in enumerate(after.seats)
        ),
    )
    won = play(last, (first, Discard("R2")))
    assert ("ended", (first,)) == (won.stage, won.winners)
    assert [won.seat(n).points for n in range(4)] == [80, 80, 105, 15]
