"""Files that nobody should send an auditor: the real command on the worst, the reader on all."""

from io import BytesIO
from pathlib import Path

import pytest

from phaseledger.replay.formats.bundle.line_reader import LONGEST_LINE
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from tests.support.cases import looped
from tests.support.replay.hostile_file_runs import tried
from tests.support.replay.hostile_files import FILES


@looped("name", ["deep arrays in an event", "1 GB of zeros"])
def test_the_command_refuses_quickly_and_in_little_memory(name: str, tmp_path: Path) -> None:
    """`benchmarks/tamper.py hostile` has all of them."""
    ran, faults = tried(name, tmp_path)
    assert faults == [], ran


@looped("name", FILES)
def test_the_reader_refuses(name: str) -> None:
    file = BytesIO(FILES[name]())
    lines = iter(lambda: file.readline(LONGEST_LINE + 1), b"")

    with pytest.raises(DamagedSource, match=r"^hostile(:\d+)?: .*\.$"):
        parse_bundle(lines, "hostile")
