"""The access log's words for answers that are broken off."""

import asyncio
from typing import Any

import pytest
import structlog
from litestar.types import ASGIApp

from phaseledger.service.api.middleware import access_log
from phaseledger.service.api.middleware.access_log import ResponseAborted
from phaseledger.service.api.stack import Stack
from tests.support.service.bare_requests import SCOPE

LOG = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger("debug"))


def _failing(error: Exception) -> ASGIApp:
    async def app(*_: object) -> None:
        raise error

    return app


def test_an_answer_that_is_broken_off_rings_an_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_log, "log", LOG)

    async def unused(*_: object) -> Any:
        raise AssertionError

    with structlog.testing.capture_logs() as lines, pytest.raises(ResponseAborted):
        asyncio.run(Stack(_failing(TimeoutError()))({**SCOPE}, unused, unused))
    assert (lines[0]["log_level"], lines[0]["event"]) == ("error", "answer broken off")
