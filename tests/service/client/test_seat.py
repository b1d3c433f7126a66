"""A seat that takes nobody's word, against the real service and against services that lie."""

import asyncio
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest

from phaseledger.domain.commands import Act, Draw, Play
from phaseledger.domain.decide import step
from phaseledger.domain.evidence import codec
from phaseledger.domain.evolve import fold
from phaseledger.replay.formats.seat import Distrusted, Seat
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipted, issue
from phaseledger.service.eventlog.rows import Row
from tests.support.service.api_tables import PERSON, Table, mover, ok
from tests.support.service.server import Served

Tree = dict[str, Any]


class Player:
    """A client that lets its seat decide what it may say and believe."""

    def __init__(self, client: httpx2.Client, game: str, number: int, seat: Seat) -> None:
        self.client, self.path, self.seat = client, f"/games/{game}", seat
        joined = client.post(
            f"{self.path}/seats", json={"name": f"Seat {number}", **seat.joining()}
        )
        assert joined.status_code == 201, joined.text
        self.joined: Tree = joined.json()
        self.headers = {"Authorization": f"Bearer {self.joined['token']}"}

    def news(self, after: int | None = None) -> list[Tree]:
        """The events that the seat has not seen, or those after a version."""
        page = {"after": self.seat.version if after is None else after, "limit": 1000}
        answer = self.client.get(f"{self.path}/events", headers=self.headers, params=page)
        events: list[Tree] = answer.json()["events"]
        return events

    def receipt(self, seq: int) -> Tree:
        answer: Tree = ok(self.client.get(f"{self.path}/receipts/{seq}"))
        return answer

    def send(self, command: Play) -> Tree:
        headers = {**self.headers, "Command-Signature": self.seat.sign(command)}
        body = msgspec.to_builtins(command)
        done = self.client.post(f"{self.path}/commands", json=body, headers=headers)
        return ok(done)

    def resumed(self, events: list[Tree]) -> Seat:
        """Its seat as it is taken up anew, with its secret and key, after those events."""
        old = self.seat
        seat = Seat(
            old.game, old.number, old._server_commit, old._operator, secret=old.secret, key=old.key
        )
        seat.follow(events)
        return seat


