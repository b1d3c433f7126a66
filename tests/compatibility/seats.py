"""Tables as their people know them, and a simple way to play them to their end over HTTP."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from tests.compatibility.exchanges import Desk, ask

OVER = ("ended", "voided")
LATE = (403, 409, 412)
"""Answers to a command which somebody else, a bot or a clock, was faster than."""

View = dict[str, Any]


class Table(Struct, kw_only=True):
    """What the people of a table have in their hands."""

    name: str
    game: str
    host: str
    tokens: dict[int, str] = {}
    """Of the seats that people have."""
    keys: dict[int, str] = {}
    """Private keys of seats that sign, as hex."""
    code: str = ""
    hooks: list[str] = []
    version: int = 0
    """How long the game was when it was kept, and at which stage."""
    stage: str = ""

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"


def current_view(client: httpx2.Client, table: Table, **parameters: Any) -> View:
    """The game as one of its people sees it, or its host."""
    token = next(iter(table.tokens.values()), table.host)
    headers = {"Authorization": f"Bearer {token}"}
    done = client.get(table.path, headers=headers, params=parameters)
    assert done.status_code == 200, done.text
    view: View = done.json()
    return view


def signature(table: Table, seat: int, head: str, version: int, command: View) -> str:
    """What the seat signs, as docs/reference/evidence.md says."""
    text = json.dumps(command, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    signed = f"p10-signed-command/v1\n{table.game}\n{seat}\n{head}\n{version}\n{text}\n"
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(table.keys[seat]))
    return private.sign(signed.encode()).hex()


def public_key(private: str) -> str:
    """The public key to a private one, both as hex."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return key.public_key().public_bytes_raw().hex()


def chosen(commands: list[View], version: int) -> View:
    """Lay and hit as soon as it is possible; else any command, another one at each version."""
    wanted = [command for command in commands if command["type"] in ("lay", "hit")]
    return wanted[0] if wanted else commands[version * 7 % len(commands)]


def move(desk: Desk, table: Table, seat: int) -> View | None:
    """Answer what the seat is asked; the game after that, or None where there is nothing to do."""
    token = table.tokens[seat]
    offered = ask(desk, "GET", f"{table.path}/actions", token=token)
    if offered.status_code != 200 or not offered.json()["commands"]:
        return None  # the game went on, or a bot has the seat
    now = offered.json()
    command = chosen(now["commands"], now["version"])
    headers = {"Idempotency_Key": str(uuid4())}
    if now["version"] % 3 == 0:
        headers["If_Match"] = f'"{now["version"]}.{seat}"'
    if seat in table.keys:
        headers["Command_Signature"] = signature(table, seat, now["head"], now["version"], command)
    done = ask(desk, "POST", f"{table.path}/commands", command, token, **headers)
    assert done.status_code == 200 or done.status_code in LATE, done.text
    return done.json() if done.status_code == 200 else None


def play(desk: Desk, table: Table, stop: Callable[[View], bool] = lambda _: False) -> View:
    """Play on with the people's seats until that holds of the game, or it is over."""
    view = current_view(desk.client, table)
    while view["table"]["stage"] not in OVER and not stop(view):
        asked = [wait["seat"] for wait in view["table"]["waits"] if wait["seat"] in table.tokens]
        after = move(desk, table, asked[0]) if asked else None
        view = after or current_view(desk.client, table, at_least=view["version"] + 1)
    return view


def ok(desk: Desk, path: str, body: Any, token: str = "", method: str = "POST", **more: str) -> Any:
    """What a keyed request is answered with, which is no refusal."""
    done = ask(desk, method, path, body, token, Idempotency_Key=str(uuid4()), **more)
    assert done.status_code in (200, 201), done.text
    return done.json()


def join(desk: Desk, table: Table, name: str, **more: Any) -> int:
    """Let somebody sit down; the seat."""
    if table.code:
        more = {"code": table.code, **more}
    answer = ok(desk, f"{table.path}/seats", {"name": name, **more})
    seat: int = answer["seat"]
    table.tokens[seat] = answer["token"]
    return seat


def start(desk: Desk, table: Table) -> None:
    """Start the game."""
    ok(desk, f"{table.path}/start", None, table.host)
