"""Reactions of players: told to the open streams of all processes, and stored nowhere."""

import msgspec
from msgspec import Struct

from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.side_connection import SideConnection
from phaseledger.service.games.game import Snapshot
from phaseledger.service.schemas.streams import Reacted

CHANNEL = "reactions"
"""PostgreSQL's, on which processes tell one another."""
AFTERWARDS = 300
"""Seconds after a game's end in which its players still react."""
PATIENCE = 2.0  # seconds: a later reaction says nothing any more


class ReactionNotice(Struct, frozen=True):
    """What is told on the channel."""

    game: str
    reacted: Reacted


notice_in = msgspec.json.Decoder(ReactionNotice).decode


async def announce(beside: SideConnection, notice: ReactionNotice) -> None:
    """Tell every process that listens, this one too. Raises StoreUnavailable."""
    payload = msgspec.json.encode(notice).decode()

    async def notify(conn: Connection) -> None:
        await conn.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    await beside.run(notify, PATIENCE)


def seconds_left(now: Snapshot) -> float:
    """Seconds in which the players of a game that is over still react; 0 once they are past.

    Raises:
        StoreUnavailable: the ledger's time has never been known.

    """
    return max(0.0, AFTERWARDS - (now.clock.estimate() - now.marks.at) / 1000)
