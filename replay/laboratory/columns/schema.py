"""The row types of the tables, of games and of their analyses. See docs/reference/tables.md.

The tables are the operator's: they show every card, as the stored records do.
"""

from typing import Literal

from msgspec import Struct


class GameRow(Struct, gc=False):
    """One game. Lists go by seat, except ``winners``, a list of seats."""

    game: int
    id: str
    ruleset: str
    options: str
    seats: int
    names: list[str]
    bots: list[str]
    status: Literal["finished", "voided", "unfinished"]
    reason: str | None
    winners: list[int]
    points: list[int]
    rounds: int
    turns: int
    decisions: int
    events: int


class RoundRow(Struct, gc=False):
    """One seat in one round."""

    game: int
    round: int
    seat: int
    dealer: int
    replay: bool
    phase: int
    cards: str | None
    turns: int = 0
    laid: int | None = None
    points: int | None = None
    total: int | None = None
    next_phase: int | None = None
    left: str | None = None
    out: bool | None = None


class TurnRow(Struct, gc=False):
    """One turn, a lost one included."""

    game: int
    turn: int
    round: int
    seat: int
    phase: int
    lost: bool
    drawn: int = 0
    source: str | None = None
    card: str | None = None
    laid: int | None = None
    hits: int = 0
    discarded: str | None = None
    target: int | None = None


class EventRow(Struct, gc=False):
    """One event; a column that its type does not have is null."""

    game: int
    seq: int
    at: int
    type: str
    decision: bool
    round: int
    turn: int
    seat: int | None
    target: int | None
    source: str | None
    card: str | None
    cards: str | None
    phase: int | None
    group: int | None
    dice: str | None
    space: int | None
    action: str | None
    value: int | None
    count: int | None


class PlayerRow(Struct, gc=False):
    """One seat in one analysed game."""

    game: int
    id: str
    ruleset: str
    seats: int
    seat: int
    name: str
    bot: str
    start: float
    luck: float
    errors: float
    hidden: float
    others: float
    result: float
    judged: int
    lost: float
    lost_error: float
    worlds: int
    seed: str
    start_points: float | None
    points: int | None
    test: bool


class DecisionRow(Struct, gc=False):
    """One decision that was not forced."""

    game: int
    seq: int
    round: int
    turn: int
    seat: int
    kind: str
    played: str
    best: str
    candidates: int
    equity: float
    cost: float
    estimate: float
    error: float


class LuckRow(Struct, gc=False):
    """What chance changed for one seat with one decision."""

    game: int
    seq: int
    round: int
    turn: int
    drawer: int | None
    card: str | None
    odds: float | None
    seat: int
    change: float


TableName = Literal["games", "rounds", "turns", "events", "players", "decisions", "luck"]
TABLES: dict[TableName, type[Struct]] = {
    "games": GameRow,
    "rounds": RoundRow,
    "turns": TurnRow,
    "events": EventRow,
}
"""The row type of each table of games; a column has its field's type."""
ANALYSIS_TABLES: dict[TableName, type[Struct]] = {
    "players": PlayerRow,
    "decisions": DecisionRow,
    "luck": LuckRow,
}
"""The row type of each table of analyses."""


class Tables(Struct):
    """The rows of the tables of games, of one game or of several."""

    games: list[GameRow] = []
    rounds: list[RoundRow] = []
    turns: list[TurnRow] = []
    events: list[EventRow] = []


class AnalysisTables(Struct):
    """The rows of the tables of analyses, of one game or of several."""

    players: list[PlayerRow] = []
    decisions: list[DecisionRow] = []
    luck: list[LuckRow] = []
