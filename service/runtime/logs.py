"""Structured logs: JSON lines on stderr. No card may get into them (law 7 holds for logs too)."""

import json
import logging
import re
import sys
import time
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

import msgspec
import structlog
from structlog.typing import EventDict, WrappedLogger

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered; empty where there is none."""
PROBES = frozenset({"/health/live", "/health/ready"})
"""The paths of health checks, whose lines are for debugging: a proxy asks twice a second."""
_SECRET = re.compile(r"(p10[a-z]_)[0-9A-Za-z]+|(/play/join/)[^/\"\s\\]+")
_PLAYER = re.compile(r"(/players/)[^/?\"\s\\]+")
_PLAIN = re.compile(r"[!#-\[\]-~ ]*")
"""Text that JSON quotes unchanged."""
_WAIT = re.compile(r"wait(s|ing)? for the (database|log)")
"""Warnings of which an outage has some each second, for each game and follower."""
SELDOM = 30.0  # seconds between two of these with one text
_encode = msgspec.json.Encoder(enc_hook=repr).encode
_least = logging.INFO
_access = structlog.get_logger("phaseledger.access")


def configure(level: str = "info") -> None:
    """Configure logging for a process that serves or follows; libraries log in the same form."""
    global _least
    _least = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            _Seldom(),
            _add_request_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_least),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, handlers=[_OfLibraries()])


class _Seldom:
    """Leaves out what a wait repeats too soon, and says how often it did."""

    def __init__(self) -> None:
        self._last = dict[tuple[str, object], tuple[float, int]]()
        """By the text and reason of a wait: when it was logged, and how often not since."""

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        text = str(event["event"]).partition(":")[0]
        if _WAIT.search(text) is None:
            return event
        now = time.monotonic()
        self._last = {key: last for key, last in self._last.items() if now - last[0] < 2 * SELDOM}
        key = text, event.get("reason")
        at, repeated = self._last.get(key, (-SELDOM, 0))
        if now - at < SELDOM:
            self._last[key] = (at, repeated + 1)
            raise structlog.DropEvent
        self._last[key] = (now, 0)
        if repeated:
            event["repeated"] = repeated
        return event


class _OfLibraries(logging.Handler):
    """Passes on the log records of libraries, without the messages of exceptions."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info and record.exc_info[1]
        level = min(record.levelno // 10 * 10, logging.CRITICAL)
        fields = trace(error) if error else {}
        try:
            text = record.getMessage()
        except (TypeError, ValueError):  # misfit arguments must not raise in a library
            text = f"{record.msg} {record.args}"
        structlog.get_logger().log(level, text, logger=record.name, **fields)


def masked(text: str) -> str:
    """The text without tokens and join codes, which stand in paths of clients that err, and without
    the ids of players.
    """
    return _PLAYER.sub(r"\1...", _SECRET.sub(r"\1\2...", text))


def log_request(method: str, path: str, status: int, seconds: float) -> None:
    """Log one line of a request, without headers, query and body, which hold tokens and hands."""
    level = logging.DEBUG if path in {*PROBES, "/metrics"} else logging.INFO
    ms, path = round(1000 * seconds, 2), masked(path)
    if structlog.get_config()["processors"][-1] is not _render:  # a test captures the log
        write = _access.debug if level == logging.DEBUG else _access.info
        write("request", method=method, path=path, status=status, ms=ms)
        return
    if level < _least:
        return
    # The line that the processors make, by hand: there is one for every request.
    at = datetime.now(UTC).isoformat()[: -len("+00:00")]
    name = REQUEST.get()
    request_id = f'"request_id":"{name}",' if name else ""
    quoted = f'"{path}"' if _PLAIN.fullmatch(path) else json.dumps(path)
    sys.stderr.write(
        f'{{"method":"{method}","path":{quoted},"status":{status},"ms":{ms},"event":"request",'
        f'{request_id}"level":"{logging.getLevelName(level).lower()}","timestamp":"{at}Z"}}\n'
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
    return masked(line if line and line.isascii() else json.dumps(event, default=repr))


def trace(error: BaseException) -> dict[str, object]:
    """The exception's type and stack frames; not its message, which may name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "trace": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]],
    }
