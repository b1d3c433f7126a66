"""RULES.md section 5.3: asking others and choosing an action, by the rule's ID."""

from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import TURNED
from phaseledger.domain.draft import decision, with_decision
from phaseledger.domain.events import CardAsked, CardDrawn, CardGiven, PawnMoved
from phaseledger.domain.legal import legal
from phaseledger.domain.state import Question
from phaseledger.domain.view import view
from tests.support.board_positions import after_moving, choosing, hands_of
from tests.support.cases import looped
from tests.support.table import board, events_of, landing, play, refusal, refused


def test_b_32_a_value_and_a_direction() -> None:
    """B-32: a value from 1 to 12, to the left or to the right, one after the other."""
    state = after_moving("ASK", ["R1", "B7", "G2", "Y7"])
    assert play(state, (0, c.Ask(7, "left"))).waits == (Question(1, "give", 7),)
    assert play(state, (0, c.Ask(7, "right"))).waits == (Question(3, "give", 7),)
    assert play(state, (0, c.Ask(2, "left"))).waits == (Question(2, "give", 2),)
    for value in (0, 13, -1):
        assert refusal(state, 0, c.Ask(value)) == ("no_such_value", "B-32")
    assert len(list(legal(state, 0))) == 24


def test_b_33_b_34_the_first_who_has_it_gives_one_and_draws() -> None:
    """B-33 (HC-261): one card, and the asking ends. B-34: its giver gets the top of the stock."""
    state = after_moving("ASK", ["R1", "B7 G7 B2", "Y7"], stock="Y1 Y2")
    asked = play(state, (0, c.Ask(7)))
    assert list(legal(asked, 1)) == [c.Give("B7"), c.Give("G7")]
    assert refusal(asked, 1, c.Give("B2")) == ("not_asked_for", "B-33")
    assert refused(asked, 1, c.Give("B7 G7")) == ("one_card", "B-33", "one card is given")
    reason = "another player has to give a card first"
    assert refused(asked, 0, c.Discard("R1")) == ("not_your_turn", "B-12", reason)
    assert refused(asked, 2, c.Discard("Y7")) == ("not_your_turn", "B-12", "")
    assert refusal(asked, 1, c.Give("Y7")) == ("not_in_hand", "B-33")
    assert refusal(asked, 1, c.Pass()) == ("must_give", "B-33")
    after = play(asked, (1, c.Give("G7")))
    assert hands_of(after) == ["R1 G7", "B7 B2 Y1", "Y7"]
    assert after.waits == (Question(0, "play"),)


def test_b_33_who_learns_which_card() -> None:
    """B-33: the two of them; the rest sees that a card of the value changed hands."""
    state = play(after_moving("ASK", ["R1", "B2", "B7"], stock="Y1 Y2"), (0, c.Ask(7)))
    given, drawn = events_of(state, 2, c.Give("B7"))
    assert isinstance(given, CardGiven)
    assert {who: secret.card for who, secret in given.hidden.items()} == {"0,2": "B7"}
    assert given.act is not None
    assert (given.act.command, decision(given)) == (c.Give(""), c.Act(c.Give("B7"), 2))
    assert with_decision(given, c.Act(c.Give("B7"), 2)) == given
    assert set(drawn.hidden) == {"2"}


def test_b_35_nobody_has_it() -> None:
    """B-35: the asker draws from the stock."""
    state = after_moving("ASK", ["R1", "B2", "B3"], stock="Y1 Y2")
    asked, drawn = events_of(state, 0, c.Ask(7))
    assert isinstance(asked, CardAsked)
    assert isinstance(drawn, CardDrawn)
    assert hands_of(play(state, (0, c.Ask(7)))) == ["R1 Y1", "B2", "B3"]


def test_b_36_b_38_a_joker_is_given_where_nothing_else_fits() -> None:
    """B-36 (HC-259): not while another card of the value is there. B-38: for its new owner it is
    an ordinary card. B-34: what replaces it is one, too.
    """
    state = after_moving("ASK", ["R1", "J(R7) B7"], stock="Y1 Y2")
    asked = play(state, (0, c.Ask(7)))
    assert list(legal(asked, 1)) == [c.Give("B7")]
    assert refusal(asked, 1, c.Give("J1")) == ("not_asked_for", "B-33")
    state = after_moving("ASK", ["R1", "J(B3) B2 J(R7) J(B7)"], stock="Y1 Y2")
    given = events_of(state, 0, c.Ask(7))[1]
    assert isinstance(given, CardGiven)
    assert (given.joker, {who: s.card for who, s in given.hidden.items()}) == (
        "J2",
        {"not:1": "R7"},
    )
    after = play(state, (0, c.Ask(7)))
    assert hands_of(after) == ["R1 R7", "J(B3) B2 J(B7) Y1"]
    assert view(after, 1).hand == "J1 B2 J2 Y1"


