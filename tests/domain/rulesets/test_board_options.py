"""RULES.md section 7: options of the board game, each value by the difference it makes."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import deal
from phaseledger.domain.cards import show
from phaseledger.domain.events import CardsKept, CardTurned, RoundDealt
from phaseledger.domain.legal import legal
from phaseledger.domain.resolve import Unplayable, phase_text, resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import Question, State
from phaseledger.domain.view import view
from tests.support.board_positions import after_moving, choosing, hands_of, opened
from tests.support.cases import looped
from tests.support.table import BOARD, board, events_of, landing, play, refusal
from tests.support.worked_cases import lay

# --- the supply of cards (O-01, O-34) -----------------------------------------------------------


@looped(
    ("rule", "stock", "pile"),
    [("reshuffle_all_but_top", 1, "G9"), ("reshuffle_all", 2, "")],
)
def test_o_01_stock_exhausted(rule: str, stock: int, pile: str) -> None:
    """B-84: the top card stays, or goes along."""
    state = after_moving("TAKE1", ["R1", "B1"], stock="", discard="G7 G8 G9", stock_exhausted=rule)
    after = play(state, (0, c.Draw()))
    assert (len(after.stock), show(after.discard)) == (stock, pile)


ENDING = [
    ("TAKE2", "", c.Draw(), ["RoundEnded"]),
    ("JOKER", "", c.Move(1), ["PawnMoved", "RoundEnded"]),
    ("EVERY", "Y1", c.Move(1), ["PawnMoved", "CardDrawn", "RoundEnded"]),
    ("SWAP", "Y1", c.Swap("R1 R2"), ["CardsSwapped", "CardDrawn", "RoundEnded"]),
    ("ASK", "", c.Ask(7), ["CardAsked", "RoundEnded"]),
]


@looped(("action", "stock", "command", "expected"), ENDING, ids=[row[0] for row in ENDING])
def test_o_01_the_round_ends_in_the_middle(
    action: str, stock: str, command: c.Command, expected: list[str]
) -> None:
    """`stock_exhausted=end_round`: whoever wants a card ends it for all; nobody has gone out."""
    hands = ["R1 R2", "B1 B2"]
    state = landing(action, hands, stock=stock, discard="G9", stock_exhausted="end_round")
    if not isinstance(command, c.Move):
        state = play(state, (0, c.Move(1)))
    events = events_of(state, 0, command)
    assert [type(event).__name__ for event in events] == expected
    state = play(state, (0, command))
    assert (state.out, [(q.seat, q.kind) for q in state.waits]) == (
        None,
        [(1, "keep"), (0, "keep")],
    )
    after = play(state, (0, c.Keep()), (1, c.Keep()))
    assert (after.round, [len(after.seat(n).hand) for n in (0, 1)]) == (2, [10, 10])


def test_o_01_the_round_ends_when_a_joker_is_replaced() -> None:
    """`stock_exhausted=end_round` after a card was handed over: it stays with the asker."""
    state = after_moving("ASK", ["R1", "J(B7) B2"], stock="", stock_exhausted="end_round")
    after = play(state, (0, c.Ask(7)))
    assert (hands_of(after), after.out) == (["R1 B7", "B2"], None)
    assert {q.kind for q in after.waits} == {"keep"}


CANCELLED = [
    # action, stock, pile, asked with as many as possible, asked when it is called off
    ("TAKE2", "", "G1", ("draw", 2), ("play", 0)),
    ("TAKE2", "Y1", "G1", ("draw", 2), ("draw", 2)),
    ("SEARCH", "Y1", "G1", ("search", 0), ("search", 0)),
    ("ASK", "", "G1", ("ask", 0), ("play", 0)),
    ("ASK", "Y1", "G1", ("ask", 0), ("ask", 0)),
    ("SWAP", "", "G1", ("swap", 0), ("play", 0)),
    ("SWAP", "Y1", "", ("swap", 0), ("play", 0)),
    ("SWAP", "Y1", "G1", ("swap", 0), ("swap", 0)),
    ("SWAP", "", "G1 G2", ("swap", 0), ("swap", 0)),
]


@looped(("action", "stock", "pile", "taken", "cancelled"), CANCELLED)
def test_o_34_short_supply(
    action: str, stock: str, pile: str, taken: tuple[str, int], cancelled: tuple[str, int]
) -> None:
    """B-85: as many as there are, or the action comes to nothing."""
    for rule, asked in (("as_many_as_possible", taken), ("cancel", cancelled)):
        state = after_moving(action, ["R1 R2", "B1"], stock=stock, discard=pile, short_supply=rule)
        assert (state.waits[0].kind, state.waits[0].number) == asked
    if action == "SWAP" and cancelled[0] == "swap":
        # What is not called off finds all its cards.
        assert len(play(state, (0, c.Swap("R1"))).seat(0).hand) == 3


def test_o_34_everybody_or_nobody() -> None:
    """`short_supply=cancel`: two cards for three are none."""
    for rule, hands in (
        ("as_many_as_possible", ["R1 Y1", "B1 Y2", "G7"]),
        ("cancel", ["R1", "B1", "G7"]),
    ):
        state = landing("EVERY", ["R1", "B1", "G7"], stock="Y1 Y2", discard="G1", short_supply=rule)
        assert hands_of(play(state, (0, c.Move(1)))) == hands


def test_o_34_the_end_of_a_round_is_no_shortage() -> None:
    """`end_round` goes before `cancel`: whoever wants a card from an empty stock gets that far."""
    rules = {"short_supply": "cancel", "stock_exhausted": "end_round"}
    state = after_moving("TAKE2", ["R1", "B1"], stock="", discard="", **rules)
    assert state.waits == (Question(0, "draw", 2),)
    assert play(state, (0, c.Draw())).waits[0].kind == "keep"


# --- what is hidden and who begins --------------------------------------------------------------


def test_o_38_joker_memory() -> None:
    """B-29, B-30: the owner sees the face once, or for as long as it is in the hand."""
    for rule, audiences, face in (
        ("owner_sees_once", {"not:0"}, "?"),
        ("owner_sees_always", {"not:0", "0"}, "R5"),
    ):
        state = landing("JOKER", ["R1", "B1"], stock="R5 R6", joker_memory=rule)
        _, turned = events_of(state, 0, c.Move(1))
        assert isinstance(turned, CardTurned)
        assert set(turned.hidden) == audiences
        after = play(state, (0, c.Move(1)))
        shown = view(after, 0).seats[0]
        assert shown is not None
        assert (shown.jokers, view(after, 0).hand) == (face, "R1 J1")


def test_o_35_ask_giver_chooses() -> None:
    """B-37: the giver's choice, or the first that came to the hand."""
    for rule, given in ((True, None), (False, "B7")):
        state = after_moving("ASK", ["R1", "B7 G7"], ask_giver_chooses=rule)
        after = play(state, (0, c.Ask(7)))
        if given:
            assert show(after.seat(0).hand[-1:]) == given
        else:
            assert show(play(after, (1, c.Give("G7"))).seat(0).hand[-1:]) == "G7"


