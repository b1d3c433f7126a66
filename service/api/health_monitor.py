"""Health monitoring: looks at the log and what follows it, each with a time limit."""

import asyncio
import time
from typing import NamedTuple, TypeVar, cast

import structlog

from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.errors import RightsMissing, StoreFull, StoreUnavailable
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime.logs import trace
from phaseledger.service.runtime.single_flight import SingleFlight
from phaseledger.service.transparency.publisher import PublicLog

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


class Figures(NamedTuple):
    """Positions of the log and of what follows it, which may have gaps; ``signed`` is a
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


class Health(NamedTuple):
    """The health of the ledger, as last observed."""

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


class HealthMonitor:
    """Looks at the ledger: all that is asked of it at once, each in time or not at all."""

    def __init__(
        self,
        store: Store,
        views: Views,
        log: PublicLog,
        clock: LedgerClock = LOCAL,
        probe: WriteProbe | None = None,
    ) -> None:
        self._store, self._views, self._log = store, views, log
        self._clock, self._probe = clock, probe
        self._figures = SingleFlight(self._read_figures)
        self._write = SingleFlight(self._try_write, SHARED)
        self._shared = SingleFlight(self.look, SHARED)
        self._views_stall = StallTimer()
        self._signing_stall = StallTimer()
        self._reasons: dict[str, object] = {}

    async def shared_look(self) -> Health:
        """The result of a `look` that is at most `SHARED` seconds old, for all who ask."""
        return await self._shared.result(2 * SECONDS)

    async def look(self) -> Health:
        """The health of the ledger, within `SECONDS`."""
        figures, unwritable = await asyncio.gather(
            _in_time(self._figures, LATE), _in_time(self._write, LATE)
        )
        return Health(
            figures=None if isinstance(figures, str) else figures,
            away=figures if isinstance(figures, str) else "",
            unwritable=BEHIND if self._log.publisher.is_behind else unwritable,
            views_stalled=self._views_stall.stalled,
            signing_stalled=self._signing_stall.stalled,
            skew=self._clock.skew(),
        )

    async def watch(self) -> None:
        """Notice what stands still, until cancelled."""
        while True:
            figures = await _in_time(self._figures, LATE)
            if not isinstance(figures, str):
                self._views_stall.note(figures.views, figures.log)
                self._signing_stall.note(figures.signed_position, figures.log)
            await asyncio.sleep(EVERY)

    async def close(self) -> None:
        """End the looks under way."""
        await self._shared.close()
        await self._figures.close()
        await self._write.close()

    async def _read_figures(self) -> Figures | str:
        tree = self._log.tree
        try:
            log_position, views_position, newest, logs = await asyncio.gather(
                self._store.position(), self._views.position(), tree.newest(), tree.signed_logs()
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
        if self._probe is None:
            return ""
        reason, why = "", cast(object, "")
        try:
            await self._probe.try_write()
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
            log.error(what, reason=reason)
        self._reasons[what] = reason


async def _in_time(work: SingleFlight[T], late: L) -> T | L:
    try:
        return await work.result(SECONDS)
    except TimeoutError:
        return late
