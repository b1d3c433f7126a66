"""Receipts over HTTP: with every answer to a command, and again for whoever asks."""

import asyncio
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.domain.evidence import codec
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import (
    Receipt,
    command_of,
    is_genuine,
    issue,
    sign_tree,
)
from phaseledger.service.eventlog.group_commit import SignTree
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.games.game import Answer
from phaseledger.service.games.receipts import find_receipt, receipt_for
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    Table,
    bearer,
    mover,
    ok,
    open_table,
    started,
)
from tests.support.service.database_locks import locked_log, until_blocked
from tests.support.service.memory_ledger import in_memory_log
from tests.support.service.problems import problem
from tests.support.service.server import Served

DRAW = {"type": "draw"}


def genuine(served: Served, answer: dict[str, Any]) -> Receipt:
    """The receipt of an answer, which the operator must have signed for what the log holds."""
    given = msgspec.convert(answer["receipt"], Receipt)
    assert is_genuine(given, served.parts.keys.current.public)
    rows = asyncio.run(served.parts.store.read(UUID(given.game)))
    key = codec.seal_key(
        given.game, msgspec.json.decode(rows[0].state)["hidden"]["server"]["secret"]
    )
    last = codec.decode(rows[given.seq - 1].topic, rows[given.seq - 1].state)[0]
    command = [row for row in rows if codec.decode(row.topic, row.state)[0].cmd == last.cmd]
    leaf = codec.leaf_hash(codec.redact(rows[given.seq - 1].state, key, None, opened=False))
    assert (given.leaf, given.at) == (leaf, last.at)
    assert command[-1].version == given.seq
    assert given.command == command_of(command[0].state)
    return given


