"""The declaration of a reject code: its fields and their types."""

from typing import Literal, NamedTuple

Ground = Literal["state", "rules", "role"]
"""The ground of a refusal: the state of the game, where another state would allow the command; the
rules, in any state; or the speaker, where another one may do it.
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
"""The request behind a refused command: to open a table, to sit down, to have bots in all free
seats, to play again, to free a seat, to start, to break off, to get up, to claim that a seat is
overdue, to play, to give any order of the host's, to do what only the host may, to check cards.
"""


class Declaration(NamedTuple):
    """A code with everything that does not depend on the place where it is raised."""

    code: str
    ground: Ground
    rules: str = ""
    """IDs of the rules, one for each game that has such a rule: ``C-24 D-30 X-19 B-48``."""
    met: tuple[Asked, ...] = ("playing",)
    """The requests that may be refused with the code; empty where no caller meets it."""
