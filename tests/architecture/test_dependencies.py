"""Who may import what: the domain nearly nothing, each third-party package in its own places."""

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "replay", "service")
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}

# --- the domain is pure (law 6) -----------------------------------------------------------------

PURE = {
    *("array", "bisect", "collections", "collections.abc", "enum", "functools", "hashlib", "hmac"),
    *("itertools", "math", "operator", "re", "struct", "typing"),
    *("msgspec", "msgspec.structs"),
}
ALSO_PURE = {
    "domain/bots.py": {"threading"},  # scratch memory of each thread
    "domain/kernel/__init__.py": {"pathlib", "warnings"},  # is what was compiled of these sources?
    "domain/names.py": {"unicodedata"},  # differs from one Python to another: no decision asks it
    "domain/words/po.py": {"gettext", "json", "pathlib"},  # the catalogue, read when first spoken
}
BUILD = "domain/kernel/transpiler/"
"""Runs when the kernel is compiled, and never afterwards."""
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


def test_the_domain_has_no_clock_no_chance_and_no_input() -> None:
    domain = [file for file in SOURCES if file.startswith("domain/") and BUILD not in file]
    assert domain
    taken = {file: {*impurities(SOURCES[file])} - ALSO_PURE.get(file, set()) for file in domain}
    assert {file: foreign for file, foreign in taken.items() if foreign} == {}
    planted = "def now():\n    from time import time\nopen(hash('cards.txt'))"
    assert impurities(planted) == ["time", "open", "hash"]


# --- the second referee decides by the rule book ----------------------------------------------

SHAPES = {"phaseledger.domain." + module for module in ("commands", "events", "ruleset")}
SHAPES.add("phaseledger.domain.words")
"""All that the referee may know of the domain: how events, commands and rule sets are written, and
the words for what it objects to.
"""


def borrowed_rules(source: str) -> list[str]:
    """What a file of the referee takes from the domain or from the rest of `replay`."""
    return [
        module
        for module in imported(ast.parse(source))
        if module.startswith(("phaseledger", "."))
        and module not in SHAPES
        and not module.startswith("phaseledger.replay.evidence.referee")
    ]


def test_the_second_referee_borrows_no_rule() -> None:
    referee = [file for file in SOURCES if file.startswith("replay/evidence/referee/")]
    assert referee
    assert [(file, rules) for file in referee if (rules := borrowed_rules(SOURCES[file]))] == []
    assert borrowed_rules("from phaseledger.domain.groups.melds import x")


# --- what comes from where ----------------------------------------------------------------------

PLACES = {
    "cryptography": [
        *("replay/formats/sealing.py", "replay/formats/signing", "service/notices/web_push.py"),
    ],
    "cyclopts": ["replay/batch/inputs.py", "replay/cli", "service/cli"],
    "distributed": ["replay/batch/cluster.py"],
    "duckdb": ["replay/laboratory/analysis"],
    "eventsourcing": ["service/eventlog"],
    "granian": ["service/api/operator", "service/cli"],
    "httpx2": [
        *("service/cli", "service/client", "service/signin", "service/transparency"),
        "service/webhooks",
    ],
    "joserfc": ["service/signin"],
    "litestar": ["service/api", "service/app.py"],
    "msgspec": ["domain", "projections", "replay", "service"],
    "opentelemetry": ["service/runtime"],
    "openskill": ["projections/ratings.py"],
    "platformdirs": ["service/cli", "service/database", "service/settings.py"],
    "prometheus_client": ["service/games", "service/runtime"],
    "pyarrow": ["replay/laboratory/analysis", "replay/laboratory/columns"],
    "psycopg": [
        *("projections/store.py", "replay/formats/records"),
        *("service/*/postgres.py", "service/*/store.py"),
        *("service/cli", "service/database", "service/eventlog", "service/operations.py"),
        *("service/automation/takeover.py", "service/lobby/join_codes.py"),
        *("service/readmodels/follower.py", "service/streams/remote_commits.py"),
        "service/transparency/tree.py",
    ],
    "psycopg_pool": ["service/eventlog", "service/*/store.py"],
    "rich": ["replay", "service/cli"],
    "standardwebhooks": ["service/client", "service/webhooks"],
    "structlog": ["service"],
    "typing_extensions": ["service"],
    "uuid_utils": ["service/api", "service/lobby"],
}
"""Where each third-party package may be imported: folders, or single files."""


def misplaced(file: str, source: str) -> list[str]:
    """Third-party packages that have no place in this file."""
    packages = {module.partition(".")[0] for module in imported(ast.parse(source))}
    foreign = packages - sys.stdlib_module_names - {"phaseledger"}
    path = PurePosixPath(file)
    return sorted(
        package
        for package in foreign
        if not any(
            path.is_relative_to(place) or path.match(place) for place in PLACES.get(package, ())
        )
    )


def test_third_party_packages_stay_in_their_places() -> None:
    places = SOURCES.items()
    assert [(file, named) for file, source in places if (named := misplaced(file, source))] == []
    assert misplaced("service/games/writer.py", "import psycopg.errors, pydantic") == [
        "psycopg",
        "pydantic",
    ]


def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    declared = {re.split(r"[\[><=~ ]", line)[0] for line in lines}
    declared |= {"opentelemetry", "psycopg-pool"}  # of opentelemetry-sdk and psycopg[pool]
    assert {package.replace("_", "-") for package in PLACES} <= declared


# --- the auditor alone --------------------------------------------------------------------------

IMPORTS = """
import sys
from contextlib import redirect_stdout, suppress
from io import StringIO
from phaseledger.service.cli.main import main
for command in sys.argv[1:]:
    before = {*sys.modules}
    sys.argv = ["phaseledger", command, "--help"]
    with suppress(SystemExit), redirect_stdout(StringIO()):
        main()
    new = {"eventsourcing", "litestar", "psycopg"} & (sys.modules.keys() - before)
    print(command, *sorted(new))
"""
AUDITOR = (
    *("replay", "audit", "rejudge", "verify", "explain", "export", "simulate", "query"),
    *("report", "rules", "odds", "witness", "ratings"),
)
"""The commands that serve nothing."""


def test_the_auditor_starts_without_the_service() -> None:
    """Serving starts without the web framework: its workers need that, and not their parent."""
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTS, *AUDITOR, "serve"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {command: more for command, *more in map(str.split, ended.stdout.splitlines())}
    served = heavy.pop("serve")
    assert heavy == {command: [] for command in AUDITOR}
    assert "psycopg" in served
    assert "litestar" not in served
