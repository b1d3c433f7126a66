"""Prometheus metrics of the process, served on the operator's listener only.

Every label has a closed set of values: no game, no seat, no token, no text from a client.
"""

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics import disable_created_metrics

# They would be a second series for each, with its start time.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
PlatformCollector(REGISTRY)
ProcessCollector(registry=REGISTRY)

MEDIA_TYPE = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")  # which the framework adds

COMMANDS = Counter(
    "phaseledger_commands",
    "Commands by type and by what became of them; those of bots and of the clock included.",
    ["type", "outcome"],
    registry=REGISTRY,
)
REQUESTS = Histogram(
    "phaseledger_http_request_seconds",
    "From a request's arrival to the start of its answer, by method and path template; waiting "
    "reads wait in it, and health checks and scrapes are left out.",
    ["method", "route"],
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)
ANSWERS = Counter(
    "phaseledger_http_requests",
    "Answered requests by method, path template and status.",
    ["method", "route", "status"],
    registry=REGISTRY,
)
PROBLEMS = Counter(
    "phaseledger_problems", "Refused requests by the problem's code.", ["code"], registry=REGISTRY
)
BATCH_COMMANDS = Histogram(
    "phaseledger_append_batch_commands",
    "Commands in one append to the log.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
    registry=REGISTRY,
)
BATCH_EVENTS = Histogram(
    "phaseledger_append_batch_events",
    "Events in one append to the log.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
    registry=REGISTRY,
)
APPEND_SECONDS = Histogram(
    "phaseledger_append_seconds",
    "How long one append took, from sending it to its commit or its failure.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)
WEBHOOKS = Counter(
    "phaseledger_webhook_attempts",
    "Attempts to deliver a webhook, by what became of them.",
    ["outcome"],
    registry=REGISTRY,
)
WEBHOOKS_WAITING = Gauge(
    "phaseledger_webhooks_waiting", "Messages in the outbox of webhooks.", registry=REGISTRY
)
WEBHOOKS_OVERDUE = Gauge(
    "phaseledger_webhooks_overdue_seconds",
    "For how long the message has been due that was due first; 0 where none is.",
    registry=REGISTRY,
)
DATABASE_BYTES = Gauge(
    "phaseledger_database_bytes", "The size of the database on its disk.", registry=REGISTRY
)
LOG_BYTES = Gauge(
    "phaseledger_log_bytes", "The size of the event log with its indexes.", registry=REGISTRY
)
BACKED_UP = Gauge(
    "phaseledger_backup_timestamp_seconds",
    "When the newest backup was written that was restored and found sound; 0 where there is none.",
    registry=REGISTRY,
)
POOLED = Gauge(
    "phaseledger_pool_connections",
    "Connections to the database in the process's pools.",
    ["state"],
    registry=REGISTRY,
)
POOL_WAITING = Gauge(
    "phaseledger_pool_waiting_requests",
    "Requests that wait for a connection to the database.",
    registry=REGISTRY,
)
STREAMS = Gauge("phaseledger_open_streams", "Event streams that are open.", registry=REGISTRY)
LOG = Gauge("phaseledger_log_position", "The log's last position.", registry=REGISTRY)
LAG = Gauge(
    "phaseledger_projection_lag_events",
    "How many positions the views are behind the log.",
    registry=REGISTRY,
)
SET_ASIDE = Gauge(
    "phaseledger_set_aside_games",
    "Games that are set aside, for their record is damaged, and are not void.",
    registry=REGISTRY,
)
SIGNED = Gauge(
    "phaseledger_log_signed_events", "Events that the newest checkpoint covers.", registry=REGISTRY
)
PUBLIC_LOGS = Gauge(
    "phaseledger_public_logs",
    "Public logs that go on in a database; of two, one was begun by mistake.",
    registry=REGISTRY,
)
SIGNED_POSITION = Gauge(
    "phaseledger_log_signed_position",
    "The log's position up to which the newest checkpoint covers it.",
    registry=REGISTRY,
)
VIEWS_STALLED = Gauge(
    "phaseledger_projection_stalled_seconds",
    "For how long the views have stood still while the log was ahead of them.",
    registry=REGISTRY,
)
SIGNING_STALLED = Gauge(
    "phaseledger_log_signing_stalled_seconds",
    "For how long no more events were signed while there were some.",
    registry=REGISTRY,
)
CLOCK_SKEW = Gauge(
    "phaseledger_clock_skew_seconds",
    "By how much this node's clock is ahead of the database's; NaN where that is not known.",
    registry=REGISTRY,
)
LOOP_SILENCE = Gauge(
    "phaseledger_loop_silence_seconds",
    "For how long the loop that serves the games has answered nothing; 0 where it answers.",
    registry=REGISTRY,
)
CHECKS = Gauge(
    "phaseledger_ready",
    "1 where a check of readiness is well, 0 where it is not.",
    ["check"],
    registry=REGISTRY,
)


def text() -> bytes:
    """All metrics in the Prometheus text format."""
    return generate_latest(REGISTRY)