def test_every_answer_to_a_command_has_one(served: Served, client: httpx2.Client) -> None:
    """Open, join, start, play, void; and the head is that of the game's last event."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    path, host = f"/games/{opened['game']}", bearer(opened["host_token"])
    joined = [client.post(f"{path}/seats", json={"name": name}).json() for name in ("Ann", "Bob")]
    answers = [opened, *joined, ok(client.post(f"{path}/start", headers=host))]
    tokens = {seat["seat"]: seat["token"] for seat in joined}
    table = Table(client, opened["game"], opened["host_token"], tokens)
    answers.append(ok(table.send(mover(table), DRAW)))
    answers.append(ok(client.post(f"{path}/void", json={"reason": "done"}, headers=host)))

    for answer in answers:
        receipt = genuine(served, answer)
        assert (receipt.seq, receipt.leaf) == (answer["version"], answer["head"])
        assert table.get(f"/receipts/{receipt.seq}").json() == answer["receipt"]
    assert table.get().json()["head"] == answers[-1]["head"]


def test_the_head_is_what_the_next_event_repeats(client: httpx2.Client) -> None:
    table = started(client)
    seat = mover(table)
    head = table.get().json()["head"]
    assert table.get("/actions", seat).json()["head"] == head
    done = ok(table.send(seat, DRAW))
    assert done["events"][0]["prev"] == head


def test_an_opening_of_several_commands(served: Served, client: httpx2.Client) -> None:
    """The answer has the receipt of the last; each of the others can be fetched."""
    body = {"ruleset": "classic", "seats": [BOT, BOT, BOT], "start": True}
    opened = client.post("/games", json=body).json()
    assert genuine(served, opened).seq == opened["version"]
    rows = asyncio.run(served.parts.store.read(UUID(opened["game"]), 0, opened["version"]))
    decoded = [codec.decode(row.topic, row.state)[0] for row in rows]
    ends = [
        record.seq
        for record, after in zip(decoded, [*decoded[1:], None], strict=True)
        if after is None or after.cmd != record.cmd
    ]
    assert len(ends) == 5  # the opening, three seats, the start
    for seq in ends:
        genuine(served, {"receipt": client.get(f"/games/{opened['game']}/receipts/{seq}").json()})


async def test_commands_of_one_commit_share_a_signature(
    postgres_dsn: str, fresh_schema: str
) -> None:
    """The answer, a repeat of it and whoever asks get the same receipt, also from a new process."""
    key = SigningKey("games.example", b"\5" * 32)

    async def opened(games: GameService, number: int) -> Answer:
        game = new_game(f"{KEY}{number}")
        places = (SeatRequest(), SeatRequest())
        acts = opening(game, "classic", places, options={}, dealer=0, start=False)
        return await games.open(acts, game, f"{KEY}{number}")

    def stored(sign: SignTree | None) -> PostgresStore:
        return PostgresStore(postgres_dsn, schema=fresh_schema, sign=sign)

    numbers = range(5)
    async with stored(partial(sign_tree, key=key)) as store:
        games = GameService(store)
        with locked_log(postgres_dsn, fresh_schema):
            openings = [asyncio.create_task(opened(games, number)) for number in numbers]
            await until_blocked(postgres_dsn)
            while len(games.appends._began) < len(numbers):
                await asyncio.sleep(0.01)
        answers = await asyncio.gather(*openings)
        receipts = [receipt_for(answer, key) for answer in answers]
        # Those that came while the first ones were on their way.
        assert {receipt.size for receipt in receipts} <= {1, 2, 3, 4, 5}
        assert max(receipt.size for receipt in receipts) > 1
        assert all(is_genuine(receipt, key.public) for receipt in receipts)
        alone = await opened(games, 9)
        assert receipt_for(alone, key).size == 1
    newer = SigningKey("games.example", b"\6" * 32)
    async with stored(partial(sign_tree, key=newer)) as store:
        games = GameService(store)
        for number, answer, receipt in zip(numbers, answers, receipts, strict=True):
            repeated = await opened(games, number)
            assert repeated.is_repeated
            if receipt.size == 1:  # signed alone, so by whichever key signs now
                receipt = issue(receipt.content(), newer)
            assert receipt_for(repeated, newer) == receipt
            now = await games.look(answer.game)
            tree = in_memory_log(store, Keyring((newer,))).tree
            asked = await find_receipt(store, tree, answer.game, now, answer.version, newer)
            assert asked == receipt


def test_events_that_there_are_not(client: httpx2.Client) -> None:
    table = open_table(client)
    version = table.version()
    for seq in (version + 1, 10**9):
        refused = problem(table.get(f"/receipts/{seq}"), 404, "no_such_receipt")
        assert refused.detail.endswith(f"the game has the events 1 to {version}.")
    problem(table.get("/receipts/0"), 400, "invalid_parameter")
    problem(table.get("/receipts/x"), 404, "not_found")
    problem(client.get(f"/games/{UUID(int=5)}/receipts/1"), 404, "no_such_game")


def test_a_receipt_is_for_everybody(client: httpx2.Client) -> None:
    """It says nothing of a card, so it needs no token; a wrong one is refused all the same."""
    table = started(client)
    seat = mover(table)
    mine = ok(table.send(seat, DRAW))["receipt"]
    path = f"/receipts/{mine['seq']}"
    assert table.get(path).json() == mine
    assert table.get(path, 1 - seat).json() == mine
    assert table.get(path, seat).content == table.get(path).content
    wrong = client.get(f"{table.path}{path}", headers=bearer("wrong"))
    problem(wrong, 401, "token_unknown")


def test_a_command_with_many_events(
    served: Served, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every receipt is found, however few events are read at once at first."""
    options = {"board_track": ["EVERY*", *["EVERY"] * 31]}
    table = started(client, (PERSON,) * 6, ruleset="board", options=options)
    seat = mover(table)
    moved = ok(table.send(seat, table.get("/actions", seat).json()["commands"][0]))
    assert len(moved["events"]) > 6
    ends = [*range(1, 8), moved["events"][0]["seq"] - 1, moved["version"]]
    for near, seq in product((1, 2, 16), range(1, moved["version"] + 1)):
        monkeypatch.setattr("phaseledger.service.games.receipts.NEAR", near)
        answer = table.get(f"/receipts/{seq}")
        if seq in ends:
            genuine(served, {"receipt": ok(answer)})
        else:
            end = next(end for end in ends if end > seq)
            refused = problem(answer, 404, "no_such_receipt")
            assert refused.detail.endswith(f"is part of ends with {end}.")
