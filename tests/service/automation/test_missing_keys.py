"""Games whose sealing key is missing wait for it, and no other game waits for them."""

from functools import partial
from pathlib import Path
from uuid import UUID

import pytest

from phaseledger.replay.formats import sealing
from phaseledger.service.app import in_postgres
from phaseledger.service.automation import table_expiry
from phaseledger.service.settings import Settings
from tests.support.damage import stored_rows
from tests.support.polling import eventually
from tests.support.service.api_tables import Table, ok, open_table, started
from tests.support.service.operator import Both, running


def stage(both: Both, table: Table) -> str:
    return str(ok(both.api.get(table.path))["table"]["stage"])


def test_games_of_a_missing_key_hold_up_no_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start: neither bots and clocks nor the closing of what is left open."""
    monkeypatch.setattr(table_expiry, "EVERY", 0.05)
    folder = Path(settings.keys_dir)
    keys = [folder / f"0001-{sealing.new(folder)}.seal"]
    with running(in_postgres(settings)) as both:  # tables are closed from the oldest on
        lobbies = [open_table(both.api) for _ in range(5)]
    sealing.new(folder)
    with running(in_postgres(settings)) as both:
        table = started(both.api, terms={"clock": {"seconds": 3}})
        others = [open_table(both.api) for _ in range(5)]
    keys.append(folder / f"0003-{sealing.new(folder)}.seal")
    with running(in_postgres(settings)) as both:  # games go on from the newest on
        sealed = started(both.api)
    away = [key.rename(folder.parent / key.name) for key in keys]
    with running(in_postgres(settings), lobby_hours=1e-9) as both:
        assert both.api.get(sealed.path).status_code == 503
        eventually(lambda: {stage(both, other) for other in others}, lambda now: now == {"voided"})
        # Nobody asks for the game, which would wake its clock.
        rows = partial(stored_rows, settings.database_url, settings.schema, UUID(table.game))
        eventually(lambda: any("TimedOut" in row.topic for _, row in rows()))
        assert {both.api.get(lobby.path).status_code for lobby in lobbies} == {503}
        for file, key in zip(away, keys, strict=True):
            file.rename(key)
        eventually(lambda: both.api.get(sealed.path).status_code == 200)
