"""``p10-deal/v1``: keyed, stateless randomness. The same seed gives the same cards, for ever.

Normative text: docs/reference/deal.md; known answers: tests/domain/deal-v1.json. HKDF is RFC 5869
with SHA-256. Nothing here keeps generator state, so any shuffle can be checked alone.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import chain
from struct import Struct

from phaseledger.domain.hashing import hmac_sha256

SPEC = "p10-deal/v1"
_words = Struct(">16H").unpack


def server_commit(game: str, secret: bytes) -> str:
    """Commitment (hex SHA-256) of the server to its 32-byte secret, published at opening."""
    return hashlib.sha256(b"p10/server-commit/v1\n" + game.encode() + b"\n" + secret).hexdigest()


def seat_commit(game: str, seat: int, secret: bytes) -> str:
    """Commitment (hex SHA-256) of one seat (from 0) to its 32-byte secret."""
    prefix = f"p10/seat-commit/v1\n{game}\n{seat}\n".encode()
    return hashlib.sha256(prefix + secret).hexdigest()


def transcript(
    game: str, ruleset: str, ruleset_hash: str, commit: str, seats: Sequence[tuple[str, str]]
) -> str:
    """The text that fixes a deal: every input but the server's secret.

    ``ruleset`` is the preset's name without its version; ``seats`` holds (commitment, secret),
    both hex, in seat order.
    """
    lines = [SPEC, f"game {game}", f"ruleset {ruleset} {ruleset_hash}", f"server-commit {commit}"]
    lines += [
        f"seat {number} {commitment} {secret}" for number, (commitment, secret) in enumerate(seats)
    ]
    return "\n".join([*lines, "beacon none", ""])


def deal_key(secret: bytes, transcript_hash: bytes) -> bytes:
    """HKDF-Extract of the server's secret with the transcript's SHA-256 as salt."""
    return hmac.digest(transcript_hash, secret, "sha256")


def blocks(key: bytes, info: bytes) -> Iterator[bytes]:
    """The blocks of HKDF-Expand, 32 bytes each; at most 255 (RFC 5869)."""
    block = b""
    for counter in range(1, 256):
        block = hmac_sha256(key, block + info + bytes((counter,)))
        yield block


def words(key: bytes, info: str) -> Iterator[int]:
    """The key's big-endian 16-bit words for one purpose."""
    return chain.from_iterable(map(_words, blocks(key, info.encode())))


def uniform_below(stream: Iterator[int], bound: int) -> int:
    """A uniform number in 0..bound-1: words that would bias the remainder are rejected."""
    limit = 65536 - 65536 % bound
    for word in stream:
        if word < limit:
            return word % bound
    raise ArithmeticError("8,160 words in a row were rejected")


def permutation(key: bytes, hand: int, shuffle: int, n: int) -> list[int]:
    """Fisher-Yates over 0..n-1 for shuffle ``shuffle`` (0 is the deal) of round ``hand``."""
    order = list(range(n))
    stream = words(key, f"p10-shuffle/v1 hand={hand} shuffle={shuffle} n={n}")
    for i in range(n - 1, 0, -1):
        bound = i + 1
        limit = 65536 - 65536 % bound
        word = next(stream)
        while word >= limit:
            word = next(stream)
        j = word % bound
        order[i], order[j] = order[j], order[i]
    return order


def shuffled(key: bytes, hand: int, shuffle: int, cards: bytes) -> bytes:
    """The cards as a stock, top first. They are sorted before, so their order steers nothing."""
    stock = sorted(cards)
    return bytes([stock[i] for i in permutation(key, hand, shuffle, len(stock))])


def dice(key: bytes, turn: int, roll: int, count: int = 2) -> list[int]:
    """Values 1..6 of the ``roll``-th throw (from 0) in turn ``turn`` (from 1)."""
    stream = words(key, f"p10-dice/v1 turn={turn} roll={roll}")
    return [1 + uniform_below(stream, 6) for _ in range(count)]


def starter(key: bytes, hand: int, players: int) -> int:
    """The cards as a stock, top first. They are sorted before, so their order steers nothing."""
    return uniform_below(words(key, f"p10-first/v1 hand={hand}"), players)
