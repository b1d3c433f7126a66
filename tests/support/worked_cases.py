"""The worked cases of RULES.md sections 8.1 and 8.2."""

from pathlib import Path

from phaseledger.domain.commands import GroupToLay, Lay

WORKED = [
    line.split(" | ")
    for line in Path(__file__).with_name("worked-cases.txt").read_text().splitlines()
]
"""Lays: ID, game, phase, groups, verdict. Hits: ID, game, group on the table, cards, verdict."""


def lay(text: str) -> Lay:
    """``[R5 B5 G5] [B7 Y7 W]`` as a command."""
    groups = [part.strip(" [") for part in text.split("]") if part.strip()]
    return Lay(tuple(GroupToLay(cards) for cards in groups))