@pytest.fixture
def players(served: Served, client: httpx2.Client) -> list[Player]:
    """Two seats at a sealed table, each with a secret and a key of its own."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    game, commit = opened["game"], opened["server_commit"]
    trusted = [served.parts.keys.current.public]
    both = [Player(client, game, n, Seat(game, n, commit, trusted)) for n in range(2)]
    ok(Table(client, game, opened["host_token"], {}).start())
    return both


def dealt(players: list[Player]) -> list[Player]:
    """The table after both have revealed."""
    for player in players:
        player.seat.follow(player.news())
        player.seat.check(player.joined["receipt"])
        command = player.seat.reveal(player.receipt(player.seat.sealed))
        player.seat.take(player.send(command))
    for player in players:
        player.seat.follow(player.news())
    return players


def test_a_game_that_is_all_right(players: list[Player]) -> None:
    """Sealed, revealed, a few turns, each step checked by both; at the end they hold receipts."""
    both = dealt(players)
    for _ in range(10):
        view = both[0].client.get(both[0].path).json()["table"]
        me = both[view["waits"][0]["seat"]]
        me.seat.follow(me.news())
        listed = me.client.get(f"{me.path}/actions", headers=me.headers).json()["commands"]
        me.seat.take(me.send(msgspec.convert(listed[0], Play)))
    for player in both:
        player.seat.follow(player.news())
        assert player.seat.head == player.client.get(player.path).json()["head"]
        player.seat.follow(player.news(0))  # again
    # Of its seat, of the sealing and of its secret, each has one; of a play, whoever made it.
    assert sum(len(player.seat.receipts) for player in both) == 3 * len(both) + 10


def test_a_seat_can_be_taken_up_again(players: list[Player]) -> None:
    old = dealt(players)[0]
    kept, old.seat = old.seat, old.resumed(old.news(0))
    seat = old.seat
    assert (seat.head, seat.version, seat.sealed) == (kept.head, kept.version, kept.sealed)
    if mover(Table(old.client, seat.game, "", {})) == 0:
        seat.take(old.send(Draw()))


def test_no_secret_before_the_sealing(served: Served, client: httpx2.Client) -> None:
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    trusted = [served.parts.keys.current.public]
    seat = Seat(opened["game"], 0, opened["server_commit"], trusted)
    player = Player(client, opened["game"], 0, seat)
    seat.follow(player.news())
    with pytest.raises(Distrusted, match="not sealed yet"):
        seat.reveal(player.joined["receipt"])


# --- services that lie ----------------------------------------------------------------------------


def test_a_receipt_of_another_key_is_worth_nothing(players: list[Player]) -> None:
    player = players[0]
    player.seat._operator = [SigningKey.new("somebody").public]
    player.seat.follow(player.news())
    with pytest.raises(Distrusted, match="no key that counts"):
        player.seat.reveal(player.receipt(player.seat.sealed))


def test_a_receipt_from_before_the_sealing(players: list[Player]) -> None:
    player = players[0]
    player.seat.follow(player.news())
    with pytest.raises(Distrusted, match="before 4, the sealing"):
        player.seat.reveal(player.joined["receipt"])


def _reissued(served: Served, receipt: Tree, **changes: Any) -> Tree:
    """What a lying operator would sign."""
    statement = {**receipt, **changes}
    entry = Receipted(*(statement[name] for name in ("game", "seq", "leaf", "command", "at")))
    made: Tree = msgspec.to_builtins(issue(entry, served.parts.keys.current))
    return made


STORIES: list[tuple[Tree, str]] = [
    ({"leaf": "0" * 64}, "is another one in its receipt"),
    ({"command": "0" * 64}, "is another one in its receipt"),
    ({"at": 5}, "is another one in its receipt"),
    ({"game": "11111111-1111-4111-8111-111111111111"}, "for another game"),
    ({"seq": 99}, "was never shown"),
]


def test_a_genuine_receipt_for_another_story(served: Served, players: list[Player]) -> None:
    """Nothing is revealed against it; the receipt itself is kept, for it is the proof."""
    player = players[0]
    events = player.news()
    player.seat.follow(events)
    genuine = player.receipt(player.seat.sealed)
    for change, words in STORIES:
        seat, receipt = player.resumed(events), _reissued(served, genuine, **change)
        with pytest.raises(Distrusted, match=words):
            pytest.fail(f"{change}: {seat.reveal(receipt)}")
        if "another one" in words:
            assert msgspec.to_builtins(seat.receipts[receipt["seq"]]) == receipt


LIES: list[tuple[Callable[[Tree], object], int, str]] = [
    (lambda event: event["data"].update(server_commit="0" * 64), 1, "event 1 has another commit"),
    (lambda event: event["data"].update(commit="0" * 64), 2, "event 2 has another commitment or"),
    (lambda event: event["data"].update(key="a1" * 32), 2, "event 2 has another commitment or key"),
    (lambda event: event.update(seq=9), 3, "event 9 breaks the chain"),
    (lambda event: event.update(game="1" * 36), 3, "event 3 breaks the chain"),
    (lambda event: event.update(at=event["at"] + 1), 2, "event 3 breaks the chain"),
    (lambda event: event.update(type="TableBroken/1"), 4, "event 4 cannot be read"),
    (lambda event: event.update(seq="four"), 4, "not what was asked for"),
    (lambda event: event["data"].pop("act"), 1, "event 1 does not open this game: it does not"),
]


def test_events_that_do_not_hold(players: list[Player]) -> None:
    genuine = players[0].news()
    for lie, seq, words in LIES:
        events = deepcopy(genuine)
        lie(events[seq - 1])
        with pytest.raises(Distrusted, match=words):
            pytest.fail(f"{words}: {players[0].resumed(events)}")
    del genuine[2]
    with pytest.raises(Distrusted, match="event 4 breaks the chain"):
        players[0].seat.follow(genuine)


def test_an_event_told_twice_and_differently(players: list[Player]) -> None:
    player = players[0]
    events = player.news()
    player.seat.follow(events)
    player.seat.follow(events)
    events[2]["at"] += 1
    with pytest.raises(Distrusted, match="event 3 is another one than before"):
        player.seat.follow(events)


HANDS: list[tuple[Callable[[Tree], object], str]] = [
    (lambda deal: deal["hidden"]["0"].update(hand="W " * 9 + "W"), "has a seal, 0, that does"),
    (lambda deal: deal["salts"].update({"0": "00" * 16}), "has a seal, 0, that does"),
    (lambda deal: deal["salts"].update({"0": "no hex"}), "has a seal, 0, that does"),
    (lambda deal: deal.pop("salts"), "has a seal, 0, that does"),
    (lambda deal: deal.pop("hidden"), "keeps from this seat what it may know"),
    (lambda deal: deal["hidden"].update({"7": {}}), "has a seal, 7, that does"),
]


def test_a_hand_that_was_not_sealed(players: list[Player]) -> None:
    """The seat checks its own cards while the game runs."""
    dealt(players)
    genuine = players[0].news(0)
    players[0].resumed(genuine)
    for change, words in HANDS:
        events = deepcopy(genuine)
        change(next(event for event in events if event["type"] == "RoundDealt/1"))
        with pytest.raises(Distrusted, match=words):
            pytest.fail(f"{words}: {players[0].resumed(events)}")


def test_a_move_that_the_seat_did_not_make(served: Served, players: list[Player]) -> None:
    """The operator has every token, and no seat's key."""
    both = dealt(players)
    rows = asyncio.run(served.parts.store.read(UUID(both[0].seat.game)))
    state = fold(codec.decode_event(row.topic, row.state) for row in rows)
    assert state is not None
    number = state.waits[0].seat
    victim = both[number]
    _, events = step(state, Act(Draw(), number, "ab" * 64))
    chain = codec.Chain(
        state.game, codec.seal_key(state.game, state.server_secret), victim.seat.version,
        victim.seat.head,
    )  # fmt: skip
    _, entries = codec.append(chain, events, "c" * 64, 5)
    forged = [
        Row(entry.seq, entry.topic, entry.stored, bytes.fromhex(entry.leaf)) for entry in entries
    ]
    asyncio.run(served.parts.store.append(UUID(state.game), forged))
    with pytest.raises(Distrusted, match="did what it has not signed"):
        victim.seat.follow(victim.news())


