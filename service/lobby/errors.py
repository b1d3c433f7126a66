"""Refusals of the lobby: join codes, reserved seats, the rematch."""

from phaseledger.service.games.errors import Denied
from phaseledger.service.refusals import LimitReached, Occasion, Refusal


class NoSuchCode(Refusal, code="no_such_code", status=404):
    """A code that is mistyped, or whose table is no longer in the lobby."""


class JoinCodeNeeded(Denied, code="join_code_needed", status=403, met=(Occasion.JOINING,)):
    """The player has given no join code for a private table."""


class BadJoinCode(Denied, code="bad_join_code", status=403, met=(Occasion.JOINING,)):
    """The player has given the wrong join code."""


class TooManyGuesses(LimitReached, code="too_many_guesses", status=429, met=(Occasion.JOINING,)):
    """The address has no guess left for ``wait`` seconds."""


class NameTaken(Denied, code="name_taken", status=409, met=(Occasion.OPENING, Occasion.JOINING)):
    """Names are unique at a table, whatever their case, so that sentences tell people apart."""


class SeatReserved(
    Denied, code="seat_reserved", status=409, met=(Occasion.JOINING, Occasion.FILLING)
):
    """The table is a rematch, and the seat another player's."""


class SeatNotKept(Denied, code="seat_not_kept", status=409, met=(Occasion.REMATCHING,)):
    """The host of the rematch has given it to another player."""


class NotOver(Denied, code="not_over", status=409, met=(Occasion.REMATCHING,)):
    """There is no rematch of a game that goes on."""


class TooManyTables(
    LimitReached,
    code="too_many_tables",
    status=429,
    met=(Occasion.OPENING, Occasion.JOINING, Occasion.REMATCHING),
):
    """The limit `TableQuotas` sets to open tables is reached."""


class TooManyBotGames(
    LimitReached,
    code="too_many_bot_games",
    status=429,
    met=(Occasion.OPENING, Occasion.REMATCHING, Occasion.FILLING),
):
    """The limit `TableQuotas` sets to games of bots alone is reached."""


class TableFull(
    Denied,
    code="table_full",
    status=409,
    met=(Occasion.JOINING, Occasion.FILLING),
    outcome="table_full",
):
    """The newcomer has named no seat, and none is free."""
