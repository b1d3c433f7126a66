"""Encoding of games as stored snapshots: all that follows from their events, and nothing else.

What a process has seen by itself, such as when it read an event that claims to be yet to come, is
not in it, and begins anew as where a game is folded. The digest of the program stands beside it:
snapshots of another program are not read, since that may fold events otherwise.
"""

import secrets
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints
from uuid import UUID

import msgspec
from msgspec import Struct

from phaseledger import domain
from phaseledger.domain.evidence.codec import Chain
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import State
from phaseledger.service.eventlog.clock import LedgerClock, elapsed_ms
from phaseledger.service.eventlog.snapshots import StoredSnapshot
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.log_times import LogTimes, QuestionTime

_DIGEST = 16  # bytes
_UNRELATED = {"bots", "explain", "rollouts", "rulesets"}
"""Folders of the domain that fold nothing."""


@cache
def program() -> bytes:
    """The digest of the files that say how events are folded, and how the result is encoded."""
    digest, is_empty = sha256(), True
    for path in _sources():
        content, is_empty = path.read_bytes(), False
        digest.update(f"{path.name}\n{len(content)}\n".encode() + content)
    # Without files, as in an archive, nothing tells programs apart: each process trusts itself.
    return secrets.token_bytes(_DIGEST) if is_empty else digest.digest()[:_DIGEST]


def _sources() -> Iterator[Path]:
    for folder in (*map(Path, domain.__path__), Path(__file__).parent):
        for path in sorted(folder.rglob("*.*")):
            if path.suffix in (".py", ".so", ".pyd") and not _UNRELATED & {*path.parts}:
                yield path


class _Times(Struct, array_like=True, frozen=True):
    """A game's `LogTimes`, without what its process has seen by itself."""

    at: int
    sealed_at: int
    reveal_seconds: int
    asked: Mapping[int, tuple[int, int]]
    """By seat, when and by which event it was asked."""
    first_deal: int
    deal: int
    freed: Mapping[int, int]
    commanded_at: int


_FIELDS = State.__struct_fields__
_State = msgspec.defstruct(
    "_State",
    [
        (name, bytes if name == "ruleset" else hint)
        for name, hint in get_type_hints(State).items()
        if name in _FIELDS
    ],
    array_like=True,
    frozen=True,
)
"""A state whose rule set is encoded by itself: many games have the same one."""


class _Body(Struct, array_like=True, frozen=True):
    state: _State  # type: ignore[valid-type]
    times: _Times
    key: bytes
    commands: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Body).decode


@lru_cache(256)
def _ruleset(encoded: bytes) -> RuleSet:
    return msgspec.msgpack.decode(encoded, type=RuleSet)


class RestoredGame(NamedTuple):
    """A game as a stored snapshot has it."""

    now: Snapshot
    commands: bytes
    """The marks of its commands."""


def stored_snapshot(game: Game) -> StoredSnapshot:
    """The newest snapshot of a game that has one, encoded."""
    assert game.now is not None
    now, (state, _, marks, _) = game.now, game.now
    values: list[Any] = [getattr(state, name) for name in _FIELDS]
    values[_FIELDS.index("ruleset")] = _encode(state.ruleset)
    times = _Times(
        at=marks.at,
        sealed_at=marks.sealed_at,
        reveal_seconds=marks.reveal_seconds,
        asked={seat: (asked.at, asked.version) for seat, asked in marks.asked.items()},
        first_deal=marks.first_deal,
        deal=marks.deal,
        freed=marks.freed,
        commanded_at=marks.commanded_at,
    )
    body = _encode(_Body(_State(*values), times, now.chain.key, game.commands.marks))
    return StoredSnapshot(
        game=game.id,
        version=now.version,
        leaf=bytes.fromhex(now.chain.head),
        program=program(),
        body=body,
    )


def restored(snapshot: StoredSnapshot, clock: LedgerClock) -> RestoredGame | None:
    """The game that the snapshot has; None where it cannot be read or is of another game."""
    try:
        body = _decode(snapshot.body)
        values = [getattr(body.state, name) for name in _FIELDS]
        values[_FIELDS.index("ruleset")] = _ruleset(values[_FIELDS.index("ruleset")])
    except msgspec.MsgspecError:
        return None
    state = State(*values)
    if UUID(state.game) != snapshot.game:
        return None
    chain = Chain(state.game, body.key, snapshot.version, snapshot.leaf.hex())
    return RestoredGame(Snapshot(state, chain, _times(body.times), clock), body.commands)


def _times(times: _Times) -> LogTimes:
    seen_at = elapsed_ms()
    return LogTimes(
        at=times.at,
        sealed_at=times.sealed_at,
        sealed_seen_at=seen_at if times.sealed_at else 0,
        reveal_seconds=times.reveal_seconds,
        asked={
            seat: QuestionTime(at, version, seen_at) for seat, (at, version) in times.asked.items()
        },
        first_deal=times.first_deal,
        deal=times.deal,
        freed=times.freed,
        commanded_at=times.commanded_at,
    )
