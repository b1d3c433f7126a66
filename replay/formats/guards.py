"""Guards for events from outside: what has to hold before the rules may fold them.

Events that no rules decided on can make the rules fail, or take any amount of memory.
"""

from msgspec.structs import replace

from phaseledger.domain.commands import OpenGame, Rejected
from phaseledger.domain.decide import decide
from phaseledger.domain.events import Event, GameOpened, RoundDealt, StockShuffled
from phaseledger.domain.words import Phrase

LARGEST, MOST_CARDS = 100_000, 1_000
"""Limits of a number in an event and of the cards on a table."""

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Exceptions that the rules raise on events or decisions that they would never have made."""


class ProofFailed(Exception):
    """A proof fails at an event; the message gives the reason."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq


_OPENING = ("dealer", "game", "ruleset", "seats", "table")


def check_opening(event: Event) -> None:
    """Check that an event opens a game, by its opener's rules; raises ProofFailed."""
    act = event.act
    if not isinstance(event, GameOpened) or act is None or not isinstance(act.command, OpenGame):
        raise ProofFailed(1, Phrase("evidence.proof.no_opening"))
    command = replace(act.command, secret="0" * 64)
    try:
        (expected,) = decide(None, replace(act, command=command))
    except Rejected as rejection:
        raise ProofFailed(
            1, Phrase("evidence.proof.opening_refused", code=rejection.code)
        ) from None
    except FAULTS as error:
        raise ProofFailed(1, Phrase("evidence.proof.opening_unread", error=repr(error))) from None
    for name in _OPENING:
        if getattr(expected, name) != getattr(event, name):
            raise ProofFailed(1, Phrase("evidence.proof.not_asked_for", field=name))


def most_cards(event: Event) -> int:
    """The largest number of cards that an event mentions."""
    match event:
        case RoundDealt():
            return max(event.stock, event.covered, *event.hands, *event.jokers)
        case StockShuffled():
            return max(event.count, event.kept)
        case _:
            return int(getattr(event, "count", 0))


def is_modest(node: object) -> bool:
    """Whether every number in an event, as JSON, is small enough to fold it."""
    if isinstance(node, dict):
        return all(map(is_modest, node.values()))
    if isinstance(node, list):
        return all(map(is_modest, node))
    return not isinstance(node, int) or abs(node) <= LARGEST
