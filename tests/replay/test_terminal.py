"""Simulation and terminals: files, signals, pipes, progress, encodings."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from phaseledger.replay.cli.main import app
from tests.support.replay.log_edits import encode, rechained, trees
from tests.support.replay.processes import BOTH, COMMAND, ENVIRON, run


def test_simulate(tmp_path: Path) -> None:
    out = tmp_path / "games.ndjson"
    arguments = ["simulate", "--seed", "cup", "--games", 2, "--option", "variant=n_phases(1)"]
    printed, written = run(*arguments), run(*arguments, "--out", out, "--json")

    assert (printed.returncode, written.returncode) == (0, 0)
    assert printed.stdout == out.read_bytes()
    assert json.loads(written.stdout)["games"] == 2
    assert run("audit", out).returncode == 0
    assert printed.stdout.endswith(run(*arguments, "--only", 2).stdout)
    assert [out] == [*tmp_path.iterdir()]


def test_simulate_names_the_seed_of_an_endless_game(tmp_path: Path) -> None:
    out = tmp_path / "games.ndjson"
    done = run("simulate", "--seed", "cup", "--max-decisions", 20, "--out", out)

    assert done.returncode == 1
    assert b"game 1 of --seed cup " in done.stderr
    assert run("audit", out).returncode == 0


def test_simulate_invents_a_seed_and_says_so() -> None:
    done = run("simulate", "--option", "variant=n_phases(1)")
    repeated = run("simulate", "--option", "variant=n_phases(1)", *done.stderr.decode().split())

    assert done.stdout == repeated.stdout


def test_closed_pipe() -> None:
    process = subprocess.Popen(
        [*COMMAND, "simulate", "--games", "50", "--seed", "x"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRON,
    )
    with process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        talk = process.stderr.read()

    assert (process.returncode, talk) == (141, b"")


FULL = Path("/dev/full")
TELLING = [["audit"], ["export"]]


@pytest.mark.skipif(not FULL.exists(), reason="needs Linux's /dev/full")
@pytest.mark.parametrize("words", TELLING, ids=" ".join)
def test_full_disk(good: Path, words: list[str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *words, str(good)],
            stdout=full, stderr=subprocess.PIPE, env=ENVIRON, check=False,
        )  # fmt: skip

    assert done.returncode == 5
    assert done.stderr.splitlines()[-1].startswith(b"Standard output cannot be written: No space")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", TELLING, ids=" ".join)
def test_closed_output(good: Path, words: list[str]) -> None:
    script = ["sh", "-c", 'exec "$@" >&-', "sh"]
    done = subprocess.run(
        [*script, *COMMAND, *words, str(good)], capture_output=True, env=ENVIRON, check=False
    )

    assert done.returncode == 5
    assert done.stderr.splitlines()[-1] == b"Standard output cannot be written: it is closed."
    assert b"Traceback" not in done.stderr


def test_command_that_prints_nothing_needs_no_output(good: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *COMMAND, "audit", "--quiet", str(good)],
        env=ENVIRON,
        check=False,
    )

    assert done.returncode == 0


def test_progress_bar_is_for_terminals(tmp_path: Path) -> None:
    """On a terminal the bar goes to stderr; data on stdout stays clean."""
    master, slave = pty.openpty()
    path = tmp_path / "games.ndjson"
    path.write_bytes(BOTH)
    process = subprocess.Popen(
        [*COMMAND, "audit", str(path)], stdout=subprocess.PIPE, stderr=slave,
        env={**ENVIRON, "TERM": "xterm"},
    )  # fmt: skip
    os.close(slave)
    talk = b""
    with process:
        assert process.stdout
        data = process.stdout.read()
        while chunk := _read(master):
            talk += chunk
    os.close(master)

    assert b"auditing" in talk
    assert [line.split()[0] for line in data.splitlines()] == [b"sound", b"sound"]
    assert b"\x1b" not in data


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so at the end
        return b""


def test_names_in_an_ascii_terminal(tmp_path: Path) -> None:
    path = tmp_path / "names.ndjson"
    made = trees()
    taken = next(tree["data"] for tree in made if tree["type"] == "SeatTaken/1")
    taken["name"] = taken["act"]["command"]["name"] = "Zoë"
    path.write_bytes(b"".join(encode(tree) + b"\n" for tree in rechained(made)))
    done = subprocess.run(
        [*COMMAND, "replay", str(path)], capture_output=True, check=False,
        env={**ENVIRON, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip

    assert rb"Zo\xeb sits down" in done.stdout
    assert done.returncode == 0


def test_files_are_audited_without_the_service(good: Path) -> None:
    heavy = {
        "litestar",
        "psycopg",
        "eventsourcing",
        "service",
        "rich.progress",
        "duckdb",
        "pyarrow",
    }
    program = (
        "import sys, phaseledger.replay.cli.main\n"
        "try: phaseledger.replay.cli.main.app(sys.argv[1:])\n"
        f"except SystemExit: print(*({heavy!r} & set(sys.modules)), 'loaded')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "audit", str(good)],
        capture_output=True, env=ENVIRON, check=True,
    )  # fmt: skip

    assert done.stdout.splitlines()[-1].strip() == b"loaded"


def test_help_says_how_commands_end(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("replay", "audit", "export", "simulate"):
        with pytest.raises(SystemExit):
            app([command, "--help"])
        text = capsys.readouterr().out
        assert "4 no such game" in text
        assert "For example: phaseledger " + command in text
