"""`phaseledger admin archive` and the way back, as an operator types them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from phaseledger.service.database.game_archive import file_name
from phaseledger.service.settings import Settings
from tests.support import forked
from tests.support.damage import stored_rows
from tests.support.environment import plain_environment
from tests.support.service.archived_ledgers import Ledger, archivable

pytestmark = pytest.mark.system

WHO = ("--actor", "ann", "--reason", "retention")


@pytest.fixture
def ledger(ledger: Settings, tmp_path: Path) -> Iterator[Ledger]:
    with archivable(ledger, tmp_path / "archive") as made:
        yield made


def phaseledger(ledger: Ledger, *arguments: object, code: int = 0, **more: str) -> str:
    """What the command prints or, where it fails, what it complains of."""
    settings = ledger.settings
    names = ("database_url", "schema", "keys_dir", "published_dir")
    variables = {f"PHASELEDGER_{name.upper()}": str(getattr(settings, name)) for name in names}
    given = plain_environment() | variables | more
    ended = forked.phaseledger(*arguments, env=given)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout or ended.stderr


def archive(ledger: Ledger, *arguments: object, code: int = 0, **more: str) -> Any:
    return json.loads(
        phaseledger(ledger, "admin", "archive", *arguments, "--json", *WHO, code=code, **more)
    )


def test_it_says_what_it_lacks(ledger: Ledger) -> None:
    """No game is archived by a default."""
    for arguments, name in (
        ((), "FOLDER"),
        ((ledger.folder,), "--days"),
        (("--days", 0), "FOLDER"),
    ):
        words = phaseledger(ledger, "admin", "archive", *arguments, *WHO, code=2)
        assert name in words
    assert not ledger.folder.exists()
    for entry in ("--actor", "--reason"):
        named = [*WHO[: WHO.index(entry)], *WHO[WHO.index(entry) + 2 :]]
        arguments = ("admin", "archive", ledger.folder, "--days", 0, *named, entry, " ")
        assert "neither is empty" in phaseledger(ledger, *arguments, code=2)


def test_retention_is_an_argument(ledger: Ledger) -> None:
    kept = archive(ledger, ledger.folder, "--days", 30)
    assert kept == {"archived": [], "kept": []}
    moved = archive(ledger, ledger.folder, "--days", 0.000001)
    assert {game["game"] for game in moved["archived"]} == {ledger.whole, ledger.broken.game}
    assert {path.name for path in ledger.folder.iterdir()} == {
        game["file"] for game in moved["archived"]
    }
    assert [entry["action"] for entry in ledger.both.record()] == ["archive_games"] * 2


def test_there_and_back_again(ledger: Ledger, tmp_path: Path) -> None:
    whole, folder = UUID(ledger.whole), ledger.folder
    rows = stored_rows(*ledger.store, whole)
    words = phaseledger(ledger, "admin", "archive", folder, "--days", 0, *WHO)
    assert words.startswith("2 games with ")
    assert all(path.stat().st_mode & 0o077 == 0 for path in (folder, *folder.iterdir()))
    file = folder / file_name(whole)
    phaseledger(ledger, "verify", file)
    assert phaseledger(ledger, "audit", "--all", folder).startswith("Games: 2 sound")
    audited = phaseledger(ledger, "audit", "--all", "--archive", folder)
    assert audited.startswith("Games: 3 sound")
    # A backup has the tombstones, and says so.
    backup = ("admin", "backup", tmp_path / "backup", "--check", "--json")
    checked = json.loads(phaseledger(ledger, *backup))
    assert (checked["games"], checked["archived"], checked["unsound"]) == (1, 2, [])
    assert (checked["lost"], checked["contradiction"]) == (0, "")
    phaseledger(ledger, "admin", "rebuild")
    assert ledger.both.api.get(f"/games/{whole}/scoreboard").status_code == 200

    back = ("admin", "unarchive", whole, file, *WHO)
    assert f"is back with its {len(rows)} events" in phaseledger(ledger, *back)
    assert stored_rows(*ledger.store, whole) == rows
    assert ledger.both.api.get(f"/games/{whole}").status_code == 200
    assert phaseledger(ledger, "audit", "--all").startswith("Games: 2 sound")
    assert f"No game {whole} is archived" in phaseledger(ledger, *back, code=4)
    refused = ledger.both.operator.get("/admin/events").json()["events"][-1]
    assert (refused["action"], refused["details"]["code"]) == ("refused", "restore_refused")
