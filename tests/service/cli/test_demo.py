"""The demo from outside: embedded Postgres, the service, four clients, scoreboard, audit."""

import os
import re
import subprocess
import sys
from pathlib import Path


def test_the_demo_ends_by_itself_with_a_sound_game(short_dir: Path) -> None:
    """It says who won, that the audit is sound, and commands that then really run."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PHASELEDGER_")}
    phaseledger = [sys.executable, "-m", "phaseledger.service.cli.main"]
    demo = subprocess.run(
        [*phaseledger, "demo", "--data-dir", str(short_dir)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=False,
    )

    assert demo.returncode == 0, demo.stderr
    assert "wins" in demo.stdout
    assert re.search(r"^sound ", demo.stdout, re.MULTILINE)
    shown = [
        line.split("phaseledger ", 1)[1] for line in demo.stderr.splitlines() if " replay " in line
    ]
    assert len(shown) == 2
    for line in shown:
        again = subprocess.run(
            [*phaseledger, *line.split()],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert again.returncode == 0, again.stderr
        assert "Ada" in again.stdout


def test_the_demo_knows_its_games() -> None:
    """An unknown one is refused before anything is started."""
    demo = subprocess.run(
        [sys.executable, "-m", "phaseledger.service.cli.main", "demo", "--ruleset", "nope"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (demo.returncode, demo.stdout) == (2, "")
    assert demo.stderr == (
        "phaseledger: There is no rule set 'nope'; "
        "there are classic, standard-deck, express, board.\n"
    )
