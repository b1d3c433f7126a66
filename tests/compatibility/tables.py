"""Tables of one kind or another, opened, seated and started as clients do, each step with a key."""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from tests.compatibility.exchanges import Desk, ask
from tests.compatibility.seats import Table, View, public_key, signature

PERSON = {"kind": "person"}
SECRET = hashlib.sha256(b"a seat's own secret").hexdigest()
SIGNING = hashlib.sha256(b"a seat's own key").hexdigest()
SILENT = "http://127.0.0.1:9/hook"
"""Where nobody listens, for messages that are still to be delivered."""


def bot(level: str, name: str = "") -> dict[str, str]:
    """A seat for a bot."""
    return {"kind": "bot", "level": level} | ({"name": name} if name else {})


def key() -> str:
    """A fresh Idempotency-Key."""
    return str(uuid4())


def ok(desk: Desk, path: str, body: Any, token: str = "", method: str = "POST", **more: str) -> Any:
    """What a keyed request is answered with, which is no refusal."""
    done = ask(desk, method, path, body, token, Idempotency_Key=key(), **more)
    assert done.status_code in (200, 201), done.text
    return done.json()


def opened(desk: Desk, name: str, ruleset: str, seats: Sequence[Any], **more: Any) -> Table:
    """A table that nobody but bots has joined."""
    answer = ok(desk, "/v1/games", {"ruleset": ruleset, "seats": list(seats), **more})
    table = Table(name=name, game=answer["game"], host=answer["host_token"])
    table.code = answer.get("code") or ""
    table.hooks = [hook["id"] for hook in answer.get("webhooks", ())]
    return table


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


def seated(desk: Desk, name: str, ruleset: str, seats: Sequence[Any], **more: Any) -> Table:
    """A table that has been started, with a person in each of its people's seats."""
    table = opened(desk, name, ruleset, seats, **more)
    for number, seat in enumerate(seats):
        if seat == PERSON:
            join(desk, table, f"{name} {number}")
    start(desk, table)
    return table


def sealed(desk: Desk, name: str, **more: Any) -> Table:
    """A table whose seat 0 has a key, and owes the secret that it brought into the deal."""
    table = opened(desk, name, "classic", (PERSON, bot("greedy")), **more)
    lines = f"p10/seat-commit/v1\n{table.game}\n0\n".encode()
    commit = hashlib.sha256(lines + bytes.fromhex(SECRET)).hexdigest()
    join(desk, table, "Ada", seat=0, commit=commit, key=public_key(SIGNING))
    table.keys[0] = SIGNING
    start(desk, table)
    return table


def revealed(desk: Desk, name: str, **more: Any) -> Table:
    """The same after the secret was revealed."""
    table = sealed(desk, name, **more)
    now = desk.client.get(table.path).json()
    command: View = {"type": "reveal_secret", "secret": SECRET}
    signed = signature(table, 0, now["head"], now["version"], command)
    path = f"{table.path}/commands"
    ok(desk, path, command, table.tokens[0], Command_Signature=signed)
    return table


def void(desk: Desk, table: Table, reason: str) -> None:
    """Break the game off."""
    ok(desk, f"{table.path}/void", {"reason": reason}, table.host)


def rematch(desk: Desk, name: str, table: Table) -> Table:
    """Play again, with the same people; the caller's token stands for a key."""

    def call(token: str) -> Any:
        done = ask(desk, "POST", f"{table.path}/rematch", {}, token, Keep="yes")
        assert done.status_code == 201, done.text
        return done.json()

    answer = call(table.host)
    successor = Table(
        name=name, game=answer["game"], host=answer["token"], code=answer["code"] or ""
    )
    for token in table.tokens.values():
        answer = call(token)
        successor.tokens[answer["seat"]] = answer["token"]
    return successor


def webhook(desk: Desk, table: Table, url: str, *types: str) -> None:
    """Register a webhook after the opening."""
    answer = ok(desk, f"{table.path}/webhooks", {"url": url, "types": list(types)}, table.host)
    table.hooks.append(answer["id"])
