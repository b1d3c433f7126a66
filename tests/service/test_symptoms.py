"""The page of symptoms has each alert, each text of readiness and each line of the log."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from phaseledger.service.api import health_monitor, readiness

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "symptoms.md").read_text("utf-8")
LEVELS = {"warning", "error", "critical"}
WAITS = re.compile(r" waits? for the (database|log)")


def lines(tree: ast.AST) -> Iterator[str]:
    """The texts of a module that are logged at a level that an operator reads."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        named = node.func.id if isinstance(node.func, ast.Name) else name
        if name in LEVELS or named in {"logged_failures", "in_background_until", "_tell"}:
            for argument in node.args[:3]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def test_each_alert_has_its_section() -> None:
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text("utf-8"))
    (group,) = rules["groups"]
    for rule in group["rules"]:
        assert f"### {rule['alert']}\n" in PAGE
        page, _, anchor = rule["annotations"]["runbook_url"].partition("#")
        assert (page, anchor) == (
            *("https://play.example/docs/guide/how-to/symptoms.html", rule["alert"].lower()),
        )


def test_each_text_of_readiness_is_there() -> None:
    for module in (health_monitor, readiness):
        source = Path(str(module.__file__)).read_text("utf-8")
        for reason in re.findall(
            r'(?:reason=|reason = \(?\s*|[A-Z]+ = \(?\s*)f?"([^"{]{8,})', source
        ):
            assert " " not in reason or reason.strip(" ,") in PAGE, reason


def test_each_line_of_the_log_is_there() -> None:
    logged = {
        line
        for path in sorted((ROOT / "service").rglob("*.py"))
        for line in lines(ast.parse(path.read_text("utf-8")))
    }
    assert len(logged) > 40
    for line in logged:
        if not WAITS.search(line):
            start = re.split(r"%[sd]|:", line)[0].strip()
            assert f"`{start}" in PAGE, line
