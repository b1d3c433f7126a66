"""Positions of Express, and groups laid with their values."""

from phaseledger.domain.commands import GroupToLay, Lay
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.table import table
from tests.support.worked_cases import lay

EXPRESS = preset("express")


def laid_out(hands: list[str], discard: str = "Y12", **rows: object) -> State:
    """A table of this game; see `tests.support.table`."""
    return table(hands, ruleset=EXPRESS, discard=discard, **rows)


def valued(text: str, *values: int | None) -> Lay:
    """The groups as a command, with what each stands for."""
    pairs = zip(lay(text).groups, values, strict=True)
    return Lay(tuple(GroupToLay(group.cards, value) for group, value in pairs))


NUMBERED = valued("[R7 B7] [W W]", None, 9)
