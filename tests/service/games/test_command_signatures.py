"""Seats with a key: what they send is signed for the game as it is, or it is refused."""

import asyncio
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, SKIP
from phaseledger.domain.commands import Act, Draw, Play, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.findings import SourceRow as Found
from phaseledger.replay.formats.signing.commands import public_key, sign
from phaseledger.service.games.errors import BadSignature
from phaseledger.service.games.game import Answer
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.joining import join
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening
from tests.support.service.api_tables import KEY, PERSON, Table, bearer, mover, ok
from tests.support.service.memory_store import MemoryStore
from tests.support.service.problems import problem
from tests.support.service.server import Served

PRIVATE = (b"\x01" * 32, b"\x02" * 32, b"\x03" * 32)


class Signed(NamedTuple):
    """A table whose seats have keys, all but those that do not want one."""

    table: Table

    def signature(self, seat: int, command: Play) -> str:
        view = self.table.get().json()
        return sign(PRIVATE[seat], self.table.game, seat, view["head"], view["version"], command)

    def send(self, seat: int, command: Play, **headers: str) -> httpx2.Response:
        headers.setdefault("Command_Signature", self.signature(seat, command))
        return self.table.send(seat, msgspec.to_builtins(command), **headers)


def joined(client: httpx2.Client, seats: int = 2, unsigned: tuple[int, ...] = ()) -> Signed:
    body = {"ruleset": "classic", "seats": [PERSON] * seats}
    opened = client.post("/games", json=body).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    for seat in range(seats):
        more = {} if seat in unsigned else {"key": public_key(PRIVATE[seat])}
        answer = client.post(
            f"{table.path}/seats", json={"name": f"Seat {seat}", "seat": seat, **more}
        )
        assert answer.status_code == 201, answer.text
        table.tokens[seat] = answer.json()["token"]
    ok(table.start())
    return Signed(table)


def test_the_table_shows_who_signs(client: httpx2.Client) -> None:
    """The key of a seat is public; of the others there is no word."""
    table = joined(client, unsigned=(1,)).table
    seat, other = table.get().json()["table"]["seats"]
    assert seat["key"] == public_key(PRIVATE[0])
    assert "key" not in other