CHOICES = [
    (13, (1,), "TAKE2", 14),
    (13, (14,), "TAKE2", 22),
    (13, (1,), "JOKER", 21),
    (13, (21,), "JOKER", 0),
    (30, (1,), "TAKE1", 5),
    (30, (31, 8), "AGAIN", 20),
    (30, (10,), "EVERY", 24),
]


@looped(("pawn", "others", "action", "space"), CHOICES)
def test_b_39_the_first_free_space(
    pawn: int, others: tuple[int, ...], action: str, space: int
) -> None:
    """B-39 (HC-262), B-42: clockwise to the first free space of the action, which is carried out;
    TAKE +1, +2 and +3 are three.
    """
    moved = events_of(choosing(pawn, *others), 0, c.Choose(action))[0]
    assert isinstance(moved, PawnMoved)
    assert (moved.space, moved.action) == (space, action)


def test_b_39_every_action_is_carried_out() -> None:
    """B-39: what is chosen asks or happens like anywhere else."""
    asked = {}
    for command in legal(choosing(13, 1), 0):
        after = play(choosing(13, 1), (0, command))
        asked[command.action] = (after.waits[0].kind, after.waits[0].number)
    assert asked == {
        "TAKE1": ("draw", 1),
        "TAKE2": ("draw", 2),
        "TAKE3": ("draw", 3),
        "AGAIN": ("draw", 1),
        "SEARCH": ("search", 0),
        "ASK": ("ask", 0),
        "SWAP": ("swap", 0),
        "JOKER": ("play", 0),
        "EVERY": ("play", 0),
    }


def test_b_40_occupied_or_not_on_the_ring() -> None:
    """B-40 is about spaces that are there; what the ring never had is no action of it."""
    track = ["CHOOSE*", *["JOKER"] * 30, "TAKE2"]
    state = choosing(0, 31, board_track=track)
    assert refusal(state, 0, c.Choose("TAKE2")) == ("action_occupied", "B-40")
    assert refusal(state, 0, c.Choose("AGAIN")) == ("no_such_action", "B-39")
    by_type = choosing(0, 31, board_track=track, choose_take_by="type")
    assert refusal(by_type, 0, c.Choose("TAKE")) == ("action_occupied", "B-40")
    assert refusal(by_type, 0, c.Choose("TAKE2")) == ("no_such_action", "B-39")


def test_b_39_b_18_choosing_while_others_stand_on_the_start() -> None:
    """B-39: CHOOSE is reached on the first turn of a game, over a pawn, while two wait on 0."""
    hands = ["R1 R2", "B1 B2", "G1 G2"]
    state = board(hands, question="move", dice=(6, 6), pawns=[0, 0, 5])
    state = play(state, (0, c.Move(12)))
    assert (state.seat(0).pawn, state.waits) == (13, (Question(0, "choose"),))
    after = play(state, (0, c.Choose("JOKER")))
    assert after.seat(0).pawn == 21
    assert after.seat(0).hand[-1] & TURNED


def test_b_40_b_41_what_cannot_be_chosen() -> None:
    """B-40 (HC-263): all spaces of an action are occupied. B-41 (HC-264): CHOOSE itself."""
    full = choosing(13, 0, 11, 21)
    assert refusal(full, 0, c.Choose("JOKER")) == ("action_occupied", "B-40")
    assert refusal(full, 0, c.Choose("CHOOSE")) == ("chooses_itself", "B-41")


def test_b_40_everything_is_occupied() -> None:
    """B-40: on a ring of CHOOSE and three others, all taken, the action comes to nothing."""
    track = ["CHOOSE*", *["CHOOSE"] * 27, "TAKE1", "ASK", "SWAP", "AGAIN"]
    state = board(
        ["R1 R2", "B1", "G1", "Y1", "R3"],
        question="move",
        dice=(1, 2),
        pawns=[0, 28, 29, 30, 31],
        board_track=track,
    )
    assert play(state, (0, c.Move(1))).waits == (Question(0, "play"),)
    one_free = replace(state, seats=(*state.seats[:4], replace(state.seat(4), pawn=9)))
    asked = play(one_free, (0, c.Move(1)))
    assert list(legal(asked, 0)) == [c.Choose("AGAIN")]


def test_b_43_nothing_is_drawn_but_by_actions() -> None:
    """B-43: no draw where no action asks for one."""
    state = play(landing("JOKER", ["R1", "B1"]), (0, c.Move(1)))
    assert refusal(state, 0, c.Draw()) == ("already_drawn", "B-43")
    waiting = landing("TAKE1", ["R1", "B1"])
    assert refusal(waiting, 0, c.Draw("discard")) == ("must_move", "B-14")
    assert not any(card & TURNED for card in waiting.seat(0).hand)
