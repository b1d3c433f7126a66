"""The declaration of a reject code: its fields and their types."""

from typing import Literal, NamedTuple

Ground = Literal["state", "rules", "role"]
"""Why it is refused: by the state that the game is in, where another one would allow it; by the
rules, in any state; or because somebody else may do it.
"""
STATE: Ground = "state"
RULES: Ground = "rules"
ROLE: Ground = "role"

Asked = Literal[
    "opening",
    "joining",
    "filling",
    "rematching",
    "kicking",
    "starting",
    "voiding",
    "leaving",
    "claiming",
    "playing",
    "hosting",
    "host",
    "checking",
]
"""What somebody wants who may meet a code: to open a table, to sit down, to have bots in all free
seats, to play again, to free a seat, to start, to break off, to get up, to claim that somebody is
overdue, to play, to give any order of the host's, to do what only the host may, to check cards.
"""


class Declaration(NamedTuple):
    """A code with all that does not depend on where it is raised."""

    code: str
    ground: Ground
    rules: str = ""
    """IDs of the catalogue, one for each game that has such a rule: ``C-24 D-30 X-19 B-48``."""
    met: tuple[Asked, ...] = ("playing",)
    """What somebody wants who may meet it: nothing where no caller gets so far."""
