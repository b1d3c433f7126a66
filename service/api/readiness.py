"""Readiness checks: database, writer, projections, log signing, gate and clock, each by itself.

They are answered within a second, also while the database hangs: what does not answer in time is
not well.
"""

from typing import NamedTuple

from litestar.datastructures import State

from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.health_monitor import BEHIND, Figures, Health
from phaseledger.service.runtime import metrics
from phaseledger.service.schemas.health import Check, Checks
from phaseledger.service.settings import Settings

STOPPED = "projections_stopped"
"""The key in the application's state that is true once its own projections have stopped."""
UNSIGNED = "log_unsigned"
"""The key that is true once this process neither signs the public log nor stands by for it."""
COMMIT_SECONDS = 5.0  # that a command may wait for its commit while the writer is well

UNKNOWN = Check(ok=False, reason="not known while the database does not answer")
TIMELESS = Check(ok=False, reason="the database has not said for a while what time it is")


class Readiness(NamedTuple):
    """The checks, and the figures that they rest on; None where the database did not answer."""

    checks: Checks
    figures: Figures | None


async def readiness(service: Service, state: State, *, shared: bool = False) -> Readiness:
    """Run all checks, whichever of them fail, and set the metrics by them.

    What is ``shared`` goes by a look at the database that may be a second old.
    """
    health = await (service.health.shared_look() if shared else service.health.look())
    figures, settings = health.figures, service.settings
    checks = Checks(
        database=Check() if figures else Check(ok=False, reason=health.away),
        projections=_projections_check(health, settings, stopped=bool(state.get(STOPPED))),
        log_key=_log_key_check(service, health, has_stopped=bool(state.get(UNSIGNED))),
        commands=_accepting_check(service),
        writer=_writer_check(health, service.games.appends.longest()),
        clock=_clock_check(health, settings.clock_tolerance_seconds),
    )
    _set_metrics(checks, health)
    return Readiness(checks, figures)


def _accepting_check(service: Service) -> Check:
    if service.shutdown.has_begun:
        return Check(ok=False, reason="stopping")
    return Check(ok=False, reason="draining") if service.gate.draining else Check()


def _writer_check(health: Health, longest: float) -> Check:
    if longest > COMMIT_SECONDS:
        reason = f"a command has waited {longest:.0f} s for its commit"
        return Check(ok=False, reason=reason)
    return Check(ok=not health.unwritable, reason=health.unwritable)


def _clock_check(health: Health, tolerance: float) -> Check:
    if health.figures is None:
        return UNKNOWN
    if health.skew is None:
        return TIMELESS
    seconds = health.skew / 1000
    if not 0 < tolerance < abs(seconds):
        return Check()
    reason = (
        f"this node's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} "
        f"the database's, and {tolerance:g} s are allowed: have NTP set both"
    )
    return Check(ok=False, reason=reason)


def _log_key_check(service: Service, health: Health, *, has_stopped: bool) -> Check:
    publisher, own = service.parts.log.publisher, service.parts.log.tree.log
    if publisher.is_behind:
        return Check(ok=False, reason=BEHIND)
    for other in health.figures.logs if health.figures else ():
        if other != own:
            reason = (
                f"another public log goes on in the database, {other!r} beside {own!r}: "
                "`phaseledger admin end-log` ends one of them"
            )
            return Check(ok=False, reason=reason)
    if has_stopped:
        reason = "nobody here signs the public log any more; the server's log says why"
        return Check(ok=False, reason=reason)
    if publisher.waiting:
        reason = "what is published cannot be kept for now; the server's log says why"
        return Check(ok=False, reason=reason)
    if 0 < service.settings.ready_stall_seconds < health.signing_stalled:
        reason = f"there are events to sign, and none was signed for {health.signing_stalled:.0f} s"
        return Check(ok=False, reason=reason)
    return Check()


def _projections_check(health: Health, settings: Settings, *, stopped: bool) -> Check:
    if health.figures is None:
        return UNKNOWN
    if stopped:
        return Check(ok=False, reason="the projections have stopped; the server's log says why")
    if 0 < (allowed := settings.ready_lag) < health.figures.lag:
        reason = f"the views are {health.figures.lag} events behind; {allowed} are allowed"
        return Check(ok=False, reason=reason)
    if 0 < settings.ready_stall_seconds < health.views_stalled:
        reason = (
            f"the views are behind the log, and have stood still for {health.views_stalled:.0f} s"
        )
        return Check(ok=False, reason=reason)
    return Check()


def _set_metrics(checks: Checks, health: Health) -> None:
    for name, check in checks.named():
        metrics.CHECKS.labels(name).set(check.ok)
    metrics.VIEWS_STALLED.set(health.views_stalled)
    metrics.SIGNING_STALLED.set(health.signing_stalled)
    metrics.CLOCK_SKEW.set(float("nan") if health.skew is None else health.skew / 1000)
    if figures := health.figures:
        metrics.LOG.set(figures.log)
        metrics.LAG.set(figures.lag)
        metrics.SIGNED.set(figures.signed)
        metrics.SIGNED_POSITION.set(figures.signed_position)
        metrics.PUBLIC_LOGS.set(len(figures.logs))
