"""Counts of requests by route, for the operator's metrics."""

from functools import cache

from prometheus_client import Counter, Histogram

from phaseledger.service.runtime import metrics
from phaseledger.service.runtime.logs import PROBES

LEFT_OUT = PROBES | {"/metrics"}
"""Routes that ask about the service itself."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
NONE = "none"
"""The route of a request that no path template fits, or that was refused before its route."""


def count_answer(method: str, template: str | None, status: int, seconds: float) -> None:
    """Count an answer whose start took that long; its labels have no text of the client."""
    if template in LEFT_OUT:
        return
    latency, answers = _series(method if method in METHODS else NONE, template or NONE, status)
    latency.observe(seconds)
    answers.inc()


@cache
def _series(method: str, route: str, status: int) -> tuple[Histogram, Counter]:
    """The two series, which the library would look up under a lock."""
    latency = metrics.REQUESTS.labels(method, route)
    return latency, metrics.ANSWERS.labels(method, route, status)
