"""Refusals of applications and their keys."""

from collections.abc import Mapping

from typing_extensions import override

from phaseledger.domain.words import Phrase
from phaseledger.service.credentials.errors import CHALLENGE
from phaseledger.service.refusals import MAY_SHOW_TOKEN, OF_PLAYERS, Occasion, Refusal


class ApplicationKeyNeeded(
    Refusal,
    code="application_key_needed",
    status=401,
    met=OF_PLAYERS,
):
    """The request shows no application's key."""

    @override
    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": CHALLENGE}


class ScopeMissing(
    Refusal,
    code="scope_missing",
    status=403,
    met=(*OF_PLAYERS, Occasion.VIEWER),
):
    """The application's key is not good for that."""

    def __init__(self, scope: str) -> None:
        super().__init__(Phrase("adds.scope", scope=scope))


class TableTokenNeeded(Refusal, code="table_token_needed", status=403, met=MAY_SHOW_TOKEN):
    """The request shows an application's key where seats and hosts act, or a player's session."""


class ApplicationNameTaken(Refusal, code="application_name_taken", status=409):
    """The operator has made an application of that name already."""


class NoSuchApplication(Refusal, code="no_such_application", status=404):
    """The operator has named an application, or a key of one, that there is not."""
