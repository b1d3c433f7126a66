"""The tables of games as Arrow columns and Parquet files; needs ``phaseledger[analysis]``.

Each column has the Parquet encoding that took the least space on games of every rule set:
dictionaries for repeated values, differences for increasing numbers, bytes split by their place for
small numbers that follow a pattern. zstd comes after each of them.
"""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec import Struct
from msgspec.structs import fields

from phaseledger.replay.laboratory.columns.schema import (
    ANALYSIS_TABLES,
    TABLES,
    AnalysisTables,
    TableName,
    Tables,
)
from phaseledger.replay.terminal import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

_LEVEL = 19
"""The zstd level: files are 5 % smaller than by level 9, for 1 % of the time of play."""

_DELTA_ENCODED = ("game", "seq", "at", "turn")
_SPLIT_ENCODED = ("round", "seat", "phase", "space")


def require() -> None:
    """Check that pyarrow is installed; raises UsageError, which says how to install it."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed: pip install 'phaseledger[analysis]'."
        ) from None


@cache
def schema(table: TableName) -> "pa.Schema":
    """The Arrow schema of a table, from the types of its row's fields."""
    import pyarrow as pa

    columns = []
    for field in fields((TABLES | ANALYSIS_TABLES)[table]):
        kinds: tuple[Any, ...] = get_args(field.type)
        optional = type(None) in kinds
        kind: Any = kinds[0] if optional else field.type
        number = pa.int64() if field.name == "at" else pa.int32()
        arrow_types = {
            int: number,
            float: pa.float64(),
            bool: pa.bool_(),
            list[int]: pa.list_(pa.int32()),
            list[str]: pa.list_(pa.string()),
        }
        columns.append(pa.field(field.name, arrow_types.get(kind, pa.string()), nullable=optional))
    return pa.schema(columns)


def batches(rows: Tables | AnalysisTables) -> dict[TableName, "pa.RecordBatch"]:
    """The rows as Arrow record batches, by table."""
    import pyarrow as pa

    record_batches = {}
    for table in TABLES if isinstance(rows, Tables) else ANALYSIS_TABLES:
        table_rows = cast("list[Struct]", getattr(rows, table))
        columns = [
            pa.array([getattr(row, field.name) for row in table_rows], type=field.type)
            for field in schema(table)
        ]
        record_batches[table] = pa.record_batch(columns, schema=schema(table))
    return record_batches


def packed_columns(rows: Tables | AnalysisTables) -> dict[TableName, bytes]:
    """The record batches serialized, by table: a tenth of the memory of the batches themselves."""
    return {table: batch.serialize().to_pybytes() for table, batch in batches(rows).items()}


def part_name(first: int, last: int) -> str:
    """The name of the Parquet file of these games."""
    return f"{first:09}-{last:09}.parquet"


def write(path: Path, table: TableName, parts: Iterable[bytes]) -> None:
    """Write `packed_columns` record batches into one Parquet file, durably (fsync).

    The same rows make the same bytes with the same pyarrow.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    record_batches = [pa.ipc.read_record_batch(part, schema(table)) for part in parts]
    rows = pa.Table.from_batches(record_batches, schema=schema(table))
    scalars = [field.name for field in schema(table) if not pa.types.is_list(field.type)]
    lists = [f"{name}.list.element" for name in schema(table).names if name not in scalars]
    encodings = {name: "DELTA_BINARY_PACKED" for name in scalars if name in _DELTA_ENCODED}
    encodings |= {name: "BYTE_STREAM_SPLIT" for name in scalars if name in _SPLIT_ENCODED}
    with path.open("wb") as file:
        pq.write_table(
            rows,
            file,
            row_group_size=max(1, len(rows)),
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=[*(name for name in scalars if name not in encodings), *lists],
            column_encoding=encodings,
        )
        file.flush()
        os.fsync(file.fileno())
