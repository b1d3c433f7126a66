"""Traces: what they tell, that it is no secret, and when there are any."""

import re
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from phaseledger.service.credentials.store import Credentials
from phaseledger.service.runtime import tracing
from tests.support.children import run
from tests.support.polling import eventually
from tests.support.service.api_tables import KEY, bearer, mover, started
from tests.support.service.operator import Both
from tests.support.service.secret_markers import require_none

DRAW = {"type": "draw"}


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.install_provider(provider)
    yield exporter
    tracing.install_provider(None)


def _named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    """The spans of that name, one at least; one ends right after its answer is sent."""
    return eventually(lambda: [span for span in spans.get_finished_spans() if span.name == name])


def test_requests_and_appends_are_traced(both: Both, spans: InMemorySpanExporter) -> None:
    table = started(both.api)
    seat = mover(table)
    spans.clear()
    trace = "0af7651916cd43dd8448eb211c80319c"
    sent = {"traceparent": f"00-{trace}-b7ad6b7169203331-01", "X-Request-Id": "r-1"}
    assert table.send(seat, DRAW, **sent).status_code == 200
    (request,) = _named(spans, "POST /v1/games/{game}/commands")
    assert f"{request.context.trace_id:032x}" == trace
    assert request.attributes is not None
    attributes = dict(request.attributes)
    assert attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/games/{game}/commands",
        "http.response.status_code": 200,
        "phaseledger.request_id": "r-1",
    }
    (append,) = _named(spans, "append")
    assert [link.context.span_id for link in append.links] == [request.context.span_id]
    assert append.attributes is not None
    assert append.attributes["phaseledger.commands"] == 1


def test_traces_tell_no_secret(
    both: Both, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when all goes well nor when the log, or a route, fails with all of them."""
    table = started(both.api)
    seat = mover(table)
    secrets = {**{f"token {n}": t for n, t in table.tokens.items()}, "host": table.host, "key": KEY}
    message = repr(secrets)

    def crash(*_: Any, **__: Any) -> Any:
        raise psycopg.errors.NotNullViolation(message)

    assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(Credentials, "find", crash)
        assert table.get("/actions", seat).status_code == 500
    execute = psycopg.AsyncConnection.execute

    async def no_append(self: Any, query: Any, *given: Any, **more: Any) -> Any:
        return (
            crash() if "append_events" in str(query) else await execute(self, query, *given, **more)
        )

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.AsyncConnection, "execute", no_append)
        void = both.api.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
        assert void.status_code >= 500
    eventually(
        lambda: {span.status.status_code for span in _named(spans, "append")},
        lambda statuses: statuses == {StatusCode.UNSET, StatusCode.ERROR},
    )
    text = "".join(span.to_json() for span in spans.get_finished_spans())
    require_none(secrets, text, "the traces")
    assert table.game not in text
    assert not re.search(r"exception", text)


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h", "OTEL_SDK_DISABLED": "True"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_the_standard_variables_switch_traces_on(environ: dict[str, str], *, wanted: bool) -> None:
    assert tracing.is_wanted(environ) == wanted
    made = tracing.provider(environ)
    assert (made is not None) == wanted
    if made is not None:
        assert made.resource.attributes["service.name"] == "phaseledger"
        made.shutdown()


def test_an_exporter_that_nobody_knows_is_left_out() -> None:
    assert tracing.provider({"OTEL_TRACES_EXPORTER": "zipkin"}) is None


def test_opentelemetry_is_not_loaded_unless_asked_for() -> None:
    program = (
        "import os, sys\nfrom phaseledger.service import app\n"
        "from phaseledger.service.runtime import tracing\n"
        "assert tracing.provider(os.environ) is None\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    ended = run([sys.executable, "-c", program])
    assert (ended.returncode, ended.stdout.strip()) == (0, "[]"), ended.stderr
