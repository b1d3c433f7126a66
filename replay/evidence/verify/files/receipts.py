"""Reader of receipt files: JSON lines, each a kept receipt or presence, as the API gives it."""

from collections.abc import Iterable, Iterator
from io import BytesIO

import msgspec

from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.files.dispute import BEGINS
from phaseledger.replay.evidence.verify.kept_lines import (
    LineLimits,
    kept_lines,
    numbered_lines,
    require_single,
)
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.replay.formats.signing.receipts import Receipt

LIMITS = LineLimits(longest=4_096, most=100_000, kind="receipt")

_OF_A_BUNDLE = (b'{"bundle":', BEGINS)

_receipt = msgspec.json.Decoder(Receipt).decode
_presence = msgspec.json.Decoder(Presence).decode
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def read_receipts(path: str) -> Iterator[KeptReceipt]:
    """The receipts in a file.

    Raises:
        DamagedSource: a line is no receipt, or there is none; with file and line.

    """
    yield from _receipts(kept_lines(path, LIMITS), path)


def parse_receipts(content: bytes, source: str) -> Iterator[KeptReceipt]:
    """As `read_receipts`, of a file that was read."""
    yield from _receipts(numbered_lines(BytesIO(content), source, LIMITS), source)


def _receipts(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[KeptReceipt]:
    for number, line in lines:
        try:
            require_single(line)
            receipt = _presence(line) if "seat" in _fields(line) else _receipt(line)
        except (ValueError, RecursionError) as error:
            reason = Phrase("evidence.line.no_receipt", reason=error)
            if line.startswith(_OF_A_BUNDLE):
                reason = Phrase("evidence.line.no_receipt_file")
            raise DamagedSource(
                Phrase("evidence.line", title=source, seq=number, reason=reason)
            ) from None
        yield KeptReceipt(source, number, receipt)
