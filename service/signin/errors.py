"""Refusals of sign-ins and sessions."""

from typing_extensions import override

from phaseledger.service.credentials.errors import CHALLENGE
from phaseledger.service.refusals import Occasion, Refusal


class NoSignIn(Refusal, code="no_sign_in", status=404):
    """The operator has named no issuer."""


class SignInRefused(Refusal, code="sign_in_refused", status=403):
    """The ID token or the code does not count; the reason goes to the log."""


class IssuerAway(Refusal, code="issuer_away", status=503):
    """The issuer gives no answer that is of use; the reason goes to the log."""

    retry_after = 10


class SessionNeeded(Refusal, code="session_needed", status=401, met=(Occasion.SESSION,)):
    """The request shows no player's session."""

    @override
    def headers(self) -> dict[str, str]:
        return {"WWW-Authenticate": CHALLENGE}
