"""The statements on tokens and on the ledger's restorations, as the simulated server has them."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import UUID

from tests.simulation.postgres import Result, Session
from tests.simulation.tables import Restoration, Tables

TOKEN_KEY = sha256(b"the key of simulated tokens").digest()

# --- tokens ---------------------------------------------------------------------------------------


async def issue(
    session: Session,
    _ends: bool,
    _seconds: float,
    token: bytes,
    game: UUID,
    seat: int | None,
    since: int,
) -> Result:
    if token in session.server.tables.credentials:
        return Result([])
    session.change(Tables.issue, token, (game, seat, since))
    return Result([(None,)])


async def find(session: Session, token: bytes) -> Result:
    credential = session.server.tables.credentials.get(token)
    return Result([(*credential, None, False)] if credential else [])


async def last_revocation(_: Session) -> Result:
    return Result([(0,)])


async def token_key(_: Session) -> Result:
    return Result([(TOKEN_KEY,)])


# --- restorations ---------------------------------------------------------------------------------


async def ended(session: Session, log: str) -> Result:
    return Result(
        [(any(restoration.log == log for restoration in session.server.tables.restorations),)]
    )


async def count_events(session: Session) -> Result:
    return Result([(len(session.server.tables.log),)])


async def count_restorations(session: Session) -> Result:
    return Result([(len(session.server.tables.restorations),)])


async def note_end(session: Session, position: int, log: str, published: int) -> Result:
    restoration = Restoration(position, log, published, session.server.now())
    session.change(Tables.restore, restoration)
    return Result([(len(session.server.tables.restorations),)])


async def note_voided(session: Session, _games: int, log: str) -> Result:
    restorations = session.server.tables.restorations
    return Result(
        [(epoch,) for epoch, restoration in enumerate(restorations, 1) if restoration.log == log]
    )


async def restored_at(session: Session) -> Result:
    restorations = session.server.tables.restorations
    return Result([(int(1000 * restoration.at),) for restoration in restorations])


LEDGER: tuple[tuple[str, Callable[..., Any]], ...] = (
    (r"^INSERT INTO credentials \(token_hash", issue),
    (r"^SELECT game, seat, since, extract\(epoch FROM expires_at", find),
    (r"^SELECT coalesce\(max\(id\), 0\) FROM revocations$", last_revocation),
    (r"^SELECT key FROM token_key$", token_key),
    (r"^SELECT EXISTS \(SELECT FROM ledger_restorations", ended),
    (r"^SELECT count\(\*\) FROM logged_events$", count_events),
    (r"^SELECT count\(\*\) FROM ledger_restorations$", count_restorations),
    (r"^INSERT INTO ledger_restorations", note_end),
    (r"^UPDATE ledger_restorations SET voided", note_voided),
    (r"^SELECT \(1000 \* extract\(epoch FROM restored_at\)\)", restored_at),
)
"""What carries a statement out, by a pattern of its text."""
