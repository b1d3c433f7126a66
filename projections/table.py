"""The table as every spectator may see it: the public view of a game's state, at a version."""

from msgspec import Struct

from phaseledger.domain.state import State
from phaseledger.domain.view import TableView, view


class PublicTable(Struct, frozen=True, gc=False):
    """A game's public table. ``version`` is the number of events that led to it."""

    version: int
    table: TableView


def table(state: State, version: int) -> PublicTable:
    """The table after ``version`` events, as a spectator sees it: no hand, no stock (law 7)."""
    return PublicTable(version, view(state, None))
