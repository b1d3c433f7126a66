"""A clock that stands still until somebody sleeps."""

import time

import pytest


class Clock:
    """What `time.monotonic` says is `now`; a sleep takes no time, but moves it on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(time, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
