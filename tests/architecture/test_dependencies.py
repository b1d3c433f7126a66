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
        ("from phaseledger.service.store import Row", "phaseledger.service.eventlog.postgres"),
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
        *(
            "service/cli/main.py",
            "service/cli/serve.py",
            "service/cli/demo.py",
            "service/cli/keys.py",
        ),
        "service/cli/admin.py",
        *("replay/cli/main.py", "replay/batch/inputs.py", "replay/cli/simulate.py"),
        "replay/cli/audit.py",
        "replay/cli/rejudge.py",
        *("replay/cli/rules.py", "replay/cli/verify.py", "replay/cli/query.py"),
        *("replay/cli/odds.py", "replay/cli/report.py"),
        "service/cli/witness.py",
    ],
    "cryptography": ["replay/signing/notes.py", "replay/signing/commands.py"],
    "duckdb": ["replay/analysis/query.py"],
    "eventsourcing": [
        "service/eventlog/postgres.py",
        "service/eventlog/group_commit.py",
        "service/eventlog/errors.py",
    ],
    "granian": ["service/api/operator_api.py", "service/cli/serve.py"],
    "httpx2": [
        "service/cli/admin.py",
        "service/client/client.py",
        "service/cli/demo.py",
        "service/webhooks/sender.py",
        "service/cli/witness.py",
        "service/transparency/witness.py",
    ],
    "litestar": [
        *(
            "service/app.py",
            "service/runtime/background.py",
            "service/api/auth.py",
            "service/api/openapi/document.py",
            "service/api/problems.py",
        ),
        *(
            "service/api/routes/games.py",
            "service/api/routes/reads.py",
            "service/api/routes/projections.py",
        ),
        *("service/api/routes/bundle.py", "service/api/routes/rules.py", "service/api/requests.py"),
        *(
            "service/api/routes/docs.py",
            "service/api/routes/log.py",
            "service/api/invalid_parameters.py",
        ),
        *(
            "service/operations.py",
            "service/api/operator_api.py",
            "service/api/rate_limits.py",
            "service/api/security.py",
        ),
        *("service/api/readiness.py", "service/runtime/tracing.py"),
        *(
            "service/api/routes/lobby.py",
            "service/api/heads.py",
            "service/api/command_fast_path.py",
        ),
        *("service/api/streaming_response.py", "service/api/routes/events.py"),
        *(
            "service/api/pagination.py",
            "service/api/routes/exports.py",
            "service/api/routes/webhooks.py",
        ),
    ],
    "msgspec": ["*"],
    "opentelemetry": ["service/runtime/tracing.py"],
    "platformdirs": [
        *("service/database/embedded.py", "service/settings.py"),
        "service/cli/witness.py",
    ],
    "prometheus_client": ["service/runtime/metrics.py"],
    "pyarrow": ["replay/columns/parquet.py", "replay/analysis/query.py"],
    "psycopg": [
        *(
            "service/eventlog/postgres.py",
            "service/eventlog/group_commit.py",
            "service/eventlog/reader.py",
            "service/eventlog/migrations.py",
        ),
        *(
            "service/credentials/postgres.py",
            "service/readmodels/follower.py",
            "service/database/embedded.py",
            "service/database/setup.py",
        ),
        *("service/operations.py", "service/eventlog/pool.py", "service/lobby/join_codes.py"),
        "service/webhooks/store.py",
        "service/cli/main.py",  # the exit code of an unreachable server
        *(
            "service/streams/remote_commits.py",
            "service/automation/takeover.py",
            "service/partitions/partition_map.py",
        ),
        *("projections/store.py", "replay/records/source.py"),
        "service/transparency/tree_postgres.py",
    ],
    "psycopg_pool": [
        *("projections/store.py", "service/eventlog/reader.py", "service/eventlog/pool.py"),
        "service/webhooks/store.py",
        "service/transparency/tree_postgres.py",
    ],
    "rich": ["replay/*", "service/cli/serve.py", "service/cli/demo.py"],
    "structlog": [
        *(
            "service/streams/remote_commits.py",
            "service/streams/feed.py",
            "service/automation/takeover.py",
        ),
        *(
            "service/app.py",
            "service/automation/bots.py",
            "service/runtime/background.py",
            "service/cli/serve.py",
            "service/automation/reveal_deadlines.py",
        ),
        *(
            "service/runtime/logs.py",
            "service/automation/turn_clocks.py",
            "service/webhooks/delivery.py",
        ),
        *("service/api/problems.py", "service/eventlog/group_commit.py", "service/api/requests.py"),
        *("service/transparency/publisher.py", "service/partitions/routing.py"),
        *(
            "service/operations.py",
            "service/api/operator_api.py",
            "service/credentials/postgres.py",
            "service/runtime/tracing.py",
        ),
    ],
    "typing_extensions": ["service/*"],
    "uuid_utils": [
        "service/api/operator_api.py",
        "service/lobby/opening.py",
        "service/api/requests.py",
    ],
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
        ("service/games/service.py", "import psycopg.errors", ["psycopg"]),
        ("service/eventlog/postgres.py", "from litestar import get", ["litestar"]),
        ("replay/audit/audit.py", "def late():\n    import eventsourcing", ["eventsourcing"]),
        ("projections/rows.py", "import pydantic", ["pydantic"]),
        (
            "service/api/routes/games.py",
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
        ("replay/audit/audit.py", "import phaseledger.projections"),
        ("replay/audit/audit.py", "import phaseledger.service"),
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
