"""Structured logs: JSON lines on stderr. No card may get into them (law 7 holds for logs too)."""

import json
import logging
import sys
import traceback
from contextvars import ContextVar

import msgspec
import structlog
from structlog.typing import EventDict, WrappedLogger

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered; empty where there is none."""
_encode = msgspec.json.Encoder(enc_hook=repr).encode


def configure() -> None:
    """Configure logging for a process that serves or follows."""
    structlog.configure(
        processors=[
            _add_request_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def _add_request_id(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the request id, where there is a request."""
    if name := REQUEST.get():
        event.setdefault("request_id", name)
    return event


def _render(_: WrappedLogger, __: str, event: EventDict) -> str:
    """The line as ASCII JSON: a path may hold half a character, or control sequences."""
    try:
        line = _encode(event).decode()
    except UnicodeEncodeError:
        line = ""
    return line if line and line.isascii() else json.dumps(event, default=repr)


def trace(error: BaseException) -> dict[str, object]:
    """The exception's type and stack frames; not its message, which may name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "trace": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]],
    }
