"""Processes of a simulation, which are killed and paused, and the one that a callback runs in."""

from contextvars import ContextVar


class Process:
    """A process of the simulation.

    Its clock is so many seconds ahead, and its machine was up for so long when all began: what has
    elapsed on one machine says nothing to another.
    """

    def __init__(self, name: str, clock_offset: float = 0.0, uptime: float = 0.0) -> None:
        self.name = name
        self.clock_offset = clock_offset
        self.uptime = uptime
        self.killed = False
        self.is_older = False
        """Whether it is of the release before."""
        self.paused_until = 0.0

    def __repr__(self) -> str:
        return self.name


PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)
"""The process in which a callback runs; None: the world around, which nothing stops."""
