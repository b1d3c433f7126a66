"""RULES.md sections 5.6 and 5.7: the end of a round, the next one, and what is hidden."""

from itertools import permutations

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import TURNED, show
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import CardsKept, GameEnded, RoundDealt, StockShuffled
from phaseledger.domain.legal import legal
from phaseledger.domain.state import Question, State, cards_in_play
from phaseledger.domain.view import view
from tests.support.board_positions import after_moving, hands_of
from tests.support.cases import looped
from tests.support.table import BOARD, board, events_of, landing, play, refusal


def ended(hands: list[str], laid: dict[int, int] | None = None, **laid_out: object) -> State:
    """Seat 0 has just ended the round with R8; it and whoever else is named had laid."""
    laid_out = {"discard": "Y9 Y8 Y7 Y6 Y5 Y4", **laid_out}
    state = board(["R8", *hands], laid={0: 1, **(laid or {})}, **laid_out)
    return play(state, (0, c.Discard("R8")))


# --- discard and end of the round ---------------------------------------------------------------


def test_b_66_a_card_is_discarded_face_up() -> None:
    """B-66: laid or not; then the left neighbour plays."""
    for laid in ({}, {0: 1}):
        state = board(["R1 R2", "B1"], laid=laid, discard="G1")
        assert refusal(state, 0, c.Pass()) == ("must_discard", "B-66")
        assert refusal(state, 0, c.Discard("")) == ("cards_needed", "")
        after = play(state, (0, c.Discard("R2")))
        assert (view(after, None).discard, after.active) == ("R2", 1)


def test_b_67_step_2_never_empties_the_hand() -> None:
    """B-67: neither a lay nor a hit; `legal` lists none that does."""
    state = board(["R3 B3 G3 R4 B4 G4", "B1"], phases=[4, 1])
    lay = c.Lay((c.GroupToLay("R3 B3 G3"), c.GroupToLay("R4 B4 G4")))
    assert refusal(state, 0, lay) == ("keep_a_card", "B-67")
    assert {type(command) for command in legal(state, 0)} == {c.Discard}
    state = board(["R8 B8", "B1"], laid={0: 8}, groups=[(0, "set", "G8 Y8")])
    assert refusal(state, 0, c.Hit(0, "R8 B8")) == ("keep_a_card", "B-67")
    assert {type(command) for command in legal(state, 0)} == {c.Hit, c.Discard}


def test_b_69_n_05_a_swap_empties_the_hand_in_passing() -> None:
    """B-69, N-05: the round goes on, for cards follow from the stock."""
    state = after_moving("SWAP", ["R1 R2", "B1"], laid={0: 1}, discard="G9", stock="Y1 Y2 Y3")
    after = play(state, (0, c.Swap("R1 R2")))
    assert (hands_of(after)[0], after.out) == ("Y1 Y2 Y3", None)
    assert after.waits == (Question(0, "play"),)


def test_n_05_b_85_a_hand_that_is_empty_after_step_1() -> None:
    """N-05: a short supply leaves nothing to discard; the turn ends without, and no round does."""
    state = landing("JOKER", ["", "B1 B2"], laid={0: 1}, discard="G9", stock="")
    state = play(state, (0, c.Move(1)))
    assert list(legal(state, 0)) == [c.Pass()]
    after = play(state, (0, c.Pass()))
    assert (after.active, after.round, after.waits[0].kind) == (1, 1, "move")


def test_n_05_who_gives_the_last_card_does_not_end_the_round() -> None:
    """N-05, B-85: an asked seat may be left with nothing, and then plays an empty hand."""
    state = after_moving("ASK", ["R1 R2", "B7"], discard="G9", stock="")
    after = play(state, (0, c.Ask(7)), (1, c.Give("B7")))
    assert (hands_of(after), after.round) == (["R1 R2 B7", ""], 1)
    after = play(after, (0, c.Discard("R1")))
    assert (after.active, after.waits[0].kind) == (1, "move")
    assert len(list(legal(after, 1))) == 2


