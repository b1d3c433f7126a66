"""Ratings of players from the results of games: a fold of `openskill`'s Bradley-Terry model.

A pool is a rule set, house rules included, with a number of seats; ratings of two pools have
nothing to do with one another. Every pair of seats of a game is compared by its places
(`BradleyTerryFull`). A bot is an anchor: players are rated against its fixed rating.

The result is a function of the games alone, whatever the order of their seats: a field is sorted
before it is rated, since a sum of floats depends on its order, and ratings are rounded, so that the
last bit of another machine's arithmetic does not spread.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from openskill.models import BradleyTerryFull

from phaseledger.projections.rated_games import ANCHORS, Entrant, RatedGame

DIGITS = 6
"""Decimals of ratings."""
_MODEL = BradleyTerryFull()


class Rating(Struct, frozen=True, gc=False):
    """A player's strength in a pool, as a normal distribution, and the games that it is from."""

    mu: float
    sigma: float
    games: int = 0


NEW = Rating(_MODEL.mu, round(_MODEL.sigma, DIGITS))
"""The rating before the first game."""
ANCHOR_SIGMA = 2.5
"""The uncertainty of a bot's rating, which differs between the games of the family."""


def ranked(line: tuple[str, Rating]) -> tuple[float, str]:
    """The sort key of a player's rating, the best first: by what the strength is at least, three
    standard deviations below the mean, so that a newcomer rises with games.
    """
    name, rating = line
    return 3 * rating.sigma - rating.mu, name


class RatingPool(NamedTuple):
    """Games of one rule set, by its digest, with one number of seats."""

    digest: str
    seats: int
    ruleset: str
    """The id of the rule set, which the digest binds too."""


def pool_of(game: RatedGame) -> RatingPool:
    """The pool that the game is of."""
    return RatingPool(game.digest, len(game.entrants), game.ruleset)


def rating_of(entrant: Entrant, before: Mapping[str, Rating]) -> Rating:
    """The rating with which the entrant sits down: an anchor's, the player's, or a newcomer's."""
    if entrant.bot:
        return Rating(ANCHORS[entrant.bot], ANCHOR_SIGMA)
    return before.get(entrant.name, NEW)


def rated(game: RatedGame, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of the game's players after it, from those ``before`` (none: a newcomer)."""
    field = sorted(
        ((entrant.place, rating_of(entrant, before), entrant.name) for entrant in game.entrants),
        key=lambda line: (line[0], -line[1].mu, line[1].sigma, line[2]),
    )
    after = _MODEL.rate(
        [[_MODEL.rating(rating.mu, rating.sigma)] for _, rating, _ in field],
        ranks=[float(place) for place, _, _ in field],
    )
    return {
        name: Rating(round(new.mu, DIGITS), round(new.sigma, DIGITS), old.games + 1)
        for (_, old, name), (new,) in zip(field, after, strict=True)
        if name
    }


def history(
    games: Iterable[RatedGame], before: Mapping[str, Rating]
) -> Iterator[tuple[RatedGame, dict[str, Rating]]]:
    """Each game of a pool, by `RatedGame.order`, with the ratings of its players after it."""
    ratings = dict(before)
    for game in sorted(games, key=lambda game: game.order):
        after = rated(game, ratings)
        ratings |= after
        yield game, after
