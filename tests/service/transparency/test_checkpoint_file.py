"""The file of what was published last: lost, damaged, old, contested, or not to be written."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.keys import load_or_new
from phaseledger.replay.formats.signing.notes import Checkpoint
from phaseledger.service.app import in_postgres, routes
from phaseledger.service.settings import Settings, keys_folder, published_folder
from phaseledger.service.transparency.publisher import Publisher
from phaseledger.service.transparency.signer import (
    LogSigner,
    PublicationOvertaken,
    SigningRefused,
    last_published,
    signer,
)
from tests.support.polling import comes_about, eventually
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_tree import MemoryTree
from tests.support.service.public_log import (
    GAME,
    LOG,
    RESTORED,
    Place,
    as_owner,
    file_of,
    published,
    publishing,
    refusal,
    rows,
    serve,
    signer_of,
)
from tests.support.service.server import FREE


def test_a_restore_of_database_keys_and_data_folder_is_found(settings: Settings) -> None:
    """The file that keeps what was published lies elsewhere, so a backup does not bring it back."""
    default = platformdirs.user_data_path("phaseledger", appauthor=False)
    for given in (
        Settings(),
        Settings(data_dir="data"),
        Settings(data_dir="data", keys_dir="keys"),
    ):
        folder = published_folder(given).absolute()
        for saved in (keys_folder(given), Path("data"), default):
            assert not folder.is_relative_to(saved.absolute())
    assert not list(Path(settings.keys_dir).glob("*.checkpoint"))
    assert notes.checkpoint(notes.note(file_of(settings).read_text()).text).size == 600


@pytest.mark.parametrize("restored", [False, True])
def test_nothing_is_signed_while_nobody_knows_what_was_published(
    settings: Settings, restored: bool
) -> None:
    """The database knows that something was, and the file is gone. A witness's copy will do."""
    kept = file_of(settings).read_text()
    if restored:
        as_owner(settings, *RESTORED)
    file_of(settings).unlink()
    sentence = refusal(settings)
    assert (
        f"with {300 if restored else 600} events, but {file_of(settings)}, which keeps" in sentence
    )
    assert "a witness's `checkpoint`" in sentence
    witness = notes.SigningKey.new("w", notes.COSIGNATURE)
    note = notes.note(kept)
    cosigned = notes.Note(note.text, (*note.signatures, notes.signature(note.text, witness, 1)))
    file_of(settings).write_text(str(cosigned))
    assert (refusal(settings) == "") is not restored


def test_a_damaged_file_of_what_was_published_is_found(settings: Settings) -> None:
    file = file_of(settings)
    text = file.read_text()
    spoilt = text[:-9], "", text.replace(LOG, "other.example", 1), f"{text}\N{EM DASH} w AAAA\n"
    for other in spoilt:
        file.write_text(other)
        assert "a witness's `checkpoint`" in refusal(settings), other


def test_a_long_or_odd_name_has_a_file(tmp_path: Path) -> None:
    ring, _ = load_or_new(tmp_path / "keys")
    for name in ("a/b", "..", "a" * 200, "/" * 200):
        by = signer(ring, name, tmp_path / "deep" / "published")
        by.keep(note_of(by, 1), None)
        assert by.kept.parent == tmp_path / "deep" / "published"
        assert last_published(by) == (name, 1, b"\1" * 32)


def note_of(by: LogSigner, size: int, root: bytes = b"\1" * 32) -> str:
    text = Checkpoint(by.origin, size, root).text()
    return str(notes.Note(text, (notes.signature(text, by.keys[0]),)))


def test_only_who_knows_the_last_checkpoint_may_replace_it(tmp_path: Path) -> None:
    """Somebody else may have published meanwhile, a larger size or the same one."""
    by = signer(load_or_new(tmp_path / "keys")[0], "", tmp_path / "published")
    first, second = (Checkpoint(by.origin, size, b"\1" * 32) for size in (5, 9))
    by.keep(note_of(by, 5), None)
    by.keep(note_of(by, 9), first)
    for last, size, root in (
        (None, 10, b"\1" * 32),
        (first, 7, b"\1" * 32),
        (first, 9, b"\2" * 32),
        (first, 12, b"\1" * 32),
        (second._replace(root=b"\2" * 32), 12, b"\1" * 32),
    ):
        with pytest.raises(PublicationOvertaken):
            by.keep(note_of(by, size, root), last)
        assert last_published(by) == second
    by.keep(note_of(by, 9), second)  # signed with other keys


