"""Whether the service is ready: each thing that it stands on told apart from the others."""

from typing import NamedTuple

from litestar.datastructures import State

from projections.pages import ViewsUnavailable
from service import metrics
from service.callers import Service
from service.outages import StoreUnavailable
from service.schemas import Check, Checks

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

    @property
    def lag(self) -> int:
        """How far the views are behind the log."""
        return max(0, self.log - self.views)


async def readiness(service: Service, state: State) -> Readiness:
    """Look at everything, whatever of it fails; the metrics tell it as well."""
    accepting = Check() if not service.gate.draining else Check(ok=False, reason="draining")
    log_key = _signed(ended=bool(state.get(UNSIGNED)), waits=bool(service.log.publisher.waiting))
    try:
        log, views = await service.store.position(), await service.views.position()
        newest = await service.log.tree.newest()
    except (StoreUnavailable, ViewsUnavailable):
        found = Readiness(Checks(AWAY, UNKNOWN, log_key, accepting))
    else:
        lag = max(0, log - views)
        projections = _projections(lag, service.ready_lag, stopped=bool(state.get(STOPPED)))
        checks = Checks(Check(), projections, log_key, accepting)
        found = Readiness(checks, log, views, newest.size if newest else 0)
    _measure(found)
    return found


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
    if found.checks.database.ok:
        metrics.LOG.set(found.log)
        metrics.LAG.set(found.lag)
        metrics.SIGNED.set(found.signed)
