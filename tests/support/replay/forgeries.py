"""What a forger with every secret of the server changes, and what has to be found."""

from typing import NamedTuple

from tests.support.replay import decision_forgeries as act
from tests.support.replay import outcome_forgeries as fact
from tests.support.replay.outcome_forgeries import Edit, bits_flipped

ANOTHER_OUTCOME = frozenset(
    {"outcome_differs", "illegal_decision", "unreadable", "no_decision", "after_end", "truncated"}
)
"""What editing facts leads to: deciding again gives something else, or nothing can be decided."""
PROMISE = frozenset({"broken_promise", "outcome_differs"})
SIGNED = frozenset({"bad_signature"})
"""Who signs, signs over all events before: what is changed there is found by the signature too."""


class Forgery(NamedTuple):
    """An edit, and the codes one of which has to be found."""

    edit: Edit
    right: frozenset[str]


FORGERIES: dict[str, Forgery] = {
    "points of a round": Forgery(fact.field_of_result("points"), ANOTHER_OUTCOME),
    "total of a round": Forgery(fact.field_of_result("total"), ANOTHER_OUTCOME),
    "phase laid in a round": Forgery(fact.field_of_result("laid"), ANOTHER_OUTCOME),
    "phase that comes next": Forgery(fact.field_of_result("phase"), ANOTHER_OUTCOME),
    "another winner": Forgery(fact.winner, ANOTHER_OUTCOME),
    "another went out": Forgery(fact.who_went_out, ANOTHER_OUTCOME),
    "another card drawn": Forgery(fact.hidden_card, ANOTHER_OUTCOME),
    "another card dealt": Forgery(fact.dealt_hand, ANOTHER_OUTCOME),
    "hands exchanged": Forgery(fact.hands_exchanged, ANOTHER_OUTCOME),
    "stock in another order": Forgery(fact.order_of_stock, ANOTHER_OUTCOME),
    "another card turned up": Forgery(fact.turned_up, ANOTHER_OUTCOME),
    "another card on the table": Forgery(fact.open_card, ANOTHER_OUTCOME),
    "another card, move and all": Forgery(fact.open_card_and_move, ANOTHER_OUTCOME | SIGNED),
    "another card laid": Forgery(fact.laid_card, ANOTHER_OUTCOME),
    "another phase laid": Forgery(fact.laid_phase, ANOTHER_OUTCOME),
    "other dice": Forgery(fact.dice, ANOTHER_OUTCOME),
    "another space": Forgery(fact.pawn, ANOTHER_OUTCOME),
    "another seat's event": Forgery(fact.facts_seat, ANOTHER_OUTCOME),
    "another speaker": Forgery(
        act.speaker, ANOTHER_OUTCOME | PROMISE | {"bad_signature", "illegal_decision"}
    ),
    "drawn from elsewhere": Forgery(act.drawn_from, ANOTHER_OUTCOME | SIGNED),
    "no decision": Forgery(act.no_decision, ANOTHER_OUTCOME),
    "time of a later event": Forgery(
        act.mark_of_a_later_event("at", lambda at, pick: at + 1 + pick(10_000)), ANOTHER_OUTCOME
    ),
    "command of a later event": Forgery(
        act.mark_of_a_later_event("cmd", bits_flipped), ANOTHER_OUTCOME
    ),
    "signature changed": Forgery(act.signature(bits_flipped), SIGNED),
    "signature taken off": Forgery(
        act.signature(lambda _, __: ""), frozenset({"illegal_decision"})
    ),
    "signature of another move": Forgery(act.signature_of_another, SIGNED),
    "another key of a seat": Forgery(
        act.key_of_a_seat, frozenset({"bad_signature", "illegal_decision", "outcome_differs"})
    ),
    "secret of a seat, made by the server": Forgery(
        act.hex_of("hidden", "server", "secret", kinds=("SeatTaken",)), PROMISE
    ),
    "secret of a seat of another game": Forgery(act.seat_secret_of_another_game, PROMISE),
    "secret that a seat revealed": Forgery(
        act.hex_of("data", "secret", kinds=("SeatSecretRevealed",)), PROMISE
    ),
    "commitment of a seat": Forgery(act.hex_of("data", "commit", kinds=("SeatTaken",)), PROMISE),
    "commitment of the server": Forgery(
        act.hex_of("data", "server_commit", kinds=("GameOpened",)), PROMISE
    ),
    "secret of the server at the end": Forgery(
        act.hex_of("data", "secret", kinds=("GameEnded", "GameVoided")), PROMISE
    ),
    "transcript": Forgery(act.hex_of("data", "transcript", kinds=("DealOpened",)), PROMISE),
    "cards in a hand": Forgery(act.hand_size, ANOTHER_OUTCOME),
    "points of a card": Forgery(act.points, ANOTHER_OUTCOME),
    "what a phase asks for": Forgery(act.phase_asks, ANOTHER_OUTCOME),
    "a house rule": Forgery(act.house_rule, ANOTHER_OUTCOME),
    "a house rule asked for": Forgery(act.house_rule_asked_for, ANOTHER_OUTCOME),
    "another rule set asked for": Forgery(act.other_rule_set, ANOTHER_OUTCOME),
    "another dealer": Forgery(act.dealer, ANOTHER_OUTCOME),
    "an event dropped": Forgery(act.dropped, ANOTHER_OUTCOME | PROMISE | SIGNED),
    "an event repeated": Forgery(act.repeated, ANOTHER_OUTCOME | PROMISE | SIGNED),
    "two events exchanged": Forgery(
        act.exchanged,
        # Two seats may as well have been taken the other way round, but not at those times.
        ANOTHER_OUTCOME | PROMISE | SIGNED | {"time_backwards"},
    ),
    "an event of another game": Forgery(
        act.of_another_game, ANOTHER_OUTCOME | PROMISE | SIGNED | {"secret_differs"}
    ),
}
"""What is changed in the events before the chain is made anew, and what has to be found."""
