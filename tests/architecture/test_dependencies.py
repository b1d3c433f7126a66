"""Who may import what: the domain nearly nothing, each third-party package in its own places.

Each check is a function over source text, so that a planted defect can show that it works.
"""

import ast
import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "service")
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}

# --- the domain is pure (law 6) -----------------------------------------------------------------

PURE = {
    *("collections.abc", "enum", "functools", "hashlib", "hmac", "itertools", "math"),
    *("re", "struct", "typing"),
    *("msgspec", "msgspec.structs"),
}
IMPURE_BUILTINS = {
    *("__import__", "eval", "exec", "input", "open", "print"),
    *("hash", "id"),  # differ from one process to the next
}


def impurities(source: str) -> list[str]:
    """What a file of the domain takes from outside it, other than `PURE`."""
    tree = ast.parse(source)
    foreign = [
        module
        for module in imported(tree)
        if module not in PURE and not module.startswith("phaseledger.domain")
    ]
    called = [
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    return foreign + [name for name in called if name in IMPURE_BUILTINS]


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules of every import statement, also of those inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


@pytest.mark.parametrize("file", [name for name in SOURCES if name.startswith("domain/")])
def test_the_domain_has_no_clock_no_chance_and_no_input(file: str) -> None:
    assert impurities(SOURCES[file]) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random", "random"),
        ("from time import monotonic", "time"),
        ("def now():\n    from datetime import datetime", "datetime"),
        ("import os.path", "os.path"),
        ("import secrets", "secrets"),
        ("from phaseledger.service.store import Row", "phaseledger.service.store"),
        ("from . import cards", "."),
        ("open('cards.txt')", "open"),
        ("order = sorted(cards, key=lambda card: hash(card))", "hash"),
    ],
)
def test_an_impurity_is_found(source: str, found: str) -> None:
    assert impurities("from phaseledger.domain.cards import show\n" + source) == [found]


# --- what comes from where ----------------------------------------------------------------------

PLACES = {
    "cyclopts": [
        *("service/cli.py", "service/commands.py", "service/demo.py", "service/keys_command.py"),
        "service/admin_command.py",
        *("replay/cli.py", "replay/inputs.py", "replay/simulate_command.py"),
        "replay/audit_command.py",
        "replay/rejudge_command.py",
        *("replay/rules_command.py", "replay/verify_command.py", "replay/query_command.py"),
        *("replay/odds_command.py", "replay/study_command.py"),
        "service/witness.py",
    ],
    "cryptography": ["replay/notes.py", "replay/signing.py"],
    "duckdb": ["replay/query.py"],
    "eventsourcing": ["service/store.py", "service/recorder.py", "service/outages.py"],
    "granian": ["service/admin_app.py", "service/commands.py"],
    "httpx2": [
        "service/admin_command.py",
        "service/client.py",
        "service/demo.py",
        "service/sender.py",
        "service/witness.py",
        "service/witnessing.py",
    ],
    "litestar": [
        *(
            "service/app.py",
            "service/beside.py",
            "service/callers.py",
            "service/description.py",
            "service/problems.py",
        ),
        *("service/routes.py", "service/routes_read.py", "service/routes_views.py"),
        *("service/routes_bundle.py", "service/routes_rules.py", "service/transport.py"),
        *("service/routes_docs.py", "service/routes_log.py", "service/faults.py"),
        *("service/admin.py", "service/admin_app.py", "service/limits.py", "service/security.py"),
        *("service/readiness.py", "service/telemetry.py"),
        *("service/routes_lobby.py", "service/heads.py", "service/plain_commands.py"),
        *("service/parted.py", "service/routes_events.py"),
        *("service/listing.py", "service/routes_bulk.py", "service/routes_webhooks.py"),
    ],
    "msgspec": ["*"],
    "opentelemetry": ["service/telemetry.py"],
    "platformdirs": [
        *("service/postgres.py", "service/settings.py"),
        "service/witness.py",
    ],
    "prometheus_client": ["service/metrics.py"],
    "pyarrow": ["replay/parquet.py", "replay/query.py"],
    "psycopg": [
        *("service/store.py", "service/recorder.py", "service/reader.py", "service/schema.py"),
        *(
            "service/seats_postgres.py",
            "service/worker.py",
            "service/postgres.py",
            "service/database.py",
        ),
        *("service/admin.py", "service/pool.py", "service/join_codes.py"),
        "service/webhooks_store.py",
        "service/cli.py",  # the exit code of an unreachable server
        *("service/commits.py", "service/orphans.py", "service/partition_map.py"),
        *("projections/store.py", "replay/source.py"),
        "service/tree_postgres.py",
    ],
    "psycopg_pool": [
        *("projections/store.py", "service/reader.py", "service/pool.py"),
        "service/webhooks_store.py",
        "service/tree_postgres.py",
    ],
    "rich": ["replay/*", "service/commands.py", "service/demo.py"],
    "structlog": [
        *("service/commits.py", "service/feeds.py", "service/orphans.py"),
        *(
            "service/app.py",
            "service/autoplay.py",
            "service/beside.py",
            "service/commands.py",
            "service/deadlines.py",
        ),
        *("service/logs.py", "service/clocks.py", "service/deliveries.py"),
        *("service/problems.py", "service/recorder.py", "service/transport.py"),
        *("service/publisher.py", "service/partitions.py"),
        *(
            "service/admin.py",
            "service/admin_app.py",
            "service/seats_postgres.py",
            "service/telemetry.py",
        ),
    ],
    "typing_extensions": ["service/*"],
    "uuid_utils": ["service/admin_app.py", "service/opening.py", "service/transport.py"],
}
"""Where each third-party package may be imported."""


