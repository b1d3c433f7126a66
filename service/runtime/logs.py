"""Structured logs: JSON lines on stderr. No card may get into them (law 7 holds for logs too)."""

import json
import logging
import re
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

import msgspec
import structlog
from structlog.typing import EventDict, WrappedLogger

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered; empty where there is none."""
_PLAIN = re.compile(r"[!#-\[\]-~ ]*")
"""Text that JSON quotes as it is."""
_encode = msgspec.json.Encoder(enc_hook=repr).encode
_access = structlog.get_logger("phaseledger.access")


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


def log_request(method: str, path: str, status: int, seconds: float) -> None:
    """Log one line of a request, without headers, query and body, which hold tokens and hands."""
    ms = round(1000 * seconds, 2)
    if structlog.get_config()["processors"][-1] is not _render:  # a test looks at what is logged
        _access.info("request", method=method, path=path, status=status, ms=ms)
        return
    # The line that the processors make, by hand: there is one for every request.
    at = datetime.now(UTC).isoformat()[: -len("+00:00")]
    name = REQUEST.get()
    request_id = f'"request_id":"{name}",' if name else ""
    quoted = f'"{path}"' if _PLAIN.fullmatch(path) else json.dumps(path)
    sys.stderr.write(
        f'{{"method":"{method}","path":{quoted},"status":{status},"ms":{ms},"event":"request",'
        f'{request_id}"level":"info","timestamp":"{at}Z"}}\n'
    )
    sys.stderr.flush()


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
