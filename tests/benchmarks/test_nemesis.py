"""The campaigns of `benchmarks/` on real servers: what they leave out, and what they ask for."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import faults, nemesis, patroni, patroni_cluster
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


def test_the_packages_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed = {"haproxy", "postgres"}
    monkeypatch.setattr(
        patroni_cluster, "program", lambda name: f"/{name}" if name in installed else None
    )
    monkeypatch.setattr(sys, "argv", ["patroni.py"])
    assert patroni.main() == 2
    assert (
        "apt-get install --no-install-recommends patroni etcd-server\n" in capsys.readouterr().out
    )


def test_a_number_of_failovers_is_a_number() -> None:
    refused = script("benchmarks/patroni.py", "--failovers", "often")
    assert refused.returncode == 2
    assert "--failovers" in refused.stderr
