"""The client's streams, over wires that break off and fall silent, and whole games through it."""

import asyncio
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from phaseledger.domain.commands import Draw
from phaseledger.replay.formats.seat import Seat
from phaseledger.service.client.bot import play, play_async
from phaseledger.service.client.client import AsyncClient, Client
from phaseledger.service.client.protocol import Session, Unreadable
from phaseledger.service.client.stream import SILENCE, GameStream
from phaseledger.service.schemas.games import BotSeat, Done, GameView, JoinTable, OpenTable
from tests.support.service.api_tables import SHORT
from tests.support.service.client_seats import (
    BOT,
    PERSON,
    QUICK,
    first,
    seated,
    seqs,
)
from tests.support.service.faulty_proxy import once, wired
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving


@pytest.fixture
def anyone(served: Served) -> Iterator[Client]:
    with Client(served.url, retry=QUICK) as client:
        yield client


# --- streams --------------------------------------------------------------------------------------


def test_a_stream_that_breaks_off_again_and_again_misses_nothing(served: Served) -> None:
    """Each connection is lost with what it carries just then; commands go another way."""
    with (
        wired(served.url) as wire,
        Client(served.url) as direct,
        Client(wire.url, retry=QUICK) as lossy,
    ):
        me = seated(direct)
        parts = itertools.count(1)
        wire.lose = lambda _: next(parts) % 5 == 0
        before = now = me.view()
        numbers: list[int] = []
        with closing(lossy.at(me.session.game, me.session.token).follow(before)) as moments:
            for moment in moments:
                now, numbers = moment.view, numbers + seqs(moment.events)
                if moment.asked:
                    if wire.connections > 5:
                        break
                    chosen = first(now, moment.asked.questions, moment.asked.commands)
                    me.command(chosen, if_match=moment.asked.version)
        assert numbers == [*range(before.version + 1, now.version + 1)]
        assert now == me.view()


def test_a_stream_that_falls_silent_is_taken_up_elsewhere(served: Served) -> None:
    with (
        wired(served.url) as wire,
        Client(served.url) as direct,
        Client(wire.url, retry=QUICK) as listener,
    ):
        me = seated(direct)
        listener.silence = 2.0
        wire.mute = once(b"event: events")
        moments = listener.at(me.session.game).follow()
        version = next(moments).view.version
        began = time.monotonic()
        done = me.command(Draw())  # of which the wire says nothing
        now = next(moments)
        assert 1 < time.monotonic() - began < SILENCE
        assert wire.connections >= 2
        assert seqs(now.events) == [*range(version + 1, done.version + 1)]


def test_a_stream_of_a_game_that_is_over_ends_at_once(anyone: Client) -> None:
    me = seated(anyone)
    view = play(me, first)
    assert [*me.follow(view)] == []
    assert [now.over for now in me.follow()] == [False, True]


def test_a_stream_waits_until_there_is_room_for_it() -> None:
    with serving(in_memory(), max_streams=1) as served, Client(served.url) as client:
        me = seated(client)
        holding = me.follow()
        next(holding)
        began = time.monotonic()
        threading.Timer(0.5, holding.close).start()
        assert next(me.follow()).view.game == me.session.game
        assert time.monotonic() - began > 0.5


def test_a_patch_that_does_not_fit_is_unreadable() -> None:
    following = GameStream(Session(game="x"))
    delta = (
        b'{"version":2,"head":"'
        + b"0" * 64
        + b'","events":[],"patch":[{"op":"remove","path":"/a"}]}'
    )
    with pytest.raises(Unreadable, match="events"):
        following.handle("events", delta.decode())


def test_a_guard_brings_its_secret_checks_everything_and_signs(served: Served) -> None:
    """The whole game is signed; at its end the deal follows from all secrets."""
    keys = [key.public for key in served.parts.keys.signers]
    with Client(served.url) as client:
        opened = client.open(
            OpenTable(ruleset="express", seats=(PERSON, BOT), dealer=1, options=SHORT)
        )
        seat = Seat(opened.game, 0, opened.server_commit, keys)
        careful = client.at(opened.game, guard=seat)
        me = careful.at(careful.join(JoinTable(name="Ada")))
        client.at(opened).start()
        assert play(me, first).table.stage == "ended"
        for after in range(0, me.view().version, 1000):
            page = me.events(after=after, limit=1000)
            seat.follow(map(msgspec.json.decode, page.events))
        assert seat.settled
        assert len(seat.receipts) > 3, (
            "of the seat, the sealing, the secret, and of what was played"
        )


