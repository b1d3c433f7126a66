"""Traces by OpenTelemetry, where the standard ``OTEL_*`` variables ask for them.

One span for each request, and one for each append, linked to the requests whose commands it stores.
None has a body, a header, a query, a game or the message of an exception.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import structlog

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

FLUSH = 1_000  # milliseconds for what is left at the end
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

SpanNote: TypeAlias = Callable[[int, object], None]
"""Notes the status of an answer, and the route's path template if there is one."""

log = structlog.get_logger("phaseledger.telemetry")


def is_wanted(environ: Mapping[str, str]) -> bool:
    """Whether the environment asks for traces: it names an exporter, or their destination."""
    exporter = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter == "none":
        return False
    return bool(exporter) or any(environ.get(name) for name in ENDPOINTS)


def provider(environ: Mapping[str, str]) -> "TracerProvider | None":
    """The tracer provider; None where no traces are asked for, or the extra is missing."""
    if not is_wanted(environ):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import (
            BatchSpanProcessor,
            ConsoleSpanExporter,
            SpanExporter,
        )
    except ImportError:
        log.warning("OTEL_* asks for traces: install phaseledger[otel] for them")
        return None
    exporters: dict[str, type[SpanExporter]] = {
        "otlp": OTLPSpanExporter,
        "console": ConsoleSpanExporter,
    }
    name = environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() or "otlp"
    if name not in exporters:
        log.warning("OTEL_TRACES_EXPORTER is not usable: there are otlp, console and none")
        return None
    # Resource.create lets OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before it.
    attributes = {} if environ.get("OTEL_SERVICE_NAME") else {SERVICE_NAME: "phaseledger"}
    tracer_provider = TracerProvider(resource=Resource.create(attributes))
    tracer_provider.add_span_processor(BatchSpanProcessor(exporters[name]()))
    return tracer_provider


_provider: "TracerProvider | None" = None


def install_provider(tracer_provider: "TracerProvider | None") -> None:
    """Set the tracer provider of this process; None: no spans are made."""
    global _provider  # the writer of the log has no other way to it
    _provider = tracer_provider


def tracer() -> "Tracer | None":
    """The tracer of this process; None where no traces are asked for."""
    return None if _provider is None else _provider.get_tracer("phaseledger")


def stop() -> None:
    """Flush the spans not sent yet, for a second at most."""
    if _provider is not None:
        _provider.force_flush(FLUSH)


@contextmanager
def server_span(
    method: str, headers: Iterable[tuple[bytes, bytes]], request_id: str
) -> Iterator[SpanNote]:
    """A span around the answer to a request, a child of its ``traceparent``.

    Yields a function that notes the answer's status and the route's path template, if any.
    """
    from opentelemetry.propagate import extract
    from opentelemetry.trace import SpanKind, StatusCode

    active = tracer()
    assert active is not None
    texts = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
    trace_headers = {name: texts[name] for name in ("traceparent", "tracestate") if name in texts}
    with _span(
        active,
        method,
        context=extract(trace_headers),
        kind=SpanKind.SERVER,
        attributes={"http.request.method": method, "phaseledger.request_id": request_id},
    ) as span:

        def note(status: int, route: object) -> None:
            span.set_attribute("http.response.status_code", status)
            if status >= 500:
                span.set_status(StatusCode.ERROR)
            if route:
                span.set_attribute("http.route", str(route))
                span.update_name(f"{method} {route}")

        yield note


@contextmanager
def _span(active: "Tracer", name: str, **options: Any) -> "Iterator[Span]":  # noqa: ANN401
    """A span that an exception marks as failed, without the words of the exception."""
    from opentelemetry.trace import StatusCode

    options |= {"record_exception": False, "set_status_on_exception": False}
    with active.start_as_current_span(name, **options) as span:
        try:
            yield span
        except BaseException:
            span.set_status(StatusCode.ERROR)
            raise


def current_span() -> Any:  # noqa: ANN401 - a SpanContext, whose package may not be there
    """The current span's context, for an append to be linked to; None without traces."""
    if _provider is None:
        return None
    from opentelemetry.trace import get_current_span

    return get_current_span().get_span_context()


@contextmanager
def append_span(commands: int, events: int, origins: Iterable[Any]) -> Iterator[None]:
    """A span around an append, linked to the spans of its commands."""
    active = tracer()
    if active is None:
        yield
        return
    from opentelemetry.trace import Link, SpanKind

    links = [Link(origin) for origin in origins if origin is not None and origin.is_valid]
    with _span(
        active,
        "append",
        kind=SpanKind.CLIENT,
        links=links,
        attributes={
            "db.system.name": "postgresql",
            "phaseledger.commands": commands,
            "phaseledger.events": events,
        },
    ):
        yield
