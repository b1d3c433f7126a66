"""The program `phaseledger` as people run it: its commands, and the service with its settings."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import httpx2

from tests.compatibility.seats import Table
from tests.support import forked

UNLIMITED = {"read_rate": "0", "write_rate": "0", "webhook_allow_private": "true"}
"""Settings of a service that is asked a lot in a short time, and may send to this machine."""

FOLDERS = ("keys", "published", "witness")
"""What a ledger and its witness keep beside the database."""


def run(
    *arguments: str | Path, settings: Mapping[str, str] | None = None, code: int = 0
) -> subprocess.CompletedProcess[str]:
    """A command that has ended, with that exit code."""
    plain = {name: value for name, value in os.environ.items() if "PHASELEDGER" not in name}
    named = {f"PHASELEDGER_{name.upper()}": value for name, value in (settings or {}).items()}
    ended = forked.phaseledger(*arguments, env=plain | named)
    assert ended.returncode == code, (arguments, ended.returncode, ended.stdout, ended.stderr)
    return ended


def settings_of(folder: Path, dsn: str) -> dict[str, str]:
    """The settings of the ledger whose keys are in the folder and whose tables are there."""
    return {
        **UNLIMITED,
        "database_url": dsn,
        "keys_dir": str(folder / "keys"),
        "published_dir": str(folder / "published"),
    }


def store_options(given: Mapping[str, str]) -> tuple[str, ...]:
    """Where the auditor's commands find the ledger with these settings."""
    store = ("--database-url", given["database_url"], "--sealing-dir", given["keys_dir"])
    return (*store, "--schema", given["schema"]) if "schema" in given else store


def copied(kept: Path, folder: Path) -> Path:
    """A copy of what a ledger keeps in files, which nobody else may read, as programs demand it."""
    shutil.copytree(kept, folder)
    for name in FOLDERS:
        for path in (folder / name).rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
    return folder


def at_port(given: Mapping[str, str], port: int) -> dict[str, str]:
    """The settings with the port that operators use."""
    return {**given, "admin_port": str(port)}


def record_of(given: Mapping[str, str]) -> str:
    """The record of what operators have done, as their command prints it."""
    return run("admin", "log", "--json", settings=given).stdout


def export_of(given: Mapping[str, str], table: Table, *options: str) -> bytes:
    """The game's records as the command line exports them from the ledger with these settings."""
    return run("export", table.game, *store_options(given), *options).stdout.encode()


def file_name(table: Table, kind: str) -> str:
    """What the table's file of that kind is called."""
    return f"{table.name.replace(', ', '-').replace(' ', '-')}.{kind}"


def bundle_of(client: httpx2.Client, table: Table) -> bytes:
    """The game's bundle as the first of its people sees it, or its host."""
    token = next(iter(table.tokens.values()), table.host)
    done = client.get(f"{table.path}/bundle", headers={"Authorization": f"Bearer {token}"})
    assert done.status_code == 200, done.text
    return done.content
