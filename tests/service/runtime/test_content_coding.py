"""What a client takes, and that it gets its content back."""

import gzip

import brotli
import pytest

from phaseledger.service.runtime.content_coding import FAST, SMALL, coding_for, takes_gzip

DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress}


def test_the_best_that_the_client_takes() -> None:
    for header, coding in (
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("x-gzip", "gzip"),
        ("GZIP;q=0.1", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5, gzip;q=0.9", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=much", None),
        ("*", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("*;q=0", None),
        (",;,;q=1", None),
    ):
        assert coding_for(header) == coding, header


def test_gzip_alone_for_what_streams() -> None:
    assert takes_gzip("br, gzip;q=0.1")
    assert not takes_gzip("br, gzip;q=0")


@pytest.mark.parametrize("codings", [FAST, SMALL])
def test_content_comes_back(codings: dict[str, object]) -> None:
    content = b"R7 B7 G7 " * 1_000
    assert codings.keys() == DECODERS.keys()
    for coding, compress in codings.items():
        compressed = compress(content)  # type: ignore[operator]
        assert DECODERS[coding](compressed) == content
        assert len(compressed) < 100
