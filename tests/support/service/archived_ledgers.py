"""Ledgers with games that can be archived."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import httpx2

from phaseledger.service.app import in_postgres
from phaseledger.service.database.game_archive import ArchiveRun, archive_games, file_name
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, bearer, ok, started, whole_game
from tests.support.service.operator import Both, running


def archived(settings: Settings, folder: Path, days: float = 0) -> ArchiveRun:
    return asyncio.run(archive_games(settings, folder, days))


def voided(client: httpx2.Client, **more: Any) -> Table:
    """A table that its host has broken off, under the key of its game's id."""
    table = started(client, **more)
    ok(void(table))
    return table


def void(table: Table) -> httpx2.Response:
    headers = {**bearer(table.host), "Idempotency-Key": table.game}
    return table.client.post(f"{table.path}/void", json={"reason": "x"}, headers=headers)


def read(client: httpx2.Client, path: str, **more: Any) -> Any:
    answer = client.get(path, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def settled(client: httpx2.Client, *games: str) -> None:
    """Wait until a checkpoint covers the games, and the views have them."""
    for game in games:
        bundle = partial(client.get, f"/games/{game}/bundle")
        assert '{"checkpoint":' in eventually(bundle, lambda got: got.is_success).text
        version = read(client, f"/games/{game}")["version"]
        read(client, f"/games/{game}/table", params={"at_least": version})


class Ledger(NamedTuple):
    """A service with a finished game, one that was broken off, and one that goes on."""

    both: Both
    settings: Settings
    folder: Path
    whole: str
    broken: Table
    going: Table

    def archive(self) -> None:
        """Archive what is over."""
        run = archived(self.settings, self.folder)
        assert run.kept == ()
        assert {str(game.game) for game in run.archived} == {self.whole, self.broken.game}

    @property
    def store(self) -> tuple[str, str]:
        """DSN and schema."""
        return self.settings.database_url, self.settings.schema

    def file(self, game: str = "") -> Path:
        """The file of the game, or of the finished one."""
        return self.folder / file_name(UUID(game or self.whole))


@contextmanager
def archivable(settings: Settings, folder: Path) -> Iterator[Ledger]:
    """A ledger whose games may be archived in the folder."""
    with running(in_postgres(settings)) as both:
        whole, broken, going = whole_game(both.api), voided(both.api), started(both.api)
        settled(both.api, whole, broken.game)
        yield Ledger(both, settings, folder, whole, broken, going)


def views(client: httpx2.Client, *games: str) -> list[Any]:
    paths = [f"/games/{game}/{view}" for game in games for view in ("table", "scoreboard")]
    return [read(client, path) for path in ("/games", "/leaderboard", *paths)]
