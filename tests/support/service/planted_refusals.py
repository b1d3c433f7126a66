"""Refusals that a test declares, and that are forgotten after it."""

from collections.abc import Iterator
from contextlib import contextmanager

from phaseledger.service import refusals


@contextmanager
def forgotten() -> Iterator[None]:
    """What is declared in the block counts until its end."""
    registers = (refusals._declared, refusals._standing_for)
    before = [register.copy() for register in registers]
    try:
        yield
    finally:
        for register, entries in zip(registers, before, strict=True):
            register.clear()  # type: ignore[attr-defined]
            register.update(entries)  # type: ignore[attr-defined]
