"""SQL over exported games, by DuckDB (``phaseledger[analysis]``): a database in memory that reads
the files given and nothing else, writes nothing, and loads nothing from a network.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from phaseledger.replay.columns import parquet
from phaseledger.replay.columns.rows import of_rows
from phaseledger.replay.columns.schema import TABLES, TableName
from phaseledger.replay.records.source import DamagedSource, read_file
from phaseledger.replay.simulate import journal as journals
from phaseledger.replay.simulate.output import JOURNAL, part_name
from phaseledger.replay.terminal import UsageError, end_interrupted, progress

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,  # or a query could read this program's variables
}

_PATIENCE = 0.5
"""Seconds that DuckDB has to let go of a query once it is interrupted."""


class Source(NamedTuple):
    """One of the files: its tables in memory, or the Parquet files of its tables."""

    name: str
    columns: dict[TableName, "pa.Table"] | None
    files: dict[TableName, list[str]]


class QueryResult(NamedTuple):
    """What a query found. The rows come as they are asked for."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


def require() -> None:
    """Find DuckDB and pyarrow, or say how to get them; raises UsageError."""
    try:
        import duckdb  # noqa: F401
    except ImportError:
        raise UsageError(
            "Queries need DuckDB, which is not installed: pip install 'phaseledger[analysis]'."
        ) from None
    parquet.require()


def source(name: str) -> Source:
    """A file of records, or a folder that `simulate --format parquet` has written.

    Raises:
        Damaged: it cannot be read, or holds something else.
        UsageError: that looks like an option.

    """
    if name.startswith("-") and name != "-":
        raise UsageError(f"There is no option {name}; a file of that name is ./{name}.")
    _require_text("The name of a file", name)
    path = Path(name)
    if path.is_dir():
        return _folder(name, path)
    if path.suffix == ".parquet":
        raise DamagedSource(
            f"{name}: give the folder of the run, which holds {JOURNAL}, not its files."
        )
    return _records(name)


def _folder(name: str, path: Path) -> Source:
    try:
        journal = journals.load(path / JOURNAL)
    except UsageError as error:
        raise DamagedSource(str(error)) from None
    if journal is None or journal.run.format != "parquet":
        raise DamagedSource(
            f"{name}: is no folder of games; `simulate --format parquet` writes such."
        )
    if not journal.parts:
        raise DamagedSource(f"{name}: holds no whole part yet; the run that writes it goes on.")
    files: dict[TableName, list[str]] = {}
    for table in TABLES:
        paths = [(path / table / part_name(*part)).absolute() for part in journal.parts]
        lost = [each for each in paths if not each.is_file()]
        if lost:
            raise DamagedSource(f"{name}: {table}/{lost[0].name} is gone; {JOURNAL} tells of it.")
        files[table] = list(map(str, paths))
    return Source(name, None, files)


def _records(name: str) -> Source:
    import pyarrow as pa

    parts: dict[TableName, list[pa.RecordBatch]] = {table: [] for table in TABLES}
    size = Path(name).stat().st_size if Path(name).is_file() else None
    with progress("reading", size, in_bytes=True) as advance:
        try:
            for rows in of_rows(read_file(name, advance)):
                for table, batch in parquet.batches(rows).items():
                    parts[table].append(batch)
        except ValueError as error:
            raise DamagedSource(f"{name}: {error}. `phaseledger audit` says more.") from None
    columns = {
        table: pa.Table.from_batches(some, schema=parquet.schema(table))
        for table, some in parts.items()
    }
    return Source(name, columns, {})


@contextmanager
def query_result(sql: str, sources: Sequence[Source]) -> Iterator[QueryResult]:
    """The answer to one question, to be read within the block.

    Raises:
        UsageError: that is no single SELECT, or DuckDB refuses it; the message is DuckDB's.

    """
    import duckdb

    with (
        TemporaryDirectory(prefix="phaseledger-") as spill,
        duckdb.connect(config=_CONFIG) as conn,
        # While DuckDB works in the main thread, Python hears no interrupt.
        ThreadPoolExecutor(1) as thread,
    ):
        try:
            columns = thread.submit(_ask, conn, sql, sources, spill).result()
            yield QueryResult(columns, _rows(conn, thread))
        except duckdb.Error as error:
            raise UsageError(_reason(error)) from None
        except KeyboardInterrupt:
            _stop(conn, thread, spill)
            raise


