"""How the worked cases of RULES.md sections 8.1 and 8.2 are held against the rules."""

from pathlib import Path

from phaseledger.domain.commands import GroupToLay, Hit, Lay
from phaseledger.domain.state import State
from tests.support.table import play, refusal

Refusal = tuple[str, str] | None
"""A code and a rule's ID; None for what is legal."""
WORKED = [
    line.split(" | ")
    for line in Path(__file__).with_name("worked-cases.txt").read_text().splitlines()
]
"""Lays: ID, game, phase, groups, verdict. Hits: ID, game, group on the table, cards, verdict."""


def lay(text: str) -> Lay:
    """``[R5 B5 G5] [B7 Y7 W]`` as a command."""
    groups = [part.strip(" [") for part in text.split("]") if part.strip()]
    return Lay(tuple(GroupToLay(cards) for cards in groups))


def hit(text: str) -> Hit:
    """``R8``, ``R8 low`` or, for two cards at once, ``R8+B8 low`` as a command."""
    cards, _, end = text.partition(" ")
    return Hit(0, cards.replace("+", " "), end)


def cards_of(*commands: Lay | Hit) -> str:
    """All cards that the commands name."""
    groups = [command.groups if isinstance(command, Lay) else [command] for command in commands]
    return " ".join(named.cards for parts in groups for named in parts)


def check_lay(state: State, command: Lay, verdict: Refusal) -> None:
    """See that seat 0 lays its phase with all the cards that it names, or is refused."""
    if verdict:
        assert verdict == refusal(state, 0, command)
    else:
        after = play(state, (0, command))
        assert state.seat(0).phase == after.seat(0).laid
        assert len(cards_of(command).split()) == sum(len(group.cards) for group in after.groups)


def check_hits(state: State, commands: list[Hit], verdict: Refusal) -> None:
    """See that seat 0 makes the hits, or is refused the last of them."""
    before = play(state, *((0, command) for command in commands[:-1]))
    if verdict:
        assert verdict == refusal(before, 0, commands[-1])
    else:
        after = play(before, (0, commands[-1]))
        added = len(cards_of(*commands).split())
        assert len(state.groups[0].cards) + added == len(after.groups[0].cards)
