"""The service's settings: `PHASELEDGER_*` variables under the command line's flags."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import platformdirs
from msgspec import Meta, Struct

from replay.notes import COSIGNATURE, BadKey, VerifierKey, verifier_key
from service.schema import SCHEMA, SCHEMA_NAME

PREFIX = "PHASELEDGER_"


class Settings(Struct, frozen=True, kw_only=True):
    """How to run. Every field may be given as ``PHASELEDGER_<NAME>``; a flag goes before it."""

    database_url: str = ""
    """DSN of a PostgreSQL server, 15 or newer; empty: an embedded server of our own."""
    owner_database_url: str = ""
    """DSN of the role that owns the tables, for migrations; empty: `database_url`."""
    data_dir: str = ""
    """Where the embedded server keeps its data; empty: the user's data folder."""
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8000
    schema: Annotated[str, Meta(pattern=rf"^{SCHEMA_NAME.pattern}\Z")] = SCHEMA
    grouping: bool = True
    """Whether commands in flight share commits; off is for comparison."""
    projections: bool = True
    """Whether `serve` follows the projections itself; off leaves them to `phaseledger worker`."""
    unsafe: bool = False
    """Whether to accept a server set up to lose acknowledged events."""
    keys_dir: str = ""
    """Where the operator's keys are; empty: ``keys`` in `data_dir` or the user's data folder."""
    log_origin: Annotated[str, Meta(pattern=r"^([!-*,-~]{1,200})?\Z")] = ""
    """What the public log is called; empty: the name of the oldest key."""
    witnesses: str = ""
    """Verifier keys of witnesses whose cosignatures are taken, with spaces."""
    reveal_seconds: Annotated[int, Meta(ge=1, le=86_400)] = 120
    """How long a sealed table waits for the secrets that its seats have committed to."""
    cached_games: Annotated[int, Meta(ge=1, le=1_000_000)] = 2_000


def keys_folder(settings: Settings) -> Path:
    """The folder of the operator's keys."""
    if settings.keys_dir:
        return Path(settings.keys_dir).expanduser()
    if settings.data_dir:
        return Path(settings.data_dir).expanduser() / "keys"
    return platformdirs.user_data_path("phaseledger", appauthor=False) / "keys"


class SettingsError(Exception):
    """A variable or flag that makes no sense; the message names it."""


def witnesses(settings: Settings) -> tuple[VerifierKey, ...]:
    """The witnesses whose cosignatures are taken; raises SettingsError."""
    try:
        keys = tuple(map(verifier_key, settings.witnesses.split()))
    except BadKey as wrong:
        raise SettingsError(f"{PREFIX}WITNESSES is not usable: {wrong}.") from None
    if any(key.kind != COSIGNATURE for key in keys):
        raise SettingsError(
            f"{PREFIX}WITNESSES is not usable: a witness's key is of kind 4, as "
            "`phaseledger witness` prints it."
        )
    return keys


def load(environ: Mapping[str, str], flags: Mapping[str, object] | None = None) -> Settings:
    """The settings of the environment, under the flags that are not None.

    Raises:
        SettingsError: a misspelt variable, or a value of the wrong type or out of bounds.

    """
    given: dict[str, Any] = {}
    for variable in sorted(environ):
        if variable.startswith(PREFIX):
            given[_field(variable)] = environ[variable]
    sources = {name: PREFIX + name.upper() for name in given}
    for name, value in (flags or {}).items():
        if value is not None:
            given[name] = value
            sources[name] = "--" + name.replace("_", "-")
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        reason, _, path = str(wrong).partition(" - at `$.")
        source = sources[path.rstrip("`")]
        raise SettingsError(f"{source} is not usable: {reason.lower()}.") from None


def _field(variable: str) -> str:
    name = variable.removeprefix(PREFIX).lower()
    if name in Settings.__struct_fields__:
        return name
    known = [PREFIX + field.upper() for field in Settings.__struct_fields__]
    near = difflib.get_close_matches(variable, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
    raise SettingsError(f"{variable} is no setting: {hint}")
