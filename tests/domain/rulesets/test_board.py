"""RULES.md section 5.1, 5.2 and 5.4: set-up, turn, movement and phases of the board game."""

import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import deal
from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.events import DiceRolled, Event, RoundDealt, TurnBegan
from phaseledger.domain.legal import legal
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.view import view
from tests.support.board_positions import opened
from tests.support.cases import looped
from tests.support.table import BOARD, GAME, board, events_of, landing, play, refusal
from tests.support.worked_cases import lay


def of(kind: type, events: list[Event] | tuple[Event, ...]) -> list:
    return [event for event in events if isinstance(event, kind)]


# --- players, material, set-up ------------------------------------------------------------------


@looped("seats", [1, 7])
def test_b_01_two_to_six_players(seats: int) -> None:
    """B-01."""
    with pytest.raises(Rejected) as refused:
        step(None, Act(c.OpenGame(GAME, "board", seats, secret="0" * 64)))
    assert (refused.value.code, refused.value.rule) == ("seats_out_of_range", "B-01")
    assert [opened(n)[0].stage for n in range(2, 7)] == ["playing"] * 5


def test_b_02_b_03_the_deck() -> None:
    """B-02: 96 number cards, each of 48 twice. B-03: nothing else, so nothing else is played."""
    cards = BOARD.deck.cards()
    assert {(colour, rank): 2 for colour in range(4) for rank in range(1, 13)} == {
        (card >> 4, card & 15): cards.count(card) for card in cards
    }
    assert len(cards) == 96
    state = board(["R1 R2", "B1"])
    assert refusal(state, 0, c.Discard("R1", target=1)) == ("target_not_allowed", "B-03")
    assert refusal(state, 0, c.Discard("W"))[0] == "not_in_hand"


def test_b_04_b_20_the_ring() -> None:
    """B-04: 32 spaces of 8 types, and a laurel after ten phases. B-20: the track of 5.8."""
    types = {space.rstrip("123") for space in BOARD.track}
    counts = {space: BOARD.track.count(space) for space in BOARD.track}
    assert (len(BOARD.track), len(types), len(BOARD.phases)) == (32, 8, 10)
    assert counts == {
        "TAKE1": 5,
        "TAKE2": 5,
        "TAKE3": 3,
        "JOKER": 3,
        "SEARCH": 3,
        "ASK": 3,
        "SWAP": 3,
        "AGAIN": 3,
        "EVERY": 2,
        "CHOOSE": 2,
    }
    assert [i for i, space in enumerate(BOARD.track) if space == "JOKER"] == [0, 11, 21]


def test_b_05_to_b_10_the_set_up() -> None:
    """B-05: a pawn and a marker each, two dice. B-06: pawns start on 0, a joker space. B-07: phase
    1. B-08: ten cards each. B-09: five cards for the pile, the top one seen. B-10: the stock.
    """
    state, events = opened(4)
    assert [state.seat(n).pawn for n in range(4)] == [0] * 4
    assert BOARD.track[0] == "JOKER"
    assert [state.seat(n).phase for n in range(4)] == [1] * 4
    assert [len(state.seat(n).hand) for n in range(4)] == [10] * 4
    assert len(state.dice) == 2
    assert (len(state.discard), len(state.stock)) == (5, 51)
    (dealt,) = of(RoundDealt, events)
    assert (dealt.discard, dealt.covered) == (show(state.discard[-1:]), 4)
    for viewer in (None, 0, 3):
        assert view(state, viewer).pile == f"? ? ? ? {show(state.discard[-1:])}"


def test_b_08_one_card_at_a_time() -> None:
    """B-08: round the table, as the shuffled deck has them; then B-09's five."""
    state, events = opened(3)
    (dealt,) = of(RoundDealt, events)
    key = deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))
    deck = deal.shuffled(key, 1, 0, BOARD.deck.cards())
    assert [parse(dealt.hidden[str(n)].hand) for n in (1, 2, 0)] == [deck[i:30:3] for i in range(3)]
    assert (state.discard, state.stock) == (deck[30:35], deck[35:])


