"""Arrays go to the server as psycopg's own dumper would send them."""

from uuid import UUID

import psycopg
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.adapt import PyFormat, Transformer

from phaseledger.service.eventlog.arrays import Array

BYTES = st.lists(st.binary(max_size=40) | st.none(), min_size=1, max_size=5).filter(any)


def sent(value: object) -> tuple[int, bytes]:
    """The type's OID, and the bytes that go to the server."""
    transformer = Transformer()
    (dumped,) = transformer.dump_sequence([value], [PyFormat.BINARY])
    assert dumped is not None
    assert transformer.types is not None
    return transformer.types[0], bytes(dumped)


@settings(max_examples=50)
@given(BYTES)
def test_bytes(elements: list[bytes | None]) -> None:
    oid, data = sent(Array("bytea", elements))
    own_oid, own_data = sent(elements)
    # Whether NULL occurs is a flag that the server does not read.
    assert (oid, data[:4], data[8:]) == (own_oid, own_data[:4], own_data[8:])


@settings(max_examples=50)
@given(st.lists(st.uuids(), min_size=1), st.lists(st.integers(2**32, 2**63 - 1), min_size=1))
def test_other_types(ids: list[UUID], numbers: list[int]) -> None:
    for array, elements in (
        (Array("uuid", [uuid.bytes for uuid in ids]), ids),
        (Array("int8", [number.to_bytes(8, "big") for number in numbers]), numbers),
    ):
        oid, data = sent(array)
        own_oid, own_data = sent(elements)
        assert (oid, data[8:]) == (own_oid, own_data[8:])


def test_the_server_reads_them(postgres_dsn: str) -> None:
    texts, nulls = ["CardDrawn/1", "ä", ""], [b"\0", None, b""]
    with psycopg.connect(postgres_dsn) as conn:
        arrays = Array("text", [text.encode() for text in texts]), Array("bytea", nulls)
        row = conn.execute("SELECT %b::text[], %b::bytea[]", arrays).fetchone()
    assert row == (texts, nulls)
