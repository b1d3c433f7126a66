"""The command `query`."""

import csv
import io
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from phaseledger.replay.batch.inputs import Json, optional, require_distinct
from phaseledger.replay.laboratory.analysis.query import QueryResult, query_result, require, source
from phaseledger.replay.laboratory.report.tables import short
from phaseledger.replay.terminal import SOUND, UsageError, guarded, print_lines, say, tell

_SHOWN = 1_000
"""Rows of an aligned table, which has to be in hand before its first line."""

_LONGEST = 60
"""Characters of a value in an aligned table."""


@guarded
def query(
    sql: Annotated[str, Parameter(name="SQL", help="One SELECT, as DuckDB understands it.")],
    /,
    *files: Annotated[
        str,
        Parameter(
            name="FILE",
            allow_leading_hyphen=True,
            help="Files of records (NDJSON, - for standard input), or folders of Parquet files.",
        ),
    ],
    csv: Annotated[bool, optional("Answer in CSV (RFC 4180).")] = False,
    json: Json = False,
) -> int:
    r"""Ask exported or simulated games in SQL.

    The tables are games, rounds, turns and events; every one has the column `file`, as given here,
    and `game`, the number of the game in it. docs/reference/tables.md says what each column means,
    and "DESCRIBE events" names them. Nothing is written, no other file is read, and nothing comes
    from a network. Needs DuckDB: pip install 'phaseledger[analysis]'.

    An aligned table shows the first 1,000 rows, and 60 characters of a value; --csv and --json give
    all of them. With --json: an array with one object for each row, by column.

    For example: phaseledger query "SELECT bots[winners[1] + 1] AS bot, count(*) AS won FROM games
    GROUP BY bot" cup

    Or: phaseledger query "SELECT phase, avg((laid IS NOT NULL)::int) AS made FROM rounds GROUP BY
    phase ORDER BY phase" games.ndjson

    Or: phaseledger query --csv "SELECT source, count(*) AS turns FROM turns WHERE NOT lost GROUP BY
    ALL" games.ndjson cup > sources.csv
    """
    if csv and json:
        raise UsageError("--csv and --json exclude one another.")
    if not files:
        raise UsageError("Say which games: files of records, or folders of Parquet files.")
    require_distinct(files)
    require()
    sources = [source(name) for name in files]
    require_distinct(part for entry in sources for part in entry.files.get("games", ()))
    with query_result(sql, sources) as answer:
        if csv:
            print_lines(_as_csv(answer))
        elif json:
            print_lines(_as_json(answer))
        else:
            _print_table(answer)
    return SOUND


def _as_csv(answer: QueryResult) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(answer.columns)
    for row in answer.rows:
        writer.writerow(map(_csv_value, row))
        yield line.getvalue()
        line.seek(0)
        line.truncate()
    yield line.getvalue()


def _csv_value(value: object) -> object:
    """Numbers unrounded; null as nothing."""
    return value if type(value) in (int, float) else _plain(value)


_json = msgspec.json.Encoder(enc_hook=str, decimal_format="number").encode


def _as_json(answer: QueryResult) -> Iterator[str]:
    duplicates = {name for name in answer.columns if answer.columns.count(name) > 1}
    if duplicates:
        raise UsageError(
            f"Two columns are called {min(duplicates)}: give them other names with AS."
        )
    separator = "["
    for row in answer.rows:
        yield f"{separator}{_json(dict(zip(answer.columns, row, strict=True))).decode()}"
        separator = ",\n"
    yield "]\n" if separator != "[" else "[]\n"


def _plain(value: object) -> str:
    """A value as text: lists and the like as JSON, anything else as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    if value is None:
        return ""
    return _json(value).decode().strip('"')


def _print_table(answer: QueryResult) -> None:
    rows = list(islice(answer.rows, _SHOWN))
    values = [[_plain(value) for value in row] for row in rows]
    cells = [[short(value, _LONGEST) for value in row] for row in values]
    numeric_columns = [_is_number([row[i] for row in rows]) for i in range(len(answer.columns))]
    columns: list[Sequence[str]] = list(zip(answer.columns, *cells, strict=True))
    widths = [max(map(len, column)) for column in columns]

    def line(row: Sequence[str]) -> str:
        layout = zip(row, widths, numeric_columns, strict=True)
        return "  ".join(
            cell.rjust(width) if is_numeric else cell.ljust(width)
            for cell, width, is_numeric in layout
        ).rstrip()

    say(line(answer.columns))
    say("  ".join("-" * width for width in widths))
    for row in cells:
        say(line(row))
    if next(answer.rows, None):
        tell(f"There are more than these {_SHOWN:,} rows: --csv and --json give all.")
    if cells != values:
        tell(
            f"Values that end in \N{HORIZONTAL ELLIPSIS} are cut at {_LONGEST} characters: "
            "--csv and --json give them whole."
        )


def _is_number(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int | float | Decimal | None) for value in values)
