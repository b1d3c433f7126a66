"""Work in a process of its own: what it answers, and that nothing it does holds anybody up."""

import asyncio
from pathlib import Path

import psutil
import pytest

from phaseledger.service.runtime.confined import (
    ConfinedFailure,
    ConfinedModule,
    OverLimit,
    run_confined,
)
from tests.support.polling import eventually

WORK = """
import os, resource, signal, sys, time
order, _, content = sys.stdin.buffer.read().partition(b" ")
if order == b"echo":
    sys.stdout.buffer.write(content * 2)
elif order == b"settings":
    sys.stdout.write(" ".join(name for name in os.environ if "PHASELEDGER" in name))
elif order == b"sleep":
    time.sleep(1_000)
elif order == b"spin":
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
elif order == b"fail":
    raise ValueError("R7 is on top")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "confined_work.py").write_text(WORK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PHASELEDGER_DATABASE_URL", "postgresql://somebody:secret@nowhere/")
    return "confined_work"


def run(module: str, order: bytes, seconds: float = 100) -> bytes:
    return asyncio.run(run_confined(ConfinedModule(module, seconds), order))


def test_it_answers_to_what_it_is_given(module: str) -> None:
    content = bytes(range(256)) * 10_000
    assert run(module, b"echo " + content) == content * 2


def test_it_knows_no_setting_of_the_service(module: str) -> None:
    assert run(module, b"settings ") == b""


def test_what_takes_too_long_is_ended(module: str) -> None:
    with pytest.raises(OverLimit):
        run(module, b"sleep ", 0.5)
    assert _running(module) == []


def test_what_fails_says_no_word(module: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfinedFailure, match=r"^it ended with 1$"):
        run(module, b"fail ")
    assert "R7" not in capfd.readouterr().err


async def test_what_nobody_waits_for_any_more_is_ended(module: str) -> None:
    task = asyncio.create_task(run_confined(ConfinedModule(module, 100), b"sleep "))
    while not _running(module):
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    eventually(lambda: _running(module) == [])


async def test_others_go_on_meanwhile(module: str) -> None:
    task = asyncio.create_task(run_confined(ConfinedModule(module, 100), b"spin "))
    turns = 0
    while not task.done():
        await asyncio.sleep(0.01)
        turns += 1
    with pytest.raises(OverLimit):
        await task
    assert turns > 10
    assert _running(module) == []


def _running(module: str) -> list[int]:
    children = psutil.Process().children(recursive=True)
    return [child.pid for child in children if module in _command(child)]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline() if process.status() != psutil.STATUS_ZOMBIE else []
    except psutil.NoSuchProcess:
        return []
