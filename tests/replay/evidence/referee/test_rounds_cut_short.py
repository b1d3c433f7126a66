"""The second referee where no pile gives a card: C-20, O-01, O-02, and whose turn is at stake."""

from typing import Literal

from msgspec.structs import replace

from phaseledger.domain.commands import Act, Discard
from phaseledger.domain.events import CardDiscarded, Event, Result, RoundEnded
from phaseledger.domain.ruleset import Deck
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.referee.cards import SKIP, Card, full_deck
from phaseledger.replay.evidence.referee.referee import Referee
from phaseledger.replay.evidence.referee.table import Next, RefereeTable
from phaseledger.replay.evidence.referee.winners import value
from tests.support.cases import looped
from tests.support.replay.referee_tables import seated

ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
"""Who plays, from the first player of the round on."""


def table(
    no_card: Literal["continue_without_draw", "end_round"],
    order: tuple[int, ...],
    active: int,
    *,
    ends_with_stock: bool = False,
) -> RefereeTable:
    """A table where the only card that is in no hand is a skip on the discard pile."""
    rules = preset("classic")
    options = replace(
        rules.options,
        no_card_to_draw=no_card,
        stock_exhausted="end_round" if ends_with_stock else "reshuffle_all_but_top",
    )
    deck = Deck("coloured", copies=1, wilds=0, skips=1)
    made = RefereeTable(replace(rules, deck=deck, options=options), len(order), 0)
    cards: list[Card] = [card for card in full_deck(deck).elements() if card != SKIP]
    for number, seat in enumerate(made.seats):
        seat.hand = cards[number :: len(order)]
    made.pile, made.round, made.turn = [SKIP], 1, 5
    made.players, made.active, made.next = [*order], active, "turn"
    return made


def ended(made: RefereeTable) -> RoundEnded:
    """The end of this round by a limit, all points counted as they are due."""
    points = [sum(value(made, card) for card in seat.hand) for seat in made.seats]
    return RoundEnded(
        round=1,
        out=None,
        results=tuple(
            Result(laid=0, points=count, total=count, phase=1, hand=made.words(seat.hand))
            for seat, count in zip(made.seats, points, strict=True)
        ),
        asks=(),
    )


def objection(made: RefereeTable, event: Event) -> str:
    """The rule that the referee cites against an event; empty where it has none to cite."""
    verdict = seated(made).watch(event)
    return verdict.rule if verdict else ""


def discarded(made: RefereeTable) -> CardDiscarded:
    """The discard of the first card of who plays, drawn or not."""
    card = made.words(made.seats[made.active].hand[:1])
    return CardDiscarded(seat=made.active, cards=card, act=Act(Discard(card), made.active), asks=())


@looped("order", ORDERS)
@looped("active", range(-1, 3))
def test_who_has_a_turn_to_lose_loses_it_before_the_round_ends(
    order: tuple[int, ...], active: int
) -> None:
    """O-02: it is the next player who finds no card, whoever began the round."""
    due = order[0] if active < 0 else (active + 1) % 3
    for loser in range(3):
        made = table("end_round", order, active)
        made.seats[loser].turns_to_lose = 1
        assert bool(objection(made, ended(made))) == (loser == due), loser


@looped("active", range(3))
def test_a_round_ends_for_want_of_cards_only_by_that_house_rule(active: int) -> None:
    """C-20, C-61: and at the turn's beginning, where there is no card at all."""
    made = table("end_round", ORDERS[0], active)
    assert not objection(made, ended(made))
    made = table("continue_without_draw", ORDERS[0], active)
    assert objection(made, ended(made))
    steps: tuple[Next, ...] = ("draw", "play")
    for step in steps:
        made = table("end_round", ORDERS[0], active)
        made.next = step
        assert objection(made, ended(made))
    made = table("end_round", ORDERS[0], active)
    made.stock = [made.seats[0].hand.pop()]
    assert objection(made, ended(made))


@looped("step", ["draw", "joker", "gift"])
def test_a_card_wanted_from_an_empty_stock_ends_the_round(step: Next) -> None:
    """O-01, `stock_exhausted=end_round`: when it is wanted, and nobody has gone out."""
    made = table("continue_without_draw", ORDERS[0], 0, ends_with_stock=True)
    made.next = step
    assert not objection(made, ended(made))
    made = table("continue_without_draw", ORDERS[0], 0, ends_with_stock=True)
    made.next = step
    assert objection(made, replace(ended(made), out=0))
    made = table("continue_without_draw", ORDERS[0], 0, ends_with_stock=True)
    made.next, made.stock = step, [made.seats[0].hand.pop()]
    assert objection(made, ended(made))


def test_a_turn_goes_on_without_a_draw_where_no_pile_gives_a_card() -> None:
    """C-20: and only there; who can draw has to."""
    made = table("continue_without_draw", ORDERS[0], 1)
    made.next, made.wanted = "draw", 1
    assert not objection(made, discarded(made))

    for stock, pile in ((1, [SKIP]), (0, [SKIP, SKIP]), (0, [Card("number", 1, 1)])):
        made = table("continue_without_draw", ORDERS[0], 1)
        made.next, made.wanted, made.pile = "draw", 1, pile
        made.stock = [made.seats[0].hand.pop() for _ in range(stock)]
        assert objection(made, discarded(made))


@looped("step", ["turn", "round end", "game end", "nothing"])
def test_nothing_else_is_gone_on_with(step: Next) -> None:
    """That no pile gives a card makes it nobody's turn to play."""
    made = table("continue_without_draw", ORDERS[0], 1)
    made.next = step
    assert objection(made, discarded(made))
    assert made.next == step


def test_a_referee_comes_to_such_a_table() -> None:
    """What the others stand on: all cards are there, so that nothing but the limit is judged."""
    made = table("end_round", ORDERS[0], 0)
    made.count_cards()
    referee = Referee()
    referee.table = made
    assert referee.watch(ended(made)) is None
    assert made.next == "deal"
