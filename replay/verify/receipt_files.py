"""Reader of receipt files: JSON lines, each a receipt that somebody kept, as the API gives it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.signing.receipts import Receipt
from phaseledger.replay.verify.check_operator import KeptReceipt

LONGEST_LINE = 4_096
MOST = 100_000
"""Receipts of one file."""

_receipt = msgspec.json.Decoder(Receipt).decode


def read_receipts(path: str) -> Iterator[KeptReceipt]:
    """The receipts in a file.

    Raises:
        Damaged: a line is no receipt, or there is none; with file and line.

    """
    number = 0
    try:
        with Path(path).open("rb") as file:
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                yield KeptReceipt(path, number, _read(line, f"{path}:{number}", number))
    except OSError as error:
        raise DamagedSource(f"{path}: cannot be read: {error.strerror or error}.") from None
    if not number:
        raise DamagedSource(f"{path}: there is no receipt in it.")


def _read(line: bytes, place: str, number: int) -> Receipt:
    if len(line) > LONGEST_LINE or number > MOST:
        limits = f"{LONGEST_LINE:,} bytes, a file {MOST:,} receipts"
        raise DamagedSource(f"{place}: a receipt has at most {limits}.")
    try:
        return _receipt(line)
    except (ValueError, RecursionError) as error:
        raise DamagedSource(f"{place}: the line is no receipt: {error}.") from None
