"""One table of which there are two stories: the operator signed another move of a player."""

from functools import cache

import msgspec

from phaseledger.domain.legal import legal
from tests.support.replay.bundles import of_kind
from tests.support.replay.clocked_games import asked
from tests.support.replay.graded_games import SIGNED
from tests.support.replay.operator_games import OPERATOR, SigningKey, Table, bundled

PARTING = 10
"""The event at which they part."""


@cache
def story(other_move: bool) -> tuple[bytes, ...]:
    """The stored events: those of the first story, or with another third move."""
    table = Table(SIGNED)
    table.open()
    begun = table.count
    while table.state and table.state.stage == "playing":
        seat = asked(table)
        move = table.answer(seat)
        if other_move and table.count == begun + 1:
            move = [choice for choice in legal(table.state, seat) if choice != move][-1]
        table.decide(move, seat)
    return tuple(entry.stored for entry in table.entries)


def story_bundle(*, other_move: bool, key: SigningKey = OPERATOR) -> bytes:
    """The bundle of a story, its evidence signed by that key."""
    return b"".join(bundled(story(other_move), key=key))


def kept_receipts(bundle: bytes) -> bytes:
    """All receipts of a bundle, as a player keeps them."""
    receipts = of_kind(bundle.splitlines(keepends=True), "receipt")
    return b"".join(msgspec.json.encode(receipt) + b"\n" for receipt in receipts)
