"""RULES.md section 8.7: movement, actions and what follows a round, by the worked case's ID."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import OWN, TURNED, parse, show
from phaseledger.domain.events import CardDrawn, CardGiven, CardTurned
from phaseledger.domain.state import Question, State
from phaseledger.domain.view import view
from tests.support.board_positions import FULL_RUN
from tests.support.cases import looped
from tests.support.table import board, events_of, landing, play, refusal
from tests.support.worked_cases import lay

MOVES = [
    # case, dice, pawns, legal value -> space, illegal values
    ("HC-238", (2, 5), [0, 20], {2: 2, 5: 5}, [7, 1, 3]),
    ("HC-239", (3, 3), [0, 20], {3: 3, 6: 6}, [9, 1]),
    ("HC-240", (6, 6), [0, 4, 7, 20], {12: 14}, [1]),
    ("HC-241", (3, 1), [5, 6, 8], {3: 10, 1: 7}, [4]),
    ("HC-243", (4, 1), [0, 0, 0], {4: 4, 1: 1}, [5]),
    ("B-17: over the end of the ring", (5, 2), [30, 31, 1], {2: 2, 5: 5}, [7]),
]


@looped(("case", "dice", "pawns", "moves", "illegal"), MOVES, ids=[row[0] for row in MOVES])
def test_moving(
    case: str, dice: tuple[int, int], pawns: list[int], moves: dict[int, int], illegal: list[int]
) -> None:
    """Section 8.7: one die or, after a double, twice its value; other pawns are jumped over."""
    hands = ["R1 R2", "B1 B2", "G1 G2", "Y1 Y2"][: len(pawns)]
    state = board(hands, question="move", dice=dice, pawns=pawns, discard="R9 R10 R11")
    for steps, space in moves.items():
        after = play(state, (0, c.Move(steps)))
        assert (after.seat(0).pawn, after.action) == (space, state.ruleset.track[space])
    for steps in illegal:
        assert refusal(state, 0, c.Move(steps)) == ("no_such_move", "B-15")


def test_hc_244_neither_roll_nor_action_is_left_out() -> None:
    """HC-244 (B-14, B-19)."""
    state = landing("TAKE1", ["R1 R2", "R3"], discard="R9")
    for command in (c.Draw(), c.Discard("R1"), c.Pass(), lay("[R1]"), c.Hit(0, "R1")):
        assert refusal(state, 0, command) == ("must_move", "B-14")
    moved = play(state, (0, c.Move(1)))
    for command in (c.Discard("R1"), c.Pass(), c.Move(2)):
        assert refusal(moved, 0, command) == ("must_draw", "B-19")
    for action in ("SEARCH", "SWAP", "ASK", "CHOOSE"):
        moved = play(landing(action, ["R1 R2", "R3"], discard="R9"), (0, c.Move(1)))
        assert refusal(moved, 0, c.Discard("R1")) == ("action_due", "B-19")


def test_hc_245_246_taking() -> None:
    """HC-245 (B-22): from either pile, one by one. HC-246 (B-21): three off the discard pile."""
    state = play(landing("TAKE2", ["R1", "R3"], discard="G1 B7 R9", stock="Y5 Y6"), (0, c.Move(1)))
    after = play(state, (0, c.Draw("stock")), (0, c.Draw("discard")))
    assert (show(after.seat(0).hand), after.waits[0].kind) == ("R1 Y5 R9", "play")
    assert refusal(after, 0, c.Draw()) == ("already_drawn", "B-43")
    state = play(landing("TAKE3", ["R1", "R3"], discard="G1 G2 B7 R9"), (0, c.Move(1)))
    for left in (2, 1, 0):
        state = play(state, (0, c.Draw("discard")))
        assert state.waits[0].number == left
    assert (show(state.seat(0).hand), show(state.discard)) == ("R1 R9 B7 G2", "G1")


def test_hc_248_the_pile_keeps_its_order() -> None:
    """HC-248 (B-24): the fourth card of the pile is taken; nothing else can be said."""
    state = play(landing("SEARCH", ["R1", "R3"], discard="G1 B7 R9 G2 B8"), (0, c.Move(1)))
    after = play(state, (0, c.Search("B7")))
    assert (show(after.discard), show(after.seat(0).hand)) == ("G1 R9 G2 B8", "R1 B7")


def test_hc_249_250_swapping() -> None:
    """HC-249 (B-25): 1 to 4 cards. HC-250 (B-26): four discarded, five drawn."""
    state = play(landing("SWAP", ["R1 R2 R3 R4 R5 R6", "B1"], discard="G9"), (0, c.Move(1)))
    for text in ("", "R1 R2 R3 R4 R5"):
        assert refusal(state, 0, c.Swap(text)) == ("swap_count", "B-25")
    after = play(state, (0, c.Swap("R4 R2 R1 R6")))
    assert show(after.discard) == "G9 R4 R2 R1 R6"
    assert show(after.seat(0).hand) == f"R3 R5 {show(state.stock[:5])}"


def test_hc_252_253_again() -> None:
    """HC-252 (B-28): a round that ends in the first part takes the second turn along. HC-253: a
    new AGAIN gives another new turn.
    """
    state = landing("AGAIN", ["", "R3"], laid={0: 1}, discard="R9")
    last = play(state, (0, c.Move(1)), (0, c.Draw("discard")))
    ended = play(last, (0, c.Discard("R9")))
    assert (ended.out, [q.kind for q in ended.waits]) == (0, ["keep"])
    state = landing("AGAIN", ["R1 R2 R4", "R3"])
    for _ in range(3):
        state = play(state, (0, c.Move(1)), (0, c.Draw()))
        state = play(state, (0, c.Discard(show(state.seat(0).hand[-1:]))))
        assert (state.active, state.turn, state.waits[0].kind) == (0, 1, "move")
        place = replace(state.seat(0), pawn=7)
        state = replace(state, seats=(place, *state.seats[1:]), dice=(1, 2))


def test_hc_255_who_sees_a_joker() -> None:
    """HC-255 (B-29, B-30): all others see its face, its owner and spectators its back."""
    state = landing("JOKER", ["R1", "R3", "G4"], stock="R5 B6")
    _, turned_up = events_of(state, 0, c.Move(1))
    assert isinstance(turned_up, CardTurned)
    assert {who: secret.card for who, secret in turned_up.hidden.items()} == {"not:0": "R5"}
    after = play(state, (0, c.Move(1)))
    seats = [view(after, viewer).seats[0] for viewer in (0, 1, 2, None)]
    assert [seat.jokers for seat in seats if seat] == ["?", "R5", "R5", "?"]
    assert (view(after, 0).hand, view(after, None).hand) == ("R1 J1", None)


def test_hc_259_a_joker_is_given() -> None:
    """HC-259 (B-34, B-36, B-38): for the asker it is an ordinary R7, and the giver draws."""
    state = play(landing("ASK", ["R1", "J(R7) R3"], stock="B5 B6"), (0, c.Move(1)))
    _, given, drawn = events_of(state, 0, c.Ask(7))
    assert isinstance(given, CardGiven)
    assert isinstance(drawn, CardDrawn)
    after = play(state, (0, c.Ask(7)))
    assert [show(after.seat(n).hand) for n in (0, 1)] == ["R1 R7", "R3 B5"]


def test_hc_261_whoever_is_asked_has_to_give() -> None:
    """HC-261 (B-33)."""
    state = play(landing("ASK", ["R1", "R7 R3"]), (0, c.Move(1)), (0, c.Ask(7)))
    assert state.waits == (Question(1, "give", 7),)
    assert refusal(state, 1, c.Give("R3")) == ("not_asked_for", "B-33")
    assert refusal(state, 1, c.Pass()) == ("must_give", "B-33")
    assert refusal(state, 0, c.Discard("R1")) == ("not_your_turn", "B-12")


def chooser_at_13(*others: int) -> State:
    """Seat 0 on CHOOSE at space 13, the others' pawns elsewhere."""
    hands = ["R1 R2", "B1 B2", "G1 G2", "Y1 Y2"][: 1 + len(others)]
    return board(hands, question="choose", pawns=[13, *others], stock="G9 G10 G11 G12")


