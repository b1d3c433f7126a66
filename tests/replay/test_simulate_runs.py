"""Runs of many games: the same bytes on any number of processes and after any break."""

import errno
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import structs

from replay import durable, parquet, simulate_output
from replay.cli import app
from replay.simulate import Plan, play
from replay.simulate_journal import Format, Run
from replay.simulate_output import JOURNAL
from replay.simulate_run import play_run
from replay.terminal import UsageError
from tests.replay.processes import COMMAND, ENVIRON, run
from tests.replay.runs import SHORT, content, run_of

FORMATS: tuple[Format, ...] = ("ndjson", "parquet")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Parquet file for every few games, and a mark after every game."""
    monkeypatch.setattr(simulate_output, "_PART_ROWS", 250)
    monkeypatch.setattr(simulate_output, "_KEPT_EVERY", 0.0)


def played(folder: Path, asked: Run, jobs: int = 1) -> dict[str, bytes]:
    folder.mkdir()
    play_run(asked, folder / "out", jobs)
    return content(folder)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("games", [1, 2, 17])
def test_any_number_of_processes_makes_the_same_bytes(
    games: int, form: Format, tmp_path: Path
) -> None:
    one, two, three = (played(tmp_path / str(n), run_of(games, form), n) for n in (1, 2, 3))

    assert one == two == three
    assert len(one) > (games == 17) * (form == "parquet") * 4 * 3  # several parts


def test_a_run_is_its_games_one_by_one(tmp_path: Path) -> None:
    whole = played(tmp_path / "run", run_of(5))["out"]
    alone = [line for index in range(1, 6) for line in play(SHORT, index).lines]
    only = played(tmp_path / "only", structs.replace(run_of(5), only=3))["out"]

    assert whole.splitlines() == alone
    assert only.splitlines() == list(play(SHORT, 3).lines)


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
    monkeypatch.setattr(durable, "sync", broken(durable.sync))
    monkeypatch.setattr(
        parquet, "write", broken(parquet.write, lambda path, *_: path.write_bytes(b"PAR1"))
    )
    return lambda: count


@pytest.mark.parametrize("form", FORMATS)
def test_a_break_at_any_change_of_a_file(
    form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = run_of(7, form)
    whole = played(tmp_path / "whole", asked)
    for at in range(1, 1000):
        folder = tmp_path / str(at)
        folder.mkdir()
        with monkeypatch.context() as patched:
            done = breaking(patched, at)
            with suppress(Broken):
                play_run(asked, folder / "out", 1)
            if done() < at:
                break
        # What bears its name already is whole.
        after = content(folder)
        assert after.get("out") in (None, whole.get("out"))
        play_run(asked, folder / "out", 1)
        assert (at, content(folder)) == (at, whole)
    assert at > 15


@pytest.mark.parametrize("form", FORMATS)
def test_killed_runs_go_on(form: Format, tmp_path: Path) -> None:
    arguments = [
        *("simulate", "--seed", "cup", "--games", "40", "--bots", "greedy", "--players", "2"),
        *("--option", "variant=n_phases(2)", "--format", form, "--jobs", "2", "--out"),
    ]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    assert run(*arguments, whole / "out").returncode == 0
    kills = 0
    for moment in (0.9, 1.3, 0.6, 1.1):  # seconds; where that is in the run is chance
        process = subprocess.Popen(
            [*COMMAND, *arguments, str(broken / "out")], stderr=subprocess.PIPE, env=ENVIRON
        )
        with process:
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
    ended = run(*arguments, broken / "out")

    assert (ended.returncode, kills > 1) == (0, True), ended.stderr
    assert content(broken) == content(whole)


def begun(out: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A long run, once it holds some games."""
    process = subprocess.Popen(
        [*COMMAND, "simulate", "--games", "100000", "--out", str(out), *arguments],
        stderr=subprocess.PIPE,
        env=ENVIRON,
        # A job that a shell started in the background ignores interrupts, and so would its heirs.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    part = out.with_name(f"{out.name}.part")
    while not part.exists() or not part.stat().st_size:
        assert process.poll() is None
        time.sleep(0.05)
    return process


def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "games.ndjson"
    out.write_text("older\n")
    with begun(out, "--jobs", "2") as process:
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stderr
        talk = process.stderr.read().decode().splitlines()
    journal = json.loads((tmp_path / "games.ndjson.part.json").read_bytes())
    kept = journal["tally"]["games"]

    assert (process.returncode, len(talk)) == (130, 3)
    assert time.monotonic() - began < 10
    assert talk[0].startswith("--seed ")
    assert talk[1] == (
        f"{out}: {kept:,} of 100,000 games are kept. To go on, give the same command with "
        f"{talk[0]}."
    )
    assert talk[2] == "Interrupted."
    assert out.read_text() == "older\n"
    assert len((tmp_path / "games.ndjson.part").read_bytes()) == journal["size"]


def test_two_runs_into_one_file(tmp_path: Path) -> None:
    out = tmp_path / "games.ndjson"
    with begun(out, "--seed", "x", "--jobs", "1") as process:
        second = run("simulate", "--games", "100000", "--seed", "x", "--out", out)
        process.kill()

    assert (second.returncode, second.stderr.decode()) == (
        2,
        f"{out}: another run is writing there.\n",
    )


def broken_off(folder: Path, form: Format, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The output of a run of 9 games that was broken off."""
    out = folder / "out"
    add = simulate_output._File.add if form == "ndjson" else simulate_output._Folder.add

    def interrupted(sink: object, made: simulate_output.Made) -> None:
        add(sink, made)  # type: ignore[arg-type]
        if made.outcome.index == 6:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        for kind in (simulate_output._File, simulate_output._Folder):
            patched.setattr(kind, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play_run(run_of(9, form), out, 1)
    return out


OTHERS: dict[str, tuple[Run, str]] = {
    "seed": (run_of(9, plan=structs.replace(SHORT, seed="cap")), "--seed cup, not cap"),
    "games": (run_of(10), "--games 9, not 10"),
    "bots": (
        run_of(9, plan=structs.replace(SHORT, bots=("greedy",))),
        "--bots greedy,random, not greedy",
    ),
    "players": (run_of(9, plan=structs.replace(SHORT, players=4)), "--players 3, not 4"),
    "option": (
        run_of(9, plan=structs.replace(SHORT, options={})),
        "--option variant=n_phases(1), not none",
    ),
    "only": (structs.replace(run_of(9), only=2), "--only none, not 2"),
    "cap": (run_of(9, plan=structs.replace(SHORT, cap=9)), "--max-decisions 20000, not 9"),
    "program": (structs.replace(run_of(9), program="9.9"), "phaseledger "),
    "ruleset": (
        run_of(9, plan=structs.replace(SHORT, ruleset="express")),
        "--ruleset classic, not express",
    ),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("changed", OTHERS)
def test_another_run_is_refused(
    changed: str, form: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    before = content(tmp_path)
    other, told = OTHERS[changed]
    with pytest.raises(UsageError) as refused:
        play_run(structs.replace(other, format=form), out, 1)

    assert told in str(refused.value)
    assert str(refused.value).endswith("or remove it, or give another --out.")
    assert content(tmp_path) == before


@pytest.mark.parametrize("form", FORMATS)
def test_without_a_seed_a_broken_run_goes_on_by_its_own(
    form: Format,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        app(["simulate", "--players", "3", "--bots", "greedy,random", "--games", "9", "--format",
             form, "--option", "variant=n_phases(1)", "--out", str(out)])  # fmt: skip
    told = capsys.readouterr().err

    assert ended.value.code == 0
    assert told.startswith(f"--seed cup\n{out}: going on after ")
    assert content(tmp_path) == played(tmp_path / "whole", run_of(9, form)) | {
        f"whole/{name}": data for name, data in content(tmp_path / "whole").items()
    }


def damage_journal(out: Path) -> None:
    journal = out / JOURNAL if out.is_dir() else out.with_name("out.part.json")
    journal.write_text("{}")


def damage_part(out: Path) -> None:
    if out.is_dir():
        next((out / "turns").iterdir()).unlink()
    else:
        out.with_name("out.part").write_bytes(b"")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (damage_journal, "is no journal of a run. Remove it, or give another --out."),
        (damage_part, "to start anew."),
    ],
)
def test_a_damaged_output_is_refused(
    damage: Callable[[Path], None],
    told: str,
    form: Format,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = broken_off(tmp_path, form, monkeypatch)
    out = out if form == "parquet" else tmp_path / "out"
    damage(out)
    with pytest.raises(UsageError, match=told.replace(".", r"\.")):
        play_run(run_of(9, form), out, 1)


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
        with pytest.raises(UsageError, match=r"cannot be written: No space left on device\."):
            play_run(run_of(20), out, 1)
    play_run(run_of(20), out, 1)

    assert content(tmp_path / "full") == played(tmp_path / "whole", run_of(20))


def test_a_whole_folder_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = played(tmp_path / "run", run_of(4, "parquet"))
    monkeypatch.setattr("replay.simulate_run.play", None)
    tally = play_run(run_of(4, "parquet"), tmp_path / "run" / "out", 1)

    assert (tally.games, content(tmp_path / "run")) == (4, whole)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--format", "parquet"], "--format parquet needs --out"),
        (["--json"], "--json needs --out"),
        (["--out", "."], ".: is a folder. Give the name of a file, or --format parquet."),
        (["--out", "nowhere/x"], "nowhere/x: cannot be written: No such file or directory"),
        (["--format", "parquet", "--out", "."], ".: holds something else than games."),
        (["--format", "parquet", "--out", "file"], "file: is no folder"),
        (["--format", "parquet", "--out", "no/x"], "no/x: cannot be written: No such file"),
        (["--tournament", "--format", "parquet"], "--tournament writes no games"),
        (["--jobs", "0"], "--jobs and --max-decisions count from 1."),
    ],
    ids=" ".join,
)
def test_wrong_usage(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    with pytest.raises(SystemExit) as ended:
        app(["simulate", "--seed", "x", *arguments])

    assert (ended.value.code, told in capsys.readouterr().err) == (2, True)
    assert content(tmp_path) == {"file": b"mine"}


def test_a_game_that_does_not_end_is_kept_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan("cup", options={}, cap=30)
    tally = play_run(run_of(3, "parquet", plan), tmp_path / "out", 2)

    assert [game.index for game in tally.stopped] == [1, 2, 3]
    assert capsys.readouterr().err.count("stopped after 30 decisions") == 3
