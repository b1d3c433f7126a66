"""Idempotency and versions: a command happens once, and only to the table it was meant for."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest

from phaseledger.domain.cards import NAMES, SKIP
from phaseledger.domain.commands import Act, Discard, Draw, Rejected, Start
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.service.automation import bots
from phaseledger.service.automation.bots import Autoplay
from phaseledger.service.eventlog.errors import Conflict
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.joining import fill
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from phaseledger.service.schemas.versions import KnownVersion
from tests.support.polling import comes_about
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    bearer,
    mover,
    ok,
    on_space,
    started,
)
from tests.support.service.memory_store import MemoryStore
from tests.support.service.problems import problem

DRAW = {"type": "draw"}


def test_a_repeated_command_gets_the_first_answer_again(client):
    table = started(client)
    seat = mover(table)
    first = table.send(seat, DRAW, Idempotency_Key=KEY)
    card = first.json()["table"]["hand"].split()[-1]
    discard = {"type": "discard", "cards": card}
    if card == "S":
        discard["target"] = 1 - seat
    assert table.send(seat, discard).status_code == 200
    retry = table.send(seat, DRAW, Idempotency_Key=KEY)
    assert (retry.status_code, retry.content) == (200, first.content)
    assert retry.headers["etag"] == first.headers["etag"]
    assert "idempotent-replayed" not in first.headers
    assert retry.headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize("forms", [("{}", '"{}"'), ('"{}"', "{}")])
def test_a_key_in_quotation_marks_is_the_same_key(client, forms):
    """A string of structured fields, as the IETF's draft has it: at every route with a key."""

    def twice(path: str, token: str, body: Any) -> Any:
        key, shown = uuid4(), bearer(token) if token else {}
        headers = ({**shown, "Idempotency-Key": form.format(key)} for form in forms)
        first, repeat = (client.post(path, json=body, headers=named) for named in headers)
        assert (first.is_success, "idempotent-replayed" in first.headers) == (True, False)
        assert repeat.headers["idempotent-replayed"] == "true"
        return first.json()

    table = {"ruleset": "classic", "seats": [PERSON, PERSON], "dealer": 1}
    opened = twice("/games", "", {**table, "options": {"initial_skip": "keep"}})
    path, host = f"/games/{opened['game']}", opened["host_token"]
    joined = twice(f"{path}/seats", "", {"name": "A"})
    twice(f"{path}/fill", host, {})
    twice(f"{path}/start", host, None)
    twice(f"{path}/commands", joined["token"], DRAW)
    twice(f"{path}/void", host, {"reason": "enough"})


async def test_a_command_recorded_under_a_quoted_key_is_found_again():
    """As releases recorded it that took the quotation marks for a part of the key."""
    games, game = GameService(MemoryStore()), new_game("")
    await games.open(
        opening(game, "classic", [SeatRequest()] * 2, options={}, dealer=0, start=False),
        game,
        "open",
    )
    await fill(games, game, "greedy", f'"{KEY}"')
    begun = await games.send(game, Act(Start()), f'"{KEY}"')
    filled = await fill(games, game, "greedy", KEY)
    repeat = await games.send(game, Act(Start()), KEY)
    assert (filled.is_repeated, repeat.is_repeated) == (True, True)
    assert repeat.stored == begun.stored


def test_a_key_belongs_to_one_command_and_one_seat(client):
    table = started(client)
    seat = mover(table)
    assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200
    version = table.version()
    other = {"type": "draw", "source": "discard"}
    problem(table.send(seat, other, Idempotency_Key=KEY), 422, "idempotency_mismatch")
    problem(table.send(1 - seat, DRAW, Idempotency_Key=KEY), 409, "not_your_turn")
    assert table.version() == version


SECRETIVE = [
    (2, 0, {"type": "search", "card": "B12"}, {"type": "search", "card": "G12"}),
    (6, 0, {"type": "swap", "cards": "R1 B1"}, {"type": "swap", "cards": "B1 R1"}),
    (4, 1, {"type": "give", "card": "B7"}, {"type": "give", "card": "R7"}),
    (1, 1, {"type": "keep", "cards": "R7 B7"}, {"type": "keep", "cards": "R7"}),
]
"""A space of the ring, who answers, how, and how else: arguments that the log hides."""


@pytest.mark.parametrize(
    ("space", "seat", "command", "other"), SECRETIVE, ids=[row[2]["type"] for row in SECRETIVE]
)
def test_a_key_belongs_to_what_nobody_else_may_know(served, client, space, seat, command, other):
    """The same body gives the same bytes again; another hidden argument is another request."""
    table = on_space(served, client, space, options={"max_turns_per_round": 1})
    if command["type"] == "give":
        ok(table.send(0, {"type": "ask", "value": 7, "direction": "left"}))
    if command["type"] == "keep":
        ok(table.send(0, {"type": "draw", "source": "stock"}))
        ok(table.send(0, {"type": "discard", "cards": "R1"}))
    first = table.send(seat, command, Idempotency_Key=KEY)
    assert first.status_code == 200, first.text
    version = table.version()
    problem(table.send(seat, other, Idempotency_Key=KEY), 422, "idempotency_mismatch")
    retry = table.send(seat, command, Idempotency_Key=KEY)
    assert (retry.status_code, retry.content) == (200, first.content)
    assert table.version() == version


def test_a_refused_command_leaves_its_key_free(client):
    table = started(client)
    seat = mover(table)
    problem(table.send(seat, {"type": "pass"}, Idempotency_Key=KEY), 409, "must_draw")
    assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200


