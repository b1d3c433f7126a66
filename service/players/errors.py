"""Refusals of players."""

from phaseledger.service.refusals import Occasion, Refusal


class NameOrPlayer(Refusal, code="name_or_player", status=422, met=(Occasion.JOINING,)):
    """A seat is taken under a name or by a player, not both."""


class NoSuchPlayer(Refusal, code="no_such_player", status=404):
    """The application has no player with that id."""


class PlayerNameTaken(Refusal, code="player_name_taken", status=409):
    """Another player of the application has a name that looks like this one."""


class PlayerNotSeated(Refusal, code="player_not_seated", status=404):
    """The player has no seat at the table."""
