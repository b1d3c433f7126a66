"""SQL over exported games, by DuckDB (``phaseledger[analysis]``): a database in memory that reads
the given files and nothing else, writes nothing, and loads nothing from a network.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from phaseledger.replay.formats.records.source import DamagedSource, read_file
from phaseledger.replay.laboratory.columns import parquet
from phaseledger.replay.laboratory.columns.rows import of_rows
from phaseledger.replay.laboratory.columns.schema import TABLES, TableName
from phaseledger.replay.laboratory.simulate import journal as journals
from phaseledger.replay.laboratory.simulate.output import JOURNAL
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
    """One source of games: its tables in memory, or the Parquet files of its tables."""

    name: str
    columns: dict[TableName, "pa.Table"] | None
    files: dict[TableName, list[str]]


class QueryResult(NamedTuple):
    """The result of a query. Its rows are fetched lazily."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


def require() -> None:
    """Check that DuckDB and pyarrow are installed; raises UsageError, with how to get them."""
    try:
        import duckdb  # noqa: F401
    except ImportError:
        raise UsageError(
            "Queries need DuckDB, which is not installed: pip install 'phaseledger[analysis]'."
        ) from None
    parquet.require()


def source(name: str) -> Source:
    """The source with a name: a file of records, or a folder of `simulate --format parquet`.

    Raises:
        DamagedSource: it cannot be read, or holds something else.
        UsageError: the name looks like an option.

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
        paths = [(path / table / parquet.part_name(*part)).absolute() for part in journal.parts]
        missing = [part_path for part_path in paths if not part_path.is_file()]
        if missing:
            raise DamagedSource(
                f"{name}: {table}/{missing[0].name} is gone; {JOURNAL} tells of it."
            )
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
        table: pa.Table.from_batches(batches, schema=parquet.schema(table))
        for table, batches in parts.items()
    }
    return Source(name, columns, {})


@contextmanager
def query_result(sql: str, sources: Sequence[Source]) -> Iterator[QueryResult]:
    """Execute one SELECT; its answer is to be read within the block.

    Raises:
        UsageError: the text is no single SELECT, or DuckDB refuses it; the message is DuckDB's.

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
    """Execute the query with nothing but the sources in reach; returns the names of its columns."""
    conn.execute(f"SET temp_directory = {_text(spill)}")
    files = _files(sources)
    conn.execute(f"SET allowed_paths = {_list([*files, *map(_pattern, files)])}")
    for table in TABLES:
        _view(conn, table, sources)
    conn.execute("SET enable_external_access = false")
    conn.execute("SET lock_configuration = true")
    _require_select(conn, sql)
    conn.execute(sql)
    return [column[0] for column in conn.description or ()]


def _rows(conn: "duckdb.DuckDBPyConnection", thread: Executor) -> Iterator[tuple[Any, ...]]:
    while batch := thread.submit(conn.fetchmany, 10_000).result():
        yield from batch


def _stop(conn: "duckdb.DuckDBPyConnection", thread: Executor, spill: str) -> None:
    """Stop the query, or else the process: within one long value DuckDB ignores an interrupt."""
    closed = thread.submit(conn.close)
    with suppress(KeyboardInterrupt):  # a second interrupt waits no longer
        conn.interrupt()
        wait([closed], _PATIENCE)
    if not closed.done():
        rmtree(spill, ignore_errors=True)
        end_interrupted()


def _files(sources: Iterable[Source]) -> list[str]:
    return [file for entry in sources for files in entry.files.values() for file in files]


def _view(conn: "duckdb.DuckDBPyConnection", table: TableName, sources: Sequence[Source]) -> None:
    """Create the view of one table over all sources, with their names in the column ``file``."""
    from duckdb import Error

    parts = []
    column_list = ", ".join(f'"{column}"' for column in parquet.schema(table).names)
    for number, (name, columns, files) in enumerate(sources):
        paths = _list(map(_pattern, files.get(table, ())))
        rows = f"read_parquet({paths}, hive_partitioning = false)"
        if columns:
            rows = f"_{table}_{number}"
            conn.register(rows, columns[table])
        # By name, so that a file of another release is not mistaken for one of this release.
        parts.append(f"SELECT {_text(name)} AS file, {column_list} FROM {rows}")  # noqa: S608 - quoted
    try:
        conn.execute(f"CREATE VIEW {table} AS {' UNION ALL '.join(parts)}")
    except Error as error:
        reason = _reason(error).partition(" (LINE ")[0]
        raise DamagedSource(f"The files of the table {table} cannot be read: {reason}") from None


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


def _require_text(label: str, value: str) -> None:
    """Refuse bytes of the command line that are no text; DuckDB would not take them."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{label} is not UTF-8 text.") from None


def _pattern(path: str) -> str:
    """The glob that matches this path alone: DuckDB takes each path as a glob."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in path)


def _text(value: str) -> str:
    quoted = value.replace("'", "''")
    return f"'{quoted}'"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"


def _reason(error: Exception) -> str:
    """DuckDB's message in one line, with the names that exist in place of its suggestions."""
    message, *details = [line.strip() for line in str(error).splitlines() if line.strip()]
    position = next((line for line in details if line.startswith("LINE ")), "")
    sentences = [message, *(line for line in details if line.startswith("Candidate bindings:"))]
    if "Table with name" in message and "does not exist" in message:
        sentences.append(f"There are {', '.join(TABLES)}.")
    if message.startswith("Parser Error:") and re.search(
        r"(?i)\b(at|(group|left)(?! +(by|join|outer)))\b", position
    ):
        sentences.append('The columns "at", "group" and "left" need quotation marks.')
    if message.startswith("Permission Error:"):
        sentences.append("A query reads the files that are given beside it, and nothing else.")
    return " ".join([*sentences, f"({position[:200]})" if position else ""]).strip()
