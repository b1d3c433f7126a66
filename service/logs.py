"""Logs: JSON lines on stderr. Nobody's cards may get into them (law 7 holds for logs as well)."""

import logging
import sys
import traceback

import structlog


def configure() -> None:
    """Set logging up for a process that serves or follows."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,  # the id of the request, where there is one
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)


def known_as() -> str:
    """The id of the request that is being answered; empty where there is none."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def trace(error: BaseException) -> dict[str, object]:
    """The exception's type and where it came from; not its message, which may name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "trace": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-8:]],
    }
