"""The time limit of a test: what moves may go on, what hangs is a failure with a traceback.

The clock is that of the machine, whichever a test sees: in a simulation hours pass in a second.
"""

import signal
from time import monotonic
from types import FrameType

import pytest
import pytest_timeout

from tests.support.progress import SAMPLE, Stillness

FACTOR = 3
"""The longest that a test which moves may take, in limits."""


def watch(item: pytest.Item, settings: pytest_timeout.Settings) -> bool | None:
    """Let the test's limit count the seconds in which nothing moves; None for other methods."""
    if settings.method != "signal":
        return None
    began, stillness = monotonic(), None

    def look(_number: int, _frame: FrameType | None) -> None:
        nonlocal stillness
        stillness = stillness or Stillness(monotonic)
        too_long = monotonic() - began >= FACTOR * settings.timeout
        if too_long or stillness.seconds() >= settings.timeout - SAMPLE:
            signal.setitimer(signal.ITIMER_REAL, 0)  # or the report of it would be broken off too
            pytest_timeout.timeout_sigalrm(item, settings)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    item.cancel_timeout = cancel
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, min(SAMPLE, settings.timeout), SAMPLE)
    return True
