"""The kinds of groups as rows of a table, and a group as it lies."""

from typing import Literal

from msgspec import Struct


class Form(Struct, frozen=True, gc=False):
    """One row of the table of kinds. ``alike`` is empty for a ladder."""

    alike: Literal["", "rank", "colour", "parity"] = ""
    step: int = 1
    copies: int = 1
    one_colour: bool = False


FORMS: dict[str, Form] = {
    "set": Form(alike="rank"),
    "color": Form(alike="colour"),
    "parity": Form(alike="parity"),
    "run": Form(),
    "pairrun": Form(copies=2),
    "parityrun": Form(step=2),
    "colorrun": Form(one_colour=True),
}


class ArrangedGroup(Struct, frozen=True, gc=False):
    """A group as it lies. For ``low`` and ``high`` see `state.Group`."""

    cards: bytes
    low: int
    high: int
    half: int = 0