def test_n_06_six_players_leave_a_stock() -> None:
    """N-06 (B-10): 31 cards remain."""
    assert len(opened(6)[0].stock) == 31


def test_b_11_b_13_the_first_starter() -> None:
    """B-11: the youngest begins, whom the host names. B-13: without a name it is seat 1 (0)."""
    assert opened(3)[0].active == 0
    assert opened(3, dealer=2)[0].active == 2


def test_b_12_turns_go_clockwise() -> None:
    """B-12."""
    state = board(["R1 R2", "B1 B2", "G1 G2"])
    after = play(state, (0, c.Discard("R1")))
    assert (after.active, after.players) == (1, (0, 1, 2))
    assert refusal(after, 2, c.Move(1)) == ("not_your_turn", "B-12")


# --- the turn and the movement ------------------------------------------------------------------


def test_b_14_b_15_three_steps() -> None:
    """B-14 (HC-244): roll, move and action; then what one likes; then a discard. B-15: the dice
    roll by themselves, from the seed.
    """
    state = board(["R1 R2", "B1 B2"])
    _, began, rolled = events_of(state, 0, c.Discard("R1"))
    assert isinstance(began, TurnBegan)
    assert isinstance(rolled, DiceRolled)
    key = deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))
    assert (rolled.seat, rolled.roll, rolled.dice) == (1, 0, tuple(deal.dice(key, 2, 0)))
    after = play(state, (0, c.Discard("R1")))
    for command in (c.Draw(), c.Discard("B1"), c.Pass(), lay("[B1]"), c.Hit(0, "B1")):
        assert refusal(after, 1, command) == ("must_move", "B-14")
    assert [after.waits[0].kind] == ["move"]
    assert [refusal(state, 0, command) for command in (c.Move(1), c.Ask(1), c.Keep())] == [
        ("not_asked", "B-14")
    ] * 3
    assert refusal(state, 0, c.Pass()) == ("must_discard", "B-66")


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


def test_b_19_the_action_is_due() -> None:
    """B-19 (HC-244): for every action that asks something, nothing else is accepted."""
    due = {"TAKE1": "must_draw", "TAKE2": "must_draw", "TAKE3": "must_draw", "AGAIN": "must_draw"}
    due |= dict.fromkeys(("SEARCH", "SWAP", "ASK", "CHOOSE"), "action_due")
    for action, code in due.items():
        state = play(landing(action, ["R5 B5 G5 Y5 R6", "B1 B2"], laid={0: 4}), (0, c.Move(1)))
        others = (c.Discard("R5"), lay("[R5 B5 G5]"), c.Hit(0, "R6"), c.Pass(), c.Move(2))
        for command in others:
            assert refusal(state, 0, command) == (code, "B-19")


# --- phases and combinations --------------------------------------------------------------------


PHASES = {
    "B-P01": "color(5)",
    "B-P02": "set(2) + set(2) + set(2) + set(2)",
    "B-P03": "set(3) + run(3)",
    "B-P04": "set(3) + set(3)",
    "B-P05": "color(6)",
    "B-P06": "run(8)",
    "B-P07": "set(5) + run(3)",
    "B-P08": "set(4) + set(4)",
    "B-P09": "run(9)",
    "B-P10": "set(6) + set(2)",
}


def test_b_p01_to_b_p10_b_44_the_phases() -> None:
    """B-P01 .. B-P10. B-44: colours, runs and sets, partly mixed."""
    assert {phase.rule: phase_text(phase) for phase in BOARD.phases} == PHASES
    assert {need.kind for phase in BOARD.phases for need in phase.needs} == {"color", "run", "set"}