def _ask(
    conn: "duckdb.DuckDBPyConnection", sql: str, sources: Sequence[Source], spill: str
) -> list[str]:
    """Have the question answered; the names of the answer's columns."""
    conn.execute(f"SET temp_directory = {_text(spill)}")
    conn.execute(f"SET allowed_paths = {_list(_files(sources))}")
    for table in TABLES:
        _view(conn, table, sources)
    conn.execute("SET enable_external_access = false")
    conn.execute("SET lock_configuration = true")
    _require_select(conn, sql)
    conn.execute(sql)
    return [column[0] for column in conn.description or ()]


def _rows(conn: "duckdb.DuckDBPyConnection", thread: Executor) -> Iterator[tuple[Any, ...]]:
    while some := thread.submit(conn.fetchmany, 10_000).result():
        yield from some


def _stop(conn: "duckdb.DuckDBPyConnection", thread: Executor, spill: str) -> None:
    """Stop the query, or the process with it: amid one long value DuckDB hears nothing either."""
    closed = thread.submit(conn.close)
    with suppress(KeyboardInterrupt):  # who asks again waits no longer
        conn.interrupt()
        wait([closed], _PATIENCE)
    if not closed.done():
        rmtree(spill, ignore_errors=True)
        end_interrupted()


def _files(sources: Iterable[Source]) -> list[str]:
    return [file for each in sources for files in each.files.values() for file in files]


def _view(conn: "duckdb.DuckDBPyConnection", table: TableName, sources: Sequence[Source]) -> None:
    """One table of all sources, with the name of each in the column ``file``."""
    from duckdb import Error

    parts = []
    known = ", ".join(f'"{column}"' for column in parquet.schema(table).names)
    for number, (name, columns, files) in enumerate(sources):
        rows = f"read_parquet({_list(files.get(table, ()))})"
        if columns:
            rows = f"_{table}_{number}"
            conn.register(rows, columns[table])
        # By name, so that a file of another release does not pass for one of this.
        parts.append(f"SELECT {_text(name)} AS file, {known} FROM {rows}")  # noqa: S608 - quoted
    try:
        conn.execute(f"CREATE VIEW {table} AS {' UNION ALL '.join(parts)}")
    except Error as error:
        why = _reason(error).partition(" (LINE ")[0]
        raise DamagedSource(f"The files of the table {table} cannot be read: {why}") from None


def _require_select(conn: "duckdb.DuckDBPyConnection", sql: str) -> None:
    import duckdb

    _require_text("The question", sql)
    statements = conn.extract_statements(sql)
    if len(statements) != 1:
        raise UsageError(f"Give one SELECT; these are {len(statements)} statements.")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise UsageError(
            f"Only a SELECT is answered, nothing is changed; this is {statements[0].type.name}."
        )


def _require_text(what: str, given: str) -> None:
    """Refuse bytes of the command line that are no text; DuckDB would not take them."""
    try:
        given.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} is not UTF-8 text.") from None


def _text(value: str) -> str:
    quoted = value.replace("'", "''")
    return f"'{quoted}'"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"


def _reason(error: Exception) -> str:
    """DuckDB's message as a line, with what there is instead of its guesses at what was meant."""
    first, *rest = [line.strip() for line in str(error).splitlines() if line.strip()]
    place = next((line for line in rest if line.startswith("LINE ")), "")
    told = [first, *(line for line in rest if line.startswith("Candidate bindings:"))]
    if "Table with name" in first and "does not exist" in first:
        told.append(f"There are {', '.join(TABLES)}.")
    if first.startswith("Permission Error:"):
        told.append("A query reads the files that are given beside it, and nothing else.")
    return " ".join([*told, f"({place[:200]})" if place else ""]).strip()
