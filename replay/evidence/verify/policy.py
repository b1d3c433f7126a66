"""The verification policy: which keys to trust and what evidence to require, in a TOML file
(docs/reference/verify.md).
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, structs

from phaseledger.domain.words import message
from phaseledger.replay.formats.signing.ed25519 import is_usable
from phaseledger.replay.formats.signing.notes import (
    COSIGNATURE,
    ED25519,
    BadKey,
    VerifierKey,
    verifier_keys,
)
from phaseledger.replay.formats.text_files import text_of

LARGEST = 1 << 20
"""Bytes of a policy."""

CLOCK_SKEW = 300
"""Seconds by which the clocks of the operator and of a witness may differ, if no policy says."""

Requirement = Literal["receipts", "checkpoint", "finished", "signatures"]


TimesDemand = Literal["recorded", "witnessed"]
"""Whose clock shows that a seat had its time: the operator's own, or a witness's too."""

SecretsDemand = Literal["server", "seats", "players"]
MovesDemand = Literal["unsigned", "signed"]
BotsDemand = Literal["unproven", "re-decided"]
"""The weakest value of a facet that will do (`replay.evidence.verify.evidence.Facets`)."""


class PolicyError(Exception):
    """The policy cannot be used; the message says why and what to do."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The policy file's fields as they are written; see docs/reference/verify.md."""

    keys: Annotated[tuple[str, ...], Meta(min_length=1)]
    origin: str = ""
    witnesses: tuple[str, ...] = ()
    witnesses_needed: Annotated[int, Meta(ge=0)] = 0
    clock_skew: Annotated[int, Meta(ge=0, le=86_400)] = CLOCK_SKEW
    require: tuple[Requirement, ...] = ()
    times: TimesDemand = "recorded"
    secrets: SecretsDemand = "server"
    moves: MovesDemand = "unsigned"
    bots: BotsDemand = "unproven"
    players: tuple[str, ...] = ()
    seats: dict[str, str] = {}


_PLAYER_KEY = "64 hex digits, and none by which anybody can sign."
_NUMBER, _HEX = re.compile(r"[0-9]|1[0-5]"), re.compile(r"[0-9a-f]{64}")


class Policy(Struct, frozen=True):
    """A checked policy. Where ``origin`` is empty, the log bears the name of one of the keys."""

    source: str
    keys: tuple[VerifierKey, ...]
    """The operator's: they sign receipts and checkpoints."""
    origin: str = ""
    witnesses: tuple[VerifierKey, ...] = ()
    witnesses_needed: int = 0
    require: frozenset[Requirement] = frozenset()
    seats: dict[int, str] = {}
    """The Ed25519 public keys (hex) by which seats sign, as their players told the auditor."""
    clock_skew: int = CLOCK_SKEW
    """Seconds by which a witness's clock may be behind the operator's."""
    times: TimesDemand = "recorded"
    """``witnessed``: by a witness's clock, too, seats had their time before they were timed out."""

    secrets: SecretsDemand = "server"
    """``players``: a player whose key is named here brought a secret; ``seats``: some seat did."""
    moves: MovesDemand = "unsigned"
    """``signed``: people's moves are signed by keys that are named here."""
    bots: BotsDemand = "unproven"
    """``re-decided``: the bots' programs make the moves that they are said to have made."""
    players: frozenset[str] = frozenset()
    """The Ed25519 public keys (hex) of players, wherever they sit."""

    def names(self, seat: int, key: str) -> bool:
        """Whether the policy names the key, registered by the seat, as its player's."""
        return bool(key) and (key in self.players or self.seats.get(seat) == key)

    @property
    def origins(self) -> frozenset[str]:
        """The names that the log may have."""
        return frozenset([self.origin] if self.origin else [key.name for key in self.keys])


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
        fields = msgspec.convert(tomllib.loads(text_of(raw)), _File)
    except RecursionError:
        raise PolicyError(f"{path}: the policy is nested too deeply.") from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path}: the policy is no TOML: {error}.") from None
    except UnicodeError as error:
        raise PolicyError(f"{path}: the policy cannot be read: {error}.") from None
    except msgspec.ValidationError as error:
        raise PolicyError(f"{path}: {_field_error(str(error))}.") from None
    except ValueError:  # a number or a date that Python cannot hold
        raise PolicyError(f"{path}: the policy has a value that is out of bounds.") from None
    return _policy(path, fields)


def _field_error(problem: str) -> str:
    """The sentence for msgspec's message on a field."""
    problem, separator, field_path = problem.partition(" - at `$.")
    if separator:
        name = re.split(r"\W", field_path)[0]
        return f"`{name}` must be {message('en', f'verifier.shape.{name}')}"
    name, fields = problem.split("`")[1], _File.__struct_fields__
    if name in fields:
        return f"`{name}` is missing: it must be {message('en', f'verifier.shape.{name}')}"
    return f"a policy has no `{name}`, but {', '.join(f'`{field}`' for field in fields)}"


def _policy(path: str, fields: _File) -> Policy:
    keys = _keys(path, "keys", fields.keys, ED25519)
    witnesses = _keys(path, "witnesses", fields.witnesses, COSIGNATURE)
    if fields.witnesses_needed > len(witnesses):
        raise PolicyError(
            f"{path}: `witnesses_needed` is {fields.witnesses_needed}, "
            f"but `witnesses` names {len(witnesses)}."
        )
    if fields.times == "witnessed" and not witnesses:
        raise PolicyError(f'{path}: `times` is "witnessed", but `witnesses` names none.')
    for demand, value in (("secrets", fields.secrets), ("moves", fields.moves)):
        if value in ("players", "signed") and not (fields.players or fields.seats):
            raise PolicyError(
                f'{path}: `{demand}` is "{value}", but neither `players` nor `seats` names a key '
                "of a player: the operator can have keys of its own."
            )
    checked = {
        "keys": keys,
        "witnesses": witnesses,
        "require": frozenset(fields.require),
        "players": frozenset(_player(path, n, text) for n, text in enumerate(fields.players, 1)),
        "seats": dict(_seat(path, name, text) for name, text in fields.seats.items()),
    }
    return Policy(source=path, **structs.asdict(fields) | checked)


def _player(path: str, number: int, text: str) -> str:
    """A player's key."""
    if not _is_key(text):
        raise PolicyError(
            f"{path}: `players`, entry {number}: the key must be a player's, {_PLAYER_KEY}"
        )
    return text


def _seat(path: str, name: str, text: str) -> tuple[int, str]:
    """A seat's number and key."""
    if not _NUMBER.fullmatch(name):
        raise PolicyError(f"{path}: `seats` has {name[:20]!r}, which is no number from 0 to 15.")
    if not _is_key(text):
        raise PolicyError(f"{path}: `seats`, seat {name}: the key must be a seat's, {_PLAYER_KEY}")
    return int(name), text


def _is_key(text: str) -> bool:
    return bool(_HEX.fullmatch(text)) and is_usable(bytes.fromhex(text))


def _keys(path: str, name: str, texts: Iterable[str], kind: int) -> tuple[VerifierKey, ...]:
    try:
        keys = verifier_keys(texts, kind)
    except BadKey as error:
        raise PolicyError(f"{path}: `{name}`, {error}.") from None
    for place, key in enumerate(keys, 1):
        if not is_usable(key.public):
            raise PolicyError(
                f"{path}: `{name}`, entry {place}: {key.id} cannot be used: anybody can sign by it."
            )
    return keys
