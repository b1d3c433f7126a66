"""RULES.md section 5.3: the eight actions, each test named by the rule's ID."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.draft import decision
from phaseledger.domain.events import CardDrawn, CardsSwapped, CardTurned
from phaseledger.domain.legal import legal
from phaseledger.domain.state import Question
from phaseledger.domain.view import view
from tests.support.board_positions import after_moving, hands_of
from tests.support.cases import looped
from tests.support.table import board, events_of, landing, play, refusal, refused

# --- take, search, swap, again ------------------------------------------------------------------


@looped("count", [1, 2, 3])
def test_b_21_exactly_as_many_as_shown(count: int) -> None:
    """B-21 (HC-245, HC-246): one, two or three, no more and no less, from either pile."""
    state = after_moving(f"TAKE{count}", ["R1", "B1"], discard="G1 G2 G3 G4", stock="Y1 Y2 Y3 Y4")
    assert state.waits == (Question(0, "draw", count),)
    for left in range(count - 1, -1, -1):
        assert refusal(state, 0, c.Discard("R1")) == ("must_draw", "B-19")
        state = play(state, (0, c.Draw(("stock", "discard")[left % 2])))
    assert refusal(state, 0, c.Draw()) == ("already_drawn", "B-43")
    assert hands_of(state)[0] == ["R1 Y1", "R1 G4 Y1", "R1 Y1 G4 Y2"][count - 1]


def test_b_21_an_empty_pile_gives_nothing() -> None:
    """B-21: of two piles one may be empty."""
    state = after_moving("TAKE2", ["R1", "B1"], discard="G1", stock="Y1 Y2")
    taken = play(state, (0, c.Draw("discard")))
    assert refusal(taken, 0, c.Draw("discard")) == ("empty_discard_pile", "B-21")
    assert [str(command.source) for command in legal(taken, 0)] == ["stock"]


def test_b_22_each_card_is_seen_before_the_next_is_chosen() -> None:
    """B-22: the answer to one draw is the question for the next; below the top lies a new top."""
    state = after_moving("TAKE2", ["R1", "B1"], discard="G1 G2", stock="Y1 Y2")
    (drawn,) = events_of(state, 0, c.Draw("discard"))
    assert isinstance(drawn, CardDrawn)
    assert (drawn.card, drawn.top, drawn.asks) == ("G2", "G1", (Question(0, "draw", 1),))
    (drawn,) = events_of(state, 0, c.Draw("stock"))
    assert isinstance(drawn, CardDrawn)
    assert ({who: s.card for who, s in drawn.hidden.items()}, drawn.card) == ({"0": "Y1"}, "")


def test_b_23_one_card_unseen_by_the_others() -> None:
    """B-23: whoever searches sees the pile and nobody else does; the card is told to no other."""
    state = after_moving("SEARCH", ["R1", "B1"], discard="G1 G2 G3 G4")
    assert [view(state, viewer).pile for viewer in (0, 1, None)] == [
        "G1 G2 G3 G4",
        "? ? ? G4",
        "? ? ? G4",
    ]
    (drawn,) = events_of(state, 0, c.Search("G2"))
    assert isinstance(drawn, CardDrawn)
    assert (drawn.card, drawn.top, set(drawn.hidden)) == ("", "G4", {"0"})
    assert drawn.act is not None
    assert drawn.act.command == c.Search("")
    assert decision(drawn) == c.Act(c.Search("G2"), 0)
    after = play(state, (0, c.Search("G2")))
    assert [view(after, viewer).pile for viewer in (0, 1)] == ["? ? G4"] * 2
    for text in ("R1", "G5", "J1"):
        assert refusal(state, 0, c.Search(text)) == ("not_in_pile", "B-23")
    reason = "B-23", "one card is taken"
    assert refused(state, 0, c.Search("G1 G2")) == ("one_card", *reason)
    assert [command.card for command in legal(state, 0)] == ["G4", "G3", "G2", "G1"]


def test_b_24_the_order_stays() -> None:
    """B-24 (HC-248): of two equal cards the topmost goes; who takes the top uncovers the next."""
    state = after_moving("SEARCH", ["R1", "B1"], discard="G2 G1 G2 G4")
    assert show(play(state, (0, c.Search("G2"))).discard) == "G2 G1 G4"
    (drawn,) = events_of(state, 0, c.Search("G4"))
    assert isinstance(drawn, CardDrawn)
    assert drawn.top == "G2"
    alone = after_moving("SEARCH", ["R1", "B1"], discard="G2")
    assert show(play(alone, (0, c.Search("G2"))).discard) == ""


def test_b_25_one_to_four_cards_of_which_the_top_is_seen() -> None:
    """B-25 (HC-249): the public event has their number and the last of them."""
    state = after_moving("SWAP", ["R1 R2 J(R5) R4 R6", "B1"], discard="G9", stock="Y1 Y2 Y3 Y4 Y5")
    swapped, *drawn = events_of(state, 0, c.Swap("R4 J1 R2"))
    assert isinstance(swapped, CardsSwapped)
    assert (swapped.count, swapped.top, swapped.jokers) == (3, "R2", "J1")
    assert swapped.act is not None
    assert swapped.act.command == c.Swap("")
    assert decision(swapped) == c.Act(c.Swap("R4 J1 R2"), 0)
    assert len(drawn) == 4
    after = play(state, (0, c.Swap("R4 J1 R2")))
    assert show(after.discard) == "G9 R4 R5 R2"
    assert [view(after, viewer).pile for viewer in (0, 1, None)] == ["? ? ? R2"] * 3
    for text in ("R4 R4", "J1 J1"):
        assert refusal(state, 0, c.Swap(text)) == ("not_in_hand", "B-25")
    for text in ("", "R1 R2 J1 R4 R6"):
        assert refusal(state, 0, c.Swap(text)) == ("swap_count", "B-25")


@looped("count", [1, 2, 3, 4])
def test_b_26_one_more_than_discarded(count: int) -> None:
    """B-26 (HC-250): from the stock."""
    state = after_moving("SWAP", ["R1 R2 R3 R4", "B1"], discard="G9", stock="Y1 Y2 Y3 Y4 Y5 Y6")
    after = play(state, (0, c.Swap("R1 R2 R3 R4"[: 3 * count - 1])))
    assert len(after.stock) == 5 - count
    assert len(after.seat(0).hand) == 5


def test_b_26_the_stock_runs_out_in_the_middle() -> None:
    """B-26, B-84: what was just discarded is shuffled, all but its top, and drawn again."""
    state = after_moving("SWAP", ["R1 R2 R3 R4", "B1"], discard="G9", stock="Y1")
    kinds = [type(event).__name__ for event in events_of(state, 0, c.Swap("R1 R2 R3"))]
    assert kinds == ["CardsSwapped", "CardDrawn", "StockShuffled", *["CardDrawn"] * 3]
    after = play(state, (0, c.Swap("R1 R2 R3")))
    assert sorted(hands_of(after)[0].split()) == ["G9", "R1", "R2", "R4", "Y1"]
    assert (show(after.discard), after.stock) == ("R3", b"")


def test_b_27_again_is_a_part_and_a_whole_turn() -> None:
    """B-27: one card from either pile, step 2, a discard, and the dice again in the same turn."""
    state = after_moving("AGAIN", ["R5 B5 G5 R7 B7 Y1 Y2", "B1"], phases=[4, 1], discard="Y9 G7")
    assert state.waits == (Question(0, "draw", 1),)
    state = play(state, (0, c.Draw("discard")))
    laid = c.Lay((c.GroupToLay("R5 B5 G5"), c.GroupToLay("R7 B7 G7")))
    state = play(state, (0, laid), (0, c.Discard("Y1")))
    assert (state.active, state.turn, state.rolls, state.action) == (0, 1, 2, "")
    assert state.waits == (Question(0, "move"),)
    assert state.seat(0).laid == 4


def test_b_27_again_without_any_card() -> None:
    """B-27, B-85: with no card to take and none to discard, the new turn comes all the same."""
    state = after_moving("AGAIN", ["", "B1"], laid={0: 3}, discard="", stock="")
    assert state.waits == (Question(0, "play"),)
    passed = play(state, (0, c.Pass()))
    assert (passed.active, passed.waits) == (0, (Question(0, "move"),))


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


# --- joker, everybody ---------------------------------------------------------------------------


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


def test_b_30_no_answer_tells_a_joker() -> None:
    """B-30: with another face the owner sees, may do and is refused the very same."""
    hands = ["J(R5) R4 G4 Y4 R12", "J(B4) R4 G4 Y4 R12"]
    tries = [c.Discard("R5"), c.Discard("B4"), c.Discard("J2"), c.Discard("J"), c.Discard("J(R5)")]
    tries += [c.Hit(0, "J1"), c.Hit(1, "J1"), c.Hit(1, "J1", "low"), c.Hit(1, "J1 R4", "high")]
    outcomes = []
    for hand in hands:
        rows = [(1, "set", "B9 G9 Y9"), (1, "run", "R1 B2 G3")]
        state = board([hand, "B1"], laid={0: 3}, groups=rows, discard="G8")
        answers = []
        for command in tries:
            try:
                answers.append(refusal(state, 0, command))
            except AssertionError:
                answers.append(("accepted", ""))
        outcomes.append((view(state, 0), list(legal(state, 0)), answers))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2][:5] == [("not_in_hand", "B-66")] * 3 + [("unknown_card", "")] * 2


@looped("names", ["J1", "J2", "J3"])
@looped("faces", ["R5 R5 B6", "B6 R5 R5", "R5 B6 R5", "R5 B6 Y7"])
def test_b_30_no_place_in_the_hand_tells_equal_jokers(names: str, faces: str) -> None:
    """B-30: the joker that goes is the one that was named, even where another has its face."""
    first, second, third = faces.split()
    state = board([f"J({first}) R1 J({second}) R2 J({third}) R3", "B1"])
    after = play(state, (0, c.Discard(names)))
    left = {"J1": "R1 J1 R2 J2 R3", "J2": "J1 R1 R2 J2 R3", "J3": "J1 R1 J2 R2 R3"}
    assert view(after, 0).hand == left[names]


def test_b_31_everybody_draws() -> None:
    """B-31: the player first, then the others in turn order, each its own secret."""
    state = landing("EVERY", ["R1", "B1", "G1"], stock="Y1 Y2 Y3 Y4")
    _, *drawn = events_of(state, 0, c.Move(1))
    assert [(event.seat, {*event.hidden}) for event in drawn] == [
        (0, {"0"}),
        (1, {"1"}),
        (2, {"2"}),
    ]
    after = play(state, (0, c.Move(1)))
    assert hands_of(after) == ["R1 Y1", "B1 Y2", "G1 Y3"]
    assert after.waits == (Question(0, "play"),)
