"""RULES.md section 5.5: jokers, full combinations and what is discarded, by the rule's ID."""

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.events import CardDiscarded, PhaseLaid
from phaseledger.domain.legal import legal
from phaseledger.domain.resolve import resolve
from phaseledger.domain.state import cards_in_play
from phaseledger.domain.view import view
from tests.support.board_positions import FULL_RUN, NINES
from tests.support.cases import looped
from tests.support.table import BOARD, board, events_of, play, refusal
from tests.support.worked_cases import lay

USES = [
    (1, "[R1 R3 J1 R9 R12]"),
    (2, "[R3 J1] [G4 Y4] [R7 J2] [R9 B9]"),
    (3, "[R3 J1 G3] [J2 B5 G6]"),
    (4, "[R3 J1 J2] [R4 B4 J3]"),
    (6, "[J1 B4 G5 Y6 R7 B8 G9 J2]"),
    (7, "[R3 J1 J2 Y3 J3] [R4 B5 J4]"),
    (8, "[J1 J2 J3 R3] [J4 B4 G4 Y4]"),
    (9, "[J1 J2 R5 J3 J4 J5 J6 J7 J8]"),
    (10, "[R3 B3 G3 J1 R3 B3] [R4 J2]"),
]


@looped(("phase", "cards"), USES)
def test_b_56_a_joker_is_any_number_and_colour(phase: int, cards: str) -> None:
    """B-56, B-58: in any phase, as long as each part has a real card."""
    held = cards.replace("[", "").replace("]", "")
    for n in range(1, 9):
        held = held.replace(f"J{n}", f"J(Y{n + 3})")
    state = board([f"{held} B12", "B1"], phases=[phase, 1], discard="B2")
    after = play(state, (0, lay(cards)))
    assert show(b"".join(group.cards for group in after.groups)) == held


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


def test_b_58_a_real_card_in_each_part() -> None:
    """B-58: a part of jokers alone is refused, whatever it is said to be."""
    state = board(["R3 B3 G3 J(Y1) J(Y2) J(Y3) R9", "B1"], phases=[4, 1])
    refused_lay = c.Lay((c.GroupToLay("R3 B3 G3"), c.GroupToLay("J1 J2 J3", 5)))
    assert refusal(state, 0, refused_lay) == ("needs_natural", "B-58")
    assert refusal(state, 0, lay("[R3 B3 G3] [J1 J2 J3]")) == ("needs_natural", "B-58")
    assert not [command for command in legal(state, 0) if command == refused_lay]


def test_b_59_the_value_of_a_joker_is_clear_and_fixed() -> None:
    """B-59: by its place; a hit says at which end a joker goes, for it fits at both."""
    state = board(["J(Y1) R9 R10", "B1"], laid={0: 3}, groups=[(1, "run", "R3 B4 G5")])
    assert refusal(state, 0, c.Hit(0, "J1")) == ("end_needed", "B-59")
    after = play(state, (0, c.Hit(0, "J1", "high")))
    assert (after.groups[0].low, after.groups[0].high) == (3, 6)
    wrong = c.Lay((c.GroupToLay("R5 B5 G5"), c.GroupToLay("R3 J1 J2", 4)))
    state = board(["R5 B5 G5 R3 J(Y1) J(Y2) R9", "B1"], phases=[3, 1])
    assert refusal(state, 0, wrong) == ("value_mismatch", "B-59")


def test_b_60_b_61_jokers_without_limit() -> None:
    """B-60: on a full set and a full run. B-61: full with or without jokers in either."""
    run = FULL_RUN.replace("R1", "J(Y1)").replace("Y12", "J(Y2)").replace("R9", "Y9")
    nines = "R9 B9 G9 Y9 R9 B9 J(B1) J(B2)"
    state = board(
        ["J(Y3) J(B4) J(G5) J(Y6) G1 G2", "B3"],
        laid={0: 9},
        groups=[(0, "run", run), (1, "set", nines)],
        discard="B7",
    )
    for hit in (c.Hit(0, "J1", "low"), c.Hit(0, "J1", "high"), c.Hit(1, "J1 J2")):
        state = play(state, (0, hit))
    assert [len(group.cards) for group in state.groups] == [14, 10]
    assert cards_in_play(state) == BOARD.deck.cards()
    assert refusal(state, 0, c.Hit(0, "G1", "low")) == ("full_run", "B-61")


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
    ([("color", "G1 G2 G3 G4 G5")], False),
    ([("color", " ".join(f"G{n} G{n}" for n in range(1, 13)))], True),
    ([], False),
]


@looped(("groups", "allowed"), FULL)
def test_b_61_b_63_b_64_two_cards(groups: list[tuple[str, str]], *, allowed: bool) -> None:
    """B-63: two cards, in any order, if all combinations are full. B-61: what full is. B-64: a
    colour group with 24 cards.
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


def test_b_63_only_who_has_laid() -> None:
    """B-63: whoever has not laid discards one card."""
    state = board(["R2 R3 R4", "B3"], groups=[(1, "run", FULL_RUN)], discard="B7")
    assert refusal(state, 0, c.Discard("R2 R3")) == ("one_card", "B-63")


def test_b_62_a_real_card_on_a_set_that_jokers_made_full() -> None:
    """B-62."""
    nines = "R9 B9 G9 Y9 R9 B9 J(B1) J(B2)"
    state = board(["G9 R1", "B3"], laid={0: 8}, groups=[(1, "set", nines)], discard="B7")
    assert len(play(state, (0, c.Hit(0, "G9"))).groups[0].cards) == 9


def test_b_65_a_discarded_joker_shows_its_face() -> None:
    """B-65: from then on it is an ordinary card, for all to see."""
    state = board(["J(R5) J(B6) R1", "B3"], discard="B7")
    (discarded, *_) = events_of(state, 0, c.Discard("J2"))
    assert isinstance(discarded, CardDiscarded)
    assert (discarded.cards, discarded.faces) == ("J2", "B6")
    after = play(state, (0, c.Discard("J2")))
    assert show(after.seat(0).hand) == "J(R5) R1"
    assert view(after, 0).discard == "B6"
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
