"""Runs that are broken off, anywhere: what bears its name is whole, and the rest goes on."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.formats import files
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.simulate import output
from phaseledger.replay.laboratory.simulate.game import RunTally
from phaseledger.replay.laboratory.simulate.journal import Format
from phaseledger.replay.laboratory.simulate.output import existing_journal as journal_of
from phaseledger.replay.laboratory.simulate.run import play_run
from phaseledger.replay.terminal import UnwritableError, UsageError
from tests.support.replay.processes import ENVIRON, run
from tests.support.replay.simulation_runs import FORMATS, content, played, run_of

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("small_parts")]


class Broken(Exception):
    """Stands for a kill: nothing after it happens."""


def breaking(monkeypatch: pytest.MonkeyPatch, at: int) -> Callable[[], int]:
    """Let the ``at``-th change of a file break the run, before or half-way; tells how many were."""
    count = 0

    def broken(real: Callable[..., object], half: Callable[..., object] | None = None) -> object:
        def change(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == at:
                if half:
                    half(*args)
                raise Broken
            if count > at:
                raise Broken
            return real(*args, **kwargs)

        return change

    write = os.write
    monkeypatch.setattr(os, "write", broken(write, lambda fd, data: write(fd, data[:77])))
    monkeypatch.setattr(Path, "replace", broken(Path.replace))
    monkeypatch.setattr(Path, "unlink", broken(Path.unlink))
    monkeypatch.setattr(files, "sync", broken(files.sync))
    monkeypatch.setattr(
        parquet, "write", broken(parquet.write, lambda path, *_: path.write_bytes(b"PAR1"))
    )
    return lambda: count


@pytest.mark.parametrize("form", FORMATS)
def test_a_break_at_any_change_of_a_file(
    form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = run_of(4, form)
    whole = played(tmp_path / "whole", asked)
    for at in range(1, 1000):
        folder = tmp_path / str(at)
        folder.mkdir()
        with monkeypatch.context() as patched:
            done = breaking(patched, at)
            with suppress(Broken):
                play_run(asked, folder / "out", Workers(1))
            if done() < at:
                break
        # What bears its name already is whole.
        after = content(folder)
        assert after.get("out") in (None, whole.get("out"))
        if "out" in after:
            with pytest.raises(UsageError, match="is there already"):
                play_run(asked, folder / "out", Workers(1))
        else:
            play_run(asked, folder / "out", Workers(1))
        assert (at, content(folder)) == (at, whole)
    assert at > 15


def interrupted_at(line: int) -> Callable[[], int]:
    """Interrupt the run at that line of what adds a game; tells how many were reached."""
    count = 0
    adding = {output._File.add.__code__, output._Folder.add.__code__, RunTally.add.__code__}

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        if frame.f_code not in adding:
            return None
        count += event == "line"
        if event == "line" and count == line:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    return lambda: count


@pytest.mark.parametrize("form", FORMATS)
def test_an_interrupt_at_any_line_loses_and_repeats_no_game(form: Format, tmp_path: Path) -> None:
    asked = run_of(3, form)
    whole = played(tmp_path / "whole", asked)
    for line in range(1, 1000):
        folder = tmp_path / str(line)
        folder.mkdir()
        reached = interrupted_at(line)
        try:
            with suppress(KeyboardInterrupt):
                play_run(asked, folder / "out", Workers(1))
        finally:
            sys.settrace(None)
        if reached() < line:
            break
        kept = content(folder)
        if journal := kept.get("out.part.json"):
            assert len(kept["out.part"]) == json.loads(journal)["size"]
        play_run(asked, folder / "out", Workers(1))
        assert (line, content(folder)) == (line, whole)
    assert line > 20


GATED = """
import sys
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.simulate import output

def gated(add):
    def wait_and_add(sink, made):
        sys.stdin.buffer.read(1)
        add(sink, made)
    return wait_and_add

output._PART_ROWS, output.SAVE_EVERY = 250, 0.0
for kind in (output._File, output._Folder):
    kind.add = gated(kind.add)
app()
"""
"""The command, writing a game for each byte that it reads, or all when there are no more."""


def kept_games(out: Path, form: Format) -> int | None:
    journal = journal_of(out, form)
    return journal.tally.games if journal else None


@pytest.mark.parametrize("form", FORMATS)
def test_killed_runs_go_on(form: Format, tmp_path: Path) -> None:
    """Killed once before any game is kept, and then wherever it is when more of them are."""
    simulated = [
        *("simulate", "--seed", "cup", "--games", "30", "--bots", "greedy", "--players", "2"),
        *("--option", "variant=n_phases(2)", "--format", form),
    ]
    arguments = [sys.executable, "-c", GATED, *simulated, "--jobs", "2", "--out"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    assert run(*simulated, "--jobs", "1", "--out", whole / "out").returncode == 0
    out, kept = broken / "out", 0
    for games in (0, 13, 13):  # fewer than all: no kill comes after the end
        enough = kept + (games > 0)
        with subprocess.Popen([*arguments, out], stdin=subprocess.PIPE, env=ENVIRON) as process:
            assert process.stdin
            process.stdin.write(bytes(games))
            process.stdin.flush()
            while (now := kept_games(out, form)) is None or now < enough:
                assert process.poll() is None
                time.sleep(0.001)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        kept = kept_games(out, form) or 0
    ended = subprocess.run(
        [*arguments, out], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRON, check=True
    )

    assert ended.stderr.decode().startswith(f"{out}: going on after {kept} of 30 games.\n")
    assert content(broken) == content(whole)


def test_two_runs_into_one_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with out.with_name("out.part").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another run is writing there"):
            play_run(run_of(2), out, Workers(1))
    assert not out.exists()


def test_a_full_disk_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = 100_000
    write = os.write

    def full(handle: int, data: bytes) -> int:
        nonlocal room
        if room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        room -= min(len(data), room)
        return write(handle, data[: max(1, room)])

    (tmp_path / "full").mkdir()
    out = tmp_path / "full" / "out"
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(UnwritableError, match=r"cannot be written: No space left on device\."):
            play_run(run_of(20), out, Workers(1))
    play_run(run_of(20), out, Workers(1))

    assert content(tmp_path / "full") == played(tmp_path / "whole", run_of(20))
