"""The ledgers of a store of release 0.1.0: of one, or of each of two partitions."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

import httpx2
from typing_extensions import override

from phaseledger.replay.formats.ledgers import number_of
from tests.compatibility.exchanges import Exchange


def parts_of(home: Path, given: dict[str, str]) -> dict[int, dict[str, str]]:
    """The settings of each ledger: of each partition, as docs/how-to/scale.md has it."""
    if home.joinpath("partitions.toml").exists():
        shutil.copytree(home / "keys", home / "keys-2")
        first = {**given, "schema": "first", "ledger": "1"}
        second = {"schema": "second", "ledger": "2", "keys_dir": str(home / "keys-2")}
        return {1: first, 2: {**given, **second}}
    return {1: given}


class ByGame(httpx2.BaseTransport):
    """Sends each request to the ledger that has its game, as `deploy/haproxy-ledgers.cfg` does; a
    key without a game's id goes where its first answer came from.
    """

    def __init__(self, urls: Mapping[int, str], exchanges: Sequence[Exchange]) -> None:
        self._urls = {number: httpx2.URL(url) for number, url in urls.items()}
        self._inner = httpx2.HTTPTransport()
        self._keys = {
            exchange.headers["Idempotency-Key"]: number_of(UUID(game[1]))
            for exchange in exchanges
            if "Idempotency-Key" in exchange.headers
            and (game := re.search('"game":"([^"]*)"', exchange.answer.content))
        }

    @override
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        named = re.search("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}", str(request.url))
        asked = re.search("&partition=([0-9]+)", str(request.url))
        key = request.headers.get("Idempotency-Key", "")
        number = number_of(UUID(named[0])) if named else self._keys.get(key, 1)
        if asked:  # of release 0.1.0, which had one address for the logs of all partitions
            number = int(asked[1])
            request.url = httpx2.URL(str(request.url).replace(asked[0], ""))
        url = self._urls[number]
        request.url = request.url.copy_with(host=url.host, port=url.port)
        return self._inner.handle_request(request)

    @override
    def close(self) -> None:
        self._inner.close()


def exported(text: str) -> dict[str, list[str]]:
    """By game, the lines of an export; cursors are of the log as it is at the time."""
    games, lines = dict[str, list[str]](), list[str]()
    for line in text.splitlines():
        if not line.startswith('{"export":'):
            lines.append(line)
        elif "game" in (header := json.loads(line)):
            games[header["game"]] = lines = [re.sub(r',"cursor":"[^"]*"', "", line)]
    return games
