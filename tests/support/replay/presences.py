"""A game in which a seat was timed out, and the presences that it might have kept."""

from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.presences import Presence, confirm, sign_present
from tests.support.replay.bundles import of_kind
from tests.support.replay.graded_games import SIGNED, graded
from tests.support.replay.operator_games import OPERATOR, Table, bundled

LINES = tuple(bundled(graded("timed out")))
EVENTS = of_kind([*LINES], "event")
OUT = next(n for n, event in enumerate(EVENTS) if event["type"] == "TurnTimedOut/1")
LATE = EVENTS[OUT]
"""The time-out; the event before it is the last that its seat had seen."""


def present(
    seq: int = OUT,
    at: int | None = None,
    key: SigningKey = OPERATOR,
    by: int | None = None,
    leaf: str = "",
) -> Presence:
    """The presence of the seat that was timed out, after so many events, as its operator gives it.

    ``by`` is the seat that signs it, ``leaf`` another hash than that of the event.
    """
    seat: int = LATE["data"]["seat"]
    leaf = leaf or EVENTS[seq]["prev"]
    newest = EVENTS[min(seq, len(EVENTS)) - 1]
    game, time = LATE["game"], newest["at"] + 20_000 if at is None else at
    private = Table(SIGNED).key(seat if by is None else by)
    signature = sign_present(private, game, seat, leaf, seq)
    return confirm(game, seat, leaf, seq, time, signature, key)
