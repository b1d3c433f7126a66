"""What the pages tell to type runs as it stands, against a running service."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from tests.support.children import run
from tests.support.service.server import Served

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "first-game.md"
OWN_SECRET = Path(__file__).parents[2] / "docs" / "how-to" / "bring-your-own-secret.md"

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("curl", "openssl", "xxd", "sha256sum"))),
    reason="curl, openssl, xxd or sha256sum is missing: apt-get install curl openssl xxd coreutils",
)


def lines_of(page: Path, mark: str) -> str:
    (lines,) = re.findall(rf"<!-- {mark}:.*?```bash\n(.*?)```", page.read_text(), re.DOTALL)
    return lines


def ran(lines: str, served: Served, folder: Path) -> subprocess.CompletedProcess[str]:
    script = "set -euo pipefail\n" + lines.replace("http://127.0.0.1:8000", served.url)
    return run(["bash", "-c", script], cwd=folder)


def test_the_quick_start_runs(served: Served, tmp_path: Path) -> None:
    """Every line succeeds, and the events at its end hold a whole turn."""
    lines = lines_of(TUTORIAL, "quick start")
    assert len(lines.strip().splitlines()) == 12
    done = ran(lines, served, tmp_path)

    assert done.returncode == 0, done.stderr + done.stdout
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"at"')]
    turn = [event["type"] for event in events if event["data"].get("act", {}).get("seat") == 0]
    assert turn[-2:] == ["CardDrawn/1", "CardDiscarded/1"]


@pytest.mark.system  # a hundred starts of curl and Python
def test_the_tutorial_lays_a_phase(served: Served, tmp_path: Path) -> None:
    lines = lines_of(TUTORIAL, "quick start") + lines_of(TUTORIAL, "phase")
    done = ran(lines, served, tmp_path)

    assert done.returncode == 0, done.stderr
    assert '"type":"PhaseLaid/1"' in done.stdout.splitlines()[-1]
    last = json.loads((tmp_path / "answer").read_text())["events"]
    assert last[0]["type"] == "CardDiscarded/1"


def test_a_seat_that_trusts_nobody_needs_only_curl(served: Served, tmp_path: Path) -> None:
    """Commitment, chain, receipt, signature: the cards are dealt with the secret brought."""
    done = ran(lines_of(OWN_SECRET, "with curl"), served, tmp_path)

    assert done.returncode == 0, done.stderr + done.stdout
    verified, answer = done.stdout.splitlines()
    assert verified == "Signature Verified Successfully"
    events = msgspec.json.decode(answer)["events"]
    assert events[0]["type"] == "SeatSecretRevealed/1"
    assert events[0]["data"]["secret"] == (tmp_path / "secret").read_bytes().hex()
    assert "RoundDealt/1" in [event["type"] for event in events]


SPOILED = [
    ('REVEAL=\'{"secret":"\'', 'REVEAL=\'{"secret": "\'', ""),  # signed as it was not meant
    ("RECEIPT=$(curl -sf $GAME/receipts/$SEQ)", "RECEIPT=$(curl -sf $GAME/receipts/2)", "Verif"),
    ("| tail -n 1)", "| tail -n 1 | tr A-Za-z B-ZAb-za)", ""),
    ("printf '\\0%s' \"$EVENT\"", "printf '\\0%s ' \"$EVENT\"", "the chain is broken"),
]


@pytest.mark.system
@pytest.mark.parametrize(
    ("line", "other", "words"), SPOILED, ids=["spelling", "receipt", "key", "chain"]
)
def test_the_lines_stop_where_something_does_not_hold(
    served: Served, tmp_path: Path, line: str, other: str, words: str
) -> None:
    lines = lines_of(OWN_SECRET, "with curl")
    assert lines.count(line) == 1
    done = ran(lines.replace(line, other), served, tmp_path)

    assert done.returncode != 0
    assert words in done.stderr + done.stdout
    assert "SeatSecretRevealed" not in done.stdout
