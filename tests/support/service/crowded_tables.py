"""Tables of all games at which every opponent has laid a phase, and seat 0 holds 15 cards."""

from collections.abc import Iterator
from itertools import groupby

from phaseledger.domain.cards import SKIP, WILD, remove, show
from phaseledger.domain.events import Event, LaidGroup, PhaseLaid, RoundDealt
from phaseledger.domain.rulesets import preset
from tests.support.service.api_tables import Layout, dealt

PHASES = {"classic": (1, 6), "standard-deck": (1, 5), "express": (2, 6), "board": (2, 6)}
"""Of each game a phase of nothing but sets of one size, and how many seats there are."""
HELD = 15
"""Cards in the hand of seat 0."""


def crowded(ruleset: str, game: str) -> list[Event]:
    """The events of a game up to the question to seat 0, whose phase is not laid."""
    number, seats = PHASES[ruleset]
    rules = preset(ruleset)
    notation, needs = rules.deck.notation, rules.phases[number - 1].needs
    naturals = bytes(card for card in rules.deck.cards() if card not in (WILD, SKIP))
    sets = list(_sets(naturals, needs[0].size))
    laid = {seat: sets[(seat - 1) * len(needs) : seat * len(needs)] for seat in range(1, seats)}
    rest = remove(naturals, b"".join(cards for own in laid.values() for cards in own))
    assert rest is not None
    hands = [rest[:HELD], *(b"".join(own) + rest[-seat:][:1] for seat, own in laid.items())]
    layout = Layout(
        ruleset,
        tuple(show(hand, notation) for hand in hands),
        discard=show(rest[HELD : HELD + 1], notation),
        phases=(1, *[number] * (seats - 1)),
    )
    events = dealt(layout, game)
    at = next(i for i, event in enumerate(events) if isinstance(event, RoundDealt)) + 1
    lays = [
        PhaseLaid(
            seat,
            number,
            tuple(LaidGroup(show(cards, notation), *[cards[0] & 15] * 2) for cards in own),
        )
        for seat, own in laid.items()
    ]
    return [*events[:at], *lays, *events[at:]]


def _sets(naturals: bytes, size: int) -> Iterator[bytes]:
    """Sets of that many cards, of low ranks first."""
    for _, group in groupby(sorted(naturals, key=lambda card: card & 15), lambda card: card & 15):
        cards = bytes(group)
        yield from (cards[i : i + size] for i in range(0, len(cards) - size + 1, size))
