"""The attacks of `benchmarks/siege.py`: one anonymous address, which asks for as much as it can.

    python benchmarks/attacks.py < one line of JSON

The line has the ``port``, the ``attack``, its ``address`` (of this machine), for how many
``seconds``, and the ``url`` of an endpoint that never answers. What was answered is printed as a
line of JSON: how many answers of each kind, as ``200 actions`` or ``429 open``.
"""

import asyncio
import json
import random
import struct
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.attacker import CONNECTIONS, HOST, PAUSE, PERSON, Attacker, Connection
from phaseledger.service.runtime.process import allow_descriptors

BOT = {"kind": "bot", "level": "random"}
ENDLESS = {"board_track": ["SEARCH*", *["SEARCH"] * 31], "max_turns_per_round": "none"}
COSTLY = {
    "board_track": ["TAKE3*", *["TAKE3"] * 31],
    "board_phases": ["parity(5, odd) + parity(5, even)"] * 10,
}
MANY = 3_500  # connections; a service accepts 3,024 by default
RESETS = 500  # requests on one connection
HANDS = {"board_track": ["TAKE3*", *["TAKE3"] * 31]}


# --- attacks --------------------------------------------------------------------------------------


async def costly_rules(attacker: Attacker) -> None:
    """Tables whose lays nobody can list."""
    table = {"ruleset": "board", "seats": [PERSON] * 2, "options": COSTLY}
    await attacker.at_once(lambda connection: connection.opened("open", **table))


async def costly_hands(attacker: Attacker) -> None:
    """Large hands, and what may be done with them, again and again."""

    async def play(connection: Connection) -> None:
        path, tokens, _ = await connection.people(ruleset="board", options=HANDS)
        while not attacker.is_over():
            await connection.draw(path, tokens)

    await attacker.at_once(play)


async def hints(attacker: Attacker) -> None:
    """Lays checked without a game."""
    cards = " ".join(f"{colour}{value}" for colour in "RGBY" for value in range(1, 11))
    body = {"type": "lay", "phase": "run(9) + set(9)", "groups": [{"cards": cards}] * 2}
    await attacker.at_once(
        lambda connection: connection.ask("check", "POST", "/rulesets/classic/checks", body)
    )


async def slow_exports(attacker: Attacker) -> None:
    """Exports whose readers take next to nothing."""
    await _trickle(attacker, lambda _: "/exports/games", "export")


async def slow_streams(attacker: Attacker) -> None:
    """Streams of a table whose bots play, and whose readers take nothing."""
    async with Connection(attacker) as connection:
        opened = await connection.opened("open", ruleset="classic", seats=[BOT] * 6, start=True)
    path = f"/games/{opened.body['game']}/events" if opened.status == 201 else "/games"
    await _trickle(attacker, lambda _: path, "stream", 300)


async def _trickle(
    attacker: Attacker, path: Callable[[int], str], what: str, connections: int = CONNECTIONS
) -> None:
    async def take(number: int) -> None:
        while not attacker.is_over():
            try:
                async with Connection(attacker) as connection:
                    connection.send("GET", path(number), Accept="text/event-stream, */*")
                    head = await connection.reader.readuntil(b"\r\n\r\n")
                    attacker.answers[f"{int(head.split()[1])} {what}"] += 1
                    while not attacker.is_over() and await connection.reader.read(100):
                        await asyncio.sleep(0.5)
            except (OSError, EOFError):
                attacker.answers["cut off"] += 1
            await asyncio.sleep(0.2)

    await asyncio.gather(*(take(number) for number in range(connections)))


async def guesses(attacker: Attacker) -> None:
    """Join codes by chance."""

    async def guess(connection: Connection) -> None:
        code = "".join(random.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=8))
        await connection.ask("guess", "POST", "/joins", {"name": "Eve", "code": code})

    await attacker.at_once(guess)


async def endless_bots(attacker: Attacker) -> None:
    """Games of bots alone that do not end, and which somebody reads."""
    games: list[str] = []

    async def open_or_read(connection: Connection) -> None:
        if len(games) < 200:
            table = {"ruleset": "board", "seats": [BOT] * 6, "options": ENDLESS, "start": True}
            opened = await connection.opened("bots", **table)
            if opened.status == 201:
                games.append(opened.body["game"])
        if games:
            await connection.ask("read", "GET", f"/games/{random.choice(games)}")

    await attacker.at_once(open_or_read)


async def left_tables(attacker: Attacker) -> None:
    """Endless games of bots and a person who then leaves."""

    async def leave(connection: Connection) -> None:
        table = {"ruleset": "board", "options": ENDLESS}
        path, tokens, _ = await connection.people(2, **table)
        for token in tokens:
            await connection.ask("leave", "POST", f"{path}/leave", {}, token=token)

    await attacker.at_once(leave)


async def restless_lobby(attacker: Attacker) -> None:
    """Somebody who sits down and gets up in one lobby."""
    async with Connection(attacker) as connection:
        opened = await connection.opened("open", ruleset="classic", seats=[PERSON] * 6)
    path = f"/games/{opened.body['game']}"

    async def sit(connection: Connection) -> None:
        joined = await connection.ask("sit", "POST", f"{path}/seats", {"name": "Eve"})
        if joined.status == 201:
            token = joined.body["token"]
            await connection.ask("leave", "POST", f"{path}/leave", {}, token=token)
        else:
            await asyncio.sleep(PAUSE)

    await attacker.at_once(sit)


async def repeated_keys(attacker: Attacker) -> None:
    """The first command of a game that grows long, again and again."""
    async with Connection(attacker) as connection:
        opened = await connection.opened("open", ruleset="classic", seats=[BOT] * 6)
    path, token = f"/games/{opened.body['game']}/start", opened.body["host_token"]
    key = str(uuid4())
    await attacker.at_once(
        lambda connection: connection.ask("repeat", "POST", path, token=token, Idempotency_Key=key)
    )


