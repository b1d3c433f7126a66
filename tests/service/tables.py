"""Tables for the HTTP tests: opened, seated and started through the API, as a client would."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import httpx2
import msgspec

from domain.bots import BOTS, chooser
from domain.commands import Play
from domain.rulesets import preset
from domain.view import TableView

PERSON = {"kind": "person"}
BOT = {"kind": "bot"}
KEY = "0123456789abcdef0123456789abcdef"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Table(NamedTuple):
    """A table and the tokens of those who sit there."""

    client: httpx2.Client
    game: str
    host: str
    tokens: dict[int, str]

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    def get(self, path: str = "", seat: int | None = None, **parameters: Any) -> httpx2.Response:
        headers = {} if seat is None else bearer(self.tokens[seat])
        return self.client.get(self.path + path, headers=headers, params=parameters)

    def send(self, seat: int, command: dict[str, Any], **headers: str) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(
            f"{self.path}/commands",
            json=command,
            headers={**bearer(self.tokens[seat]), **named},
        )

    def version(self) -> int:
        return self.get().json()["version"]

    def start(self) -> httpx2.Response:
        return self.client.post(f"{self.path}/start", headers=bearer(self.host))


def open_table(
    client: httpx2.Client, seats: Sequence[dict[str, Any]] = (PERSON, PERSON), **more: Any
) -> Table:
    body = {"ruleset": "classic", "seats": list(seats), **more}
    opened = client.post("/games", json=body)
    assert opened.status_code == 201, opened.text
    table = Table(client, opened.json()["game"], opened.json()["host_token"], {})
    for seat, kind in enumerate(seats):
        if kind == PERSON:
            joined = client.post(f"{table.path}/seats", json={"name": f"Seat {seat}"})
            assert joined.status_code == 201, joined.text
            table.tokens[joined.json()["seat"]] = joined.json()["token"]
    return table


def started(client: httpx2.Client, seats: Sequence[dict[str, Any]] = (PERSON, PERSON)) -> Table:
    table = open_table(client, seats)
    assert table.start().status_code == 200
    return table


def mover(table: Table) -> int:
    """The seat that the game waits for."""
    return table.get().json()["table"]["waits"][0]["seat"]


def play_on(table: Table, moves: int = 100_000) -> dict[str, Any]:
    """Let greedy clients play the seats that have tokens, each seeing only its own view."""
    view = table.get().json()["table"]
    for number in range(moves):
        if view["stage"] == "ended":
            break
        seat = view["waits"][0]["seat"]
        mine = msgspec.convert(table.get(seat=seat).json()["table"], TableView)
        offered = table.get("/actions", seat).json()
        commands = msgspec.convert(offered["commands"], list[Play])
        pick = chooser(b"client", number)
        chosen = BOTS["greedy"](mine, preset("classic"), lambda c=commands: iter(c), pick)
        done = table.send(
            seat, msgspec.to_builtins(chosen), If_Match=f'"{offered["version"]}.{seat}"'
        )
        assert done.status_code == 200, done.text
        view = done.json()["table"]
    return view
