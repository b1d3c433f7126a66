"""The inputs that commands share: the store, a game of it or a file of records, house rules."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from uuid import UUID

import msgspec
from cyclopts import Parameter

from phaseledger.domain.options import OptionValue
from phaseledger.domain.words import Language
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.files import file_key
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.formats.records.source import (
    SCHEMA,
    StoreUnreachable,
    read_file,
    read_store,
)
from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.replay.terminal import UsageError, progress
from phaseledger.replay.text import Viewer

default_dsn: Callable[[Path | None], AbstractContextManager[str]] | None = None
"""The default store: (data folder or None) to a context manager of a DSN, valid for the block.

`service.cli.main` sets it, since this module may not import the service. It raises
`replay.formats.records.source.StoreUnreachable`, with a sentence, where there is no store.
"""

default_keys: Callable[[str], Path | None] | None = None
"""The folder of the service's keys, by `StoreOptions.data_dir`; see `default_dsn`."""
default_published: Callable[[], Path] | None = None
"""The folder of a service's last publication; set by `service.cli.main`."""


@Parameter(name="*")
@dataclass(frozen=True)
class StoreOptions:
    """The place of the log. Default: the embedded PostgreSQL's own data folder."""

    database_url: Annotated[
        str,
        Parameter(
            env_var="PHASELEDGER_DATABASE_URL",
            help="DSN of the PostgreSQL server that holds the log.",
            show_default=False,
        ),
    ] = ""
    data_dir: Annotated[
        str,
        Parameter(
            env_var="PHASELEDGER_DATA_DIR",
            help="Data folder of the embedded server.",
            show_default=False,
        ),
    ] = ""
    schema: Annotated[
        str, Parameter(env_var="PHASELEDGER_SCHEMA", help="Database schema of the log.")
    ] = SCHEMA
    sealing_dir: Annotated[
        str,
        Parameter(
            env_var="PHASELEDGER_SEALING_DIR",
            help="Folder of the keys under which what is hidden is sealed. Default: that of the "
            "service's keys.",
            show_default=False,
        ),
    ] = ""


HERE = StoreOptions()


def sealing_of(store: StoreOptions) -> SealingKeys:
    """The keys that sealed the hidden parts in the store; StoreUnreachable where one is damaged."""
    folder = Path(store.sealing_dir).expanduser() if store.sealing_dir else None
    if default_keys and not folder:
        folder = default_keys(store.data_dir)
    try:
        return sealing.load(folder)
    except sealing.SealingError as error:
        raise StoreUnreachable(str(error)) from None


def optional(text: str, *names: str) -> Parameter:
    """An option that may be left out: its help, which tells of no default, and its names."""
    return Parameter(name=names or None, negative="", show_default=False, help=text)


HouseRuleOptions = Annotated[
    tuple[str, ...],
    optional("A house rule as name=value, a list as JSON; may be repeated.", "--option"),
]


def house_rule(text: str) -> tuple[str, OptionValue]:
    """The name and the value of a house rule given with --option."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--option {text}: write name=value.")
    if value.startswith("["):
        try:
            return name, msgspec.json.decode(value, type=tuple[str, ...])
        except msgspec.DecodeError as error:
            raise UsageError(f"--option {name}: that is no list in JSON: {error}.") from None
    if value.isdecimal() and value.isascii() and len(value) < 10:
        return name, int(value)
    return name, {"true": True, "false": False}.get(value, value)


GameTarget = Annotated[
    str,
    Parameter(
        name="GAME|FILE",
        allow_leading_hyphen=True,
        help="Id of a game in the store, or else a file of records (- for standard input).",
    ),
]
GameOption = Annotated[
    str | None,
    Parameter(help="Which game of a file with several: its id, or its place from 1."),
]
_OUT = "File to write, once it is complete. Default: standard output."
Out = Annotated[Path | None, Parameter(help=_OUT)]
"""The option ``--out`` of commands that write games."""
PageOut = Annotated[Path | None, Parameter(name=("--out", "-o"), help=_OUT)]
"""The option ``--out`` of commands that write a page."""
Jobs = Annotated[int | None, optional("Processes. Default: one a core.")]
LangOption = Annotated[Language, Parameter(name="--lang", help="Language of the answer.")]

ClusterAddress = Annotated[
    str,
    optional(
        "Have the work done by a Dask cluster: the address of its scheduler, as "
        "tcp://10.0.0.1:8786, or `local` for a cluster of this machine. See docs/how-to/scale.md.",
        "--cluster",
    ),
]

ResumeFile = Annotated[
    Path | None,
    optional(
        "Keep the results of finished parts of the work in this file, and take those of an "
        "earlier run from it. See docs/how-to/scale.md.",
        "--resume",
    ),
]

Json = Annotated[bool, optional("Answer in JSON, as described above.")]


def viewer_of(seat: int | None, *, public: bool) -> Viewer:
    """The viewer that the flags name; by default one that sees every card. Raises UsageError."""
    if public and seat is not None:
        raise UsageError("--public and --seat exclude one another.")
    if seat is not None and seat < 0:
        raise UsageError("Seats are counted from 0.")
    return None if public else "all" if seat is None else seat


def game_id(text: str) -> str | None:
    """The game's id, if the text is a UUID; None: it names a file."""
    try:
        return str(UUID(text)) if len(text) == 36 else None
    except ValueError:
        return None


@contextmanager
def dsn_of(store: StoreOptions) -> Iterator[str]:
    """The DSN of the store, during the block. Raises SourceError where there is none."""
    if store.database_url:
        yield store.database_url
    elif default_dsn is None:
        raise StoreUnreachable(
            "No store is named: give --database-url or PHASELEDGER_DATABASE_URL."
        )
    else:
        with default_dsn(Path(store.data_dir) if store.data_dir else None) as dsn:
            yield dsn


@contextmanager
def rows(target: str | None, store: StoreOptions, label: str) -> Iterator[Iterator[SourceRow]]:
    """The rows of a game in the store, of the whole store (None), or of a file."""
    game = None if target is None else game_id(target)
    with ExitStack() as stack:
        if target is None or game:
            dsn = stack.enter_context(dsn_of(store))
            yield read_store(dsn, game, schema=store.schema, sealing=sealing_of(store))
        else:
            advance = stack.enter_context(progress(label, size_of(target), in_bytes=True))
            yield read_file(named_file(target), advance)


def rows_of(targets: Iterable[str | None], store: StoreOptions) -> Iterator[SourceRow]:
    """The rows of all targets, one after the other; see `rows`."""
    for target in targets:
        with rows(target, store, "reading") as some:
            yield from some


def named_file(target: str) -> str:
    """The target as the name of a file; raises UsageError for a misspelt option."""
    if target.startswith("-") and target != "-":
        raise UsageError(f"There is no option {target}; a file of that name is ./{target}.")
    return target


def require_distinct(read: Iterable[str | Path], written: Iterable[Path | None] = ()) -> None:
    """Require that no file is given twice, under any names, nor both read and written.

    Raises:
        UsageError: with both names.

    """
    names: dict[object, str | Path] = {}
    for name in read:
        if (key := file_key(name)) in names:
            raise UsageError(
                f"{names[key]} and {name} are the same, which would count twice: name it once."
            )
        names[key] = name
    for path in filter(None, written):
        if (key := file_key(path)) in names:
            raise UsageError(f"{path} is named twice: what is written needs a file of its own.")
        names[key] = path


def size_of(path: str) -> int | None:
    """Size of a file in bytes; None if it is empty, or there is none."""
    try:
        return Path(path).stat().st_size or None
    except (OSError, ValueError):
        return None
