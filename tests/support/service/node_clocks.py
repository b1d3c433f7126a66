"""Clocks that are wrong: of a process that a test starts, and of a service within it."""

from pathlib import Path

from typing_extensions import override

from phaseledger.service.eventlog.clock import LOCAL, LedgerClock

DAY = 86_400_000  # milliseconds

_SHIFT = """
import time
_nanoseconds, _seconds = time.time_ns, time.time
time.time_ns = lambda: _nanoseconds() + {ahead} * 10**9
time.time = lambda: _seconds() + {ahead}
"""


class WrongClock(LedgerClock):
    """What a node goes by that asks no database: its own clock, so many ms ahead.

    It closes the clock in whose place it stands, whose connection the write probe uses too.
    """

    def __init__(self, ahead: int, replaced: LedgerClock = LOCAL) -> None:
        self.ahead = ahead
        self._replaced = replaced

    @override
    async def close(self) -> None:
        await self._replaced.close()

    @override
    def now(self) -> int:
        return super().now() + self.ahead

    @override
    def estimate(self) -> int:
        return self.now()


_SLEEP = """
import select, time
time.sleep = lambda seconds: select.select((), (), (), seconds) and None
"""


def shifted_python(folder: Path, ahead: int) -> dict[str, str]:
    """The environment of a Python process whose clock is so many seconds ahead."""
    return _customized(folder, _SHIFT.format(ahead=ahead))


def shifted_system(library: Path, folder: Path, ahead: int) -> dict[str, str]:
    """The environment of a Python process whose clock libfaketime sets so many seconds ahead.

    Now and then libfaketime gives `clock_nanosleep` more than a second's nanoseconds, which ends
    `time.sleep` with EINVAL; so the process sleeps by `select`.
    """
    return _customized(folder, _SLEEP) | {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"+{ahead}s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _customized(folder: Path, code: str) -> dict[str, str]:
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": str(folder)}


def faketime_library() -> Path | None:
    """libfaketime, where it is installed."""
    return next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
