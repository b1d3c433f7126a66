"""Openings of a game, right and wrong, and a seat that watches them."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from phaseledger.domain import deal
from phaseledger.domain.commands import KickSeat, OpenGame, RevealSecret, Start, TakeSeat, VoidGame
from phaseledger.domain.evidence.codec import NO_PREVIOUS, leaf_hash, redact
from phaseledger.replay.formats.seat import Seat
from phaseledger.replay.formats.signing import receipts
from phaseledger.replay.formats.signing.commands import sign
from tests.support.replay.operator_games import OPERATOR, Plan, Table, secret

Tree = dict[str, Any]
PLAN = Plan("classic", 3, "a seat", bringing=(0, 1), signing=(0,))
"""Seats 0 and 1 bring secrets; for seat 2 the server makes one."""
SERVER = secret(PLAN.seed, "server", "").hex()
COMMIT = deal.server_commit(PLAN.game, bytes.fromhex(SERVER))
encode = msgspec.json.Encoder(order="sorted").encode


def sitting(table: Table, seat: int, name: str = "") -> None:
    own = table.seat_secret(seat)
    brings = seat in PLAN.bringing
    commit = deal.seat_commit(PLAN.game, seat, own) if brings else ""
    key = str(at_table().joining()["key"]) if seat == 0 else ""
    made = "" if brings else own.hex()
    table.decide(TakeSeat(name or f"Seat {seat}", commit=commit, secret=made, key=key), seat)


def at_table(**given: Any) -> Seat:
    """The seat of the first player, who has seen nothing yet."""
    table = Table(PLAN)
    kept = {"secret": table.seat_secret(0), "key": table.key(0)}
    return Seat(PLAN.game, 0, COMMIT, [OPERATOR.public], **kept, **given)


@cache
def played() -> Table:
    """A table that was opened, sealed, dealt and broken off; one seat was freed meanwhile."""
    table = Table(PLAN)
    table.decide(OpenGame(PLAN.game, "classic", 3, {}, secret=SERVER))
    for seat in (0, 1):
        sitting(table, seat)
    table.decide(TakeSeat("Mallory", secret=secret("another").hex()), 2)
    table.decide(KickSeat(2))
    sitting(table, 2)
    table.decide(Start(60))
    for seat in (1, 0):
        table.decide(RevealSecret(table.seat_secret(seat).hex()), seat)
    table.decide(VoidGame("enough"))
    return table


def trees() -> list[Tree]:
    """The events as stored, to be changed."""
    return [msgspec.json.decode(entry.stored) for entry in played().entries]


def place(events: list[Tree], kind: str, nth: int = 0) -> int:
    return [n for n, event in enumerate(events) if event["type"] == f"{kind}/1"][nth]


def chained(events: list[Tree]) -> list[bytes]:
    """Numbered and chained anew, as stored, and as if seat 0 had revealed its secret there."""
    made, head = [], NO_PREVIOUS
    for seq, event in enumerate(events, 1):
        act = event["data"].get("act", {})
        if act.get("sig"):
            command = RevealSecret(act["command"]["secret"])
            act["sig"] = sign(played().key(0), PLAN.game, 0, head, seq - 1, command)
        made.append(encode({**event, "seq": seq, "prev": head}))
        head = leaf_hash(redact(made[-1], played().chain.key, None, opened=False))
    return made


def shown(stored: list[bytes], *, opened: bool = False) -> list[Tree]:
    """As the service shows them to seat 0."""
    key = played().chain.key
    return [msgspec.json.decode(redact(record, key, 0, opened=opened)) for record in stored]


def receipt_for(stored: list[bytes]) -> Tree:
    """The operator's receipt for the last command, of one event."""
    public = redact(stored[-1], played().chain.key, None, opened=False)
    entry = receipts.entry_of(public, public, leaf_hash(public))
    made: Tree = msgspec.to_builtins(receipts.issue(entry, OPERATOR))
    return made


def upto_sealing(events: list[Tree]) -> list[Tree]:
    return events[: place(events, "TableSealed") + 1]


# --- openings that are wrong ----------------------------------------------------------------------


def _without(kind: str, nth: int = 0) -> Callable[[list[Tree]], None]:
    def change(events: list[Tree]) -> None:
        del events[place(events, kind, nth)]

    return change


