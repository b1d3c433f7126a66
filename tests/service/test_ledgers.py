"""Several ledgers behind one HAProxy, as deploy/haproxy-ledgers.cfg has it, and their ids."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from phaseledger.replay.formats.ledgers import id_in, is_numbered, log_name, number_of
from phaseledger.service.lobby.opening import new_game, uuid_of
from phaseledger.service.lobby.rematch import rematch_of
from phaseledger.service.settings import Settings, SettingsError, load
from tests.support.ledgers import own_database
from tests.support.ports import await_answer, free_port
from tests.support.service.api_tables import KEY, PERSON, started
from tests.support.service.lost_ledgers import moved, published
from tests.support.service.memory_ledger import in_memory
from tests.support.service.nodes import await_ready, node
from tests.support.service.server import client_over

DEPLOY = Path(__file__).parents[2] / "deploy"
OPENING = {"ruleset": "classic", "seats": [PERSON, PERSON]}


def test_an_id_tells_its_ledger_and_plain_ids_are_the_firsts() -> None:
    for number in (1, 2, 64, 0xFFFF):
        game = id_in(number, b"0123456789")
        assert (str(game)[:15], game.version) == (f"70313070-{number:04x}-8", 8)
        assert number_of(game) == number_of(rematch_of(game)) == number
        assert number_of(new_game("a key", number)) == number_of(new_game("", number)) == number
    assert new_game("a key", 2) == new_game("a key", 2) != new_game("", 2)
    for plain in (new_game(""), new_game("a key"), rematch_of(UUID(int=1))):
        assert (number_of(plain), is_numbered(plain)) == (1, False)


def test_no_key_of_a_ledger_without_a_number_opens_a_game_of_another() -> None:
    made = uuid_of(bytes.fromhex("70313070ffff") + bytes(26))
    assert not is_numbered(made)


def test_the_number_is_a_setting_and_names_the_public_log() -> None:
    assert (Settings().ledger, load({"PHASELEDGER_LEDGER": "65535"}).ledger) == (0, 65_535)
    for wrong in ("-1", "65536", "two"):
        with pytest.raises(SettingsError, match="a whole number from 0 to 65535"):
            load({"PHASELEDGER_LEDGER": wrong})
    with pytest.raises(SettingsError, match="under PHASELEDGER_LEDGER"):
        load({"PHASELEDGER_PARTITIONS": "partitions.toml"})
    assert [log_name("log", number) for number in (0, 1, 2)] == ["log", "log", "log/2"]
    assert log_name("log/2", 2) == "log/2"


def test_a_service_gives_its_games_its_number() -> None:
    with client_over(in_memory(), ledger=7) as client:
        keyed = {"Idempotency-Key": KEY}
        first, second = (client.post("/games", json=OPENING, headers=keyed) for _ in range(2))
        assert first.json()["game"] == second.json()["game"]
        other = client.post("/games", json=OPENING).json()["game"]
        assert {number_of(UUID(game)) for game in (first.json()["game"], other)} == {7}


@pytest.fixture(scope="module")
def proxy(postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of HAProxy before two services over two databases."""
    if shutil.which("haproxy") is None:
        pytest.skip("no haproxy here: apt-get install haproxy")
    folder = tmp_path_factory.mktemp("ledgers")
    text = (DEPLOY / "haproxy-ledgers.cfg").read_text()
    text = re.sub(" ssl crt .*", "", text).replace("/etc/haproxy/", f"{DEPLOY}/")
    with ExitStack() as stack:
        for number in (1, 2):
            port = stack.enter_context(free_port())
            given = {
                "database_url": stack.enter_context(own_database(postgres_dsn))[1],
                "ledger": str(number),
                "keys_dir": str(folder / f"keys-{number}"),
                "published_dir": str(folder / f"published-{number}"),
            }
            await_ready(stack.enter_context(node(port, given)), port)
            text = text.replace(f"10.0.{number}.1:8000", f"127.0.0.1:{port}")
        port = stack.enter_context(free_port())
        (folder / "haproxy.cfg").write_text(text.replace("bind :443", f"bind 127.0.0.1:{port}"))
        command = ("haproxy", "-f", str(folder / "haproxy.cfg"))
        process = stack.enter_context(subprocess.Popen(command))
        stack.callback(process.terminate)
        await_answer(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"


@pytest.mark.system
def test_haproxy_finds_a_games_ledger_by_its_id(proxy: str) -> None:
    for number, host in (("1", "one.play.example"), ("2", "two.play.example")):
        with httpx2.Client(base_url=f"{proxy}/v1", headers={"Host": host}, timeout=None) as client:
            table = started(client)
        assert number_of(UUID(table.game)) == int(number)
        for asked in ("play.example", "one.play.example", "two.play.example"):
            headers = {"Host": asked}
            with httpx2.Client(base_url=f"{proxy}/v1", headers=headers, timeout=None) as client:
                there = table._replace(client=client)
                moved(there, 1)
                published(client, 1, there)
                shown = client.get(f"/games/{table.game.upper()}")
                assert (shown.status_code, shown.headers["Phaseledger-Ledger"]) == (200, number)


@pytest.mark.system
def test_lists_are_of_one_ledger_and_say_of_which(proxy: str) -> None:
    ledgers: dict[str, set[int]] = {}
    for host in ("play.example", "one.play.example", "two.play.example"):
        with httpx2.Client(base_url=f"{proxy}/v1", headers={"Host": host}, timeout=None) as client:
            client.post("/games", json=OPENING).raise_for_status()
            listed = client.get("/games")
            numbers = {number_of(UUID(entry["game"])) for entry in listed.json()["games"]}
            ledgers[host] = numbers
            assert numbers == {int(listed.headers["Phaseledger-Ledger"])}
    assert ledgers == {"play.example": {1}, "one.play.example": {1}, "two.play.example": {2}}
