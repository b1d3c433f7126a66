"""The random numbers of a bot's decision."""

import hmac
import struct

from phaseledger.domain.bots.registry import chooser


def test_numbers_go_on_after_those_of_one_digest() -> None:
    digests = [hmac.digest(b"seed", b"p10-bot/v1 7 %d" % block, "sha256") for block in range(3)]
    words = [word for digest in digests for word in struct.unpack("<16H", digest)]
    pick = chooser(b"seed", 7)
    assert [pick(1 << 16) for _ in words] == words
