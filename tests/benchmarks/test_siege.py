"""The siege of a service on a real server: what it asks for, and what it finds."""

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks import defences, siege
from benchmarks.attacks import ATTACKS
from phaseledger.service.settings import Constants
from tests.support.children import run

ROOT = Path(__file__).parents[2]


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "benchmarks/siege.py", *arguments], cwd=ROOT)


@pytest.mark.parametrize(("option", "word"), [("--only", "attack"), ("--without", "defence")])
def test_what_there_is_not_is_refused(option: str, word: str) -> None:
    refused = script(option, "guesses,earthquake")
    assert refused.returncode == 2
    assert f"there is no {word}" in refused.stderr
    assert "earthquake" in refused.stderr


def test_every_limit_is_of_an_attack_and_every_defence_a_constant() -> None:
    assert {*defences.MOST} <= {attack.__name__ for attack in ATTACKS}
    constants = {name for defence in defences.DEFENCES.values() for name in defence}
    assert constants <= {*Constants.__struct_fields__}
    assert defences.constants_without(("lobbies",)) == {**defences.SHORTENED, "lobby_events": 0}


@dataclass
class Measured:
    quiet: float


@pytest.mark.parametrize(
    ("p99", "events", "streams", "answers", "faults"),
    [
        (60.0, 2_000, 256, {"404 guess": 30}, []),
        (61.0, 2_000, 0, {"404 guess": 30}, ["the victim waits 6.1 times as long"]),
        (60.0, 3_000, 0, {"404 guess": 30}, ["3,000 events, more than 2,200"]),
        (60.0, 0, 257, {"404 guess": 30}, ["257 streams at a time, more than 256"]),
        (60.0, 0, 0, {"404 guess": 38}, ["38 times 404 guess, more than 38"]),
    ],
)
def test_what_an_attack_breaks(
    p99: float, events: int, streams: int, answers: dict[str, int], faults: list[str]
) -> None:
    measured = Measured(quiet=10.0)
    counted = Counter(answers)
    got = siege.Siege._faults(
        measured,  # type: ignore[arg-type]
        "guesses",
        10,
        counted,
        events,
        streams,
        p99,
    )
    assert [*got] == faults


@pytest.mark.system
@pytest.mark.parametrize(("taken_out", "is_broken"), [((), False), (("guesses",), True)])
def test_guesses_that_nobody_counts_are_found(
    taken_out: tuple[str, ...],
    is_broken: bool,
    postgres_dsn: str,
    empty_schema: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One short attack beside the victim, whose waiting is not for a test."""
    monkeypatch.setattr(siege, "SETTLE", 0.0)  # no tables are opened
    with siege.besieged(postgres_dsn, empty_schema, taken_out, bare=True) as besieged:
        besieged.listen(0.5)
        outcome = besieged.attack("guesses", 1.0)

    assert outcome.answers["404 guess"] > 0
    assert any("times 404 guess" in fault for fault in outcome.faults) is is_broken, outcome
