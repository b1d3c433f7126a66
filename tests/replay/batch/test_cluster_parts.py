"""Large data passes a cluster as parts in a shared folder, and runs that are broken off go on."""

import pickle
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from phaseledger import __version__
from phaseledger.replay.batch.parts import PREFIX, parts_folder, read_part_file, write_part
from phaseledger.replay.laboratory.simulate.journal import Format
from phaseledger.replay.laboratory.simulate.parts import play_part
from phaseledger.replay.laboratory.simulate.run import simulate_game
from phaseledger.replay.terminal import UnwritableError, UsageError
from tests.support.children import finished
from tests.support.children import run as run_command
from tests.support.polling import eventually
from tests.support.replay.bulk_commands import COMMANDS, SHORT, write_inputs
from tests.support.replay.clusters import Cluster, cluster, run_in
from tests.support.replay.dask_processes import Parent
from tests.support.replay.log_edits import GAME, short_game
from tests.support.replay.processes import COMMAND, ENVIRON
from tests.support.replay.simulation_runs import FORMATS, content
from tests.support.replay.simulation_runs import SHORT as SHORT_PLAN

pytestmark = pytest.mark.system

SIMULATE = ["simulate", "--games", "200", "--seed", "cup", "--players", "2", *SHORT]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("inputs")
    write_inputs(home)
    return home


def parts_in(folder: Path) -> list[Path]:
    """The parts that are there in full."""
    return [path for path in folder.glob(f"{PREFIX}*/*") if not path.name.startswith(".")]


@pytest.mark.parametrize("name", ["report", "tournament"])
def test_a_cluster_does_what_one_process_does(name: str, three: Cluster, folder: Path) -> None:
    words, _, printed = COMMANDS[name]
    alone = run_in(folder, *words, "--jobs", "1")
    together = run_in(folder, *words, "--cluster", three.address)
    assert together.returncode == alone.returncode
    assert printed(together.stdout.encode()) == printed(alone.stdout.encode())
    assert not [*folder.glob(f"{PREFIX}*")]


def test_killed_runs_in_a_cluster_go_on(dask: Parent, tmp_path: Path) -> None:
    """Its caller is killed, and then a worker, each amid the work."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(300):
        (logs / f"{number}.ndjson").write_bytes(b"".join(row + b"\n" for row in short_game()))
    words = ["audit", "--all", "logs", "--json"]
    alone = run_in(tmp_path, *words, "--jobs", "1")
    results = tmp_path / "results"

    def kept() -> int:
        return results.read_bytes().count(b"\n") - 1 if results.exists() else 0

    with cluster(dask, tmp_path, *[__version__] * 3) as running:
        command = [*COMMAND, *words, "--cluster", running.address, "--resume", "results"]
        pipe = subprocess.PIPE

        def begun() -> "subprocess.Popen[bytes]":
            return subprocess.Popen(command, env=ENVIRON, cwd=tmp_path, stdout=pipe, stderr=pipe)

        first = begun()
        eventually(kept, lambda count: count > 5)
        first.kill()
        finished(first)
        assert first.returncode == -signal.SIGKILL
        before = kept()
        assert before < 300
        second = begun()
        eventually(kept, lambda count: count > min(before + 20, 298))
        running.workers[0].kill()
        printed, complaints = finished(second)
    assert f"results of {before} parts".encode() in complaints
    assert (second.returncode, printed.decode()) == (alone.returncode, alone.stdout)
    assert kept() == 300


@pytest.mark.parametrize("form", FORMATS)
def test_games_of_a_cluster_pass_as_parts(form: Format, dask: Parent, tmp_path: Path) -> None:
    """One of three workers dies meanwhile."""
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    words = [*SIMULATE, "--format", form, "--out", "out"]
    for home in (alone, shared):
        home.mkdir()
    assert run_in(alone, *words, "--jobs", "1").returncode == 0
    with cluster(dask, tmp_path, *[__version__] * 3) as running:
        playing = subprocess.Popen(
            [*COMMAND, *words, "--cluster", running.address],
            env=ENVIRON, cwd=shared, stderr=subprocess.PIPE,
        )  # fmt: skip
        parts = eventually(
            lambda: parts_in(shared) or [playing.poll()], lambda parts: parts != [None]
        )
        running.workers[0].kill()
        _, complaints = finished(playing)
    assert (playing.returncode, b"Traceback" in complaints) == (0, False)
    assert content(shared) == content(alone)
    assert parts != [0]


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_worker_answers_is_small(form: Format, tmp_path: Path) -> None:
    answer = play_part(partial(simulate_game, SHORT_PLAN, form), tmp_path, range(1, 9))
    assert len(pickle.dumps(answer)) < 2_000
    assert (tmp_path / answer.name).stat().st_size > 100_000


PERISHING = """
import os, signal, sys
from pathlib import Path
from phaseledger.replay.batch.parts import write_part

def pieces():
    yield bytes(1 << 20)
    os.kill(os.getpid(), signal.SIGKILL)

write_part(Path(sys.argv[1]), "1", pieces())
"""


def test_a_worker_that_dies_leaves_no_half_part(tmp_path: Path) -> None:
    died = run_command([sys.executable, "-c", PERISHING, tmp_path], env=ENVIRON)
    assert died.returncode == -signal.SIGKILL
    assert not (tmp_path / "1").exists()
    with pytest.raises(UnwritableError, match="nowhere: cannot be written: No such file"):
        write_part(tmp_path / "nowhere", "1", [b""])
    with pytest.raises(
        UsageError, match=r"1: a part .* cannot be read: No such file.* all workers"
    ):
        read_part_file(tmp_path, "1")
    write_part(tmp_path, "1", [b"a", b"b"])
    assert read_part_file(tmp_path, "1") == b"ab"


def test_a_folder_that_a_killed_run_has_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But no other run's, and nothing that is somebody else's."""
    monkeypatch.chdir(tmp_path)
    (left := tmp_path / f"{PREFIX}left").mkdir()
    write_part(left, "1", [GAME.encode()])
    (tmp_path / "notes").mkdir()
    with parts_folder() as mine:
        assert not left.exists()
        with parts_folder() as another:
            assert mine.exists()
            assert another != mine
        assert not another.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]
