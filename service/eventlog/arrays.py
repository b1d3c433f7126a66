"""Array parameters in PostgreSQL's binary form, for the columns of a commit.

psycopg's dumper takes arrays of any depth and looks at each element several times: a tenth of the
processor time of a commit of one command. These have one dimension and elements that are bytes.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple, cast

import psycopg
from psycopg import postgres
from psycopg.abc import DumperKey
from psycopg.adapt import Dumper, PyFormat
from psycopg.pq import Format
from typing_extensions import override

_HEADER = struct.Struct("!iiIii")  # dimensions, whether NULL occurs, type, length, first index
_LENGTH = struct.Struct("!i")
_NULL = _LENGTH.pack(-1)


class Array(NamedTuple):
    """An array of one dimension: the name of the elements' type, and each in its binary form."""

    type: str
    elements: Sequence[bytes | None]


class ArrayDumper(Dumper):
    """How psycopg sends an array; one for each type of elements."""

    format = Format.BINARY

    @override
    def get_key(self, obj: Array, format: PyFormat) -> DumperKey:
        return cast("DumperKey", (self.cls, obj.type))  # whatever can be a key of a dict does

    @override
    def upgrade(self, obj: Array, format: PyFormat) -> "ArrayDumper":
        dumper = ArrayDumper(self.cls)
        dumper.oid = postgres.types[obj.type].array_oid
        return dumper

    @override
    def dump(self, obj: Array) -> bytes:
        parts = [_HEADER.pack(1, 1, postgres.types[obj.type].oid, len(obj.elements), 1)]
        for element in obj.elements:
            if element is None:
                parts.append(_NULL)
            else:
                parts += (_LENGTH.pack(len(element)), element)
        return b"".join(parts)


psycopg.adapters.register_dumper(Array, ArrayDumper)
