"""The client's operations on players, for programs that show an application's key, or a session."""

from collections.abc import Sequence

from phaseledger.domain.state import Stage
from phaseledger.projections.pages import GamePage, RatingHistory
from phaseledger.service.client.protocol import Request, Session, Steps, ask, exchange, unexpected
from phaseledger.service.schemas.players import (
    PlayerInfo,
    PlayerNames,
    PlayerPage,
    PlayerRatings,
    PlayerResult,
    PlayerStatistics,
    PutPlayer,
    SignedIn,
    SignInWith,
    TableToken,
    TokenFor,
)


def put_player(at: Session, player: str, named: PutPlayer) -> Steps[PlayerInfo]:
    """Name a player by your own id, or change the name."""
    return ask(at, "PUT", _path(player), PlayerInfo, body=named)


def player(at: Session, player: str) -> Steps[PlayerInfo]:
    """A player of the application."""
    return ask(at, "GET", _path(player), PlayerInfo)


def players(at: Session, *, limit: int = 50, cursor: str | None = None) -> Steps[PlayerPage]:
    """A page of the application's players, by id."""
    return ask(at, "GET", "/v1/players", PlayerPage, query={"limit": limit, "cursor": cursor})


def erase_player(at: Session, player: str) -> Steps[None]:
    """Forget a player for good; games keep the pseudonym."""
    reply = yield from exchange(at, Request(method="DELETE", url=_path(player)))
    if reply.status != 204:
        raise unexpected(reply, "word that the player is forgotten")


def player_games(
    at: Session,
    player: str,
    *,
    limit: int = 50,
    cursor: str | None = None,
    ruleset: str | None = None,
    stage: Stage | None = None,
    result: PlayerResult | None = None,
) -> Steps[GamePage]:
    """A page of the player's games, newest first, private ones among them."""
    query = {
        "limit": limit,
        "cursor": cursor,
        "ruleset": ruleset,
        "stage": stage,
        "result": result,
    }
    return ask(at, "GET", f"{_path(player)}/games", GamePage, query=query)


def player_statistics(at: Session, player: str) -> Steps[PlayerStatistics]:
    """How the player fared, by rule set."""
    return ask(at, "GET", f"{_path(player)}/statistics", PlayerStatistics)


def player_ratings(at: Session, player: str) -> Steps[PlayerRatings]:
    """The player's ratings, one for each rule set and number of seats."""
    return ask(at, "GET", f"{_path(player)}/ratings", PlayerRatings)


def rating_history(
    at: Session,
    player: str,
    ruleset: str,
    seats: int,
    *,
    limit: int = 50,
    cursor: str | None = None,
) -> Steps[RatingHistory]:
    """A page of the player's rated games of one rule set and number of seats, newest first."""
    query: dict[str, str | int | None] = {
        "ruleset": ruleset,
        "seats": seats,
        "limit": limit,
        "cursor": cursor,
    }
    return ask(at, "GET", f"{_path(player)}/ratings/history", RatingHistory, query=query)


def names(at: Session, pseudonyms: Sequence[str]) -> Steps[PlayerNames]:
    """The names of up to a hundred players whose pseudonyms stand in seats."""
    return ask(at, "GET", "/v1/names", PlayerNames, query={"of": ",".join(pseudonyms)})


def sign_in(at: Session, way: SignInWith) -> Steps[SignedIn]:
    """A player's session, for an ID token of the operator's issuer; its token is the player's key:
    `Client(url, key=...)` acts for the player `me`.
    """
    return ask(at, "POST", "/v1/sign-in", SignedIn, body=way)


def sign_out(at: Session) -> Steps[None]:
    """End the session whose token the client has."""
    reply = yield from exchange(at, Request(method="DELETE", url="/v1/sign-in"))
    if reply.status != 204:
        raise unexpected(reply, "word that the session has ended")


def table_token(at: Session, game: str, player: str | None = None) -> Steps[TableToken]:
    """A fresh token of the player's seat, or without a player of the host."""
    return ask(at, "POST", f"/v1/games/{game}/tokens", TableToken, body=TokenFor(player))


def _path(player: str) -> str:
    return f"/v1/players/{player}"
