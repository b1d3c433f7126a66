"""Law 7 for signatures: whoever has one over a card could try all cards on it, so nobody gets it
who may not know the card.
"""

import asyncio
from typing import Any
from uuid import uuid4

import httpx2
import msgspec
from msgspec.structs import replace

from phaseledger.domain.commands import Play
from phaseledger.domain.events import SeatTaken
from phaseledger.replay.formats.signing.commands import public_key, sign
from tests.support.cases import looped
from tests.support.service.api_tables import PLAIN, Layout, Table, dealt, ok, rows_of
from tests.support.service.server import Served

PRIVATE = [bytes([seat + 1]) * 32 for seat in range(3)]
LAST_TURN = {"max_turns_per_round": 1}


def keyed(served: Served, client: httpx2.Client, layout: Layout) -> Table:
    """The table laid out by hand, with a key for every seat."""
    game = uuid4()
    events = [
        replace(event, key=public_key(PRIVATE[event.seat]))
        if isinstance(event, SeatTaken)
        else event
        for event in dealt(layout, str(game))
    ]
    asyncio.run(served.parts.store.append(game, rows_of(events)))
    tokens = {n: asyncio.run(served.parts.credentials.issue(game, n)) for n in range(3)}
    return Table(client, str(game), "", tokens)


def send(table: Table, seat: int, command: dict[str, Any]) -> tuple[str, httpx2.Response]:
    """The signature of a command, and the answer to it."""
    view = table.get().json()
    meant: Any = msgspec.convert(command, Play)
    sig = sign(PRIVATE[seat], table.game, seat, view["head"], view["version"], meant)
    return sig, table.send(seat, command, Command_Signature=sig)


def everything(table: Table, viewer: int | None) -> str:
    """Everything that a viewer can ask for."""
    version = table.version()
    paths = ["", "/events?limit=1000", "/table", "/scoreboard"]
    paths += [f"/receipts/{seq}" for seq in range(1, version + 1)]
    paths += ["/actions"] if viewer is not None else []
    answers = [table.get(path, viewer) for path in paths]
    return "".join(f"{answer.text}{sorted(answer.headers.items())}" for answer in answers)


SECRETIVE: list[tuple[int, int, dict[str, Any], dict[str, Any], tuple[int, ...]]] = [
    (2, 0, {"type": "search", "card": "B12"}, {"type": "search", "card": "Z9"}, (0,)),
    (6, 0, {"type": "swap", "cards": "R1 B1"}, {"type": "swap", "cards": "Y12"}, (0,)),
    (4, 1, {"type": "give", "card": "B7"}, {"type": "give", "card": "G3"}, (0, 1)),
    (1, 1, {"type": "keep", "cards": "R7 B7"}, {"type": "keep", "cards": "W"}, (1,)),
]
"""A space of the ring, who answers, how, how not, and who may know."""


@looped(("space", "seat", "command", "refused", "known_to"), SECRETIVE)
def test_a_signature_over_a_secret_is_for_those_who_know_it(
    served: Served,
    client: httpx2.Client,
    space: int,
    seat: int,
    command: dict[str, Any],
    refused: dict[str, Any],
    known_to: tuple[int, ...],
) -> None:
    """Not in tables, events, receipts, headers or refusals; also not the one that was refused."""
    table = keyed(served, client, PLAIN._replace(dice=(space, space), options=LAST_TURN))
    public, moved = send(table, 0, {"type": "move", "steps": space})
    ok(moved)
    if command["type"] == "give":
        ok(send(table, 0, {"type": "ask", "value": 7, "direction": "left"})[1])
    if command["type"] == "keep":
        ok(send(table, 0, {"type": "draw", "source": "stock"})[1])
        ok(send(table, 0, {"type": "discard", "cards": "R1"})[1])
    vain, answer = send(table, seat, refused)
    assert answer.status_code >= 400
    assert vain not in answer.text
    secret, answer = send(table, seat, command)
    assert secret in str(ok(answer)["events"])  # what is looked for is there to be found

    for viewer in (None, 0, 1, 2):
        text = everything(table, viewer)
        assert public in text  # of a command that names no secret
        assert (secret in text) == (viewer in known_to), viewer
        assert vain not in text
