"""The laws that every decision keeps, as checks of one step."""

from msgspec.structs import replace

from phaseledger.domain import events as e
from phaseledger.domain.cards import is_wild, remove
from phaseledger.domain.commands import Rejected
from phaseledger.domain.decide import decide
from phaseledger.domain.draft import decision
from phaseledger.domain.evolve import evolve
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import arrange
from phaseledger.domain.state import State, cards_in_play


def check_laws(state: State | None, after: State, events: tuple[e.Event, ...]) -> None:
    """Laws 3, 4 and 6, N-02 and N-03."""
    folded = state
    for event in events:
        folded = evolve(folded, event)
        if folded.round:
            assert folded.ruleset.deck.cards() == cards_in_play(folded)
        for seat in filter(None, folded.seats):  # what others know of a hand is in it
            assert remove(seat.hand, seat.taken) is not None, seat
    assert folded == after
    act = decision(events[0])
    assert act is not None
    assert decide(state, act) == events
    # Whoever answers a question is therefore somebody, in a game that is not over.
    assert all(after.seats[question.seat] for question in after.waits)
    assert not (after.waits and after.stage in ("ended", "voided"))
    if state is not None and state.groups != after.groups:
        check_groups(after)


def check_groups(state: State) -> None:
    """Every laid group is one that could be laid as it lies (N-02)."""
    lenient = replace(
        state.ruleset.options,
        lay_oversize=True,
        wild_placement="explicit",
        wild_on_full_set=True,
        natural_on_full_set=True,
    )
    for group in state.groups:
        cards = group.cards
        if group.half:  # a single card at the end of a run of pairs (O-21)
            cards = cards[group.half & 1 : len(cards) - (group.half >> 1)]
        value = None if any(not is_wild(card) for card in cards) else group.low
        ruleset = replace(state.ruleset, options=lenient)
        laid = arrange(group.need, cards, value, ruleset)
        low = group.low + FORMS[group.need.kind].step * (group.half & 1)
        high = group.high - FORMS[group.need.kind].step * (group.half >> 1)
        assert (laid.low, laid.high) == (low, high)


def check_refusal(rejected: Rejected) -> None:
    """A code that has a rule in some games has one in each where it is met."""
    assert rejected.rule or not rejected.code.rules, rejected
