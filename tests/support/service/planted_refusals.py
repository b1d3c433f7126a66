"""Refusals that a test declares, and that are forgotten after it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from phaseledger.domain.words import LANGUAGES
from phaseledger.domain.words.po import catalogue
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


@contextmanager
def worded(key: str, text: str) -> Iterator[None]:
    """A message that all languages have in the block."""
    tables = [cast("dict[str, str]", catalogue(lang).texts) for lang in LANGUAGES]
    for texts in tables:
        texts[key] = text
    yield
    for texts in tables:
        del texts[key]
