"""RULES.md section 5.5: jokers, full combinations and what is discarded, by the rule's ID."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.events import CardDiscarded, PhaseLaid
from phaseledger.domain.legal import legal
from phaseledger.domain.resolve import resolve
from phaseledger.domain.state import Question
from phaseledger.domain.view import view
from tests.support.board_positions import FULL_RUN, NINES
from tests.support.cases import looped
from tests.support.table import BOARD, board, events_of, play, refusal
from tests.support.worked_cases import lay


def test_b_56_the_jokers_of_one_lay_are_named_by_the_hand_before_it() -> None:
    """B-56: J2 is the second joker of the hand, also after J1 in the same command."""
    state = board(["J(Y1) R5 J(Y2) B5 J(Y3) R7 B7 R1", "B1"], phases=[4, 1], discard="B2")
    after = play(state, (0, lay("[J3 R5 B5] [R7 J1 B7]")))
    assert [show(group.cards) for group in after.groups] == ["J(Y3) R5 B5", "R7 J(Y1) B7"]
    assert show(after.seat(0).hand) == "J(Y2) R1"
    twice = lay("[J1 R5 B5] [R7 J1 B7]")
    assert refusal(state, 0, twice) == ("not_in_hand", "B-50")
    assert refusal(state, 0, lay("[J4 R5 B5] [R7 J1 B7]")) == ("not_in_hand", "B-50")


def test_b_56_the_faces_of_laid_jokers_stay_hidden() -> None:
    """B-30, B-56: the event and the view show backs, to everybody."""
    state = board(["J(Y1) R5 B5 R7 B7 J(Y2) R1", "B1"], phases=[4, 1], discard="B2")
    (laid,) = events_of(state, 0, lay("[J1 R5 B5] [R7 J2 B7]"))
    assert isinstance(laid, PhaseLaid)
    assert [group.cards for group in laid.groups] == ["J1 R5 B5", "R7 J2 B7"]
    assert laid.hidden == {}
    after = play(state, (0, lay("[J1 R5 B5] [R7 J2 B7]")))
    for viewer in (None, 0, 1):
        assert [group.cards for group in view(after, viewer).groups] == ["J R5 B5", "R7 J B7"]


def test_b_57_a_laid_joker_stays() -> None:
    """B-57: the card that it stands for finds no place but at an end."""
    rows = [(1, "run", "R3 J(Y1) G5")]
    state = board(["B4 R9", "B1"], laid={0: 3}, groups=rows)
    for end in ("", "low", "high"):
        assert refusal(state, 0, c.Hit(0, "B4", end)) == ("does_not_fit", "B-55")


def test_b_59_the_value_of_a_joker_is_clear_and_fixed() -> None:
    """B-59: by its place; a hit says at which end a joker goes, for it fits at both."""
    state = board(["J(Y1) R9 R10", "B1"], laid={0: 3}, groups=[(1, "run", "R3 B4 G5")])
    assert refusal(state, 0, c.Hit(0, "J1")) == ("end_needed", "B-59")
    after = play(state, (0, c.Hit(0, "J1", "high")))
    assert (after.groups[0].low, after.groups[0].high) == (3, 6)
    wrong = c.Lay((c.GroupToLay("R5 B5 G5"), c.GroupToLay("R3 J1 J2", 4)))
    state = board(["R5 B5 G5 R3 J(Y1) J(Y2) R9", "B1"], phases=[3, 1])
    assert refusal(state, 0, wrong) == ("value_mismatch", "B-59")


FULL = [
    # what lies, whether two cards may go
    ([("run", FULL_RUN)], True),
    ([("run", FULL_RUN.replace("R1", "J(Y1)"))], True),
    ([("set", NINES)], True),
    ([("set", "R9 B9 G9 Y9 R9 B9 J(Y1) J(Y2)")], True),
    ([("set", NINES), ("run", FULL_RUN.replace("R9", "J(Y1)"))], True),
    ([("run", FULL_RUN[3:])], False),
    ([("set", NINES[:-3])], False),
    ([("run", FULL_RUN), ("set", "R8 G8 B8")], False),
    ([("run", FULL_RUN), ("color", "G1 G2 G3 G4 G5")], False),
    ([("color", " ".join(f"G{n} G{n}" for n in range(1, 13)))], True),
    ([], False),
]


@looped(("groups", "allowed"), FULL)
def test_b_61_b_63_b_64_two_cards(groups: list[tuple[str, str]], *, allowed: bool) -> None:
    """B-63: two cards, in any order, if all combinations are full. B-61: what full is. B-64
    (HC-269): a colour group with 24 cards.
    """
    rows = [(1, kind, cards) for kind, cards in groups]
    state = board(["R2 J(R3) R2", "B3"], laid={0: 9}, groups=rows, discard="B7")
    pairs = ["R2 J1", "R2 R2", "J1 R2"]
    listed = [command.cards for command in legal(state, 0) if isinstance(command, c.Discard)]
    assert listed == ["R2", "J1", *(pairs if allowed else [])]
    for cards in pairs:
        if allowed:
            after = play(state, (0, c.Discard(cards)))
            assert show(after.discard) == f"B7 {cards.replace('J1', 'R3')}"
            assert after.active == 1
        else:
            assert refusal(state, 0, c.Discard(cards)) == ("one_card", "B-63")
    assert refusal(state, 0, c.Discard("R2 R2 J1")) == ("one_card", "B-63")
    assert play(state, (0, c.Discard("R2"))).active == 1


def test_hc_267_two_cards_end_the_round() -> None:
    """HC-267 (B-63, B-68)."""
    for order in ("R2 J1", "J1 R2"):
        state = board(["R2 J(R3)", "B9"], laid={0: 9}, groups=[(0, "run", FULL_RUN)])
        after = play(state, (0, c.Discard(order)))
        assert (after.out, show(after.discard)) == (0, f"R1 {order.replace('J1', 'R3')}")


def test_b_63_only_who_has_laid() -> None:
    """B-63: whoever has not laid discards one card."""
    state = board(["R2 R3 R4", "B3"], groups=[(1, "run", FULL_RUN)], discard="B7")
    assert refusal(state, 0, c.Discard("R2 R3")) == ("one_card", "B-63")


def test_b_65_a_discarded_joker_shows_its_face() -> None:
    """B-65 (HC-266): from then on it is an ordinary card, for all to see and for who draws it."""
    state = board(["J(R5) J(B6) R1", "B3"], discard="B7")
    (discarded, *_) = events_of(state, 0, c.Discard("J2"))
    assert isinstance(discarded, CardDiscarded)
    assert (discarded.cards, discarded.faces) == ("J2", "B6")
    after = play(state, (0, c.Discard("J2")))
    assert show(after.seat(0).hand) == "J(R5) R1"
    assert view(after, 0).discard == "B6"
    drawing = replace(after, waits=(Question(1, "draw", 1),))
    assert show(play(drawing, (1, c.Draw("discard"))).seat(1).hand) == "B3 B6"
    (plain, *_) = events_of(state, 0, c.Discard("R1"))
    assert isinstance(plain, CardDiscarded)
    assert plain.faces == ""


def test_b_02_b_30_no_face_is_named_in_a_command() -> None:
    """B-30: a joker is J1, J2 ..., and nothing else; what an owner cannot know is no card."""
    state = board(["J(R5) R1", "B3"])
    for text in ("J", "J(R5)", "J0", "?"):
        assert refusal(state, 0, c.Discard(text)) == ("unknown_card", "")
    assert refusal(state, 0, c.Discard("R5")) == ("not_in_hand", "B-66")
    assert resolve(BOARD, {}).deck.wilds == 0
