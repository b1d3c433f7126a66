"""Deals that are the same in every run, of tables that are opened through the API."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from phaseledger.service.lobby import joining, opening


@contextmanager
def fixed_deals(name: str) -> Iterator[None]:
    """Within the block ids and secrets of this process's tables follow from the name, in order.

    So a game that nobody else plays at the same time goes on in the same way as long as its seats
    answer alike.
    """
    numbers = count()

    def secret() -> str:
        return hashlib.sha256(f"{name} {next(numbers)}".encode()).hexdigest()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "uuid7", lambda: opening.uuid_of(bytes.fromhex(secret())))
        for module in (opening, joining):
            patch.setattr(module, "new_secret", secret)
        yield