def misplaced(file: str, source: str, places: Mapping[str, Iterable[str]] = PLACES) -> list[str]:
    """Third-party packages that have no place in this file."""
    packages = {module.partition(".")[0] for module in imported(ast.parse(source))}
    foreign = packages - sys.stdlib_module_names - {"phaseledger"}
    return sorted(
        package
        for package in foreign
        if not any(PurePosixPath(file).match(place) for place in places.get(package, ()))
    )


@pytest.mark.parametrize("file", SOURCES)
def test_third_party_packages_stay_in_their_places(file: str) -> None:
    assert misplaced(file, SOURCES[file]) == []


def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[\[><=~ ]", line)[0] for line in project["dependencies"]}
    extra = [*itertools.chain(*project["optional-dependencies"].values())]
    declared |= {re.split(r"[\[><=~ ]", line)[0] for line in extra}
    declared |= {"opentelemetry"} if any("opentelemetry-sdk" in line for line in extra) else set()
    declared |= {"psycopg-pool"} if "psycopg[binary,pool]" in str(project) else set()
    assert {package.replace("_", "-") for package in PLACES} <= declared


@pytest.mark.parametrize(
    ("file", "source", "found"),
    [
        ("service/games.py", "import psycopg.errors", ["psycopg"]),
        ("service/store.py", "from litestar import get", ["litestar"]),
        ("replay/audit.py", "def late():\n    import eventsourcing", ["eventsourcing"]),
        ("projections/rows.py", "import pydantic", ["pydantic"]),
        (
            "service/routes.py",
            "import asyncio, litestar\nfrom phaseledger.service import games",
            [],
        ),
    ],
)
def test_a_misplaced_import_is_found(file: str, source: str, found: list[str]) -> None:
    assert misplaced(file, source) == found


# --- layers -------------------------------------------------------------------------------------


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_layers_hold() -> None:
    ended = lint_imports(ROOT)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("domain/evolve.py", "import phaseledger.projections"),
        ("domain/deal.py", "import psycopg"),
        ("replay/audit.py", "import phaseledger.projections"),
        ("replay/audit.py", "import phaseledger.service"),
        ("projections/table.py", "import phaseledger.replay"),
    ],
)
def test_a_broken_layer_is_found(tmp_path: Path, file: str, line: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    folder = tmp_path / "phaseledger"
    for package in ("", *PACKAGES):
        (folder / package).mkdir()
        (folder / package / "__init__.py").touch()
    assert lint_imports(tmp_path).returncode == 0
    (folder / file).write_text(line + "\n")
    ended = lint_imports(tmp_path)
    assert ended.returncode == 1
    assert "broken" in ended.stdout


AUDITOR = """
import sys
from phaseledger.service.cli import main
sys.argv = ["phaseledger", {command!r}, "--help"]
try:
    main()
finally:
    print(sorted({{"eventsourcing", "litestar", "psycopg"}} & sys.modules.keys()), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    [
        *("replay", "audit", "rejudge", "verify", "explain", "export", "simulate", "query"),
        *("report", "rules", "odds", "witness"),
    ],
)
def test_the_auditor_starts_without_the_service(command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", AUDITOR.format(command=command)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr.strip() == "[]"
