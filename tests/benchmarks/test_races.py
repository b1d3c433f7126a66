"""The races of `benchmarks/races.py`, a few rounds between two services, and that they can fail."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.races import Answer, grown, repeats, rivals, run
from phaseledger.service.app import in_postgres
from tests.support.ledgers import prepared
from tests.support.service.server import serving

CLIENTS = 16


def test_of_16_rivals_one_wins_and_16_repeats_happen_once(
    postgres_dsn: str, empty_schema: str, tmp_path: Path
) -> None:
    settings = prepared(postgres_dsn, empty_schema, tmp_path)
    with serving(in_postgres(settings)) as first, serving(in_postgres(settings)) as second:
        ports = [int(service.url.rpartition(":")[2]) for service in (first, second)]
        tally = asyncio.run(run(ports, CLIENTS, 8))
    assert (tally.faults, len(tally.took)) == ([], 8 * 2 * CLIENTS)


def _answer(status: int, etag: str = "", **body: Any) -> Answer:
    return Answer(status, etag, msgspec.json.encode(body), 1.0)


WON = _answer(200, '"7.0"', version=7)
LOST = _answer(412, code="stale_version", version=7)


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([WON, LOST, LOST], None),
        ([WON, WON, LOST], "2 winners"),
        ([LOST, LOST], "0 winners"),
        ([WON, _answer(500, code="internal_error")], "answered 500 internal_error"),
        ([WON, _answer(409, code="already_drawn")], "answered 409 already_drawn"),
        ([WON, _answer(412, code="stale_version", version=6)], "answered 412"),
    ],
)
def test_a_race_that_went_wrong_is_found(answers: list[Answer], fault: str | None) -> None:
    faults = rivals(answers)
    assert [fault in message for message in faults if fault] == [True] * bool(fault)
    assert bool(faults) == bool(fault)


@pytest.mark.parametrize(
    ("answers", "well"),
    [
        ([WON, WON], True),
        ([WON, LOST], False),
        ([WON, _answer(200, '"7.1"', version=7)], False),
        ([WON, _answer(200, '"7.0"', version=7, more=1)], False),
        ([LOST, LOST], False),
    ],
)
def test_repeats_that_differ_are_found(answers: list[Answer], *, well: bool) -> None:
    assert (repeats(answers) == []) == well


def test_a_command_that_happened_twice_is_found() -> None:
    first, more = {"data": {"act": {}}}, {"data": {}}
    assert grown(5, [first, more], WON) == []
    assert grown(5, [first, first], WON) != []
    assert grown(5, [first], WON) != []
