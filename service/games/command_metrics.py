"""Counts of commands by what became of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from prometheus_client import Counter

from phaseledger.domain.commands import Rejected
from phaseledger.service.eventlog.errors import Conflict, StoreUnavailable
from phaseledger.service.runtime.metrics import COMMANDS

_OUTCOMES: dict[str, str] = {
    "BadSignature": "bad_signature",
    "Denied": "denied",
    "KeyReused": "idempotency_mismatch",
    "NoSuchGame": "no_such_game",
    "StaleVersion": "stale_version",
    "TableFull": "table_full",
}
"""By the name of the exception, since those who raise it import this module."""


class CommandOutcome:
    """What becomes of a command; whoever answers one again says so."""

    repeated = False


@contextmanager
def command(kind: str) -> Iterator[CommandOutcome]:
    """Count a command by what becomes of it in the block."""
    outcome, told = CommandOutcome(), "failed"
    try:
        yield outcome
        told = "repeated" if outcome.repeated else "stored"
    except Rejected:
        told = "rejected"
        raise
    except (StoreUnavailable, Conflict):
        told = "unavailable"
        raise
    except Exception as refused:
        told = _OUTCOMES.get(type(refused).__name__, "failed")
        raise
    finally:
        _counted(kind, told).inc()


@cache
def _counted(kind: str, outcome: str) -> Counter:
    """The one counter, which the library would look up under a lock."""
    return COMMANDS.labels(kind, outcome)