def test_a_repeated_opening_finds_its_table(served, client):
    body = {"ruleset": "classic", "seats": [PERSON, BOT]}
    headers = {"Idempotency-Key": KEY + "01"}
    answer = client.post("/games", json=body, headers=headers)
    before = asyncio.run(served.parts.store.position())
    retry = client.post("/games", json=body, headers=headers)
    assert asyncio.run(served.parts.store.position()) == before
    assert retry.content == answer.content
    first = answer.json()
    assert UUID(first["game"]).version == 8
    path = f"/games/{first['game']}"
    assert client.post(f"{path}/seats", json={"name": "Ann"}).status_code == 201
    who = bearer(first["host_token"])
    assert client.post(f"{path}/void", json={"reason": "x"}, headers=who).status_code == 200
    for other in (
        {**body, "dealer": 1},
        {**body, "seats": [BOT, PERSON]},
        {**body, "seats": [PERSON, PERSON]},
        {**body, "seats": [PERSON, {"kind": "bot", "name": "Else"}]},
        {**body, "start": True},
    ):
        refused = client.post("/games", json=other, headers=headers)
        problem(refused, 422, "idempotency_mismatch")


def test_a_repeated_join_gets_the_same_seat_and_token(client):
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    path, headers = f"/games/{opened['game']}/seats", {"Idempotency-Key": KEY}
    first = client.post(path, json={"name": "Ann"}, headers=headers)
    assert client.post(path, json={"name": "Bob"}).json()["seat"] == 1
    retry = client.post(path, json={"name": "Ann"}, headers=headers)
    assert retry.content == first.content
    view = client.get(f"/games/{opened['game']}", headers=bearer(first.json()["token"]))
    assert view.json()["table"]["you"] == 0
    for other in (
        {"name": "Anna"},
        {"name": "Ann", "seat": 1},
        {"name": "Ann", "commit": "0" * 64},
        {"name": "Ann", "key": public_key(b"\1" * 32)},
    ):
        problem(client.post(path, json=other, headers=headers), 422, "idempotency_mismatch")


def test_a_stale_version_is_refused_and_told(client):
    table = started(client)
    seat, version = mover(table), table.version()
    for tag in ('"1"', f'"{version + 1}"', f'"{version}.{1 - seat}"', '"x"'):
        stale = problem(table.send(seat, DRAW, If_Match=tag), 412, "stale_version")
        assert stale.version == version
    for tag in ('W/"1", "' + str(version) + f'.{seat}"',):
        assert table.send(seat, DRAW, If_Match=tag).status_code == 200
    assert table.version() > version


def test_of_16_at_once_with_one_version_one_wins_and_of_16_repeats_all(client):
    def at_once(**headers):
        with ThreadPoolExecutor(16) as many:
            return list(many.map(lambda _: table.send(seat, DRAW, **headers), range(16)))

    table = started(client)
    seat, version = mover(table), table.version()
    answers = at_once(If_Match=f'"{version}"')
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 15
    table = started(client)
    seat, version = mover(table), table.version()
    answers = at_once(Idempotency_Key=KEY)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["version"] == table.version() > version


# --- several processes over one log ---------------------------------------------------------------


class Forgetful(MemoryStore):
    """A log that stores once and then says it did not, as after a lost answer."""

    lose = False

    async def append(self, game, rows, prev=None):
        await super().append(game, rows, prev)
        if self.lose:
            self.lose = False
            raise Conflict(game, rows[0].version)
        return 0


def _open(games: GameService, places: tuple[SeatRequest, ...], key: str):
    game = new_game(key)
    acts = opening(game, "classic", places, options={}, dealer=0, start=True)
    return games.open(acts, game, key)


ROBOTS = (SeatRequest("greedy", "A"), SeatRequest("greedy", "B"))


async def test_a_stale_process_does_not_refuse_what_the_log_allows():
    store = MemoryStore()
    first, second = GameService(store), GameService(store)
    opened = await _open(first, ROBOTS, KEY)
    game, seat = opened.game, opened.state.waits[0].seat
    await second.look(game)
    drawn = await first.send(game, Act(Draw(), seat), KEY)
    card = next(card for card in drawn.state.seat(seat).hand if card != SKIP)
    discard = Act(Discard(NAMES["coloured"][card]), seat)
    # The second process still thinks that it is time to draw.
    done = await second.send(game, discard, KEY + "-2", {KnownVersion(drawn.version)})
    assert done.version > drawn.version


async def test_commands_of_one_game_wait_for_one_another():
    class Slow(MemoryStore):
        conflicts = 0

        async def append(self, game, rows, prev=None):
            await asyncio.sleep(0.001)
            try:
                return await super().append(game, rows, prev)
            except Conflict:
                self.conflicts += 1
                raise

    store = Slow()
    games = GameService(store)
    opened = await _open(games, ROBOTS, KEY)
    act = Act(Draw(), opened.state.waits[0].seat)
    sent = [games.send(opened.game, act, f"{KEY}-{n}") for n in range(16)]
    done = await asyncio.gather(*sent, return_exceptions=True)
    assert sum(not isinstance(answer, Rejected) for answer in done) == 1
    assert store.conflicts == 0


async def test_a_lost_answer_is_found_in_the_log():
    store = Forgetful()
    games = GameService(store)
    opened = await _open(games, ROBOTS, KEY)
    store.lose = True
    drawn = await games.send(opened.game, Act(Draw(), opened.state.waits[0].seat), KEY)
    assert drawn.version == await store.head(opened.game)


async def test_a_bots_bug_does_not_stop_the_game(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(bots, "decision", broken)

    games = GameService(MemoryStore())
    play = Autoplay(games)
    opened = await _open(games, ROBOTS, KEY)
    await comes_about(
        lambda: games.look(opened.game), lambda now: now.version > opened.version + 10
    )
    await play.close()
