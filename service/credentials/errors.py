"""Refusals of credentials: a token that is missing, unknown, expired or revoked."""

from phaseledger.service.refusals import MAY_SHOW_BEARER, WITH_TOKEN, Occasion, Refusal

CHALLENGE = 'Bearer realm="phaseledger"'
"""The `WWW-Authenticate` header."""


class TokenMissing(Refusal, code="token_missing", status=401, met=WITH_TOKEN):
    """The request shows no token."""

    def headers(self) -> dict[str, str]:
        """The scheme, without an error, after RFC 6750."""
        return {"WWW-Authenticate": CHALLENGE}


class TokenUnknown(Refusal, code="token_unknown", status=401, met=MAY_SHOW_BEARER):
    """No such token was issued."""


class TokenMistyped(Refusal, code="token_mistyped", status=401, met=MAY_SHOW_BEARER):
    """A text that begins like a token."""


class TokenRefused(Refusal):
    """An issued token that is no longer valid."""


class TokenRevoked(TokenRefused, code="token_revoked", status=401, met=MAY_SHOW_BEARER):
    """A token that was revoked, or whose seat was given up."""


class TokenExpired(TokenRefused, code="token_expired", status=401, met=MAY_SHOW_BEARER):
    """Its time is over."""


class NoFreshToken(
    TokenRefused,
    code="no_fresh_token",
    status=409,
    met=(Occasion.OPENING, Occasion.JOINING, Occasion.REMATCHING),
):
    """A repeated request would lead to a token that is no longer valid."""


class TicketUnknown(Refusal, code="ticket_unknown", status=401):
    """A stream was asked for with it."""


class SeatTokenNeeded(Refusal, code="seat_token_needed", status=403, met=(Occasion.SEAT,)):
    """The token is the host's."""


class NoSuchToken(Refusal, code="no_such_token", status=404):
    """The operator has named a token that there is not."""
