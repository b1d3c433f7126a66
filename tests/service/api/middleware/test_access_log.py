"""The access log's words for answers that are broken off."""

import asyncio
from typing import Any

import pytest
import structlog
from litestar.types import ASGIApp

from phaseledger.service.api.limits.pace import ReaderTooSlow
from phaseledger.service.api.middleware import access_log
from phaseledger.service.api.middleware.access_log import ResponseAborted, with_access_log

LOG = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger("debug"))
SCOPE: Any = {"type": "http", "method": "GET", "path": "/v1/games"}


def _failing(error: Exception) -> ASGIApp:
    async def app(*_: object) -> None:
        raise error

    return app


@pytest.mark.parametrize(
    ("error", "level", "event"),
    [
        (ReaderTooSlow(), "info", "reader too slow"),
        (TimeoutError(), "error", "answer broken off"),
    ],
)
def test_a_slow_reader_is_no_error_of_the_service(
    error: Exception, level: str, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever reads slowly fills the operator's alarms."""
    monkeypatch.setattr(access_log, "log", LOG)

    async def unused(*_: object) -> Any:
        raise AssertionError

    with structlog.testing.capture_logs() as lines, pytest.raises(ResponseAborted):
        asyncio.run(with_access_log(_failing(error))(SCOPE, unused, unused))

    assert (lines[0]["log_level"], lines[0]["event"]) == (level, event)
