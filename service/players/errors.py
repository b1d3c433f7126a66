"""Refusals of players."""

from collections.abc import Mapping

from typing_extensions import override

from phaseledger.service.refusals import LimitReached, Occasion, Refusal


class NameOrPlayer(Refusal, code="name_or_player", status=422, met=(Occasion.JOINING,)):
    """A seat is taken under a name or by a player, not both."""


class NoSuchPlayer(Refusal, code="no_such_player", status=404):
    """The application has no player with that id."""


class PlayerNameTaken(Refusal, code="player_name_taken", status=409):
    """Another player of the application has a name that looks like this one."""


class TooManyJoins(LimitReached, code="too_many_joins", status=429):
    """The player has taken as many seats as one may a minute."""

    def __init__(self, wait: float, fields: Mapping[str, str]) -> None:
        super().__init__(wait, "player")
        self._fields = fields

    @override
    def headers(self) -> Mapping[str, str]:
        """With the `RateLimit` fields of the player."""
        return {**super().headers(), **self._fields}


class PlayerNotSeated(Refusal, code="player_not_seated", status=404):
    """The player has no seat at the table."""
