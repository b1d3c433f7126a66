"""The statements on tokens and on the ledger's restorations, as the simulated server has them."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from tests.simulation.postgres import Rows, Session
from tests.simulation.tables import Restoration, Tables

TOKEN_KEY = sha256(b"the key of simulated tokens").digest()


def _issue(session: Session, _ends: bool, _seconds: float, token: bytes, *of: Any) -> Rows:
    """`of` are the game, the seat, and the version that began the sitting."""
    if token in session.server.tables.credentials:
        return []
    session.change(Tables.issue, token, of)
    return [(None,)]


def _find(session: Session, token: bytes) -> Rows:
    credential = session.server.tables.credentials.get(token)
    return [(*credential, None, False)] if credential else []


def _restorations(session: Session) -> list[Restoration]:
    return session.server.tables.restorations


def _note_end(session: Session, position: int, log: str, published: int) -> Rows:
    restoration = Restoration(position, log, published, session.server.now())
    session.change(Tables.restore, restoration)
    return [(len(_restorations(session)),)]


def _note_voided(session: Session, _games: int, log: str) -> Rows:
    return [(n,) for n, ended in enumerate(_restorations(session), 1) if ended.log == log]


LEDGER: tuple[tuple[str, Callable[..., Any]], ...] = (
    (r"^INSERT INTO credentials \(token_hash", _issue),
    (r"^SELECT game, seat, since, extract\(epoch FROM expires_at", _find),
    (r"^SELECT coalesce\(max\(id\), 0\) FROM revocations$", lambda _: [(0,)]),
    (r"^SELECT key FROM token_key$", lambda _: [(TOKEN_KEY,)]),
    (
        r"^SELECT EXISTS \(SELECT FROM ledger_restorations",
        lambda session, log: [(any(ended.log == log for ended in _restorations(session)),)],
    ),
    (
        r"^SELECT count\(\*\) FROM logged_events$",
        lambda session: [(len(session.server.tables.log),)],
    ),
    (
        r"^SELECT count\(\*\) FROM ledger_restorations$",
        lambda session: [(len(_restorations(session)),)],
    ),
    (r"^INSERT INTO ledger_restorations", _note_end),
    (r"^UPDATE ledger_restorations SET voided", _note_voided),
    (
        r"^SELECT \(1000 \* extract\(epoch FROM restored_at\)\)",
        lambda session: [(int(1000 * ended.at),) for ended in _restorations(session)],
    ),
)
"""What carries a statement out, by a pattern of its text."""
