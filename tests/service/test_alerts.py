"""The alerts of `deploy/`: each fires in a real Prometheus on the metrics of a faulty service."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from phaseledger.service.api.operator import listener
from phaseledger.service.app import in_postgres
from phaseledger.service.cli.record import entry, note
from phaseledger.service.settings import Settings
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.webhooks.delivery import Deliveries
from tests.support.damage import with_bytes
from tests.support.ledgers import own_ledger
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import PERSON, Table, bearer, mover, ok, started
from tests.support.service.database_locks import locked_log
from tests.support.service.operator import ANN, Held, holdable
from tests.support.service.problems import problem

KIT = Path(__file__).parents[2] / "deploy" / "prometheus"
ALERTS: list[dict[str, Any]] = yaml.safe_load((KIT / "alerts.yml").read_text())["groups"][0][
    "rules"
]
SHORTER = {
    r"for: \w+": "for: 0s",
    r"_seconds > \d+": "_seconds > 0.3",
    r"overdue_seconds\) > \d+": "overdue_seconds) > 0.3",
    r"\) > 1$": ") > 0.4",
}
"""What is shorter here than in the file; its own numbers are those of `alerts_test.yml`."""


class Prometheus(NamedTuple):
    """A Prometheus over one service."""

    url: str

    def firing(self) -> set[str]:
        data = httpx2.get(f"{self.url}/api/v1/alerts").json()["data"]
        return {alert["labels"]["alertname"] for alert in data["alerts"]}


@contextmanager
def watching(target: str, folder: Path) -> Iterator[Prometheus]:
    if shutil.which("prometheus") is None:
        pytest.skip("no prometheus here: apt-get install prometheus")
    text = (KIT / "alerts.yml").read_text()
    for pattern, shorter in SHORTER.items():
        text = re.sub(pattern, shorter, text, flags=re.MULTILINE)
    (folder / "alerts.yml").write_text(text)
    scraped = yaml.safe_load((KIT / "prometheus.yml").read_text())
    scraped["global"] = {"evaluation_interval": "200ms"}
    (job,) = scraped["scrape_configs"]
    job |= {"scrape_interval": "500ms", "scrape_timeout": "500ms"}
    job["static_configs"] = [{"targets": [target, "127.0.0.1:1"]}]  # the other node is down
    (folder / "prometheus.yml").write_text(yaml.safe_dump(scraped))
    with free_port() as port:
        place = f"127.0.0.1:{port}"
        given = ("config.file=prometheus.yml", "storage.tsdb.path=data", "log.level=error")
        flags = [f"--{flag}" for flag in (*given, f"web.listen-address={place}")]
        with subprocess.Popen(["prometheus", *flags], cwd=folder) as process:
            try:
                made = Prometheus(f"http://{place}")
                eventually(lambda: is_ready(made.url))
                yield made
            finally:
                process.kill()


def is_ready(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/-/ready").is_success
    except httpx2.TransportError:
        return False


def metric(held: Held, name: str) -> float:
    """The value of a metric without labels."""
    for family in text_string_to_metric_families(held.both.operator.get("/metrics").text):
        for sample in family.samples:
            if sample.name == name:
                return sample.value
    raise AssertionError(name)


async def hang(_: object, stop: asyncio.Event | None = None, **__: object) -> None:
    """Do no work, as a task that waits for what does not come."""
    await (stop or asyncio.Event()).wait()


def followed(held: Held) -> bool:
    log = metric(held, "phaseledger_log_position")
    return (
        metric(held, "phaseledger_projection_lag_events") == 0
        and metric(held, "phaseledger_log_signed_position") == log
    )


def slow(settings: Settings, table: Table) -> None:
    """Have a command wait for its commit."""
    seat, version = mover(table), table.version()
    with ThreadPoolExecutor(1) as beside:
        with locked_log(settings.database_url, settings.schema) as lock:
            sent = beside.submit(table.send, seat, {"type": "draw"})
            lock.execute("SELECT pg_sleep(0.6)")
        assert sent.result().json()["version"] > version


@pytest.mark.system
def test_each_alert_fires_where_its_fault_is_and_no_other(
    postgres_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_ledger(postgres_dsn, tmp_path / "keys", webhook_allow_private=True) as settings:
        with holdable(monkeypatch, in_postgres(settings)) as held:
            damaged = started(held.both.api)
            eventually(lambda: followed(held))
        with_bytes(settings.database_url, settings.schema, UUID(damaged.game), 3, b"")
        expected = set[str]()
        with ExitStack() as stack:
            monkeypatch.setattr(listener, "SECONDS_FOR_READINESS", 0.2)
            monkeypatch.setattr(Publisher, "run", hang)
            monkeypatch.setattr(Deliveries, "_send_loop", hang)
            served = stack.enter_context(
                holdable(monkeypatch, in_postgres(settings)._replace(follow=None))
            )
            api, operator = served.both
            prometheus = stack.enter_context(watching(operator.base_url.netloc.decode(), tmp_path))

            def fires(*names: str) -> None:
                expected.update(f"Phaseledger{name}" for name in names)
                eventually(prometheus.firing, lambda firing: firing == expected)

            fires("Down", "BackupOld")
            asyncio.run(note(settings, entry("back_up", "ann", "nightly", sound="yes")))
            expected.discard("PhaseledgerBackupOld")
            fires()
            tables = [started(api, seats=(PERSON, PERSON)) for _ in range(4)]
            fires("ViewsStalled", "Unsigned")
            problem(api.get(f"/games/{damaged.game}/events"), 503, "log_damaged")
            fires("GamesDamaged")
            for table in tables:
                slow(settings, table)
            fires("SlowCommands")
            left, path = tables[0], f"/games/{tables[0].game}"
            hook = {"url": "http://127.0.0.1:1/x"}
            assert api.post(f"{path}/webhooks", json=hook, headers=bearer(left.host)).is_success
            ok(api.post(f"{path}/leave", headers=bearer(left.tokens[0])))
            fires("WebhooksOverdue")
            operator.post("/admin/drain", json=ANN)
            expected |= {"PhaseledgerNotReady", "PhaseledgerErrors"}
            while prometheus.firing() != expected:  # who meets a closed gate tries on
                problem(left.send(1, {"type": "draw"}), 503, "draining")
            with served.held():
                fires("LoopSilent")
            expected.discard("PhaseledgerLoopSilent")
            fires()
