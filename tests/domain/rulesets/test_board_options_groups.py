"""RULES.md section 7: options of the board game on groups, jokers and discards."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.events import CardsHit, PhaseLaid
from phaseledger.domain.legal import legal
from phaseledger.domain.state import Question
from tests.support.board_positions import FULL_RUN, after_moving
from tests.support.cases import looped
from tests.support.table import board, events_of, play, refusal
from tests.support.worked_cases import lay

JOKERS = "J(Y1) J(Y2) J(Y3) J(Y4) J(Y5) J(Y6)"
NATURAL = c.Lay((c.GroupToLay("R3 B3 J1"), c.GroupToLay("J2 J3 J4", 5)))
BARE = c.Lay((c.GroupToLay("J1 J2 J3", 4), c.GroupToLay("J4 J5 J6", 5)))
NEEDED = ("needs_natural", "B-58")
FULL_SET = ("set", "R9 B9 G9 Y9 R9 B9 J(B1) J(B2)")
JUDGED = [
    # option, hand, phase, laid group, command, what each value says of it
    ("wild_min_scope", f"R3 B3 {JOKERS} R9", 4, None, NATURAL,
     {"group": NEEDED, "phase": None, "none": None}),
    ("wild_min_scope", f"R3 B3 {JOKERS} R9", 4, None, BARE,
     {"group": NEEDED, "phase": NEEDED, "none": None}),
    ("wild_on_full_run", "J(R3) R1 R2", 9, ("run", FULL_RUN), c.Hit(0, "J1", "low"),
     {True: None, False: ("full_run", "B-61")}),
    ("wild_on_full_set", "J(R3) G9 R2", 8, FULL_SET, c.Hit(0, "J1"),
     {True: None, False: ("full_set", "B-62")}),
    ("natural_on_full_set", "J(R3) G9 R2", 8, FULL_SET, c.Hit(0, "G9"),
     {True: None, False: ("full_set", "B-62")}),
    ("run_wrap", "R5 B5 G5 R11 B12 G1 Y9", 3, None, lay("[R5 B5 G5] [R11 B12 G1]"),
     {True: None, False: ("run_wraps", "B-47")}),
    ("wild_placement", "R5 B5 G5 R11 B12 J(Y1) Y9", 3, None, lay("[R5 B5 G5] [R11 J1 B12]"),
     {"high_then_low": None, "explicit": ("not_consecutive", "B-46")}),
    ("going_out", "R8", 8, ("set", "G8 Y8"), c.Hit(0, "R8"),
     {"any": None, "discard_required": ("keep_a_card", "B-67")}),
    ("lay_oversize", "R5 B5 G5 Y5 R7 B7 G7 Y9", 4, None, lay("[R5 B5 G5 Y5] [R7 B7 G7]"),
     {True: None, False: ("oversize", "B-52")}),
]  # fmt: skip


@looped(("option", "hand", "phase", "group", "command", "verdicts"), JUDGED)
def test_o_03_to_o_08_o_18_o_31_what_may_be_laid_and_hit(
    option: str,
    hand: str,
    phase: int,
    group: tuple[str, str] | None,
    command: c.Command,
    verdicts: dict[object, tuple[str, str] | None],
) -> None:
    """O-03 to O-08, O-18, O-31 (B-46, B-47, B-52, B-58 to B-62, B-67)."""
    rows = {"laid": {0: phase}, "groups": [(1, *group)]} if group else {}
    for value, verdict in verdicts.items():
        laid_out = {"phases": [phase, 1], "discard": "B7", option: value, **rows}
        state = board([hand, "B1"], **laid_out)
        if verdict:
            assert refusal(state, 0, command) == verdict
        else:
            assert isinstance(events_of(state, 0, command)[0], PhaseLaid | CardsHit)


def test_o_29_joker_discard() -> None:
    """B-65: `forbidden` goes for SWAP as well; who holds nothing else ends the turn without."""
    hand = "J(R5) J(B6) R1 R2"
    state = board([hand, "B1"], joker_discard="forbidden", discard="G9")
    assert refusal(state, 0, c.Discard("J1")) == ("joker_not_discardable", "B-65")
    assert list(legal(state, 0)) == [c.Discard("R1"), c.Discard("R2")]
    assert show(play(board([hand, "B1"]), (0, c.Discard("J1"))).discard) == "R1 R5"
    swap = after_moving("SWAP", [hand, "B1"], joker_discard="forbidden")
    assert refusal(swap, 0, c.Swap("R1 J2")) == ("joker_not_discardable", "B-65")
    assert all("J" not in command.cards for command in legal(swap, 0))
    assert after_moving("SWAP", ["J(R5)", "B1"], joker_discard="forbidden").waits[0].kind == "play"
    stuck = board(["J(R5)", "B1"], joker_discard="forbidden")
    assert list(legal(stuck, 0)) == [c.Pass()]
    assert play(stuck, (0, c.Pass())).active == 1


def test_o_29_again_with_nothing_to_discard() -> None:
    """B-27: a hand of jokers that may not be discarded does not cost the new turn."""
    state = after_moving("AGAIN", ["J(R5)", "B1"], stock="", discard="", joker_discard="forbidden")
    after = play(state, (0, c.Pass()))
    assert (after.active, after.waits) == (0, (Question(0, "move"),))


def test_o_30_full_color_group() -> None:
    """B-64: a colour group counts with 24 cards, or not at all; alone it allows nothing."""
    rows = [(0, "run", FULL_RUN), (1, "color", "G1 G2 G3 G4 G5")]
    for rule, allowed in ((24, False), ("ignore", True)):
        state = board(
            ["R2 R3 R4", "B1"], laid={0: 9}, groups=rows, discard="B9", full_color_group=rule
        )
        if allowed:
            assert show(play(state, (0, c.Discard("R3 R2"))).discard) == "B9 R3 R2"
        else:
            assert refusal(state, 0, c.Discard("R3 R2")) == ("one_card", "B-63")
    alone = board(["R2 R3 R4", "B1"], laid={0: 1}, groups=rows[1:], full_color_group="ignore")
    assert refusal(alone, 0, c.Discard("R3 R2")) == ("one_card", "B-63")


def test_o_36_discard_taken_card() -> None:
    """B-66: with false no card taken from the pile in this turn goes back, of TAKE or SEARCH; one
    from the stock may, and so may the copy that one had before.
    """
    free = play(after_moving("TAKE1", ["R1", "B1"], discard="R9"), (0, c.Draw("discard")))
    assert play(free, (0, c.Discard("R9"))).active == 1
    held = {"discard": "G1 G2 R9 R8", "stock": "Y1 Y2", "discard_taken_card": False}
    state = after_moving("TAKE3", ["R1 R8", "B1"], **held)
    state = play(state, (0, c.Draw("discard")), (0, c.Draw("discard")), (0, c.Draw("stock")))
    assert refusal(state, 0, c.Discard("R9")) == ("taken_card", "B-66")
    assert play(state, (0, c.Discard("R8"))).active == 1
    assert play(state, (0, c.Discard("Y1"))).active == 1
    state = play(after_moving("SEARCH", ["R1", "B1"], **held), (0, c.Search("G1")))
    assert refusal(state, 0, c.Discard("G1")) == ("taken_card", "B-66")


def test_o_36_b_63_not_even_beside_its_copy() -> None:
    """B-63, B-66: of two copies one may go; both together would put the taken one back."""
    state = after_moving(
        "TAKE1",
        ["B9 R2", "B1"],
        laid={0: 9},
        groups=[(1, "run", FULL_RUN)],
        discard="B9",
        discard_taken_card=False,
    )
    state = play(state, (0, c.Draw("discard")))
    assert refusal(state, 0, c.Discard("B9 B9")) == ("taken_card", "B-66")
    listed = [command.cards for command in legal(state, 0) if isinstance(command, c.Discard)]
    assert listed == ["B9", "R2", "B9 R2", "R2 B9"]


def test_o_36_a_new_turn_forgets_what_was_taken() -> None:
    """B-27, B-66: what AGAIN's first part took may be discarded in the new turn."""
    state = after_moving("AGAIN", ["R1 R2", "B1"], discard="R9", discard_taken_card=False)
    state = play(state, (0, c.Draw("discard")), (0, c.Discard("R1")))
    there = replace(state.seat(0), pawn=10)
    state = replace(state, seats=(there, *state.seats[1:]), dice=(1, 2))
    state = play(state, (0, c.Move(1)))
    assert play(state, (0, c.Discard("R9"))).active == 1


def test_o_36_a_laid_copy_is_the_taken_one() -> None:
    """B-66: copies are equal, so of two the other may be discarded."""
    state = after_moving(
        "TAKE1",
        ["R9 R1 R2", "B1"],
        laid={0: 8},
        groups=[(0, "set", "B9 G9")],
        discard="R9",
        discard_taken_card=False,
    )
    state = play(state, (0, c.Draw("discard")), (0, c.Hit(0, "R9")))
    assert play(state, (0, c.Discard("R9"))).active == 1
