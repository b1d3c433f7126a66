"""The fault model over real servers: a failover to a standby that lagged."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.source import read_store
from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from phaseledger.service.transparency import publisher
from tests.support.ledgers import prepared
from tests.support.polling import eventually
from tests.support.service.api_tables import (
    PERSON,
    Table,
    answer,
    bearer,
    greedily,
    mover,
    sit,
    started,
)
from tests.support.service.replication import Pair, replicated
from tests.support.service.server import serving
from tests.support.service.stream_reader import opened_http

pytestmark = pytest.mark.system


@pytest.fixture
def pair() -> Iterator[Pair]:
    with replicated() as servers:
        yield servers


@pytest.fixture
def settings(pair: Pair, tmp_path: Path) -> Settings:
    return prepared(pair.dsn, "phaseledger", tmp_path)


def moves(table: Table, count: int) -> int:
    """Let the players move so often; the version that this led to."""
    for number in range(count):
        done = eventually(
            lambda number=number: answer(table, mover(table), greedily, number),
            lambda answered: answered.status_code < 500,
        )
        assert done.status_code == 200, done.text
    return table.version()


def checks(client: httpx2.Client) -> dict[str, bool]:
    """Which of the readiness checks are passed."""
    ready = client.get(str(client.base_url.copy_with(path="/health/ready"))).json()
    return {name: check["ok"] for name, check in ready["checks"].items()}


def findings(dsn: str) -> list[object]:
    return [verdict for verdict in audit(read_store(dsn)) if not verdict.sound]


def test_what_a_standby_that_lagged_has_is_played_on_without_holes(
    pair: Pair, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was lost had been signed; the node is not restarted."""
    with serving(in_postgres(settings)) as served, opened_http(served.url) as client:
        tables = [started(client) for _ in range(3)]
        for table in tables:
            moves(table, 3)
        body = {"ruleset": "classic", "seats": [PERSON, PERSON]}
        lobby = client.post("/games", json=body).json()["game"]
        eventually(lambda: checks(client)["log_key"])
        monkeypatch.setattr(publisher, "BATCH", 0)  # from here on nothing is signed
        pair.await_standby()
        pair.cut_replication()
        lost = [moves(table, 4) for table in tables]
        token = sit(client, lobby).json()["token"]
        pair.fail_over()
        for table, version in zip(tables, lost, strict=True):
            assert (
                eventually(lambda table=table: table.get(), is_answered).json()["version"] < version
            )
            moves(table, 6)
        # Whoever sat down there afterwards has that seat, and the lost token shows nobody's cards.
        other = sit(client, lobby).json()
        stale = client.get(f"/games/{lobby}", headers=bearer(token))
        assert (stale.status_code, stale.json()["code"]) == (401, "token_unknown")
        assert client.get(f"/games/{lobby}", headers=bearer(other["token"])).status_code == 200
    assert findings(pair.standby.dsn) == []


def test_a_log_that_is_behind_what_was_signed_is_read_and_not_written(
    pair: Pair, settings: Settings
) -> None:
    with serving(in_postgres(settings)) as served, opened_http(served.url) as client:
        table = started(client)
        kept = moves(table, 3)
        pair.await_standby()
        pair.cut_replication()
        signed = moves(table, 3)
        covered = served.parts.log.publisher.signer.kept
        eventually(lambda: f"\n{signed}\n" in covered.read_text())
        pair.fail_over()
        view = eventually(lambda: table.get(), is_answered).json()
        assert view["version"] == kept < signed
        refused = eventually(
            lambda: answer(table, mover(table), greedily, 0),
            lambda answered: answered.json().get("code") != "store_unavailable",
        )
        assert (refused.status_code, refused.json()["code"]) == (503, "ledger_behind")
        assert table.version() == kept
    assert findings(pair.standby.dsn) == []


def is_answered(response: httpx2.Response) -> bool:
    return response.status_code == 200
