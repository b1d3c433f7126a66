"""A short game as rows, and ways to write its records anew after changing them."""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from phaseledger.domain.evidence.codec import NO_PREVIOUS, leaf_hash, redact, seal_key
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import AuditVerdict, Finding, SourceRow
from tests.support.scenario import play_random, records

Tree = dict[str, Any]

GAME = str(UUID(int=7))
OTHER = str(UUID(int=8))


@cache
def short_game(gid: str = GAME, seed: str = "short", seats: int = 2) -> tuple[bytes, ...]:
    """The stored events of a game of one phase."""
    _, events = play_random(gid, seats, seed, {"variant": "n_phases(1)"}, bot="greedy")
    return tuple(entry.stored for entry in records(events))


def trees(gid: str = GAME, seed: str = "short") -> list[Tree]:
    """The game's records as JSON trees, to be changed."""
    return [msgspec.json.decode(stored) for stored in short_game(gid, seed)]


def encode(tree: Tree) -> bytes:
    return msgspec.json.encode(tree, order="sorted")


def rows(made: list[Tree] | list[bytes] | tuple[bytes, ...]) -> list[SourceRow]:
    """As a reader of files would give them."""
    given = []
    for place, record in enumerate(made, 1):
        stored = record if isinstance(record, bytes) else encode(record)
        tree = msgspec.json.decode(stored)
        given.append(SourceRow(tree["game"], tree["type"], stored, place))
    return given


def rechained(made: list[Tree], *, renumbered: bool = False) -> list[Tree]:
    """The same records, every `prev` computed anew, as a careful forger would."""
    key = seal_key(made[0]["game"], made[0]["hidden"]["server"]["secret"])
    head = NO_PREVIOUS
    for number, tree in enumerate(made, 1):
        tree["prev"] = head
        if renumbered:
            tree["seq"] = number
        head = leaf_hash(redact(encode(tree), key, None, opened=False))
    return made


def verdict(made: list[Tree] | list[bytes] | tuple[bytes, ...]) -> AuditVerdict:
    """The audit of records that are all one game."""
    (only,) = audit(rows(made))
    return only


def first(made: list[Tree] | list[bytes] | tuple[bytes, ...]) -> Finding:
    """The one finding of the audit."""
    (finding,) = verdict(made).findings
    return finding


def seq_of(kind: str, which: Callable[[Tree], bool] = lambda _: True, *, skip: int = 0) -> int:
    """The number of an event of that kind in the short game."""
    numbers = [t["seq"] for t in trees() if t["type"] == f"{kind}/1" and which(t)]
    return numbers[skip]


def commitment(kind: str, *parts: str | bytes) -> str:
    """A commitment by its formula (docs/reference/deal.md), not by the code under test."""
    text = b"\n".join(p.encode() if isinstance(p, str) else p for p in (f"p10/{kind}/v1", *parts))
    return hashlib.sha256(text).hexdigest()
