"""Signing in: what an issuer says of a person becomes a player of the application, and a session.

The player's id follows from issuer and subject; the name from the claims, at each sign-in.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from phaseledger.domain.words import Language
from phaseledger.service.applications.store import Applications
from phaseledger.service.players.errors import PlayerNameTaken
from phaseledger.service.players.store import Players
from phaseledger.service.runtime.resource import Resource
from phaseledger.service.schemas.players import PlayerInfo, SignedIn
from phaseledger.service.settings import OidcClient
from phaseledger.service.signin.attempt import SignInAttempt
from phaseledger.service.signin.issuer import Issuer
from phaseledger.service.signin.profile import names, player_id, spoken_language
from phaseledger.service.signin.store import PlayerSessions


class SignIn(Resource):
    """Sign-in by the issuer of the settings. Every method may raise IssuerAway."""

    def __init__(
        self,
        client: OidcClient,
        applications: Applications,
        players: Players,
        sessions: PlayerSessions,
    ) -> None:
        self.client = client
        self.issuer = Issuer(client)
        self._applications = applications
        self._players = players
        self._sessions = sessions
        self._application: UUID | None = None  # once it was needed

    async def close(self) -> None:
        """Close the connections to the issuer."""
        await self.issuer.close()

    async def by_token(self, token: str, language: Language) -> SignedIn:
        """A session for the person of an ID token. Raises SignInRefused."""
        return await self._session(await self.issuer.claims(token), language)

    async def by_code(self, code: str, state: str, cookie: str, language: Language) -> SignedIn:
        """A session for the person for whom the issuer has sent the browser back with a code.

        Raises SignInRefused where the browser has not begun that sign-in, or the code is refused.
        """
        attempt = SignInAttempt(cookie)
        attempt.require(state)
        claims = await self.issuer.redeemed(code, attempt)
        return await self._session(claims, language, state)

    async def _session(
        self, claims: Mapping[str, Any], language: Language, state: str = ""
    ) -> SignedIn:
        player = await self._named(claims, language)
        token, expires_at = await self._sessions.issue(player.pseudonym, state)
        return SignedIn(token=token, expires_at=expires_at, player=player)

    async def _named(self, claims: Mapping[str, Any], language: Language) -> PlayerInfo:
        """The player of the claims, under the first of its names that no other one has."""
        if self._application is None:
            self._application = await self._applications.named(self.client.application)
        player = player_id(self.client.issuer, claims["sub"])
        spoken = spoken_language(claims, language)
        for name in names(claims):
            try:
                return await self._players.put(self._application, player, name, spoken)
            except PlayerNameTaken:
                continue
        raise AssertionError("there are names without an end")