def _repeated(kind: str, after: str, **data: Any) -> Callable[[list[Tree]], None]:
    """The event a second time, right after another one."""

    def change(events: list[Tree]) -> None:
        twin = copy.deepcopy(events[place(events, kind)])
        twin["data"].pop("act", None)
        twin["data"].update(data)
        events.insert(place(events, after) + 1, twin)

    return change


def _moved(kind: str, nth: int, after: str) -> Callable[[list[Tree]], None]:
    def change(events: list[Tree]) -> None:
        event = events.pop(place(events, kind, nth))
        events.insert(place(events, after) + 1, event)

    return change


def _data(kind: str, nth: int = 0, **data: Any) -> Callable[[list[Tree]], None]:
    def change(events: list[Tree]) -> None:
        events[place(events, kind, nth)]["data"].update(data)

    return change


def _cut(events: list[Tree]) -> None:
    """Broken off while both secrets are due, naming a seat that owes none."""
    end = events.pop()
    del events[place(events, "SeatSecretRevealed") :]
    end["data"]["owing"] = [0]
    events.append(end)


WRONG: dict[str, tuple[Callable[[list[Tree]], None], str]] = {
    "a free seat at the sealing": (
        _without("SeatTaken", 3),
        "event 6: it seals a table of 3 at which 2 have committed",
    ),
    "a seat taken after the sealing": (
        _moved("SeatTaken", 3, "TableSealed"),
        "event 6: it seals a table of 3 at which 2 have committed",
    ),
    "one more at a sealed table": (
        _repeated("SeatTaken", "TableSealed", seat=2),
        "event 8: it takes a seat at a sealed table",
    ),
    "a seat taken twice": (_without("SeatFreed"), "event 5: it takes a seat that is not free"),
    "a seat that the table has not": (
        _data("SeatTaken", 1, seat=3),
        "event 3: it takes a seat that is not free",
    ),
    "a seat freed after the sealing": (
        _moved("SeatFreed", 0, "TableSealed"),
        "event 5: it takes a seat that is not free",
    ),
    "freed at a sealed table": (
        _repeated("SeatFreed", "TableSealed"),
        "event 8: it frees a seat of a sealed table",
    ),
    "sealed twice": (_repeated("TableSealed", "TableSealed"), "event 8: it seals the table again"),
    "sealed after the deal": (
        _repeated("TableSealed", "DealOpened"),
        "event 11: it seals the table",
    ),
    "opened twice": (_repeated("GameOpened", "SeatTaken"), "event 3: it opens the game again"),
    "revealed before the sealing": (
        _moved("SeatSecretRevealed", 0, "SeatFreed"),
        "event 6: it reveals a secret that is not due",
    ),
    "another secret revealed": (
        _data("SeatSecretRevealed", 0, secret="77" * 32),
        "event 8: it tells another secret than seat 1 committed to",
    ),
    "revealed twice": (
        _repeated("SeatSecretRevealed", "SeatSecretRevealed"),
        "event 9: it reveals a secret that is not due",
    ),
    "dealt before all have revealed": (
        _without("SeatSecretRevealed"),
        "event 9: it opens the deal before all secrets are in",
    ),
    "dealt before anybody has revealed": (
        _moved("DealOpened", 0, "TableSealed"),
        "event 8: it opens the deal before all secrets are in",
    ),
    "dealt twice": (_repeated("DealOpened", "DealOpened"), "event 11: it opens the deal again"),
    "a round without a deal": (
        _without("DealOpened"),
        "event 10: it comes before the deal is opened",
    ),
    "a round before the deal": (
        _moved("DealOpened", 0, "RoundDealt"),
        "event 10: it comes before the deal is opened",
    ),
    "owing after the deal": (
        _data("GameVoided", owing=[0]),
        "event 13: it names other seats than those that owe an answer",
    ),
    "owing, but not all": (_cut, "event 8: it names other seats than those that owe an answer"),
    "another secret of the server": (
        _data("GameVoided", secret="77" * 32),
        "event 13: it reveals another secret than was committed to",
    ),
}  # fmt: skip
"""What is done to a good opening, and the words in which the seat refuses it."""