LEAST = [
    "[R1 R3 R3 R9 R12]",
    "[R3 B3] [G3 Y3] [R7 B7] [G9 Y9]",
    "[R3 B3 G3] [R4 B5 G6]",
    "[R3 B3 G3] [R4 B4 G4]",
    "[R1 R3 R3 R9 R12 R12]",
    "[R3 B4 G5 Y6 R7 B8 G9 Y10]",
    "[R3 B3 G3 Y3 R3] [R4 B5 G6]",
    "[R3 B3 G3 Y3] [R4 B4 G4 Y4]",
    "[R3 B4 G5 Y6 R7 B8 G9 Y10 R11]",
    "[R3 B3 G3 Y3 R3 B3] [R4 B4]",
]


@looped(("number", "cards"), list(enumerate(LEAST, 1)))
def test_b_50_each_phase_is_laid_whole(number: int, cards: str) -> None:
    """B-50: the phase at the marker, from the hand; not a part of it, nor another phase."""
    held = cards.replace("[", "").replace("]", "")
    state = board([f"{held} G10 G11", "B1"], phases=[number, 1], discard="Y1")
    after = play(state, (0, lay(cards)))
    assert (after.seat(0).laid, after.seat(0).made >> number - 1) == (number, 1)
    short = cards[: cards.rindex(" ")] + "]"
    assert refusal(state, 0, lay(short)) == ("incomplete_phase", "B-50")
    other = number % 10 + 1
    assert refusal(state, 0, replace(lay(cards), phase=other)) == ("wrong_phase", "B-50")
    assert isinstance(next(iter(legal(state, 0))), c.Lay)
    missing = board([f"{held.replace('R3', 'Y12', 1)} Y11", "B1"], phases=[number, 1], discard="Y1")
    assert refusal(missing, 0, lay(cards)) == ("not_in_hand", "B-50")


@looped("action", ["TAKE1", "SWAP", "JOKER", "EVERY", "SEARCH", "ASK", "AGAIN"])
def test_b_51_the_lay_follows_any_action(action: str) -> None:
    """B-51, and B-53 (HC-201): a hit on a group of another in the same turn."""
    state = landing(
        action,
        ["R3 B3 G3 R4 B4 G4 Y7 Y8 R1", "B1 B2"],
        phases=[4, 1],
        groups=[(1, "set", "R7 B7 G7")],
        discard="R9 R10",
        stock="B10 B11 B12 B8",
    )
    state = play(state, (0, c.Move(1)))
    answers = {
        "draw": c.Draw(),
        "swap": c.Swap("R1"),
        "search": c.Search("R9"),
        "ask": c.Ask(5),
        "play": None,
    }
    answer = answers[state.waits[0].kind]
    state = play(state, (0, answer)) if answer else state
    after = play(state, (0, lay("[R3 B3 G3] [R4 B4 G4]")), (0, c.Hit(0, "Y7")))
    assert (after.seat(0).laid, len(after.groups[0].cards)) == (4, 4)
    assert play(after, (0, c.Discard("Y8"))).active == (0 if action == "AGAIN" else 1)


def test_b_52_b_53_b_54_more_cards() -> None:
    """B-52: more than the least at once. B-53: one or more cards added, to own and other groups.
    B-54: not before the own phase is laid.
    """
    state = board(
        ["R3 B3 G3 Y3 R4 B4 G4 R8 B9 Y12", "B1 B2"],
        phases=[4, 1],
        groups=[(1, "run", "R5 B6 G7")],
    )
    assert refusal(state, 0, c.Hit(0, "R8", "high")) == ("phase_not_laid", "B-54")
    after = play(state, (0, lay("[R3 B3 G3 Y3] [R4 B4 G4]")), (0, c.Hit(0, "R8 B9", "high")))
    assert [len(group.cards) for group in after.groups] == [5, 4, 3]
    laid = play(board(["R3 B3 G3 R4 B4 G4 Y3 Y12", "B1"], phases=[4, 1]), (0, lay(LEAST[3])))
    assert len(play(laid, (0, c.Hit(0, "Y3"))).groups[0].cards) == 4
