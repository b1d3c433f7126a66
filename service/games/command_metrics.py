"""Counts of commands by what became of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from prometheus_client import Counter

from phaseledger.service.refusals import Refusal, outcome_of
from phaseledger.service.runtime.metrics import COMMANDS


class CommandOutcome:
    """The outcome of a command for metrics: stored, or ``repeated`` where it is a replay."""

    repeated = False


@contextmanager
def command(kind: str) -> Iterator[CommandOutcome]:
    """Count a command by what becomes of it in the block."""
    outcome, counted = CommandOutcome(), Refusal.outcome
    try:
        yield outcome
        counted = "repeated" if outcome.repeated else "stored"
    except Exception as error:
        counted = outcome_of(error)
        raise
    finally:
        _counter(kind, counted).inc()


@cache
def _counter(kind: str, outcome: str) -> Counter:
    """The one counter, which the library would look up under a lock."""
    return COMMANDS.labels(kind, outcome)
