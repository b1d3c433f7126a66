"""The demo from outside: embedded Postgres, the service, four clients, scoreboard, audit."""

import io
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import pytest
from rich.console import Console

from phaseledger.service.cli import demo
from tests.support.children import run
from tests.support.fake_clock import Clock


@pytest.mark.system
def test_the_demo_ends_by_itself_with_a_sound_game(short_dir: Path) -> None:
    """It says who won, that the audit is sound, and commands that then really run."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PHASELEDGER_")}
    phaseledger = [sys.executable, "-m", "phaseledger.service.cli.main"]
    played = run(
        [*phaseledger, "demo", "--ruleset", "express", "--data-dir", short_dir], env=environment
    )

    assert played.returncode == 0, played.stderr
    assert "wins" in played.stdout
    assert re.search(r"^sound ", played.stdout, re.MULTILINE)
    shown = [
        line.split("phaseledger ", 1)[1]
        for line in played.stderr.splitlines()
        if " replay " in line
    ]
    assert len(shown) == 2
    for line in shown:
        replay = run([*phaseledger, *line.split()], env=environment)
        assert replay.returncode == 0, replay.stderr
        assert "Ada" in replay.stdout


class Starting:
    """A service as it starts: at each look it has said another line, until it ends."""

    def __init__(self, lines: int, ready: bool, fate: int | None) -> None:
        self.log = tempfile.TemporaryFile()  # noqa: SIM115
        self.lines, self.ready, self.fate = lines, ready, fate

    def answer(self, *_: object, **__: object) -> httpx2.Response:
        if self.lines == 0 and self.ready:
            return httpx2.Response(200)
        if self.lines:
            self.lines -= 1
            self.log.write(b"another step\n")
            self.log.flush()
        raise httpx2.ConnectError("nobody listens")

    def poll(self) -> int | None:
        return self.fate if self.lines == 0 else None


def awaited(service: Starting, step: float, monkeypatch: pytest.MonkeyPatch) -> tuple[str, float]:
    """What is said on the terminal, and how long it took, where each look takes so long."""
    clock, console = Clock(monkeypatch), Console(file=io.StringIO(), record=True)
    monkeypatch.setattr(time, "sleep", lambda _: clock.sleep(step))
    monkeypatch.setattr(httpx2, "get", service.answer)
    with service.log:
        demo._await_ready(service, "http://127.0.0.1:9", service.log, console)
    return console.export_text(), clock.now


def test_a_service_that_starts_is_waited_for_as_long_as_it_says_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For longer than it may be silent, and whoever looks on is told."""
    output, seconds = awaited(Starting(20, ready=True, fate=None), 100.0, monkeypatch)
    assert seconds == 2000 > demo.SILENCE
    assert output.splitlines()[1] == "The service is still starting, after 200 seconds ..."
    for fate, sentence in ((None, "said nothing for too long"), (3, "has ended")):
        with pytest.raises(demo.DemoFailed, match=f"it {sentence}. It said:\nanother step"):
            awaited(Starting(1, ready=False, fate=fate), 1.0, monkeypatch)
