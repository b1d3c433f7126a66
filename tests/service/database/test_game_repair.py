"""A damaged game is repaired with the lines of docs/how-to/repair-a-game.md."""

import os
import subprocess
from pathlib import Path
from textwrap import dedent
from uuid import UUID

import pytest

from phaseledger.service.app import in_postgres
from phaseledger.service.database import programs
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows, with_bytes, without
from tests.support.polling import eventually
from tests.support.service.api_tables import whole_game
from tests.support.service.archived_ledgers import settled
from tests.support.service.operator import running

pytestmark = pytest.mark.system

PAGE = (Path(__file__).parents[3] / "docs/how-to/repair-a-game.md").read_text()
TAKE, INSERT = PAGE[PAGE.index("    psql BACKUP") :].split("    SQL\n")[0].split("\n", 1)


def psql(lines: str, settings: Settings, game: str, folder: Path) -> None:
    for name, given in {"BACKUP": "$DSN", "OWNER": "$DSN", "GAME": game}.items():
        lines = lines.replace(name, given)
    path = f"{programs.wheel_folder()}:{os.environ['PATH']}"
    subprocess.run(
        dedent(lines).replace("phaseledger.", f"{settings.schema}."),
        shell=True,
        check=True,
        cwd=folder,
        env={"DSN": settings.database_url, "PATH": path},
    )


def test_a_game_is_repaired_from_a_backup(settings: Settings, tmp_path: Path) -> None:
    store = settings.database_url, settings.schema
    with running(in_postgres(settings)) as both:
        game = whole_game(both.api)
        settled(both.api, game)
        rows = stored_rows(*store, UUID(game))
        psql(TAKE, settings, game, tmp_path)

        def answers(code: int) -> None:
            both.api.get("/exports/games")  # which reads every game
            eventually(lambda: both.api.get(f"/games/{game}").status_code, lambda got: got == code)

        without(*store, UUID(game), 7, 8)
        with_bytes(*store, UUID(game), 4, b"{}")
        answers(409)
        # What is there is not changed, and the game stays aside.
        psql(INSERT + "    SQL\n", settings, game, tmp_path)
        answers(409)
        without(*store, UUID(game), 4)
        who = {"actor": "ann", "reason": "a disk was lost"}
        assert both.operator.post(f"/admin/games/{game}/void", json=who).is_success
        psql(INSERT + "    SQL\n", settings, game, tmp_path)
        answers(200)
        assert stored_rows(*store, UUID(game)) == rows
        assert both.operator.get("/admin/set-aside").json()["games"] == []