ENDS = [
    # case, ender, phases, who has laid, phases afterwards, winner
    ("B-70, B-72", 1, [1, 1, 1], {1}, [1, 3, 1], None),
    ("HC-233", 0, [3, 5, 7], {0, 1}, [5, 6, 7], None),
    ("B-71: nobody else", 0, [5, 4, 6], {0, 1, 2}, [7, 5, 7], None),
    ("B-71: not yet the laurel", 0, [8, 9, 9], {0, 1}, [10, 10, 9], None),
    ("B-75: nor for any", 0, [8, 9, 9], {0, 1, 2}, [10, 10, 10], None),
    ("HC-234", 0, [9, 10], {0, 1}, [11, 11], 0),
    ("B-74: the next one", 0, [8, 10, 10], {0, 1, 2}, [10, 11, 11], 1),
    ("B-74: the last one", 0, [8, 9, 10], {0, 1, 2}, [10, 10, 11], 2),
    ("HC-236", 2, [1, 10, 2, 10], {1, 2, 3}, [1, 11, 4, 11], 3),
    ("B-76: surplus steps", 0, [10, 1], {0}, [11, 1], 0),
]


@looped(("case", "ender", "phases", "laid", "then", "winner"), ENDS, ids=[row[0] for row in ENDS])
def test_b_70_to_b_76_the_markers(
    case: str, ender: int, phases: list[int], laid: set[int], then: list[int], winner: int | None
) -> None:
    """B-70: two for whoever ended the round. B-71: one for whoever laid, who gives up all cards.
    B-72: none for the others, who keep up to five. B-73: no points for anybody. B-74: from the
    ender clockwise. B-75: the first to reach the laurel wins at once. B-76: no more than there are.
    """
    seats = range(len(phases))
    hands = [" ".join(f"{colour}{n}" for n in range(1, 7)) for colour in "RBGY"[: len(phases)]]
    hands[ender] = "R8"
    laying = {n: phases[n] for n in laid}
    state = board(hands, active=ender, phases=phases, laid=laying, discard="Y9")
    *_, last = events_of(state, ender, c.Discard("R8"))
    state = play(state, (ender, c.Discard("R8")))
    assert [state.seat(n).phase for n in seats] == then
    assert {state.seat(n).points for n in seats} == {0}
    assert isinstance(last, GameEnded) == (winner is not None)
    if isinstance(last, GameEnded):
        assert last.winners == state.winners == (winner,)
        assert (state.stage, state.waits, state.server_secret) == ("ended", (), last.secret)
        return
    missed = {n: ("keep", 5) for n in seats if n not in laid}
    assert {q.seat: (q.kind, q.number) for q in state.waits if q.kind == "keep"} == missed
    for number in missed:
        for other in laid:
            assert refusal(state, other, c.Keep("B2")) == ("nothing_to_keep", "B-71")
        kept = show(state.seat(number).hand[:5])
        state = play(state, (number, c.Keep(kept)))
    assert [len(state.seat(n).hand) for n in seats] == [10] * len(phases)


# --- the next round -----------------------------------------------------------------------------


def test_b_77_to_b_81_a_new_round() -> None:
    """B-77: all but the kept cards. B-78 (HC-272): dealt till everybody has ten. B-79: five for a
    new pile. B-80: pawns stay. B-81: the ender's left neighbour starts.
    """
    state = ended(["R2 R3 R4", "B2 B3"], {2: 1}, pawns=[4, 9, 13])
    after = play(state, (1, c.Keep("R4 R2")))
    assert (after.round, after.active, after.dealer) == (2, 1, 1)
    assert [len(after.seat(n).hand) for n in range(3)] == [10, 10, 10]
    assert show(after.seat(1).hand).startswith("R4 R2 ")
    assert (len(after.discard), len(after.stock), after.groups) == (5, 61, ())
    assert [after.seat(n).pawn for n in range(3)] == [4, 9, 13]
    assert cards_in_play(after) == BOARD.deck.cards()


def test_b_81_who_starts_after_whom() -> None:
    """B-81: in the round after next as well, whoever ends it."""
    state = board(["R1 R2", "R3 R4", "R8"], active=2, laid={0: 1, 1: 1, 2: 1})
    after = play(state, (2, c.Discard("R8")))
    assert (after.round, after.players, after.active) == (2, (0, 1, 2), 0)


