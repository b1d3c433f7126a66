"""Authentication: the bearer token of a request, checked against the game in its path."""

from contextlib import suppress
from typing import NamedTuple, TypeAlias
from uuid import UUID

from litestar import Request
from litestar.params import FromPath
from litestar.types import Scope

from phaseledger.domain.words import Phrase
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.applications.application import Application
from phaseledger.service.applications.errors import (
    ApplicationKeyNeeded,
    ScopeMissing,
    TableTokenNeeded,
)
from phaseledger.service.credentials.credential import Credential
from phaseledger.service.credentials.errors import (
    SeatTokenNeeded,
    TokenMissing,
    TokenMistyped,
    TokenUnknown,
)
from phaseledger.service.credentials.tokens import APPLICATION, SESSION, is_meant, is_wellformed
from phaseledger.service.games.errors import BotHasSeat, GameArchived, NoSuchGame
from phaseledger.service.games.game import Snapshot, require_in_person
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.spectators import visible_snapshot
from phaseledger.service.players.errors import NameOrPlayer, NoSuchPlayer, TooManyJoins
from phaseledger.service.schemas.applications import Scope as KeyScope
from phaseledger.service.schemas.games import JoinTable
from phaseledger.service.schemas.players import PlayerInfo
from phaseledger.service.signin.errors import SessionNeeded
from phaseledger.service.signin.store import PlayerSession

ME = "me"
"""A player's own id, as its session may write it."""
Acting: TypeAlias = Application | PlayerSession
"""What acts for players: an application, for all of its own, or the session of one."""


async def _shown(
    header: str | None, game: UUID, service: Service, *, reads: bool = False
) -> Credential:
    """The credential of the token in an Authorization header.

    An application that only ``reads`` a table which it has opened is as its host. A session is no
    token of any table: `issueToken` gives one for it.

    Raises:
        TokenMissing: there is no header.
        TableTokenNeeded: it has the key of an application, which acts for no seat, or a session.
        ScopeMissing: the application's key is not for reading.
        TokenMistyped, TokenUnknown, TokenRefused: its token does not count.
        NoSuchGame: it is of another game.

    """
    if header is None:
        raise TokenMissing
    token = token_in(header)
    if is_meant(token) and not is_wellformed(token):
        raise TokenMistyped
    if token.startswith(APPLICATION):
        shown = await service.parts.applications.find(token)
        if not reads:
            raise TableTokenNeeded
        shown.require("read")
        if await service.parts.applications.owner(game) != shown.id:
            raise NoSuchGame
        return Credential(game, None)
    if token.startswith(SESSION):
        await service.parts.sessions.find(token)
        raise TableTokenNeeded
    credential = await service.parts.credentials.find(token)
    if credential is None:
        raise TokenUnknown
    if credential.game != game:
        raise NoSuchGame
    return credential


def _header(request: AnyRequest) -> str | None:
    return request.headers.get("authorization")


def token_in(header: str) -> str:
    """The bearer token of an Authorization header. Raises TokenUnknown for another scheme."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise TokenUnknown(Phrase("adds.scheme"))
    return token.strip()


class Caller(NamedTuple):
    """The reader of a game: a seat; or the host or a spectator, who see the same cards."""

    seat: int | None
    member: bool
    """Whether the table's terms for spectators do not count."""
    since: int = 0
    """The version of the game since which a seat's token counts."""

    def at(self, now: Snapshot) -> "Caller":
        """The caller as of ``now``, since a seat may change hands while its caller waits.

        Raises:
            SeatGivenUp: the seat was given up, and so the token.

        """
        if self.seat is None:
            return self
        try:
            require_in_person(now, self.seat, self.since)
        except BotHasSeat:
            return Caller(None, member=now.revealed)
        return self


