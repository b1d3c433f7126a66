"""Files that people bring: the document of each, or a refusal that says why there is none."""

import asyncio
import gzip

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.replay.viewer.document import viewer_document
from phaseledger.replay.viewer.worker import WorkOrder, work
from phaseledger.service.replays import reading as reader
from phaseledger.service.replays.errors import (
    FileIsDamaged,
    FileIsNoGame,
    FileOfOtherVersion,
    FileTooLong,
    GameNotInFile,
    GameNotOver,
    SeveralGames,
    UnshownFile,
)
from phaseledger.service.replays.reading import LIMITS, MEMORY, read_replay
from phaseledger.service.runtime.work import CURRENT, RequestWork
from tests.support.replay.bundles import game, good
from tests.support.replay.log_edits import OTHER, short_game
from tests.support.replay.viewer_documents import export

BUNDLE = b"".join(good())
EXPORT = export(short_game())
NEWER_BUNDLE = BUNDLE.replace(b"p10-bundle/v1", b"p10-bundle/v2", 1)
NEWER_EVENT = EXPORT.replace(b"GameOpened/1", b"GameOpened/9", 1)
BOTH = EXPORT + export(short_game(OTHER))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in this process, by the same program."""

    async def work_here(_: object, given: bytes) -> bytes:
        order, _, content = given.partition(b"\n")
        report, document = work(msgspec.json.decode(order, type=WorkOrder), content)
        return msgspec.json.encode(report) + b"\n" + document

    monkeypatch.setattr(reader, "run_confined", work_here)


def reading(content: bytes, game: str | None = None, **options: object) -> bytes:
    return asyncio.run(read_replay(content, "night.bundle", game, **options))  # type: ignore[arg-type]


def refusal(content: bytes, game: str | None = None, **options: object) -> UnshownFile:
    with pytest.raises(UnshownFile) as raised:
        reading(content, game, **options)
    return raised.value


def test_the_document_is_the_viewers() -> None:
    assert reading(gzip.compress(BUNDLE)) == msgspec.json.encode(
        viewer_document(BUNDLE, "night.bundle")
    )


def test_a_game_of_several_is_named(here: None) -> None:
    assert msgspec.json.decode(reading(BOTH, "2"))["game"] == OTHER
    assert isinstance(refusal(BOTH, "3"), GameNotInFile)
    asked = refusal(BOTH)
    assert isinstance(asked, SeveralGames)
    assert asked.faults == ()


def test_bad_input_gets_its_refusal(here: None) -> None:
    for content, kind, reason in (
        (b"no game", FileIsNoGame, "night.bundle:1: the last line is cut"),
        (b"", FileIsNoGame, "the file is empty"),
        (b"\x1f\x8b" + b"0" * 90, FileIsNoGame, "the file is compressed"),
        (NEWER_BUNDLE, FileOfOtherVersion, "'p10-bundle/v2'"),
        (NEWER_EVENT, FileOfOtherVersion, "a type that this program"),
        (EXPORT.replace(b'"prev":"', b'"prev":"ff', 1), FileIsDamaged, "Not even the first event"),
        (export(list(game("classic")[:50])), GameNotOver, "hidden cards"),
    ):
        refused = refusal(content)
        assert type(refused) is kind, reason
        (fault,) = refused.faults
        assert (fault.where, fault.name) == ("body", "$")
        assert reason in fault.reason


def test_no_file_takes_more_than_there_is_for_it() -> None:
    bomb = gzip.compress(b" " * (LIMITS.bytes + 1), 9)
    assert len(bomb) < 100_000
    cases = {
        "32 MB": (bomb, LIMITS, MEMORY),
        "0 seconds": (BUNDLE, replace(LIMITS, seconds=0), MEMORY),
        "more memory": (gzip.compress(b" " * LIMITS.bytes, 9), LIMITS, 80 << 20),
    }
    for reason, (content, limits, memory) in cases.items():
        refused = refusal(content, limits=limits, memory=memory)
        assert isinstance(refused, FileTooLong), reason
        assert reason in refused.faults[0].reason


def test_a_file_of_too_many_events_is_refused(here: None) -> None:
    refused = refusal(BUNDLE, limits=replace(LIMITS, events=5))
    assert isinstance(refused, FileTooLong)
    assert "more than 5 events" in refused.faults[0].reason


def test_the_work_is_its_callers() -> None:
    total = RequestWork()
    token = CURRENT.set(total)
    try:
        reading(EXPORT)
    finally:
        CURRENT.reset(token)
    assert total.seconds > 0.1