def test_o_27_choose_take_by() -> None:
    """B-42: three choices by number, or one to the nearest TAKE, whatever its number."""
    by_number = {command.action for command in legal(choosing(13, 1), 0)}
    by_type = {command.action for command in legal(choosing(13, 1, choose_take_by="type"), 0)}
    assert by_number - by_type == {"TAKE1", "TAKE2", "TAKE3"}
    assert by_type - by_number == {"TAKE"}
    for taken, space in (((), 14), ((14,), 17)):
        after = play(choosing(13, 1, *taken, choose_take_by="type"), (0, c.Choose("TAKE")))
        assert (after.seat(0).pawn, after.action) == (space, BOARD.track[space])
    refused = refusal(choosing(13, 1, choose_take_by="type"), 0, c.Choose("TAKE1"))
    assert refused == ("no_such_action", "B-39")
    full = choosing(13, 10, 24, choose_take_by="type")
    assert refusal(full, 0, c.Choose("EVERY")) == ("action_occupied", "B-40")


def ended(**options: object) -> State:
    """Seat 0 has ended the round; seats 1 and 2 have not laid."""
    hands = ["R8", "J(R2) R3 J(B4)", "B2 B3"]
    state = board(hands, laid={0: 1}, discard="Y9", **options)
    return play(state, (0, c.Discard("R8")))


def test_o_28_kept_joker() -> None:
    """B-82: `becomes_normal` turns it for its owner, who learns its face; the others forget it."""
    for rule, hand, jokers, kept in (
        ("stays_joker", "J1 R3", ("B4", "?"), ""),
        ("becomes_normal", "B4 R3", ("", ""), "B4 R3"),
    ):
        state = play(ended(kept_joker=rule), (2, c.Keep()))
        _, dealt, *_ = events_of(state, 1, c.Keep("J2 R3"))
        assert isinstance(dealt, RoundDealt)
        assert dealt.hidden["1"].kept == kept
        after = play(state, (1, c.Keep("J2 R3")))
        assert (view(after, 1).hand or "")[: len(hand)] == hand
        seats = [view(after, viewer).seats[1] for viewer in (0, 1)]
        assert tuple(seat.jokers for seat in seats if seat) == jokers


