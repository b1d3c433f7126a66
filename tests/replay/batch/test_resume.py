"""Bulk commands that are broken off, anywhere: the next run goes on, and prints the same bytes."""

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import copyfile, copytree
from uuid import UUID

import msgspec
import pytest

from phaseledger.replay.batch.pool import Workers
from phaseledger.replay.batch.results import PartIdentity, open_results, resumed_in_order
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.replay.bulk_commands import COMMANDS, edited, write_inputs
from tests.support.replay.pool_tasks import fail_after_others, no_digest
from tests.support.replay.processes import COMMAND, ENVIRON, run

decode = msgspec.json.decode
RESUME = ["--jobs", 1, "--resume", "results"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_inputs(folder)
    return folder


@pytest.fixture
def folder(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands are run in, with inputs of its own."""
    home = tmp_path / "run"
    copytree(inputs, home, symlinks=True)
    monkeypatch.chdir(home)
    return home


def test_a_run_that_was_broken_off_anywhere_goes_on(folder: Path) -> None:
    """A kill leaves so many whole lines, and perhaps a part of the next one."""
    words, parts, _ = COMMANDS["audit"]
    results = folder / "results"
    alone = run(*words, "--jobs", 1)
    whole = run(*words, *RESUME)
    content = results.read_bytes()
    lines = content.splitlines(keepends=True)
    assert (whole.returncode, whole.stdout) == (alone.returncode, alone.stdout)
    assert alone.stdout
    assert len(lines) == 1 + parts
    for kept in range(parts + 1):
        for more in (b"", lines[kept + 1][:-1] if kept < parts else b'{"par'):
            results.write_bytes(b"".join(lines[: kept + 1]) + more)
            resumed = run(*words, *RESUME)
            assert (resumed.returncode, resumed.stdout) == (alone.returncode, alone.stdout)
            assert f"results: going on with the results of {kept} parts.".encode() in (
                resumed.stderr if kept else b"results: going on with the results of 0 parts."
            )
            assert results.read_bytes() == content


def test_what_is_kept_is_not_done_once_more(folder: Path) -> None:
    """Seen by another result that is put in its place, with a checksum that fits."""
    words, *_ = COMMANDS["audit"]
    run(*words, *RESUME)
    results = folder / "results"
    header, first, *others = results.read_bytes().splitlines(keepends=True)
    line = msgspec.json.decode(first)
    content = first[first.index(b'"result":') + len(b'"result":') : -2]
    planted = content.replace(b'"sound":1', b'"sound":1001')
    text = f"{line['part']}\n{line['digest']}\n".encode()
    checksum = sha256(text + planted).hexdigest()[:16].encode()
    first = first.replace(content, planted).replace(line["checksum"].encode(), checksum)
    results.write_bytes(header + first + b"".join(others))
    assert b"Games: 1,003 sound" in run(*words, *RESUME).stderr


def test_an_input_that_has_changed_is_judged_anew(folder: Path) -> None:
    words, *_ = COMMANDS["audit"]
    run(*words, *RESUME)
    log = folder / "logs" / "22.ndjson"
    log.write_bytes(b"".join(line + b"\n" for line in edited(22)))
    (folder / "logs" / "20.ndjson").unlink()
    resumed = run(*words, *RESUME)
    assert resumed.stdout == run(*words, "--jobs", 1).stdout
    assert str(UUID(int=22)).encode() in resumed.stdout
    assert b"going on with the results of 5 parts" in resumed.stderr
    assert len((folder / "results").read_bytes().splitlines()) == 1 + 5 + 1


def _flip(content: bytes) -> bytes:
    at = content.index(b'"sound":') + len(b'"sound":')
    return content[:at] + (b"8" if content[at : at + 1] != b"8" else b"9") + content[at + 1 :]


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "another figure": (_flip, "results:2: is damaged. The file is left as it is: remove that line"),
    "an empty line": (lambda content: content.replace(b"\n", b"\n\n", 1), "results:2: is damaged"),
    "a deep line": (lambda content: content + b"[" * 100_000 + b"\n", "results:7: is damaged"),
    "no header": (lambda content: content.split(b"\n", 1)[1], "holds no results of such a command"),
    "notes": (lambda _: b"my notes\n", "results: holds no results of such a command, and is left"),
    "no text": (lambda _: b"\xff" * 100, "results: holds no results of such a command"),
    "another version": (
        lambda content: content.replace(b'"program":"', b'"program":"9', 1),
        "results: holds results of another run: phaseledger 9",
    ),
}


def test_a_file_that_is_damaged_or_foreign_is_refused_and_left(folder: Path) -> None:
    words, *_ = COMMANDS["audit"]
    run(*words, *RESUME)
    results = folder / "results"
    whole = results.read_bytes()
    for name, (damage, sentence) in DAMAGES.items():
        results.write_bytes(damaged := damage(whole))
        refused = run(*words, *RESUME)
        assert (refused.returncode, refused.stdout) == (2, b""), name
        assert sentence in refused.stderr.decode(), name
        assert results.read_bytes() == damaged, name


def test_a_file_of_another_run_or_none_is_refused_and_left(folder: Path) -> None:
    run("audit", "--all", "logs", *RESUME)
    results = folder / "results"
    content = results.read_bytes()
    os.mkfifo(folder / "pipe")
    for words, code, sentence in (
        ("--all logs --json --resume results", 2, "another run: --json False, not True"),
        ("logs/20.ndjson --resume results", 2, "--resume, --checkpoint and --archive go with"),
        ("--all logs --resume pipe", 2, "pipe: is no file, which --resume needs."),
        ("--all logs --resume logs", 5, "logs: cannot be written: Is a directory."),
        ("--all logs --resume no/x", 5, "no/x: cannot be written: No such file or directory."),
    ):
        refused = run("audit", *words.split())
        assert (refused.returncode, refused.stdout) == (code, b""), words
        assert sentence in refused.stderr.decode()
    with results.open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused = run("audit", "--all", "logs", *RESUME)
    assert refused.returncode == 2
    assert b"results: another run is writing there." in refused.stderr
    assert results.read_bytes() == content


def test_results_among_the_games_are_no_game(folder: Path) -> None:
    words, *_ = COMMANDS["audit"]
    alone = run(*words, "--jobs", 1)
    for _ in range(2):
        kept = run(*words, "--jobs", 1, "--resume", "logs/audit.ndjson")
        assert (kept.returncode, kept.stdout) == (alone.returncode, alone.stdout)


def test_a_full_disk_costs_no_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words, *_ = COMMANDS["audit"]
    whole = run(*words, *RESUME)
    content = (folder / "results").read_bytes()
    (folder / "results").unlink()
    write, room = os.write, len(content) - 200

    def full(handle: int, data: bytes) -> int:
        nonlocal room
        if room <= 0:
            raise OSError(28, os.strerror(28))
        room -= (written := write(handle, data[:room]))
        return written

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        refused = run(*words, *RESUME)
    assert refused.returncode == 5
    assert b"results: cannot be written: No space left on device." in refused.stderr
    kept = (folder / "results").read_bytes()
    assert content.startswith(kept)
    assert kept.endswith(b"\n")
    assert run(*words, *RESUME).stdout == whole.stdout
    assert (folder / "results").read_bytes() == content


def test_results_are_kept_before_their_turn(tmp_path: Path) -> None:
    """So that a kill costs the parts under way, and none that waits for an earlier one."""
    file = tmp_path / "results"
    with (
        open_results(file, "test", {}, msgspec.json.Decoder(int)) as results,
        resumed_in_order(
            partial(fail_after_others, tmp_path), range(9), Workers(2), results,
            PartIdentity(str, no_digest),
        ) as numbers,
        pytest.raises(ValueError, match="first"),
    ):  # fmt: skip
        next(numbers)
    kept = [decode(line)["result"] for line in file.read_bytes().splitlines()[1:]]
    assert kept[:5] == [1, 2, 3, 4, 5]


def test_a_kill_costs_the_parts_under_way(folder: Path) -> None:
    """With two processes, whose results are kept as soon as they are there."""
    logs = folder / "many"
    logs.mkdir()
    for name in range(100):
        copyfile(folder / "logs/20.ndjson", logs / f"{name:03}.ndjson")
    words = ["audit", "--all", "many", "--json"]
    results = folder / "results"
    auditing = subprocess.Popen(
        [*COMMAND, *words, "--jobs", "2", "--resume", str(results)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRON,
    )  # fmt: skip

    def lines() -> list[bytes]:
        return results.read_bytes().splitlines(keepends=True) if results.exists() else []

    eventually(lambda: len(lines()), lambda count: count > 6)
    auditing.kill()
    finished(auditing)
    assert auditing.returncode == -signal.SIGKILL
    kept = [line for line in lines() if line.endswith(b"\n")]
    numbers = sorted(int(Path(decode(line)["part"]).stem) for line in kept[1:])
    assert 6 <= len(numbers) < 100
    assert numbers[-1] <= len(numbers) + 2
    resumed = run(*words, "--jobs", 2, "--resume", results)
    assert resumed.stdout == run(*words, "--jobs", 1).stdout
    assert lines()[: len(kept)] == kept
    assert len(lines()) == 101
