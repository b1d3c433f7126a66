"""Who is asking: the bearer token of a request, read against the game in its path."""

from typing import Any, NamedTuple, TypeAlias, TypeVar
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from replay.keys import Keyring
from service.game import NoSuchGame
from service.games import Games
from service.problems import Refusal
from service.publisher import PublicLog
from service.seats import Credential, Credentials
from service.store import Store
from service.views import Views

T = TypeVar("T")
AnyRequest: TypeAlias = Request[Any, Any, Any]
Injected: TypeAlias = NamedDependency[SkipValidation[T]]
"""What a handler or a dependency asks for by its parameter's name; `service.app` provides it."""


class Service(NamedTuple):
    """What handlers work with. It is one thing because the framework starts a task for each
    dependency that it may resolve beside another.
    """

    games: Games
    credentials: Credentials
    views: Views
    store: Store
    keys: Keyring
    reveal_seconds: int
    log: PublicLog


async def _credential(
    request: AnyRequest, game: UUID, credentials: Credentials
) -> Credential | None:
    """What the token stands for, None without one. A token of another game finds no game here."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Refusal("token_unknown", "the scheme is Bearer")
    credential = await credentials.find(token.strip())
    if credential is None:
        raise Refusal("token_unknown")
    if credential.game != game:
        raise NoSuchGame
    return credential


async def viewer(
    request: AnyRequest, game: FromPath[UUID], service: Injected[Service]
) -> int | None:
    """The caller's seat; None for the host and for a spectator, who see the same."""
    credential = await _credential(request, game, service.credentials)
    return credential.seat if credential else None


async def seat(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> int:
    """The caller's seat, which there must be."""
    credential = await _credential(request, game, service.credentials)
    if credential is None:
        raise Refusal("token_missing")
    if credential.seat is None:
        raise Refusal("seat_token_needed")
    return credential.seat


async def host(request: AnyRequest, game: FromPath[UUID], service: Injected[Service]) -> int | None:
    """Who asks for what only the host may do: None for the host, else the seat to be refused."""
    credential = await _credential(request, game, service.credentials)
    if credential is None:
        raise Refusal("token_missing")
    return credential.seat
