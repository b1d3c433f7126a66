"""Time that passes at once, for what counts it as `phaseledger.service.eventlog.clock` does."""

import pytest

from phaseledger.service.eventlog import clock


def pass_seconds(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on it is so many seconds later, until the end of the test."""
    before = clock.elapsed_ns
    monkeypatch.setattr(clock, "elapsed_ns", lambda: before() + int(seconds * 1e9))