ANSWERS: list[tuple[Callable[[Tree], object], str]] = [
    (lambda done: done.update(version=done["version"] + 1), "not said to be"),
    (lambda done: done.update(head="0" * 64), "not said to be"),
    (lambda done: done["events"].pop(), "not said to be"),
    (lambda done: done.update(events=[]), "not said to be"),
    (lambda done: done.update(receipt=None), "not what was asked for"),
    (lambda done: done["receipt"].update(sig="A" * 86 + "=="), "no key that counts"),
]


def test_an_answer_that_does_not_hold(players: list[Player]) -> None:
    player = players[0]
    events = player.news()
    player.seat.follow(events)
    sealed = player.receipt(player.seat.sealed)
    done = player.send(player.seat.reveal(sealed))
    earlier = (lambda answer: answer.update(receipt=sealed), "is not what the receipt is for")
    for change, words in [*ANSWERS, earlier]:
        change(answer := deepcopy(done))
        with pytest.raises(Distrusted, match=words):
            pytest.fail(f"{words}: {player.resumed(events).take(answer)}")
    player.resumed(events).take(done)


def test_another_secret_of_the_server_at_the_end(players: list[Player]) -> None:
    player = players[0]
    player.seat.follow(player.news())
    chain = {"game": player.seat.game, "prev": player.seat.head, "seq": player.seat.version + 1}
    data = {"act": {"command": {"type": "void_game", "reason": "x"}}, "reason": "x", "asks": []}
    event = {"at": 5, "cmd": "c" * 64, "type": "GameVoided/1", "v": 1, **chain}
    with pytest.raises(Distrusted, match="reveals another secret"):
        player.seat.follow([{**event, "data": {**data, "secret": "ab" * 32}}])
