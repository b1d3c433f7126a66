"""The tables of games as columns, and as Parquet files. Needs pyarrow (``phaseledger[analysis]``).

A column's encoding is the one that took the least space of those that Parquet has, on games of
every rule set: dictionaries for what repeats, differences for what counts up, bytes split by their
place for small numbers that follow a pattern. zstd comes after each of them.
"""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec import Struct
from msgspec.structs import fields

from phaseledger.replay.columns.schema import TABLES, TableName, Tables
from phaseledger.replay.terminal import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

_LEVEL = 19
"""Of zstd: files get a twentieth smaller than by level 9, in a hundredth of the time of play."""

_COUNTED = ("game", "seq", "at", "turn")
_PATTERNED = ("round", "seat", "phase", "space")


def require() -> None:
    """Find pyarrow, or say how to get it; raises UsageError."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed: pip install 'phaseledger[analysis]'."
        ) from None


@cache
def schema(table: TableName) -> "pa.Schema":
    """The columns of a table, from the types of its row's fields."""
    import pyarrow as pa

    columns = []
    for field in fields(TABLES[table]):
        kinds: tuple[Any, ...] = get_args(field.type)
        optional = type(None) in kinds
        kind: Any = kinds[0] if optional else field.type
        number = pa.int64() if field.name == "at" else pa.int32()
        known = {
            int: number,
            bool: pa.bool_(),
            list[int]: pa.list_(pa.int32()),
            list[str]: pa.list_(pa.string()),
        }
        columns.append(pa.field(field.name, known.get(kind, pa.string()), nullable=optional))
    return pa.schema(columns)


def batches(rows: Tables) -> dict[TableName, "pa.RecordBatch"]:
    """The rows as columns."""
    import pyarrow as pa

    made = {}
    for table in TABLES:
        some = cast("list[Struct]", getattr(rows, table))
        columns = [
            pa.array([getattr(row, field.name) for row in some], type=field.type)
            for field in schema(table)
        ]
        made[table] = pa.record_batch(columns, schema=schema(table))
    return made


def packed_columns(rows: Tables) -> dict[TableName, bytes]:
    """The columns as bytes: a game's take a tenth of the memory that its record batches do."""
    return {table: batch.serialize().to_pybytes() for table, batch in batches(rows).items()}


def write(path: Path, table: TableName, parts: Iterable[bytes]) -> None:
    """Write the `packed` columns into one file, for good.

    The same rows make the same bytes with the same pyarrow.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    each = [pa.ipc.read_record_batch(part, schema(table)) for part in parts]
    rows = pa.Table.from_batches(each, schema=schema(table))
    flat = [field.name for field in schema(table) if not pa.types.is_list(field.type)]
    lists = [f"{name}.list.element" for name in schema(table).names if name not in flat]
    plain = {name: "DELTA_BINARY_PACKED" for name in flat if name in _COUNTED}
    plain |= {name: "BYTE_STREAM_SPLIT" for name in flat if name in _PATTERNED}
    with path.open("wb") as file:
        pq.write_table(
            rows,
            file,
            row_group_size=max(1, len(rows)),
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=[*(name for name in flat if name not in plain), *lists],
            column_encoding=plain,
        )
        file.flush()
        os.fsync(file.fileno())
