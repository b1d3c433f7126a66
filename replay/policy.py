"""Whom a verifier believes, and how much it asks for: a TOML file (docs/evidence.md)."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from replay.notes import COSIGNATURE, ED25519, BadKey, VerifierKey, verifier_key

LARGEST = 1 << 20
"""Bytes of a policy."""

Requirement = Literal["receipts", "checkpoint", "finished", "signatures"]


class PolicyError(Exception):
    """The policy cannot be used; the message says why and what to do."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it is written; see docs/evidence.md."""

    keys: Annotated[tuple[str, ...], Meta(min_length=1)]
    origin: str = ""
    witnesses: tuple[str, ...] = ()
    witnesses_needed: Annotated[int, Meta(ge=0)] = 0
    require: tuple[Requirement, ...] = ()


class Policy(Struct, frozen=True):
    """Whom to believe. ``origin`` is empty where any log of the operator's keys will do."""

    source: str
    keys: tuple[VerifierKey, ...]
    """The operator's: they sign receipts and checkpoints."""
    origin: str = ""
    witnesses: tuple[VerifierKey, ...] = ()
    witnesses_needed: int = 0
    require: frozenset[Requirement] = frozenset()


def read_policy(path: str) -> Policy:
    """The policy in a TOML file.

    Raises:
        PolicyError: it cannot be read, is no TOML, or says something that makes no sense.

    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise PolicyError(f"{path}: the policy cannot be read: {reason}.") from None
    if len(raw) > LARGEST:
        raise PolicyError(f"{path}: a policy has at most {LARGEST:,} bytes.")
    try:
        file_ = msgspec.convert(tomllib.loads(raw.decode()), _File)
    except RecursionError:
        raise PolicyError(f"{path}: the policy is nested too deeply.") from None
    except tomllib.TOMLDecodeError as wrong:
        raise PolicyError(f"{path}: the policy is no TOML: {wrong}.") from None
    except UnicodeDecodeError:
        raise PolicyError(f"{path}: the policy is no UTF-8 text.") from None
    except (msgspec.ValidationError, ValueError) as wrong:
        raise PolicyError(f"{path}: {wrong}.") from None
    return _checked(path, file_)


def _checked(path: str, given: _File) -> Policy:
    keys = _keys(path, "keys", given.keys, ED25519)
    witnesses = _keys(path, "witnesses", given.witnesses, COSIGNATURE)
    if given.witnesses_needed > len(witnesses):
        raise PolicyError(
            f"{path}: `witnesses_needed` is {given.witnesses_needed}, "
            f"but `witnesses` names {len(witnesses)}."
        )
    return Policy(
        path, keys, given.origin, witnesses, given.witnesses_needed, frozenset(given.require)
    )


def _keys(path: str, name: str, texts: Iterable[str], kind: int) -> tuple[VerifierKey, ...]:
    """The keys; a text that is none is not repeated, since it may be a private key."""
    found: list[VerifierKey] = []
    for place, text in enumerate(texts, 1):
        where = f"{path}: `{name}`, entry {place}"
        try:
            key = verifier_key(text)
        except BadKey as wrong:
            raise PolicyError(f"{where}: {wrong}.") from None
        if key.kind != kind:
            fits = "`keys`" if key.kind == ED25519 else "`witnesses`"
            raise PolicyError(f"{where}: {key.id} is a key of another kind, for {fits}.")
        if key in found:
            raise PolicyError(f"{where}: this key stands there twice.")
        found.append(key)
    return tuple(found)
