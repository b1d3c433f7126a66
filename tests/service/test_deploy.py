"""What `deploy/` has beside proxies: units, timers, rules, a dashboard, read by their own tools."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from phaseledger.service.cli.main import app
from phaseledger.service.runtime import metrics
from phaseledger.service.settings import load

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
RULES = DEPLOY / "prometheus" / "alerts.yml"
ALERTS: list[dict[str, Any]] = yaml.safe_load(RULES.read_text("utf-8"))["groups"][0]["rules"]
DASHBOARD = DEPLOY / "grafana" / "dashboard.json"


def checked(*command: object) -> str:
    """What the program says where it finds nothing wrong."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"no {command[0]} here: apt-get install systemd prometheus")
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stderr


def expressions() -> list[str]:
    """What the dashboard asks Prometheus."""
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """To the letter, but for the program, which has to be there."""
    for unit in UNITS:
        text = unit.read_text("utf-8").replace("/opt/phaseledger/bin/phaseledger", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    assert checked("systemd-analyze", "verify", *sorted(tmp_path.iterdir())) == ""


def test_units_run_commands_and_set_what_is_there() -> None:
    commands = []
    for unit in UNITS:
        text = unit.read_text("utf-8")
        load(dict(re.findall(r"^Environment=(PHASELEDGER_\w+)=(.*)$", text, re.MULTILINE)))
        for line in re.findall(r"^ExecStart=.*bin/phaseledger (.*?)'?$", text, re.MULTILINE):
            commands.append(line.split()[0])
            app.parse_args(shlex.split(line), exit_on_error=False, print_error=False)
    assert sorted(commands) == ["admin", "serve", "worker"]


def test_alerts_begin_when_they_should(tmp_path: Path) -> None:
    tests = RULES.with_name("alerts_test.yml")
    checked("promtool", "test", "rules", tests)
    for alert in ALERTS:
        assert f"alertname: {alert['alert']}" in tests.read_text("utf-8")
    rules = [{"record": "shown", "expr": asked} for asked in expressions()]
    shown = tmp_path / "dashboard.yml"
    shown.write_text(yaml.safe_dump({"groups": [{"name": "shown", "rules": rules}]}))
    checked("promtool", "check", "rules", shown)


def test_rules_and_dashboard_ask_for_metrics_that_are_told() -> None:
    registered = {family.name for family in metrics.REGISTRY.collect()}
    asked = " ".join([*(alert["expr"] for alert in ALERTS), *expressions()])
    names = {*re.findall(r"phaseledger_\w+", asked)}
    assert {re.sub("_(total|bucket)$", "", name) for name in names} <= registered
    assert len(names) > 10
