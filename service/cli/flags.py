"""The flags of commands that work on a ledger: each is the setting of its name."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from phaseledger.service.settings import Settings, load

JsonFlag = Annotated[
    bool, Parameter(negative="", show_default=False, help="Print one JSON document.")
]
ActorFlag = Annotated[str, Parameter(help="Who does it, for the record.")]
ReasonFlag = Annotated[
    str, Parameter(help="Why, for the record; players of a voided game read it.")
]


def _flag(text: str) -> Parameter:
    return Parameter(help=text)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StoreFlags:
    """Where the event log is. Each flag is the setting of its name; None leaves that as it is."""

    database_url: Annotated[
        str | None, _flag("DSN of a PostgreSQL server, 15 or newer; else an embedded one.")
    ] = None
    data_dir: Annotated[Path | None, _flag("Where the embedded server keeps its data.")] = None
    schema: Annotated[str | None, _flag("The schema that holds the tables.")] = None

    def settings(self) -> Settings:
        """The settings of the environment under these flags. Raises SettingsError."""
        flags = {name: str(value) for name, value in asdict(self).items() if value is not None}
        return load(os.environ, flags)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LedgerFlags(StoreFlags):
    """Where the whole ledger is. Each flag is the setting of its name."""

    keys_dir: Annotated[
        Path | None, _flag("The folder of the keys that sign (`keys` in the data folder).")
    ] = None
    published_dir: Annotated[
        Path | None,
        _flag("Where the last published checkpoint is kept (in the user's state folder)."),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServeFlags(LedgerFlags):
    """How to serve. Each flag is the setting of its name."""

    host: Annotated[str | None, _flag("The address to listen on (127.0.0.1).")] = None
    port: Annotated[int | None, _flag("The port to listen on (8000).")] = None
    web: Annotated[bool | None, _flag("Serve the tables for people, at /play (yes).")] = None
    projections: Annotated[
        bool | None, _flag("Keep the projections up here, not in `phaseledger worker` (yes).")
    ] = None
    unsafe: Annotated[
        bool | None, _flag("Accept a server set up to lose acknowledged events (no).")
    ] = None
    synchronous_standby: Annotated[
        bool | None, _flag("Demand that commits wait for a standby server (no).")
    ] = None
    cached_games: Annotated[int | None, _flag("How many games to keep in memory (2000).")] = None
    log_origin: Annotated[
        str | None, _flag("What the public log is called (the name of the first key).")
    ] = None
    witnesses: Annotated[
        str | None, _flag("Verifier keys of witnesses whose cosignatures are taken.")
    ] = None
    admin_port: Annotated[
        int | None, _flag("The port of the operator's listener, on 127.0.0.1 (0: none).")
    ] = None


AS_SET, LEDGER_AS_SET = StoreFlags(), LedgerFlags()
AS_SERVED = ServeFlags()
