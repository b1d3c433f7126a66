"""What a stricter rule would refuse in a game that was played."""

from collections.abc import Sequence

from phaseledger.domain.events import (
    CardDiscarded,
    CardDrawn,
    CardsHit,
    Event,
    PhaseLaid,
    RoundDealt,
)


def thrown_back(events: Sequence[Event]) -> int:
    """The number of the first discard of a card that is the only copy and was just taken."""
    hands: dict[int, list[str]] = {}
    taken = ""
    for seq, event in enumerate(events, 1):
        if isinstance(event, RoundDealt):
            hands = {seat: event.hidden[str(seat)].hand.split() for seat in event.players}
        elif isinstance(event, CardDrawn):
            taken = event.card
            hands[event.seat].append(event.card or event.hidden[str(event.seat)].card)
        elif (
            isinstance(event, CardDiscarded)
            and event.cards == taken
            and hands[event.seat].count(taken) == 1
        ):
            return seq
        for card in _spent(event):
            hands[event.seat].remove(card)
    return 0


def _spent(event: Event) -> list[str]:
    """The cards that leave the hand of the event's seat."""
    if isinstance(event, PhaseLaid):
        return [card for group in event.groups for card in group.cards.split()]
    return event.cards.split() if isinstance(event, CardDiscarded | CardsHit) else []
