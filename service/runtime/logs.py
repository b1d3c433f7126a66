"""Logs: JSON lines on stderr. Nobody's cards may get into them (law 7 holds for logs as well)."""

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
    """Set logging up for a process that serves or follows."""
    structlog.configure(
        processors=[
            _named,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _line,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def _named(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Say of which request the line is, where there is one."""
    if name := REQUEST.get():
        event.setdefault("request_id", name)
    return event


def _line(_: WrappedLogger, __: str, event: EventDict) -> str:
    """The line, in ASCII: a path may hold half a character, or what a terminal obeys."""
    try:
        line = _encode(event).decode()
    except UnicodeEncodeError:
        line = ""
    return line if line and line.isascii() else json.dumps(event, default=repr)


def trace(error: BaseException) -> dict[str, object]:
    """The exception's type and where it came from; not its message, which may name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "trace": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]],
    }
