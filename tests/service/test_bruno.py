"""The Bruno collection, run by its own command line against the service."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.children import run
from tests.support.service.server import Served

COLLECTION = Path(__file__).parents[2] / "bruno"
CLI = "@usebruno/cli@4.1.0"
FETCHING = 200.0  # seconds


@pytest.fixture(scope="module")
def bru() -> list[str]:
    """How the command line is started: an installed one, or by npm, which fetches it once."""
    if path := shutil.which("bru"):
        return [path]
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("neither bru nor node and npm are installed")
    command = [npm, "exec", "--yes", f"--package={CLI}", "--", "bru"]
    try:
        fetched = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, check=False, timeout=FETCHING
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not fetch bru in time")
    if fetched.returncode:
        pytest.skip(f"npm cannot fetch bru: {fetched.stderr.strip().splitlines()[-1:]}")
    return command


def ran(bru: list[str], served: Served, folder: Path, report: Path) -> list[dict[str, object]]:
    """The results of all requests, in their order."""
    arguments = ["run", "--env", "local", "--env-var", f"url={served.url}"]
    arguments += ["--reporter-json", str(report)]
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    ended = run([*bru, *arguments], cwd=folder, env=environment)
    assert report.exists(), ended.stdout + ended.stderr
    (iteration,) = json.loads(report.read_text())
    assert (ended.returncode == 0) == (iteration["summary"]["failedRequests"] == 0), ended.stdout
    results: list[dict[str, object]] = iteration["results"]
    return results


def failures(results: list[dict[str, object]]) -> list[str]:
    """What does not hold: assertions, tests, requests."""
    lines = []
    for result in results:
        checks = [*result["assertionResults"], *result["testResults"]]
        assert checks, f"nothing is asserted of {result['name']}"
        lines += [f"{result['name']}: {check}" for check in checks if check["status"] != "pass"]
        lines += [f"{result['name']}: {result['error']}"] if result.get("error") else []
    return lines


@pytest.mark.timeout(400)  # npm may have to fetch some hundred packages
def test_the_collection_plays_a_move(bru: list[str], served: Served, tmp_path: Path) -> None:
    results = ran(bru, served, COLLECTION, tmp_path / "report.json")
    assert len(results) == len([*COLLECTION.glob("[0-9]*.bru")])
    assert failures(results) == []