def test_of_many_writers_each_leaves_a_whole_file(tmp_path: Path) -> None:
    """And none stumbles over what another is about to write."""
    file, texts = tmp_path / "f", [f"{n}\n" * 5_000 for n in range(8)]

    def write(text: str) -> None:
        for _ in range(25):
            files.write(file, text)
            assert file.read_text() in texts

    with ThreadPoolExecutor(8) as many:
        list(many.map(write, texts))
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_folder_that_cannot_be_made(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    wrong = replace(settings, published_dir=str(tmp_path / "file" / "below"))
    with pytest.raises(SigningRefused, match="PHASELEDGER_PUBLISHED_DIR"):
        signer_of(wrong)
    run = serve(wrong)
    assert (run.returncode, len(run.stderr.splitlines())) == (3, 1), run.stderr


async def waits(it: Publisher, holds: Callable[[str], bool]) -> None:
    """Wait until that holds of what the publisher says it waits for."""

    async def reason() -> str:
        return it.waiting

    await comes_about(reason, holds)


async def test_a_full_or_lost_disk_is_waited_for(place: Place) -> None:
    """Nothing is published that is not kept; as soon as it can be, publishing goes on."""
    gone = place.folder / "gone"
    async with place.store() as store, publishing(store, place.tree(), place.signer()) as it:
        await store.append(GAME, rows(1, 1))
        await published(it.tree, 1)
        assert it.waiting == ""
        for size, (away, back) in enumerate(
            (
                (
                    lambda: place.file.parent.rename(gone),
                    lambda: gone.rename(place.file.parent),
                ),
                (lambda: place.file.rename(gone), lambda: gone.rename(place.file)),
                (
                    lambda: (place.file.rename(gone), place.file.mkdir()),
                    lambda: (place.file.rmdir(), gone.rename(place.file)),
                ),
            ),
            2,
        ):
            away()
            await store.append(GAME, rows(size, size))
            await waits(it, lambda reason: str(place.file) in reason)
            await asyncio.sleep(1)
            assert (await it.tree.newest()).size == size - 1
            back()
            await published(it.tree, size)
            await waits(it, lambda reason: reason == "")


def test_readiness_tells_of_it_and_recovers(settings: Settings, tmp_path: Path) -> None:
    def log_key(client: TestClient[Litestar], *, ok: bool) -> dict[str, Any]:
        """What readiness says of the public log, once it is so; games can be played meanwhile."""

        def check() -> dict[str, Any]:
            answer = client.get("/health/ready")
            assert answer.status_code == 200
            return dict(answer.json()["checks"]["log_key"])

        return eventually(check, lambda shown: shown["ok"] is ok)

    gone = tmp_path / "gone"
    with TestClient(routes(in_postgres(replace(settings, projections=False)), FREE)) as client:
        log_key(client, ok=True)
        file_of(settings).parent.rename(gone)
        bots = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2}
        assert client.post("/v1/games", json=bots).status_code == 201
        health = log_key(client, ok=False)
        assert str(gone.parent) not in str(health)
        assert "cannot be kept" in health["reason"]
        gone.rename(file_of(settings).parent)
        log_key(client, ok=True)


def test_two_databases_do_not_publish_as_one_log(place: Place) -> None:
    """They share keys and folder, and were empty both when they began."""

    async def scenario() -> None:
        other = MemoryStore()
        async with (
            place.store() as store,
            publishing(other, MemoryTree(other, "test.log"), place.signer()) as late,
            publishing(store, place.tree(), place.signer()) as it,
        ):
            await store.append(GAME, rows(1, 3))
            await published(it.tree, 3)
            await other.append(GAME, rows(1, 1))
            await late.run(asyncio.Event(), 0.1)

    with pytest.raises(SigningRefused, match="was published with 3 events"):
        asyncio.run(scenario())
    assert notes.checkpoint(notes.note(place.kept()).text).size == 3