async def big_bodies(attacker: Attacker) -> None:
    """Bodies at the limit and beyond it."""
    bodies = ["x" * 60_000, {"a": [[[[1]]]] * 5_000}, "x" * 1_000_000]

    async def post(connection: Connection) -> None:
        await connection.ask("body", "POST", "/games", random.choice(bodies))

    await attacker.at_once(post)


async def bundles(attacker: Attacker) -> None:
    """The evidence of a long game of its own."""
    async with Connection(attacker) as connection:
        opened = await connection.opened("open", ruleset="classic", seats=[BOT] * 6, start=True)
    path = f"/games/{opened.body['game']}"
    await attacker.at_once(lambda connection: connection.ask("bundle", "GET", f"{path}/bundle"))


async def unread_bundles(attacker: Attacker) -> None:
    """The same, asked for over many connections and never read."""
    async with Connection(attacker) as connection:
        opened = await connection.opened("open", ruleset="classic", seats=[BOT] * 6, start=True)
    path = f"/games/{opened.body['game']}/bundle"

    async def ask(connection: Connection) -> None:
        connection.send("GET", path)
        await asyncio.sleep(max(0, attacker.until - time.monotonic()))
        attacker.answers["unread bundle"] += 1

    await attacker.at_once(ask, 400)


async def exports(attacker: Attacker) -> None:
    """Exports read as fast as they come."""

    async def read(connection: Connection) -> None:
        connection.send("GET", "/exports/games", Connection="close")
        head = await connection.reader.readuntil(b"\r\n\r\n")
        attacker.answers[f"{int(head.split()[1])} export"] += 1
        while not attacker.is_over() and await connection.reader.read(65_536):
            pass
        await asyncio.sleep(PAUSE)
        raise EOFError

    await attacker.at_once(read)


async def many_tokens(attacker: Attacker) -> None:
    """Reads with another well-formed token each."""

    async def read(connection: Connection) -> None:
        await connection.ask("read", "GET", "/rulesets", token=_token())

    await attacker.at_once(read)


def _token() -> str:
    text = f"p10s_{random.randbytes(32).hex()}"
    return f"{text}{zlib.crc32(text.encode()):08x}"


async def crowd(attacker: Attacker) -> None:
    """Reads over more connections than requests of one address may wait."""
    await attacker.at_once(lambda connection: connection.ask("read", "GET", "/rulesets"), 300)


async def health(attacker: Attacker) -> None:
    """Readiness, asked for over and over."""
    await attacker.at_once(lambda connection: connection.ask("health", "GET", "/health/ready"), 100)


async def resets(attacker: Attacker) -> None:
    """Requests over HTTP/2 that are reset as soon as they are sent (CVE-2023-44487)."""

    def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
        return (
            struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload
        )

    named = {":method": "GET", ":scheme": "http", ":path": "/v1/games", ":authority": HOST}
    pairs = [(name.encode(), value.encode()) for name, value in named.items()]
    block = b"".join(b"\0%c%b%c%b" % (len(name), name, len(text), text) for name, text in pairs)

    async def reset(connection: Connection) -> None:
        connection.writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b""))
        for stream in range(1, 2 * RESETS, 2):
            request = frame(1, 5, stream, block) + frame(3, 0, stream, b"\0\0\0\x08")
            connection.writer.write(request)
            await connection.writer.drain()
        attacker.answers["reset"] += RESETS
        raise EOFError

    await attacker.at_once(reset)


async def idle_connections(attacker: Attacker) -> None:
    """More connections than the service accepts, over which nothing is sent."""

    async def idle() -> None:
        while not attacker.is_over():
            try:
                async with Connection(attacker) as connection:
                    attacker.answers["opened"] += 1
                    with suppress(TimeoutError):
                        async with asyncio.timeout(max(0, attacker.until - time.monotonic())):
                            await connection.reader.read(1)
                            attacker.answers["cut off"] += 1
            except OSError:
                attacker.answers["cut off"] += 1
            await asyncio.sleep(min(2.0, max(0.0, attacker.until - time.monotonic())))

    allow_descriptors(2 * MANY)
    await asyncio.gather(*(idle() for _ in range(MANY)))


async def forged_addresses(attacker: Attacker) -> None:
    """Lists of games, each for another address, as the client writes."""

    async def read(connection: Connection) -> None:
        sender = f"2001:db8:5:{random.randrange(1 << 16):x}::1"
        await connection.ask("list", "GET", "/games?limit=200", X_Forwarded_For=sender)

    await attacker.at_once(read)


ATTACKS = (
    *(costly_rules, costly_hands, hints, slow_exports, slow_streams, guesses),
    *(endless_bots, left_tables, restless_lobby, repeated_keys, big_bodies, bundles, exports),
    *(many_tokens, crowd, forged_addresses, idle_connections, unread_bundles, health, resets),
)


async def main() -> None:
    """Attack as the line says."""
    wish = json.loads(sys.stdin.readline())
    names = wish["attack"].split(",")
    chosen = [attack for attack in ATTACKS if attack.__name__ in names]
    attackers = [
        (attack, Attacker(wish["port"], wish["address"], wish["seconds"], wish["url"]))
        for attack in chosen
    ]
    # One that fails because its first table was refused has nothing more to do.
    works = (attack(attacker) for attack, attacker in attackers)
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    answers: Counter[str] = Counter()
    for (attack, attacker), outcome in zip(attackers, outcomes, strict=True):
        answers.update(attacker.answers)
        if isinstance(outcome, Exception):
            answers[f"{attack.__name__} {type(outcome).__name__}"] += 1
    print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