async def caller(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> Caller:
    """The request's reader. A seat that a bot has taken over is a spectator; once the game is
    over, it too sees all of it, as of one that is archived.
    """
    if (header := _header(request)) is None:
        return Caller(None, member=False)
    return await reader(await _shown(header, game, service, reads=True), game, service)


async def presented_by(header: str | None, game: UUID, service: Service) -> Caller:
    """The reader whom an Authorization header names; `visible_game` looks at the game."""
    if header is None:
        return Caller(None, member=False)
    credential = await _shown(header, game, service, reads=True)
    return Caller(credential.seat, member=True, since=credential.since)


async def reader(credential: Credential, game: UUID, service: Service) -> Caller:
    """The reader whom a token of the game makes; as `caller`."""
    if credential.seat is None:
        return Caller(None, member=True)
    of_seat = Caller(credential.seat, member=True, since=credential.since)
    try:
        return of_seat.at(await service.games.look(game))
    except GameArchived:
        return of_seat


async def visible_game(
    scope: Scope, service: Service, game: UUID, caller: Caller, at_least: int = 0
) -> tuple[Caller, Snapshot]:
    """The game as far as the caller may see it, as `visible_snapshot`, and who the caller is at
    that time.

    Whose seat has been given up already waits for nothing.

    Raises:
        NoSuchGame, NoSpectators: as `visible_snapshot` says.
        SeatGivenUp: the seat was given up meanwhile.
        TokenRefused: the token was revoked while the caller waited.
        TooManyStreams: too many requests of the caller's address wait already.

    """
    if at_least:
        if caller.seat is not None:
            with suppress(GameArchived):
                caller = caller.at(await service.games.look(game))
        with service.streams.waiting(service.origin(scope)):
            now = await visible_snapshot(
                service.games, game, member=caller.member, at_least=at_least
            )
        if (header := _header(Request(scope))) is not None:
            await _shown(header, game, service, reads=True)
    else:
        now = await visible_snapshot(service.games, game, member=caller.member)
    present = caller.at(now)
    if present != caller:
        now = await visible_snapshot(service.games, game, member=present.member)
    return present, now


async def member(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> Caller:
    """The caller as host or as the present holder of a seat. Raises TokenMissing for others."""
    credential = await _shown(_header(request), game, service)
    if credential.seat is not None:
        require_in_person(await service.games.look(game), credential.seat, credential.since)
    return Caller(credential.seat, member=True)


async def former(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> Caller:
    """The caller as `member` has it, or as the player who was late and lost the seat to a bot."""
    credential = await _shown(_header(request), game, service)
    if credential.seat is not None:
        now = await service.games.look(game)
        try:
            require_in_person(now, credential.seat, credential.since)
        except BotHasSeat:
            if credential.seat not in now.marks.lost:
                raise
    return Caller(credential.seat, member=True)


async def sitting(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> Sitting:
    """The caller's seat, which is required."""
    return await sitting_of(_header(request), game, service)


async def sitting_of(header: str | None, game: UUID, service: Service) -> Sitting:
    """The seat that an Authorization header authenticates.

    Whether it has been given up is checked where a command is carried out: a repeated command,
    such as leaving, still gets its first answer.
    """
    credential = await _shown(header, game, service)
    if credential.seat is None:
        raise SeatTokenNeeded
    return Sitting(credential.seat, credential.since)


async def host(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> int | None:
    """The caller of a host's operation: None for the host, else the seat to be refused."""
    return (await _shown(_header(request), game, service)).seat


async def opener(request: AnyRequest, service: Injected[Service]) -> Acting | None:
    """The application whose key the request shows, or the player's session; None without either.

    Raises:
        ApplicationKeyNeeded: only applications may open tables, and it shows no key.
        TokenMistyped, TokenUnknown, TokenRefused: its key does not count.
        ScopeMissing: the key opens no tables.

    """
    try:
        shown = await acting(request, service)
    except ApplicationKeyNeeded:
        if service.settings.opens_to_everyone:
            return None
        raise
    if isinstance(shown, Application):
        shown.require("open")
    elif not service.settings.opens_to_everyone:
        raise ApplicationKeyNeeded
    return shown


SEATING = (ApplicationKeyNeeded, ScopeMissing, NoSuchPlayer, TooManyJoins)
"""What `joining` raises where a player is named; other requests for a seat need no key."""


async def joining(
    request: AnyRequest, service: Service, person: JoinTable, key: str
) -> tuple[str, str]:
    """The name under which the person is recorded, and the Idempotency-Key as the caller's own.

    Raises:
        ApplicationKeyNeeded, ScopeMissing: a player is named, and the request may seat none.
        NoSuchPlayer: its application has none with that id.
        TooManyJoins: the player may take no seat for now.
        NameOrPlayer: neither a name nor a player is named, or both are.

    """
    if (person.name is None) == (person.player is None):
        raise NameOrPlayer
    if person.player is None:
        return person.name or "", key
    shown = await acting(request, service)
    return await seated(service, shown, person.player), shown.own(key)


async def seated(service: Service, acting: Acting, player: str) -> str:
    """The pseudonym of the player who takes a seat. Raises one of `SEATING`."""
    pseudonym = (await player_of(service, acting, player, "seat")).pseudonym
    service.attempts.join(pseudonym)
    await service.quotas.refresh(pseudonym)
    return pseudonym


async def player_of(service: Service, acting: Acting, player: str, scope: KeyScope) -> PlayerInfo:
    """The player with that id, of an application whose key is good for the scope; a session has its
    own player alone. Raises ScopeMissing, NoSuchPlayer.
    """
    if isinstance(acting, PlayerSession):
        if player not in (ME, acting.player.id):
            raise NoSuchPlayer
        return acting.player
    acting.require(scope)
    return await service.parts.players.find(acting.id, player)


async def acting(request: AnyRequest, service: Injected[Service]) -> Acting:
    """The application whose key the request shows, or else the player's session.

    Raises:
        ApplicationKeyNeeded: it shows neither.
        TokenMistyped, TokenUnknown, TokenRefused: what it shows does not count.

    """
    if shown := _bearer(request, SESSION):
        return await service.parts.sessions.find(shown)
    return await application(request, service)


async def session(request: AnyRequest, service: Injected[Service]) -> str:
    """The token of the player's session that the request shows, which counts.

    Raises:
        SessionNeeded: it shows none.
        TokenMistyped, TokenUnknown, TokenRefused: its token does not count.

    """
    if not (shown := _bearer(request, SESSION)):
        raise SessionNeeded
    await service.parts.sessions.find(shown)
    return shown


async def application(request: AnyRequest, service: Injected[Service]) -> Application:
    """The application whose key the request shows.

    Raises:
        ApplicationKeyNeeded: it shows none.
        TokenMistyped, TokenUnknown, TokenRefused: its key does not count.

    """
    if not (key := _bearer(request, APPLICATION)):
        raise ApplicationKeyNeeded
    return await service.parts.applications.find(key)


def _bearer(request: AnyRequest, prefix: str) -> str:
    """The bearer token of that prefix; empty where the request shows none. Raises TokenMistyped."""
    scheme, _, token = (_header(request) or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token.startswith(prefix):
        return ""
    if not is_wellformed(token):
        raise TokenMistyped
    return token
