"""A secret that comes too late, to a process that has heard of the table just then."""

import asyncio
import time

import httpx2
import pytest

from phaseledger.domain.commands import Act, RevealSecret, Start, TakeSeat
from phaseledger.domain.deal import seat_commit
from phaseledger.service.app import in_memory
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.joining import join
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.service.api_tables import Table, ok
from tests.support.service.problems import problem
from tests.support.service.server import serving

SECRETS = (b"\x0a" * 32, b"\x0b" * 32)
IN_TIME, TOO_LATE = "a-key-that-is-in-time", "a-key-that-is-too-late"


def reveal(table: Table, seat: int, key: str) -> httpx2.Response:
    secret = {"type": "reveal_secret", "secret": SECRETS[seat].hex()}
    return table.send(seat, secret, Idempotency_Key=key)


@pytest.mark.parametrize("has_limit", [True, False], ids=["reveal_seconds", "older"])
def test_a_late_secret_is_not_taken_by_whoever_just_hears_of_it(has_limit: bool) -> None:
    """Its timer does not run yet. A secret that came in time stays, and is answered again."""
    parts, game = in_memory(), new_game("")

    async def other_process() -> dict[int, str]:
        games = GameService(parts.store, reveal_seconds=2 if has_limit else 0)
        acts = opening(
            game, "classic", (SeatRequest(), SeatRequest()), options={}, dealer=0, start=False
        )
        await games.open(acts, game, "open")
        for seat in (0, 1):
            sitting = TakeSeat(f"{seat}", commit=seat_commit(str(game), seat, SECRETS[seat]))
            await join(games, game, seat, sitting, f"join {seat}")
        await games.send(game, Act(Start()), "start")
        await games.send(game, Act(RevealSecret(SECRETS[0].hex()), 0), IN_TIME)
        return {seat: await parts.credentials.issue(game, seat) for seat in (0, 1)}

    with (
        serving(parts, reveal_seconds=2) as service,
        httpx2.Client(base_url=f"{service.url}/v1", timeout=None) as client,
    ):
        table = Table(client, str(game), "", asyncio.run(other_process()))
        time.sleep(2.2)
        problem(reveal(table, 1, TOO_LATE), 409, "game_over")
        view = table.get().json()
        assert view["table"]["stage"] == "voided"
        last = table.get("/events", limit=1000).json()["events"][-1]
        assert (last["type"], last["data"]["owing"]) == ("GameVoided/1", [1])
        ok(reveal(table, 0, IN_TIME))
