"""Whether the service is ready: each thing that it stands on told apart from the others."""

import asyncio
from typing import NamedTuple

from litestar.datastructures import State

from phaseledger.projections.pages import ViewsUnavailable
from phaseledger.service.api.auth import Service
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.partitions.routing import Partition
from phaseledger.service.runtime import metrics
from phaseledger.service.schemas.health import Check, Checks, PartitionCheck

STOPPED = "projections_stopped"
"""The key in the application's state that is true once its own projections have stopped."""
UNSIGNED = "log_unsigned"
"""The key that is true once nobody here signs the public log, or stands by for it."""

AWAY = Check(ok=False, reason="the database does not answer; the server's log says why")
UNKNOWN = Check(ok=False, reason="not known while the database does not answer")


class Readiness(NamedTuple):
    """The checks, and the figures that they rest on; -1 for what is not known."""

    checks: Checks
    log: int = -1
    views: int = -1
    signed: int = -1
    lag: int = 0
    """How far the views are behind the log, where they are most."""
    partitions: tuple[PartitionCheck, ...] = ()
    """Of several partitions, each."""


async def readiness(service: Service, state: State) -> Readiness:
    """Look at everything, whatever of it fails; the metrics tell it as well."""
    accepting = Check() if not service.gate.draining else Check(ok=False, reason="draining")
    each = service.partitions.each
    waits = any(one.log.publisher.waiting for one in each)
    log_key = _signed(ended=bool(state.get(UNSIGNED)), waits=waits)
    looks = await asyncio.gather(*(_look(one) for one in each))
    told = [look for look in looks if look is not None]
    if not told:
        found = Readiness(Checks(AWAY, UNKNOWN, log_key, accepting))
    else:
        lag = max(look.lag for look in told)
        projections = _projections(lag, service.ready_lag, stopped=bool(state.get(STOPPED)))
        checks = Checks(Check(), projections, log_key, accepting)
        log, views, signed = (sum(numbers) for numbers in zip(*told, strict=True))
        found = Readiness(checks, log, views, signed, lag)
    if len(each) > 1:
        partitions = tuple(
            _partition(one.number, look) for one, look in zip(each, looks, strict=True)
        )
        found = found._replace(partitions=partitions)
    _measure(found)
    return found


class _Look(NamedTuple):
    log: int
    views: int
    signed: int

    @property
    def lag(self) -> int:
        return max(0, self.log - self.views)


async def _look(one: Partition) -> _Look | None:
    """The figures of one partition; None where it does not answer."""
    try:
        log, views = await one.store.position(), await one.views.position()
        newest = await one.log.tree.newest()
    except (StoreUnavailable, ViewsUnavailable):
        return None
    return _Look(log, views, newest.size if newest else 0)


def _partition(number: int, look: _Look | None) -> PartitionCheck:
    if look is None:
        return PartitionCheck(ok=False, reason=f"partition {number} does not answer", number=number)
    return PartitionCheck(number=number, lag=look.lag)


def _signed(*, ended: bool, waits: bool) -> Check:
    if ended:
        reason = "nobody here signs the public log any more; the server's log says why"
        return Check(ok=False, reason=reason)
    if waits:
        reason = "what is published cannot be kept for now; the server's log says why"
        return Check(ok=False, reason=reason)
    return Check()


def _projections(lag: int, most: int, *, stopped: bool) -> Check:
    if stopped:
        return Check(ok=False, reason="the projections have stopped; the server's log says why")
    if 0 < most < lag:
        return Check(ok=False, reason=f"the views are {lag} events behind; {most} are allowed")
    return Check()


def _measure(found: Readiness) -> None:
    for name, check in found.checks.named():
        metrics.CHECKS.labels(name).set(check.ok)
    for one in found.partitions:
        metrics.PARTITIONS.labels(str(one.number)).set(one.ok)
    if found.checks.database.ok:
        metrics.LOG.set(found.log)
        metrics.LAG.set(found.lag)
        metrics.SIGNED.set(found.signed)
