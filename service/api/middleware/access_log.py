"""What the log says of answers that are broken off."""

import structlog

from phaseledger.service.runtime.logs import trace

log = structlog.get_logger("phaseledger.access")


class ResponseAborted(Exception):
    """A response failed after its start: the server has to close the connection."""


def log_aborted(path: str, error: Exception) -> None:
    """Log that an answer was broken off, without the exception's words, which may name a card."""
    cause = error.__cause__ or error  # the framework wraps what is raised while it sends
    log.error("answer broken off", path=path, **trace(cause))