def test_b_81_a_round_that_nobody_ended() -> None:
    """B-81, O-39: after a limit it is the left neighbour of whoever had begun the round."""
    hands, laid = ["R1 R2", "R3 R4", "R5 R6"], {0: 1, 1: 1, 2: 1}
    state = board(hands, active=1, laid=laid, max_turns_per_round=1)
    after = play(replace(state, players=(1, 2, 0), dealer=0), (1, c.Discard("R3")))
    assert (after.round, after.players) == (2, (2, 0, 1))
    assert [after.seat(n).phase for n in range(3)] == [2, 2, 2]


def test_b_82_a_kept_joker_stays_a_joker() -> None:
    """B-82: for its owner a back, for the others the face they know; in the order it was kept."""
    state = ended(["J(R2) R3 J(B4) J(R2) G7", "B2 B3"], {2: 1})
    assert view(state, 1).hand == "J1 R3 J2 J3 G7"
    _, dealt, *_ = events_of(state, 1, c.Keep("J2 G7 J1"))
    assert isinstance(dealt, RoundDealt)
    assert (dealt.kept, dealt.jokers) == ((0, 3, 0), (0, 2, 0))
    assert dealt.hidden["not:1"].kept == "J(B4) J(R2)"
    after = play(state, (1, c.Keep("J2 G7 J1")))
    assert show(after.seat(1).hand).startswith("J(B4) G7 J(R2) ")
    assert (view(after, 1).hand or "").startswith("J1 G7 J2 ")
    seats = [view(after, viewer).seats[1] for viewer in (0, 1, 2, None)]
    assert [seat.jokers for seat in seats if seat] == ["B4 R2", "? ?", "B4 R2", "? ?"]


def test_b_83_all_choose_at_the_same_time() -> None:
    """B-83: in any order, each in secret; the deal does not depend on who was first."""
    hands = ["R2 R3 R4 R5 R6 R7", "B2 B3", "G1 G2 G3"]
    keeps = {1: c.Keep("R2 R4"), 2: c.Keep(), 3: c.Keep("G3 G1 G2")}
    start = ended(hands)
    assert {q.seat: (q.kind, q.number) for q in start.waits} == dict.fromkeys(keeps, ("keep", 5))
    deals = []
    for order in permutations(keeps):
        state = start
        for number in order[:-1]:
            (kept,) = events_of(state, number, keeps[number])
            assert isinstance(kept, CardsKept)
            assert (kept.cards, set(kept.hidden)) == ("", {str(number)})
            assert kept.act is not None
            assert kept.act.command == c.Keep("")
            assert decision(kept) == Act(keeps[number], number)
            state = play(state, (number, keeps[number]))
            assert refusal(state, number, c.Keep()) == ("nothing_to_keep", "B-71")
        deals.append(play(state, (order[-1], keeps[order[-1]])))
    assert [deal for deal in deals if deal != deals[0]] == []
    assert [len(deals[0].seat(n).hand) for n in range(4)] == [10] * 4


def test_b_72_b_83_what_may_be_kept() -> None:
    """B-72 (HC-271, HC-273): up to five that one holds, none at all, and no card twice."""
    state = ended(["R2 R2 R4 J(B5) R6 R7", "B2 B3"], {2: 1})
    assert refusal(state, 1, c.Keep("R2 R2 R2")) == ("not_in_hand", "B-72")
    assert refusal(state, 1, c.Keep("B5")) == ("not_in_hand", "B-72")
    assert refusal(state, 1, c.Keep("R2 R2 R4 J1 R6 R7")) == ("keep_count", "B-72")
    assert refusal(state, 0, c.Keep()) == ("nothing_to_keep", "B-71")
    assert refusal(state, 1, c.Discard("R2")) == ("must_keep", "B-72")
    assert refusal(state, 2, c.Discard("B2")) == ("not_your_turn", "B-12")
    after = play(state, (1, c.Keep("R2 R2")))
    assert show(after.seat(1).hand).startswith("R2 R2 ")
    none = play(state, (1, c.Keep()))
    assert [len(none.seat(n).hand) for n in range(3)] == [10] * 3
    assert not any(card & TURNED for card in none.seat(1).hand)
    assert (none.stock + none.discard + none.seat(0).hand).count(2) <= 2