def test_hc_262_263_264_choosing() -> None:
    """HC-262 (B-39): the first free space of the action. HC-263 (B-40): all are occupied. HC-264
    (B-41): not CHOOSE itself.
    """
    after = play(chooser_at_13(21), (0, c.Choose("JOKER")))
    assert (after.seat(0).pawn, after.action) == (0, "JOKER")
    assert after.seat(0).hand[-1] & TURNED
    full = chooser_at_13(0, 11, 21)
    assert refusal(full, 0, c.Choose("JOKER")) == ("action_occupied", "B-40")
    assert play(full, (0, c.Choose("TAKE1"))).seat(0).pawn == 17
    assert refusal(full, 0, c.Choose("CHOOSE")) == ("chooses_itself", "B-41")


def test_hc_266_a_discarded_joker_is_an_ordinary_card() -> None:
    """HC-266 (B-65)."""
    state = board(["J(R5) R1", "G1"], discard="B9")
    after = play(state, (0, c.Discard("J1")))
    assert show(after.discard) == "B9 R5"
    drawing = replace(after, waits=(Question(1, "draw", 1),))
    assert show(play(drawing, (1, c.Draw("discard"))).seat(1).hand) == "G1 R5"


def test_hc_267_269_two_cards_at_once() -> None:
    """HC-267 (B-63, B-68): all combinations are full, so two cards may go, and end the round.
    HC-269 (B-64): a colour group is never full.
    """
    run = FULL_RUN.replace("Y4", "J(Y1)").replace("Y8", "J(Y2)")
    for order in ("R2 J1", "J1 R2"):
        state = board(["R2 J(R3)", "B9"], laid={0: 9}, groups=[(0, "run", run)])
        after = play(state, (0, c.Discard(order)))
        assert (after.out, show(after.discard)) == (0, f"R1 {order.replace('J1', 'R3')}")
    state = board(
        ["R2 J(R3)", "B9"],
        laid={0: 9},
        groups=[(0, "run", run), (1, "color", "G1 G2 G3 G4 G5")],
        discard="B1",
    )
    assert refusal(state, 0, c.Discard("R2 J1")) == ("one_card", "B-63")


def test_hc_271_272_273_keeping() -> None:
    """HC-271 (B-72): five at most. HC-272 (B-78): seven are dealt to three kept. HC-273 (B-71):
    whoever has laid keeps nothing.
    """
    state = board(["R1", "R2 R3 R4 R5 R6 R7", "B2 B3"], laid={0: 1, 2: 1}, discard="B1")
    state = play(state, (0, c.Discard("R1")))
    assert refusal(state, 1, c.Keep("R2 R3 R4 R5 R6 R7")) == ("keep_count", "B-72")
    assert refusal(state, 2, c.Keep("B2 B3")) == ("nothing_to_keep", "B-71")
    _, dealt, *_ = events_of(state, 1, c.Keep("R7 R2 R3"))
    assert len(dealt.hidden["1"].hand.split()) == 7
    after = play(state, (1, c.Keep("R7 R2 R3")))
    assert after.seat(1).hand[:3] == parse("R7 R2 R3")
    assert [len(after.seat(n).hand) for n in range(3)] == [10, 10, 10]
    assert max(after.seat(1).hand) < OWN
