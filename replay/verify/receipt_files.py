"""Reader of receipt files: JSON lines, each a receipt that somebody kept, as the API gives it."""

from collections.abc import Iterator

import msgspec

from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.signing.receipts import Receipt
from phaseledger.replay.verify.check_operator import KeptReceipt
from phaseledger.replay.verify.kept_lines import LineLimits, kept_lines

LIMITS = LineLimits(
    longest=4_096,
    most=100_000,
    name="a receipt",
    plural="receipts",
    none="no receipt",
)

_receipt = msgspec.json.Decoder(Receipt).decode


def read_receipts(path: str) -> Iterator[KeptReceipt]:
    """The receipts in a file.

    Raises:
        DamagedSource: a line is no receipt, or there is none; with file and line.

    """
    for number, line in kept_lines(path, LIMITS):
        try:
            receipt = _receipt(line)
        except (ValueError, RecursionError) as error:
            reason = f"the line is no receipt: {error}"
            raise DamagedSource(f"{path}:{number}: {reason}.") from None
        yield KeptReceipt(path, number, receipt)
