"""Refusals of players."""

from phaseledger.service.refusals import Refusal


class NoSuchPlayer(Refusal, code="no_such_player", status=404):
    """The application has no player with that id."""


class PlayerNameTaken(Refusal, code="player_name_taken", status=409):
    """Another player of the application has a name that looks like this one."""


class PlayerNotSeated(Refusal, code="player_not_seated", status=404):
    """The player has no seat at the table."""
