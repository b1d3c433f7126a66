"""Bots think beside the event loop, within a time, and a game that takes too long is set aside."""

import threading
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Command
from phaseledger.domain.state import State
from phaseledger.service.app import in_postgres
from phaseledger.service.automation import bots
from phaseledger.service.automation.due_games import DueNotes
from phaseledger.service.games.writer import GameService
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, started
from tests.support.service.operator import ANN, Both, running
from tests.support.service.problems import problem


def opened(both: Both, level: str) -> str:
    """A game of two bots of that level, which has begun."""
    seats = [{**BOT, "level": level, "name": f"{level} {number}"} for number in range(2)]
    answer = both.api.post("/games", json={"ruleset": "classic", "seats": seats, "start": True})
    assert answer.status_code == 201, answer.text
    game: str = answer.json()["game"]
    return game


def ended(both: Both, game: str) -> None:
    look = partial(both.api.get, f"/games/{game}")
    eventually(lambda: look().json()["table"]["stage"], lambda stage: stage == "ended")


def set_aside(both: Both) -> dict[str, str]:
    games = both.operator.get("/admin/set-aside").json()["games"]
    return {game["game"]: game["reason"] for game in games}


def test_a_bot_that_thinks_long_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end, is_over = threading.Event(), threading.Event(), threading.Event()

    def slow(bot: str, state: State, seat: int, *chance: Any) -> Command:
        if bot == "random":
            begun.set()
            assert may_end.wait(5)
            is_over.set()
        return decision(bot, state, seat, *chance)

    monkeypatch.setattr(bots, "decision", slow)
    monkeypatch.setattr(bots, "THINKING", 60.0)
    with running() as both:
        opened(both, "random")
        assert begun.wait(60)
        ended(both, opened(both, "greedy"))
        assert not is_over.is_set()
        may_end.set()
        assert is_over.wait(60)


def test_a_game_in_which_bots_overrun_twice_is_set_aside(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, decision = threading.Event(), bots.decision

    def slow(name: str, *given: Any) -> Any:
        return may_end.wait(60) if name == "random" else decision(name, *given)

    monkeypatch.setattr(bots, "decision", slow)
    monkeypatch.setattr(bots, "THINKING", 0.5)
    with running(in_postgres(settings)) as both:
        game = opened(both, "random")
        reason = "bots took over 0.5 seconds for a move, 2 times"
        assert eventually(lambda: set_aside(both), bool) == {game: reason}
        refused = both.api.get(f"/games/{game}")
        assert problem(refused, 409, "game_set_aside").detail.endswith(f": {reason}.")
        monkeypatch.setattr(bots, "THINKING", 60.0)
        ended(both, opened(both, "greedy"))
        answer = both.operator.post(f"/admin/games/{game}/void", json=ANN)
        assert answer.status_code == 200, answer.text
        may_end.set()


def test_a_game_that_cannot_be_resumed_is_set_aside(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DueNotes, "note", lambda *_: None)  # as where the process has crashed
    with running(in_postgres(settings)) as both:
        table = started(both.api)
    look = GameService.look

    async def failing(self: GameService, game: UUID, *arguments: Any, **options: Any) -> Any:
        if str(game) == table.game:
            raise ZeroDivisionError
        return await look(self, game, *arguments, **options)

    monkeypatch.setattr(GameService, "look", failing)
    with running(in_postgres(settings)) as both:
        reason = "it cannot be resumed (ZeroDivisionError)"
        assert eventually(lambda: set_aside(both), bool) == {table.game: reason}
        ended(both, opened(both, "greedy"))