def test_joining_may_be_signed(client: httpx2.Client) -> None:
    """F1: for the newest event, by the key that it registers; sent again it is the same."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON] * 2}).json()
    game, path, key = opened["game"], f"/games/{opened['game']}", public_key(PRIVATE[0])
    body = {"name": "Ada", "seat": 0, "key": key}

    def sit(version: int, head: str, private: bytes = PRIVATE[0]) -> httpx2.Response:
        sig = sign(private, game, 0, head, version, TakeSeat("Ada", key=key))
        headers = {"Command-Signature": sig, "Idempotency-Key": game}
        return client.post(f"{path}/seats", json=body, headers=headers)

    refused = sit(1, opened["head"], PRIVATE[1])
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_signature")
    assert (refused.json()["version"], refused.json()["head"]) == (1, opened["head"])
    assert sit(1, "ab" * 32).json()["code"] == "bad_signature"
    forged = {"Command-Signature": "ab" * 64}
    seatless = client.post(f"{path}/seats", json={"name": "Ada", "key": key}, headers=forged)
    assert (seatless.status_code, seatless.json()["code"]) == (422, "bad_signature")
    taken = sit(1, opened["head"])
    assert taken.status_code == 201
    repeated = sit(2, taken.json()["head"])
    assert (repeated.status_code, repeated.json()["token"]) == (201, taken.json()["token"])

    client.post(
        f"{path}/void", json={"reason": "nobody came"}, headers=bearer(opened["host_token"])
    )
    lines = client.get(f"{path}/bundle").content.splitlines(keepends=True)
    ((_, judgement),) = verify([parse_bundle(lines, "file")])
    assert judgement.conclusion == "sound"
    assert [(seat.word, seat.commands, seat.signed) for seat in judgement.seats] == [
        ("signed", 0, 2)
    ]


def test_a_signed_game_stands_in_the_log(served: Served, client: httpx2.Client) -> None:
    """A few turns, by one seat that signs and one that does not; an audit finds nothing."""
    signed = joined(client, unsigned=(1,))
    table = signed.table
    for _ in range(12):
        seat = mover(table)
        commands = table.get("/actions", seat).json()["commands"]
        command = msgspec.convert(commands[0], Play)
        done = signed.send(seat, command) if seat == 0 else table.send(seat, commands[0])
        assert done.status_code == 200, done.text
    rows = asyncio.run(served.parts.store.read(UUID(table.game)))
    auditor = Auditor(table.game)
    acts = []
    for row in rows:
        event = auditor.feed(Found(table.game, row.topic, row.state, row.version))
        if event is not None and event.act is not None:
            acts.append(decision(event))
    assert auditor.close().sound
    draws = [(act.seat, bool(act.sig)) for act in acts if act and isinstance(act.command, Draw)]
    assert set(draws) == {(0, True), (1, False)}


# --- what is refused ------------------------------------------------------------------------------


def test_a_seat_signs_if_it_has_a_key_and_no_other_does(client: httpx2.Client) -> None:
    signed = joined(client)
    seat = mover(signed.table)
    problem(signed.table.send(seat, {"type": "draw"}), 422, "signature_needed")
    for sig in ("ab" * 63, "AB" * 64, "xy" * 64, "ab" * 64 + "a"):
        refused = signed.table.send(seat, {"type": "draw"}, Command_Signature=sig)
        (fault,) = problem(refused, 400, "invalid_parameter").errors
        assert fault.name == "command-signature"
        assert fault.reason == "it is 128 hex digits in lower case"
    unsigned = joined(client, unsigned=(0, 1))
    problem(unsigned.send(mover(unsigned.table), Draw()), 409, "no_key_registered")


def test_a_signature_for_something_else(client: httpx2.Client) -> None:
    """By another seat, for another game, over another command, for an event that is past."""
    signed, other = joined(client), joined(client)
    table = signed.table
    seat = mover(table)
    view = table.get().json()
    head, version = view["head"], view["version"]
    good = (PRIVATE[seat], table.game, seat, head, version, Draw())
    wrong: list[dict[int, Any]] = [
        {0: PRIVATE[1 - seat]},
        {1: other.table.game},
        {2: 1 - seat},
        {3: "0" * 64},
        {4: version - 1},
        {5: c.Draw("discard")},
    ]
    for change in wrong:
        arguments: Any = [change.get(place, value) for place, value in enumerate(good)]
        refused = signed.send(seat, Draw(), Command_Signature=sign(*arguments))
        refusal = problem(refused, 422, "bad_signature")
        assert (refusal.version, refusal.head) == (version, head)
        assert f"over event number {version} and its hash {head}" in refusal.detail
    assert table.version() == version
    ok(signed.send(seat, Draw(), Command_Signature=sign(*good)))


def test_a_signature_for_the_table_as_it_was(client: httpx2.Client) -> None:
    """Others may have moved in between: the table has to be read again."""
    signed = joined(client, seats=3)
    seat = mover(signed.table)
    stale = signed.signature(seat, Draw())
    ok(signed.send(seat, Draw()))
    drawn = signed.table.version()
    refused = signed.send(seat, Draw(), Command_Signature=stale)
    assert problem(refused, 422, "bad_signature").version == drawn
    # A good signature, and then the rules have their say.
    problem(signed.send(seat, Draw()), 409, "already_drawn")


def test_a_repeat_is_answered_though_the_head_has_moved(client: httpx2.Client) -> None:
    """With the same signature; with another, it is another request."""
    signed = joined(client)
    seat = mover(signed.table)
    sig = signed.signature(seat, Draw())
    headers = {"Idempotency_Key": KEY, "Command_Signature": sig}
    first = signed.send(seat, Draw(), **headers)
    retry = signed.send(seat, Draw(), **headers)
    assert (retry.status_code, retry.content) == (200, first.content)
    for other in ({"Idempotency_Key": KEY}, {**headers, "Command_Signature": "ab" * 64}):
        problem(signed.send(seat, Draw(), **other), 422, "idempotency_mismatch")
    problem(
        signed.table.send(seat, {"type": "draw"}, Idempotency_Key=KEY), 422, "idempotency_mismatch"
    )


NEUTRAL = "01" + "00" * 31
ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
NO_POINT = "02" + "00" * 31


def test_a_key_that_anybody_or_nobody_could_sign_for(client: httpx2.Client) -> None:
    """Those that anybody or nobody could sign for, and what is no key."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    path = f"/games/{opened['game']}"
    refusals = dict.fromkeys((NEUTRAL, ORDER_8, NO_POINT, "ff" * 32), (422, "bad_key"))
    refusals |= dict.fromkeys(("", "ab" * 31, "AB" * 32), (400, "invalid_body"))
    for key, refusal in refusals.items():
        problem(client.post(f"{path}/seats", json={"name": "Ann", "key": key}), *refusal)
    assert client.get(path).json()["version"] == 1


# --- several processes over one log ---------------------------------------------------------------


async def test_a_process_that_is_behind_answers_right() -> None:
    """What was signed for the log is taken, and what was signed for a cache is refused as such."""
    store = MemoryStore()
    first, second, third = GameService(store), GameService(store), GameService(store)
    game = new_game(KEY)
    acts = opening(
        game, "classic", (SeatRequest(), SeatRequest()), options={}, dealer=0, start=False
    )
    await first.open(acts, game, KEY)
    for seat in (0, 1):
        sit = c.TakeSeat(f"{seat}", secret="ab" * 32, key=public_key(PRIVATE[seat]))
        await join(first, game, seat, sit, f"{KEY}-{seat}")
    started = await first.send(game, Act(c.Start()), KEY + "-start")
    seat = started.state.waits[0].seat
    await second.look(game)
    await third.look(game)

    def signed(command: Play, at: Answer) -> Act:
        sig = sign(PRIVATE[seat], str(game), seat, at.head, at.version, command)
        return Act(command, seat, sig)

    drawn = await first.send(game, signed(Draw(), started), KEY + "-draw")
    with pytest.raises(BadSignature) as refused:
        await second.send(game, signed(Draw(), started), KEY + "-late")
    assert (refused.value.version, refused.value.head) == (drawn.version, drawn.head)
    retry = await second.send(game, signed(Draw(), started), KEY + "-draw")
    assert (retry.stored, retry.head) == (drawn.stored, drawn.head)
    assert retry.receipted == drawn.receipted
    # The third one still thinks that it is time to draw.
    card = next(card for card in drawn.state.seat(seat).hand if card != SKIP)
    discard = c.Discard(NAMES["coloured"][card])
    done = await third.send(game, signed(discard, drawn), KEY + "-discard")
    assert done.version > drawn.version
