"""Compression for HTTP: the client's accepted codings (RFC 9110, 12.5.3), and content in one."""

import gzip
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

Coding = Literal["br", "gzip"]

# A compiled package, without wheels for some platforms.
_brotli: Any = import_module("brotli") if find_spec("brotli") else None

FAST: Mapping[Coding, Callable[[bytes], bytes]] = {
    **({"br": lambda content: _brotli.compress(content, quality=5)} if _brotli else {}),
    "gzip": lambda content: gzip.compress(content, 6, mtime=0),
}
"""Compression of content made for one answer; the best first."""
SMALL: Mapping[Coding, Callable[[bytes], bytes]] = {
    **({"br": lambda content: _brotli.compress(content, quality=11)} if _brotli else {}),
    "gzip": lambda content: gzip.compress(content, zlib.Z_BEST_COMPRESSION, mtime=0),
}
"""Compression of content made once for all requests; the best first."""


def coding_for(accept_encoding: str) -> Coding | None:
    """The coding of the answer; None for uncompressed content."""
    weights = _weights(accept_encoding)
    others = weights.get("*", 0)
    best = max(FAST, key=lambda coding: weights.get(coding, others))
    return best if weights.get(best, others) > 0 else None


def takes_gzip(accept_encoding: str) -> bool:
    """Whether the client can be answered in gzip."""
    return _weights(accept_encoding).get("gzip", 0) > 0


def _weights(accept_encoding: str) -> dict[str, float]:
    """The weight of each named coding; 0 for a refused one."""
    weights: dict[str, float] = {}
    for element in accept_encoding.lower().split(","):
        name, _, weight = element.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            quality = 0.0
        weights[name.strip().removeprefix("x-")] = quality
    return weights
