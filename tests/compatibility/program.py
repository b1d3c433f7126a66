"""The program `phaseledger` as people run it: its commands, and the service with its settings."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

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
