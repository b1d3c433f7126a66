"""RULES.md section 7: options of the board game on groups, jokers and discards."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.legal import legal
from phaseledger.domain.state import Question
from tests.support.board_positions import FULL_RUN, after_moving
from tests.support.table import board, play, refusal
from tests.support.worked_cases import lay


def test_o_03_wild_min_scope() -> None:
    """B-58: a real card in each part, in the phase, or nowhere."""
    natural = c.Lay((c.GroupToLay("R3 B3 J1"), c.GroupToLay("J2 J3 J4", 5)))
    none = c.Lay((c.GroupToLay("J1 J2 J3", 4), c.GroupToLay("J4 J5 J6", 5)))
    hand = "R3 B3 J(Y1) J(Y2) J(Y3) J(Y4) J(Y5) J(Y6) R9"
    for scope, allowed in (("group", []), ("phase", [natural]), ("none", [natural, none])):
        state = board([hand, "B1"], phases=[4, 1], wild_min_scope=scope)
        for command in (natural, none):
            if command in allowed:
                assert play(state, (0, command)).seat(0).laid == 4
            else:
                assert refusal(state, 0, command) == ("needs_natural", "B-58")


def test_o_04_wild_on_full_run() -> None:
    """B-60."""
    for allowed in (True, False):
        state = board(
            ["J(R3) R1 R2", "B1"],
            laid={0: 9},
            groups=[(1, "run", FULL_RUN)],
            discard="B9",
            wild_on_full_run=allowed,
        )
        if allowed:
            assert len(play(state, (0, c.Hit(0, "J1", "low"))).groups[0].cards) == 13
        else:
            assert refusal(state, 0, c.Hit(0, "J1", "low")) == ("full_run", "B-61")


def test_o_05_o_31_full_sets() -> None:
    """B-60, B-62: jokers and real cards on a full set, each by its own option."""
    nines = "R9 B9 G9 Y9 R9 B9 J(B1) J(B2)"
    for jokers in (True, False):
        for naturals in (True, False):
            state = board(
                ["J(R3) G9 R2", "B1"],
                laid={0: 8},
                groups=[(1, "set", nines)],
                discard="B7",
                wild_on_full_set=jokers,
                natural_on_full_set=naturals,
            )
            for card, allowed in (("J1", jokers), ("G9", naturals)):
                if allowed:
                    assert len(play(state, (0, c.Hit(0, card))).groups[0].cards) == 9
                else:
                    assert refusal(state, 0, c.Hit(0, card)) == ("full_set", "B-62")


def test_o_06_run_wrap() -> None:
    """B-47."""
    cards = "[R5 B5 G5] [R11 B12 G1]"
    for wrap in (True, False):
        state = board(["R5 B5 G5 R11 B12 G1 Y9", "B1"], phases=[3, 1], run_wrap=wrap)
        if wrap:
            assert play(state, (0, lay(cards))).seat(0).laid == 3
        else:
            assert refusal(state, 0, lay(cards)) == ("run_wraps", "B-47")


def test_o_07_wild_placement() -> None:
    """B-59: as the cards lie, or where there is room."""
    cards = "[R5 B5 G5] [J1 R11 B12]"
    hand = "R5 B5 G5 R11 B12 J(Y1) Y9"
    state = board([hand, "B1"], phases=[3, 1])
    assert play(state, (0, lay(cards))).groups[1].low == 10
    wrong = lay("[R5 B5 G5] [R11 J1 B12]")
    assert refusal(state, 0, wrong) == ("not_consecutive", "B-46")
    loose = board([hand, "B1"], phases=[3, 1], wild_placement="high_then_low")
    assert play(loose, (0, wrong)).groups[1].low == 10


def test_o_08_going_out() -> None:
    """B-67: with `any` the last card may be laid or hit, and the round is over."""
    rows = [(0, "set", "G8 Y8")]
    state = board(["R8", "B1"], laid={0: 8}, groups=rows)
    assert refusal(state, 0, c.Hit(0, "R8")) == ("keep_a_card", "B-67")
    free = board(["R8", "B1"], laid={0: 8}, groups=rows, going_out="any")
    assert play(free, (0, c.Hit(0, "R8"))).out == 0


def test_o_18_lay_oversize() -> None:
    """B-52."""
    cards = "[R5 B5 G5 Y5] [R7 B7 G7]"
    hand = "R5 B5 G5 Y5 R7 B7 G7 Y9"
    assert play(board([hand, "B1"], phases=[4, 1]), (0, lay(cards))).seat(0).laid == 4
    strict = board([hand, "B1"], phases=[4, 1], lay_oversize=False)
    assert refusal(strict, 0, lay(cards)) == ("oversize", "B-52")


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
