"""Health monitoring: checks of each partition, each with a time limit, and their results."""

import asyncio
import time
from typing import NamedTuple, TypeVar, cast

import structlog

from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.service.eventlog.errors import RightsMissing, StoreFull, StoreUnavailable
from phaseledger.service.partitions.routing import ByPartition, Partition
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.single_flight import SingleFlight

SECONDS = 0.8  # for one look
SHARED = 1.0  # seconds in which a look, or a try to write, serves all who ask
EVERY = 5.0  # seconds between the looks by which standing still is noticed

AWAY = "the database does not answer; the server's log says why"
LATE = f"the database has not answered within {SECONDS} s"
FULL = "the database's disk is full: make room; nothing can be stored"
BEHIND = (
    "ledger_behind: the database lacks events that were published, so nothing is stored; the "
    "server's log says what to do"
)
UNWRITABLE = "the log cannot be written; the server's log says why"

T = TypeVar("T")
L = TypeVar("L")
log = structlog.get_logger("phaseledger.health")


class ReadyBounds(NamedTuple):
    """Thresholds of readiness; 0 sets no limit."""

    lag: int = 0
    """By how many events the views may be behind."""
    stall: float = 0.0
    """For how many seconds views or signatures may stand still with events to take in."""
    clock: float = 0.0
    """By how many seconds the node's clock may differ from the database's."""


class Figures(NamedTuple):
    """Positions of a partition's log and of what follows it, which may have gaps; ``signed`` is a
    count.
    """

    log: int
    views: int
    signed: int
    """How many events the newest checkpoint covers."""
    signed_position: int
    logs: tuple[str, ...] = ()
    """The public logs that go on in the database: one, or something is wrong."""

    @property
    def lag(self) -> int:
        """By how much the views are behind the log."""
        return max(0, self.log - self.views)


class StallTimer:
    """Measures for how many seconds a follower of the log makes no progress with work to do."""

    def __init__(self) -> None:
        self._place = -1
        self._since = 0.0
        self.stalled = 0.0
        """Seconds, as of the last note; 0.0 where it has moved, or is level with the log."""

    def note(self, place: int, target: int) -> None:
        """Record the follower's position, and the log's."""
        now = time.monotonic()
        if place >= target or place != self._place:
            self._since = now
        self._place = place
        self.stalled = now - self._since


class PartitionHealth(NamedTuple):
    """The health of a partition, as last observed."""

    number: int
    figures: Figures | None
    """None where the database did not answer."""
    away: str
    """Why there are no figures; empty where there are."""
    unwritable: str
    """Why its log cannot be written; empty where it can."""
    views_stalled: float
    signing_stalled: float
    skew: int | None
    """By how many ms this node's clock is ahead of the database's; None: not known."""


class PartitionMonitor:
    """Looks at one partition: all that is asked of it at once, each in time or not at all."""

    def __init__(self, partition: Partition) -> None:
        self._partition = partition
        self._figures = SingleFlight(self._read_figures)
        self._write = SingleFlight(self._try_write, SHARED)
        self._views = StallTimer()
        self._signing = StallTimer()
        self._reasons: dict[str, object] = {}

    async def look(self) -> PartitionHealth:
        """The health of the partition, within `SECONDS`."""
        figures, unwritable = await asyncio.gather(
            _in_time(self._figures, LATE), _in_time(self._write, LATE)
        )
        return PartitionHealth(
            number=self._partition.number,
            figures=None if isinstance(figures, str) else figures,
            away=figures if isinstance(figures, str) else "",
            unwritable=BEHIND if self._partition.log.publisher.is_behind else unwritable,
            views_stalled=self._views.stalled,
            signing_stalled=self._signing.stalled,
            skew=self._partition.clock.skew(),
        )

    async def note_progress(self) -> None:
        """Look whether the views and the signatures move on."""
        figures = await _in_time(self._figures, LATE)
        if not isinstance(figures, str):
            self._views.note(figures.views, figures.log)
            self._signing.note(figures.signed_position, figures.log)

    async def close(self) -> None:
        """End the looks under way."""
        await self._figures.close()
        await self._write.close()

    async def _read_figures(self) -> Figures | str:
        store, views, public = self._partition.store, self._partition.views, self._partition.log
        try:
            log_position, views_position, newest, logs = await asyncio.gather(
                store.position(), views.position(), public.tree.newest(), public.tree.signed_logs()
            )
        except (StoreUnavailable, ViewsUnavailable) as lost:
            self._tell("the log cannot be read", str(lost))
            return AWAY
        except Exception as bug:  # noqa: BLE001 - who asks for readiness needs an answer
            self._tell("the log cannot be read", trace(bug))
            return AWAY
        self._tell("the log cannot be read", "")
        size, position = (newest.size, newest.position) if newest else (0, 0)
        names = tuple(signed.log for signed in logs if signed.goes_on)
        return Figures(
            log=log_position,
            views=views_position,
            signed=size,
            signed_position=position,
            logs=names,
        )

    async def _try_write(self) -> str:
        """Why the log cannot be written; empty where it can."""
        if self._partition.probe is None:
            return ""
        reason, why = "", cast(object, "")
        try:
            await self._partition.probe.try_write()
        except StoreFull as full:
            reason, why = FULL, str(full)
        except RightsMissing as missing:
            reason = why = str(missing)
        except StoreUnavailable as refusal:
            reason, why = UNWRITABLE, str(refusal)
        except Exception as bug:  # noqa: BLE001 - who asks for readiness needs an answer
            reason, why = UNWRITABLE, trace(bug)
        self._tell("the log cannot be written", why if reason else "")
        return reason

    def _tell(self, what: str, reason: object) -> None:
        """Log why something is not well, once for each reason."""
        if reason and self._reasons.get(what) != reason:
            log.error(what, partition=self._partition.number, reason=reason)
        self._reasons[what] = reason


async def _in_time(work: SingleFlight[T], late: L) -> T | L:
    try:
        return await work.result(SECONDS)
    except TimeoutError:
        return late


class HealthMonitor:
    """Looks at all partitions."""

    def __init__(self, partitions: ByPartition[Partition]) -> None:
        self._monitors = [PartitionMonitor(partition) for partition in partitions.resources]
        self._shared = SingleFlight(self.look, SHARED)

    async def shared_look(self) -> list[PartitionHealth]:
        """The same, as it was seen for anybody in the last `SHARED` seconds."""
        return await self._shared.result(2 * SECONDS)

    async def look(self) -> list[PartitionHealth]:
        """The health of each partition, within `SECONDS`."""
        return await asyncio.gather(*(monitor.look() for monitor in self._monitors))

    async def watch(self) -> None:
        """Notice what stands still, until cancelled."""
        while True:
            await asyncio.gather(*(monitor.note_progress() for monitor in self._monitors))
            await asyncio.sleep(EVERY)

    async def close(self) -> None:
        """End the looks under way."""
        await self._shared.close()
        for monitor in self._monitors:
            await monitor.close()
