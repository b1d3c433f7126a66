"""Readiness checks: database, writer, projections, log signing, gate and clock, each by itself.

They are answered within a second, also while the database hangs: what does not answer in time is
not well.
"""

from collections.abc import Sequence
from typing import NamedTuple

from litestar.datastructures import State

from phaseledger.service.api.dependencies import Service
from phaseledger.service.partitions.health_monitor import BEHIND, PartitionHealth, ReadyBounds
from phaseledger.service.runtime import metrics
from phaseledger.service.schemas.health import Check, Checks, PartitionCheck

STOPPED = "projections_stopped"
"""The key in the application's state that is true once its own projections have stopped."""
UNSIGNED = "log_unsigned"
"""The key that is true once nobody here signs the public log, or stands by for it."""
COMMIT_SECONDS = 5.0  # that a command may wait for its commit while the writer is well

UNKNOWN = Check(ok=False, reason="not known while the database does not answer")
TIMELESS = Check(ok=False, reason="the database has not said for a while what time it is")


class Readiness(NamedTuple):
    """The checks, and the figures that they rest on; -1 for what is not known."""

    checks: Checks
    log: int = -1
    views: int = -1
    signed: int = -1
    signed_events: int = -1
    lag: int = 0
    """How far the views are behind the log, where they are most."""
    partitions: tuple[PartitionCheck, ...] = ()
    """One check for each partition, where there are several."""


async def readiness(service: Service, state: State, *, shared: bool = False) -> Readiness:
    """Run all checks, whichever of them fail, and set the metrics by them.

    What is ``shared`` goes by a look at the database that may be a second old.
    """
    health = await (service.health.shared_look() if shared else service.health.look())
    answered = [partition for partition in health if partition.figures is not None]
    checks = Checks(
        database=Check() if answered else Check(ok=False, reason=health[0].away),
        projections=_projections_check(answered, service.bounds, stopped=bool(state.get(STOPPED))),
        log_key=_log_key_check(service, health, has_stopped=bool(state.get(UNSIGNED))),
        commands=_accepting_check(service),
        writer=_writer_check(health, service.games.appends.longest()),
        clock=_clock_check(answered, service.bounds),
    )
    result = Readiness(checks=checks)
    figures = [partition.figures for partition in answered if partition.figures is not None]
    if figures:
        result = result._replace(
            log=sum(part.log for part in figures),
            views=sum(part.views for part in figures),
            signed=sum(part.signed_position for part in figures),
            signed_events=sum(part.signed for part in figures),
            lag=max(part.lag for part in figures),
        )
    if len(health) > 1:
        partition_checks = tuple(
            _partition_check(partition, service.bounds) for partition in health
        )
        result = result._replace(partitions=partition_checks)
    _set_metrics(result, health)
    return result


def _partition_check(partition: PartitionHealth, bounds: ReadyBounds) -> PartitionCheck:
    number, figures = partition.number, partition.figures
    if figures is None:
        return PartitionCheck(ok=False, reason=f"partition {number} does not answer", number=number)
    clock = _clock_of(partition, bounds)
    reason = partition.unwritable or clock.reason
    return PartitionCheck(ok=not reason, reason=reason, number=number, lag=figures.lag)


def _accepting_check(service: Service) -> Check:
    if service.shutdown.has_begun:
        return Check(ok=False, reason="stopping")
    return Check(ok=False, reason="draining") if service.gate.draining else Check()


def _writer_check(health: Sequence[PartitionHealth], longest: float) -> Check:
    """Of several partitions, one that can be written is enough."""
    if longest > COMMIT_SECONDS:
        reason = f"a command has waited {longest:.0f} s for its commit"
        return Check(ok=False, reason=reason)
    reasons = [partition.unwritable for partition in health]
    return Check() if not all(reasons) else Check(ok=False, reason=reasons[0])


def _clock_check(answered: Sequence[PartitionHealth], bounds: ReadyBounds) -> Check:
    """Of several partitions, one whose clock agrees with the node's is enough."""
    checks = [_clock_of(partition, bounds) for partition in answered]
    return next((check for check in checks if check.ok), checks[0]) if checks else UNKNOWN


def _clock_of(partition: PartitionHealth, bounds: ReadyBounds) -> Check:
    if partition.skew is None:
        return TIMELESS
    seconds = partition.skew / 1000
    if not 0 < bounds.clock < abs(seconds):
        return Check()
    reason = (
        f"this node's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} "
        f"the database's, and {bounds.clock:g} s are allowed: have NTP set both"
    )
    return Check(ok=False, reason=reason)


def _log_key_check(
    service: Service, health: Sequence[PartitionHealth], *, has_stopped: bool
) -> Check:
    if any(partition.log.publisher.is_behind for partition in service.partitions.resources):
        return Check(ok=False, reason=BEHIND)
    for partition, own in zip(health, service.partitions.resources, strict=True):
        for other in partition.figures.logs if partition.figures else ():
            if other != own.log.tree.log:
                reason = (
                    f"another public log goes on in the database, {other!r} beside "
                    f"{own.log.tree.log!r}: `phaseledger admin end-log` ends one of them"
                )
                return Check(ok=False, reason=reason)
    if has_stopped:
        reason = "nobody here signs the public log any more; the server's log says why"
        return Check(ok=False, reason=reason)
    if any(partition.log.publisher.waiting for partition in service.partitions.resources):
        reason = "what is published cannot be kept for now; the server's log says why"
        return Check(ok=False, reason=reason)
    stalled = max(partition.signing_stalled for partition in health)
    if 0 < service.bounds.stall < stalled:
        reason = f"there are events to sign, and none was signed for {stalled:.0f} s"
        return Check(ok=False, reason=reason)
    return Check()


def _projections_check(
    answered: Sequence[PartitionHealth], bounds: ReadyBounds, *, stopped: bool
) -> Check:
    lags = [partition.figures.lag for partition in answered if partition.figures is not None]
    if not lags:
        return UNKNOWN
    if stopped:
        return Check(ok=False, reason="the projections have stopped; the server's log says why")
    if 0 < bounds.lag < max(lags):
        reason = f"the views are {max(lags)} events behind; {bounds.lag} are allowed"
        return Check(ok=False, reason=reason)
    stalled = max(partition.views_stalled for partition in answered)
    if 0 < bounds.stall < stalled:
        reason = f"the views are behind the log, and have stood still for {stalled:.0f} s"
        return Check(ok=False, reason=reason)
    return Check()


def _set_metrics(result: Readiness, health: Sequence[PartitionHealth]) -> None:
    for name, check in result.checks.named():
        metrics.CHECKS.labels(name).set(check.ok)
    for partition in result.partitions:
        metrics.PARTITIONS.labels(str(partition.number)).set(partition.ok)
    metrics.VIEWS_STALLED.set(max(partition.views_stalled for partition in health))
    metrics.SIGNING_STALLED.set(max(partition.signing_stalled for partition in health))
    skews = [partition.skew for partition in health if partition.skew is not None]
    metrics.CLOCK_SKEW.set(max(skews, key=abs) / 1000 if skews else float("nan"))
    if result.checks.database.ok:
        metrics.LOG.set(result.log)
        metrics.LAG.set(result.lag)
        metrics.SIGNED.set(result.signed_events)
        metrics.SIGNED_POSITION.set(result.signed)
        metrics.PUBLIC_LOGS.set(max(len(part.figures.logs) for part in health if part.figures))
