"""What fails in a task that nobody waits for is logged, unless it is no failure."""

from uuid import UUID

import pytest
import structlog
from structlog.testing import capture_logs

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.service.automation.game_tasks import logged_failures
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.readmodels.errors import GameSetAside

GAME = UUID(int=7)
FAILURE = "the clock stopped"
LOG = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger("debug"))
"""It says everything, whatever level the other tests log at."""


def lines_of(error: Exception | None) -> list[tuple[str, str, str]]:
    """What is logged of the error: each line's level, event, and game."""
    with capture_logs() as logs, logged_failures(LOG, GAME, FAILURE):
        if error:
            raise error
    return [(line["log_level"], line["event"], line["game"]) for line in logs]


def test_a_failure_is_logged_and_ends_there_and_what_came_too_late_is_none() -> None:
    for error, level, event in (
        (Rejected(RejectCode.NOT_YOUR_TURN), "error", FAILURE),
        (GameSetAside("event 3 is missing"), "info", "game is set aside"),
        (StoreUnavailable("it is away"), "error", FAILURE),
        (ValueError("a bug"), "error", FAILURE),
    ):
        assert lines_of(error) == [(level, event, str(GAME))]
    for none in (None, Rejected(RejectCode.NOT_OVERDUE), Rejected(RejectCode.GAME_OVER)):
        assert lines_of(none) == []


def test_what_is_passed_on_reaches_the_caller_unlogged() -> None:
    passed = (StoreUnavailable,)
    with (
        capture_logs() as logs,
        pytest.raises(StoreUnavailable),
        logged_failures(LOG, GAME, FAILURE, passed),
    ):
        raise StoreUnavailable("it is away")
    assert logs == []
