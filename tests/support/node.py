"""What the tests take from npm: pinned in tests/node, installed once into the environment."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

REQUIRED = os.environ.get("PHASELEDGER_NODE") == "required"
PACKAGES = Path(__file__).parents[1] / "node"
OLDEST = 20
"""The oldest major version of Node.js that the packages run on."""


@cache
def node_modules() -> Path:
    """The folder with the packages. Without Node.js the test is skipped, or fails if required."""
    npm = shutil.which("npm")
    if npm is None or (version := node_version()) is None:
        _give_up("no Node.js here: install version 20 or newer with npm, from nodejs.org")
    if version < OLDEST:
        _give_up(f"Node.js {version} is too old for what the tests need: {OLDEST} or newer")
    pinned = [(PACKAGES / name).read_bytes() for name in ("package.json", "package-lock.json")]
    folder = Path(sys.prefix) / f"node-{hashlib.sha256(b''.join(pinned)).hexdigest()[:12]}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait for the first
        if not (folder / "complete").exists():
            _install(npm, folder)
            (folder / "complete").touch()
    return folder / "node_modules"


def node_version() -> int | None:
    """The major version of the Node.js on the search path."""
    node = shutil.which("node")
    if node is None:
        return None
    shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return int(shown.removeprefix("v").partition(".")[0])


def _install(npm: str, folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PACKAGES / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        _give_up(f"npm could not install what tests/node names: {ended.stderr[-500:]}")


def _give_up(reason: str) -> NoReturn:
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)
