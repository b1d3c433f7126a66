"""Where games go, how a ledger gets more partitions, and lists of partitions that do not fit it."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from phaseledger.replay.records.partitions import (
    PartitionLocation,
    PartitionsError,
    foreign_to,
    id_in,
    is_placed,
    number_of,
    read,
)
from phaseledger.service.database import setup
from phaseledger.service.database.setup import prepare, upgrade
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.lobby.opening import new_game, uuid_of
from phaseledger.service.lobby.rematch import rematch_of
from phaseledger.service.partitions import partition_map
from phaseledger.service.partitions.placement import KEY_SECONDS, candidates, partitioned_new_game
from phaseledger.service.partitions.routing import ByPartition
from phaseledger.service.settings import Settings, SettingsError, load, places
from tests.support.polling import ENDLESS
from tests.support.service.partition_ledgers import listed, own_schemas

NEVER, ALWAYS = float("inf"), -float("inf")


def place(number: int, since: float = ALWAYS, until: float = NEVER) -> PartitionLocation:
    return PartitionLocation(number, "", f"p{number}", "", since, until)


def test_an_id_says_its_partition_and_old_ids_say_the_first():
    for number in (1, 2, 64):
        game = id_in(number, uuid4().bytes)
        assert (number_of(game), is_placed(game)) == (number, True)
        assert (game.version, game.variant) == (8, uuid4().variant)
        assert number_of(rematch_of(game)) == number
        assert all(not low <= game <= high for low, high in foreign_to(number))
        for other in {1, 2, 64} - {number}:
            assert any(low <= game <= high for low, high in foreign_to(other))
    for old in (new_game(""), new_game("key"), rematch_of(new_game(""))):
        assert (number_of(old), is_placed(old)) == (1, False)
        assert all(not low <= old <= high for low, high in foreign_to(1))
        assert any(low <= old <= high for low, high in foreign_to(2))


def test_no_key_of_a_ledger_without_partitions_opens_a_game_of_one():
    made = uuid_of(bytes.fromhex("70313070ffff") + bytes(26))
    assert not is_placed(made)
    assert made.version == 8


def test_ids_that_no_partition_can_have_are_not_waited_for():
    both = ByPartition(["first", "second"])
    for number in (0, 65, 0xFFFF):
        assert both.of(id_in(number, b"an outsider's")) == "first"
    with pytest.raises(StoreUnavailable, match="the game is in number 3"):
        both.of(id_in(3, b"a game that may be there"))


def test_new_games_are_shared_out_alike():
    every = [place(number) for number in (1, 2, 3)]
    numbers = [number_of(candidates(every, f"key {n}", 0)[0]) for n in range(3_000)]
    assert all(900 < numbers.count(number) < 1_100 for number in (1, 2, 3))


def test_a_partition_that_is_added_takes_its_share_and_no_more():
    before = [place(1), place(2), place(3, since=100.0)]
    moved = 0
    for n in range(600):
        first, *_ = candidates(before, f"key {n}", 99)
        after, *others = candidates(before, f"key {n}", 100)
        assert number_of(first) in (1, 2)
        if after != first:
            moved += 1
            assert number_of(after) == 3
            assert first in others  # a repeated opening looks there too
    assert 150 < moved < 250
    assert all(
        len(candidates(before, f"key {n}", 100 + KEY_SECONDS)) == 1 for n in range(50)
    )  # and after a day no more


def test_before_a_change_a_node_looks_where_another_one_may_be_ahead():
    every = [place(1), place(2, since=100.0)]
    ahead = [candidates(every, f"key {n}", 99.0) for n in range(50)]
    assert any(number_of(game) == 2 for games in ahead for game in games[1:])
    assert all(number_of(games[0]) == 1 for games in ahead)


def test_a_full_partition_gets_no_new_games():
    every = [place(1, until=100.0), place(2)]
    assert {number_of(candidates(every, f"{n}", 101)[0]) for n in range(50)} == {2}


def test_an_opening_from_before_there_were_partitions_is_found(monkeypatch):
    async def scene() -> None:
        store = MemoryStore()
        await store.append(new_game("old"), [Row(1, "GameOpened/1", b"{}")])
        now = 200.0
        find = partitioned_new_game([place(1), place(2, since=100.0)], store, lambda: now)
        alone = partitioned_new_game([place(1)], store, lambda: now)
        assert await find("old") == await alone("old") == new_game("old")
        now = -3600.0  # the file is there, and the second one gets no games yet
        assert await find("old") == new_game("old")
        now = 200.0
        assert is_placed(await find("new"))
        assert await find("") != await find("")

        async def away(_: UUID) -> int:
            raise StoreUnavailable("away")

        monkeypatch.setattr(store, "head", away)
        assert is_placed(await find("old"))  # rather a second table than none

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lists no partitions"),
        ("partition = []", "lists 0 partitions"),
        ("[[partition]]\nshema = 'x'", "unknown field `shema`"),
        ("[[partition]]\nschema = 'X'", "regex"),
        ("[[partition]]\nsince = 2026-01-01T00:00:00", "without its offset"),
        ("[[partition]]\n[[partition]]", "partition 2 at the place of another"),
        ("[[partition]]\nschema = 'x'\n" * 65, "lists 65 partitions"),
        ("[[partition", "lists no partitions"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, message):
    file = tmp_path / "p.toml"
    file.write_text(text)
    with pytest.raises(PartitionsError, match=message):
        read(file, "", "phaseledger")
    with pytest.raises(SettingsError, match="PHASELEDGER_PARTITIONS"):
        places(load({"PHASELEDGER_PARTITIONS": str(file)}))
    with pytest.raises(PartitionsError, match="cannot be read"):
        read(tmp_path / "none.toml", "", "")


# --- what is stored against what is listed --------------------------------------------------------


@pytest.fixture
def schemas(postgres_dsn: str) -> Iterator[list[dict[str, str]]]:
    with own_schemas(postgres_dsn, 4) as entries:
        yield entries


def settings_for(tmp_path: Path, entries: list[dict[str, str]]) -> Settings:
    return Settings(partitions=str(listed(tmp_path / "partitions.toml", entries)))


def stored(entry: dict[str, str], game: UUID) -> None:
    async def scene() -> None:
        async with PostgresStore(entry["database_url"], schema=entry["schema"]) as store:
            await store.append(game, [Row(1, "GameOpened/1", b"{}", b"0" * 32)])

    asyncio.run(scene())


def test_a_ledger_grows_by_partitions_at_the_end(tmp_path, schemas):
    prepare(settings_for(tmp_path, schemas[:2]))
    prepare(settings_for(tmp_path, schemas[:2]))
    prepare(settings_for(tmp_path, schemas[:3]))
    for entry in schemas[:3]:
        with psycopg.connect(entry["database_url"]) as conn:
            table = SQL("SELECT members FROM {}").format(Identifier(entry["schema"], "partition"))
            ((members,),) = conn.execute(table).fetchall()
            assert len(members) == 3


def test_nodes_that_start_at_once_agree_on_the_partitions(tmp_path, schemas):
    """Each finds that the partitions have no numbers yet, and gives them some."""
    given = settings_for(tmp_path, schemas[:2])
    barrier, looked = threading.Barrier(2), partition_map.read_partition_record

    def look_together(dsn: str, schema: str) -> partition_map.PartitionRecord | None:
        record = looked(dsn, schema)
        if record is None:
            barrier.wait(ENDLESS)
        return record

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_map, "write_partition_records", lambda _: None)
        patch.setattr(setup, "write_partition_records", lambda _: None)
        upgrade(given)
    listed_ones = places(given)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(partition_map, "read_partition_record", look_together)
        for done in [
            pool.submit(partition_map.write_partition_records, listed_ones) for _ in range(2)
        ]:
            done.result(60)
    prepare(given)


def test_who_may_not_migrate_tells_partitions_nothing(tmp_path, schemas):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setup, "write_partition_records", lambda _: None)
        upgrade(settings_for(tmp_path, schemas[:2]))
    with pytest.raises(SchemaError, match="run `phaseledger migrate`"):
        prepare(settings_for(tmp_path, schemas[:2]), migrating=False)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ((1, 0, 2), "is partition 2: list the partitions in their order"),
        ((0, 1), "has 3 partitions, but the file of partitions lists 2"),
        ((0, 3, 2), "belongs to another ledger"),
        ((2, 3), "is partition 3|has 3 partitions"),
    ],
)
def test_a_list_that_contradicts_what_is_stored_is_refused(tmp_path, schemas, order, message):
    prepare(settings_for(tmp_path, schemas[:3]))
    prepare(
        settings_for(tmp_path, [{**schemas[3], "schema": "x_" + schemas[3]["schema"]}, schemas[3]])
    )
    wrong = settings_for(tmp_path, [schemas[n] for n in order])
    for _ in range(2):  # the first refusal changed nothing
        with pytest.raises(SchemaError, match=message):
            prepare(wrong)
    prepare(settings_for(tmp_path, schemas[:3]))


def test_one_of_several_is_not_served_alone(tmp_path, schemas):
    prepare(settings_for(tmp_path, schemas[:2]))
    alone = Settings(database_url=schemas[0]["database_url"], schema=schemas[0]["schema"])
    with pytest.raises(SchemaError, match="is partition 1 of a ledger that has 2"):
        prepare(alone)


def test_a_store_with_games_becomes_the_first_partition_and_no_other(tmp_path, schemas):
    old, new = schemas[:2]
    prepare(Settings(database_url=old["database_url"], schema=old["schema"]))
    stored(old, new_game(""))
    for _ in range(2):
        with pytest.raises(SchemaError, match="belong to the first: list their schema first"):
            prepare(settings_for(tmp_path, [new, old]))
    prepare(settings_for(tmp_path, [old, new]))


def test_a_game_at_the_wrong_place_is_found_at_the_start(tmp_path, schemas):
    settings = settings_for(tmp_path, schemas[:2])
    prepare(settings)
    stored(schemas[0], id_in(1, b"right place"))
    stored(schemas[1], id_in(2, b"right place"))
    prepare(settings)
    stored(schemas[0], id_in(2, b"wrong place"))
    with pytest.raises(SchemaError, match="belongs to another one by its id"):
        prepare(settings)
