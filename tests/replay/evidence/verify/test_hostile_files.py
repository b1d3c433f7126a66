"""Files that nobody should send an auditor: the real command on the worst, the reader on all."""

from io import BytesIO
from pathlib import Path

import pytest

from phaseledger.replay.formats.bundle.line_reader import LONGEST_LINE
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.replay.hostile_file_runs import LIES, LONGEST, PLACES, REFUSED, Ran, tried
from tests.support.replay.hostile_files import FILES

WORST = (
    "deep arrays in an event",
    "an integer of 4,000 digits",
    "4,000 digits in an event",
    "a key twice",
    "UTF-16",
    "a lone surrogate in a name",
    "a line of 64 MB",
    "150,000 short events",
    "a directory",
    "1 GB of zeros",
    "a pipe closed early",
    "endless zeros",
    "a trillion decks",
    "a trillion seats, running",
    "a value of 100,000 lines",
)


@pytest.mark.parametrize(
    "name", sampled(WORST, "deep arrays in an event", "1 GB of zeros", "a pipe closed early")
)
def test_the_command_refuses_quickly_and_in_little_memory(name: str, tmp_path: Path) -> None:
    ran, faults = tried(name, tmp_path)

    assert faults == [], ran


@looped("name", FILES)
def test_the_reader_refuses(name: str) -> None:
    file = BytesIO(FILES[name]())
    lines = iter(lambda: file.readline(LONGEST_LINE + 1), b"")

    with pytest.raises(DamagedSource, match=r"^hostile(:\d+)?: .*\.$"):
        parse_bundle(lines, "hostile")


def test_the_worst_are_among_those_of_the_campaign() -> None:
    assert {*WORST} <= {*FILES, *PLACES, *LIES}


@looped(
    ("ran", "fault"),
    [
        (Ran(0, 0.1, 0.1, 30, "x.bundle: sound"), "exit code 0"),
        (Ran(1, 0.1, 0.1, 30, "x.bundle: wrong"), "exit code 1"),
        (Ran(5, 3.1, 2.5, 30, "x.bundle: no"), "2.5 s of processor time"),
        (Ran(5, 100.5, 0.1, 30, "x.bundle: no"), "100.5 s"),
        (Ran(5, 0.1, 0.1, 256, "x.bundle: no"), "256 MB"),
        (Ran(5, 0.1, 0.1, 30, "x.bundle: no\nTraceback (most recent"), "a traceback"),
        (Ran(5, 0.1, 0.1, 30, "no"), "does not name the file: 'no'"),
        (Ran(5, 0.1, 0.1, 30, "x.bundle" + "!" * LONGEST), "8,008 characters said"),
    ],
)
def test_what_is_not_as_it_must_be_is_found(ran: Ran, fault: str) -> None:
    assert ran.faults("x.bundle", REFUSED) == [fault]
    assert Ran(5, 0.1, 0.1, 30, "x.bundle:3: no").faults("x.bundle", REFUSED) == []


def test_a_slow_machine_may_take_longer() -> None:
    ran = Ran(5, 3.1, 2.5, 30, "x.bundle: no")
    assert ran.faults("x.bundle", REFUSED, slowness=1.2) == ["2.5 s of processor time"]
    assert ran.faults("x.bundle", REFUSED, slowness=1.3) == []