def test_b_71_nobody_keeps_where_all_have_laid() -> None:
    """B-71: the next round is dealt at once; also where the rest holds no card (N-05)."""
    assert ended(["R2", "B2"], {1: 1, 2: 1}).round == 2
    assert ended(["", "B2"], {2: 1}).round == 2


def test_b_72_voided_while_cards_are_kept() -> None:
    """A game may be broken off between two rounds; nothing is asked any more."""
    state = play(ended(["R2 R3", "B2 B3"]), (1, c.Keep("R2")))
    after, _ = step(state, Act(c.VoidGame("rain")))
    assert (after.stage, after.waits) == ("voided", ())
    assert refusal(after, 2, c.Keep()) == ("game_over", "")
    assert cards_in_play(after) == BOARD.deck.cards()


# --- too few cards ------------------------------------------------------------------------------


def test_b_84_the_pile_is_shuffled_when_a_card_must_come() -> None:
    """B-84 (HC-168): not before; all but the top card, which stays."""
    state = after_moving("TAKE2", ["R1", "B1"], discard="G1 G2 G3", stock="Y1")
    state = play(state, (0, c.Draw()))
    assert (show(state.discard), state.stock) == ("G1 G2 G3", b"")
    shuffled, _ = events_of(state, 0, c.Draw())
    assert isinstance(shuffled, StockShuffled)
    assert sorted(shuffled.hidden["stock"].stock.split()) == ["G1", "G2"]
    after = play(state, (0, c.Draw()))
    assert (show(after.discard), len(after.stock), after.shuffles) == ("G3", 1, 1)


SHORT = [
    # action, stock, pile, hands after the move
    ("EVERY", "Y1 Y2", "G1", ["R1 Y1", "B1 Y2", "G9"]),
    ("EVERY", "", "G1", ["R1", "B1", "G9"]),
    ("EVERY", "Y1", "G1 G2", ["R1 Y1", "B1 G1", "G9"]),
    ("JOKER", "", "G1", ["R1", "B1", "G9"]),
    ("JOKER", "", "G1 G2", ["R1 J(G1)", "B1", "G9"]),
]


@looped(("action", "stock", "pile", "hands"), SHORT)
def test_b_85_as_many_as_there_are(action: str, stock: str, pile: str, hands: list[str]) -> None:
    """B-85: in turn order, as many as possible."""
    state = landing(action, ["R1", "B1", "G9"], stock=stock, discard=pile)
    after = play(state, (0, c.Move(1)))
    assert (hands_of(after), after.waits) == (hands, (Question(0, "play"),))


def test_b_85_taking_and_asking_with_too_few_cards() -> None:
    """B-85: TAKE asks for no more than there are; who asks in vain draws nothing."""
    state = after_moving("TAKE3", ["R1", "B1"], stock="Y1", discard="G1")
    state = play(state, (0, c.Draw()), (0, c.Draw("discard")))
    assert state.waits == (Question(0, "play"),)
    nothing = after_moving("TAKE2", ["R1", "B1"], stock="", discard="")
    assert nothing.waits == (Question(0, "play"),)
    nothing = after_moving("SEARCH", ["R1", "B1"], discard="")
    assert nothing.waits == (Question(0, "play"),)
    nothing = after_moving("SWAP", ["", "B1"])
    assert nothing.waits == (Question(0, "play"),)
    asked = after_moving("ASK", ["R1", "B1"], stock="", discard="G1")
    assert hands_of(play(asked, (0, c.Ask(7)))) == ["R1", "B1"]
    swapped = after_moving("SWAP", ["R1 R2", "B1"], stock="", discard="")
    assert sorted(hands_of(play(swapped, (0, c.Swap("R1 R2"))))) == ["B1", "R1"]
