"""The campaigns of `benchmarks/` on real servers: what they leave out, and what they ask for."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import faults, nemesis
from tests.support.children import run

ROOT = Path(__file__).parents[2]


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, *arguments], cwd=ROOT)


def test_the_full_disk_is_left_out_where_nothing_can_be_mounted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(nemesis, "may_mount", lambda: False)
    assert nemesis.chosen_faults("cut,full_disk") == (faults.cut,)
    assert "full_disk is left out" in capsys.readouterr().out


def test_a_fault_that_there_is_not_is_refused() -> None:
    refused = script("benchmarks/nemesis.py", "--only", "cut,earthquake")
    assert refused.returncode == 2
    assert "there is no fault earthquake" in refused.stderr