def test_o_33_keep_choice() -> None:
    """B-83: all at once and hidden, or one after the other from the next starter, and shown."""
    at_once = ended()
    assert [q.seat for q in at_once.waits] == [1, 2]
    openly = ended(keep_choice="seat_order_open")
    assert openly.waits == (Question(1, "keep", 5),)
    assert refusal(openly, 2, c.Keep("B2")) == ("not_your_turn", "B-12")
    assert refusal(openly, 0, c.Keep()) == ("nothing_to_keep", "B-71")
    for state, shown in ((at_once, ""), (openly, "J2 R3")):
        (kept,) = events_of(state, 1, c.Keep("J2 R3"))
        assert isinstance(kept, CardsKept)
        assert kept.cards == shown
        after = play(state, (1, c.Keep("J2 R3")))
        assert after.waits == (Question(2, "keep", 5),)


def test_o_33_the_order_begins_left_of_the_ender() -> None:
    """B-74, B-83: where keeping goes by seats, the left neighbour of the ender is first."""
    hands = ["R1", "R2", "R8", "B2"]
    rules = {"keep_choice": "seat_order_open"}
    state = play(board(hands, active=2, laid={2: 1}, discard="Y9", **rules), (2, c.Discard("R8")))
    assert state.waits == (Question(3, "keep", 5),)
    assert play(state, (3, c.Keep())).waits == (Question(0, "keep", 5),)


def test_o_32_board_first_starter() -> None:
    """B-11, B-13: whom the host names, as the youngest or at will, or whom the deal draws; the
    next round goes on from there.
    """
    for rule in ("youngest", "host"):
        assert {opened(3, salt, 2, board_first_starter=rule)[0].active for salt in range(4)} == {2}
    states = [opened(3, salt, 2, board_first_starter="random")[0] for salt in range(12)]
    assert {state.active for state in states} == {0, 1, 2}
    state = states[0]
    key = deal.deal_key(bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript))
    assert state.active == (0, 1, 2)[deal.starter(key, 1, 3)]


def test_o_39_max_turns_per_round() -> None:
    """A limit ends the round for all; who has laid goes on by one."""
    state = board(["R1 R2", "B1 B2"], laid={1: 1}, max_turns_per_round=2)
    first = play(state, (0, c.Discard("R1")))
    assert (first.round, first.active) == (1, 1)
    ready = replace(first, waits=(Question(1, "play"),))
    after = play(ready, (1, c.Discard("B1")))
    assert (after.out, [after.seat(n).phase for n in (0, 1)]) == (None, [1, 2])
    assert after.waits == (Question(0, "keep", 5),)
    assert board(["R1 R2", "B1"]).ruleset.options.max_turns_per_round == "none"


def test_o_25_board_phases() -> None:
    """B-P01 .. B-P10: another list, and what is no list."""
    usual = [phase_text(phase) for phase in BOARD.phases]
    masters = ["set(2) + color(4)", *usual[1:4], "color(5)", *usual[5:]]
    state = board(["R1 B1 G2 G4 G6 G8 Y9", "B2"], board_phases=tuple(masters))
    assert play(state, (0, lay("[R1 B1] [G2 G4 G6 G8]"))).seat(0).laid == 1
    assert refusal(board(["R1 B1 G2 G4 G6 G8 Y9", "B2"]), 0, lay("[R1 B1] [G2 G4 G6 G8]")) == (
        "wrong_group_count",
        "B-55",
    )
    with pytest.raises(Unplayable, match="10 phases are needed, not 9"):
        resolve(BOARD, {"board_phases": usual[:9]})


def test_o_26_board_track() -> None:
    """B-20: another ring, turned so that its start is space 0."""
    track = list(BOARD.track)
    turned = [*track[3:5], "ASK*", *track[6:], *track[:3]]
    state = board(["R1 R2", "B1"], question="move", dice=(1, 2), board_track=turned)
    assert state.ruleset.track[0] == "ASK"
    after = play(state, (0, c.Move(1)))
    assert (after.seat(0).pawn, after.action) == (1, track[6])
    for wrong in (track, [f"{track[0]}*", *track[1:31]], [f"{track[0]}*", *track[1:31], "JUMP"]):
        with pytest.raises(Unplayable, match="board_track"):
            resolve(BOARD, {"board_track": wrong})


def test_every_option_of_the_board_is_tried() -> None:
    """Section 7: each that the game has is named in these tests."""
    files = Path(__file__).parent.glob("test_board_options*.py")
    text = "".join(file.read_text() for file in files)
    assert [name for name in GAMES["board"].settings if name not in text] == []