def test_a_guard_signs_anew_when_somebody_has_moved_in_between(served: Served) -> None:
    keys = [key.public for key in served.parts.keys.signers]
    with wired(served.url) as wire, Client(wire.url) as client:
        opened = client.open(OpenTable(ruleset="classic", seats=(PERSON, PERSON), dealer=1))
        guards = [Seat(opened.game, number, opened.server_commit, keys) for number in (0, 1)]
        ada, bob = (
            client.at(opened.game, guard=guard).at(
                client.at(opened.game, guard=guard).join(JoinTable(name=name)), guard=guard
            )
            for guard, name in zip(guards, ("Ada", "Bob"), strict=True)
        )
        client.at(opened).start()

        def meanwhile(part: bytes) -> bool:
            """Before Ada, who has seen all there is, can sign, Bob reveals."""
            if b'"events":[]' in part:
                wire.lose = lambda _: False
                with Client(served.url) as other:
                    bobs.append(other.at(opened.game, bob.session.token, guard=guards[1]).reveal())
            return False

        bobs: list[Done] = []
        wire.lose = meanwhile
        assert ada.reveal().table.stage == "playing"
        assert len(bobs) == 1


def test_a_bot_reveals_once_though_an_older_moment_asks_for_the_secret_too(served: Served) -> None:
    """Two seats reveal at once: each is then told of the other's secret as if it owed its own."""
    keys = [key.public for key in served.parts.keys.signers]
    with wired(served.url) as wire, Client(wire.url) as client, Client(served.url) as other:
        rules = {"max_turns_per_round": 9, "variant": "n_phases(1)"}
        opened = client.open(OpenTable(ruleset="classic", seats=(PERSON, BOT), options=rules))
        guard = Seat(opened.game, 0, opened.server_commit, keys)
        joined = client.at(opened, guard=guard).join(JoinTable(name="Ada"))
        client.at(opened).start()

        def meanwhile(part: bytes) -> bool:
            """While Ada catches up, her secret is revealed."""
            if b'"events":[' in part:
                wire.lose = lambda _: False
                other.at(joined, guard=guard).reveal()
            return False

        wire.lose = meanwhile
        assert play(client.at(joined, guard=guard), first).table.stage == "ended"
        assert guard.version > guard.sealed


def test_a_guard_brings_its_secret_to_a_table_as_it_was_opened(anyone: Client) -> None:
    """Where the answer to the opening says which table it is, nobody joins without the guard."""
    opened = anyone.open(OpenTable(ruleset="classic", seats=(PERSON, PERSON)))
    guard = Seat(opened.game, 1, opened.server_commit, ())
    at_table = anyone.at(opened, guard=guard)
    assert at_table.join(JoinTable(name="Ada")).seat == 1
    taken = next(event for event in at_table.events().events if b"SeatTaken" in bytes(event))
    assert msgspec.json.decode(taken)["data"]["key"] == guard.joining()["key"]
    assert anyone.at(opened.game, guard=guard).at(opened).session.guard is None


@pytest.mark.system
def test_two_async_clients_play_the_board_game(served: Served) -> None:
    """After a round both are asked at the same time what they keep."""

    async def game() -> tuple[GameView, ...]:
        async with AsyncClient(served.url) as client:
            seats = (PERSON, PERSON, BotSeat(level="expert"))
            opened = await client.open(OpenTable(ruleset="board", seats=seats))
            players = [
                client.at(await client.at(opened).join(JoinTable(name=name))) for name in ("A", "B")
            ]
            await client.at(opened).start()
            ended = await asyncio.gather(*(play_async(player, first) for player in players))
            lines = [line async for line in client.export(ruleset="board")]
            assert b'"next"' in lines[-1]
            return tuple(ended)

    ended = asyncio.run(game())
    assert {view.table.stage for view in ended} == {"ended"}
