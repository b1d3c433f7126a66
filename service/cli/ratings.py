"""`phaseledger ratings`: the ratings of players, computed from games alone.

It needs neither the service nor its views, whose ratings come of the same fold.
"""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import astuple

from phaseledger.domain.evidence.codec import UnreadableEvent, decode
from phaseledger.projections.games import Chapter, continued
from phaseledger.projections.pages import RatingStep
from phaseledger.projections.rated_games import RatedGame
from phaseledger.projections.ratings import Rating, RatingPool, history, pool_of, ranked
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import HERE, GameTarget, Json, StoreOptions
from phaseledger.replay.batch.work import files_in
from phaseledger.replay.formats.guards import FAULTS
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.terminal import FINDINGS, SOUND, guarded, print_json, say, tell


class RatedPlayer(Struct):
    """A player's rating in a pool, and how it came about."""

    name: str
    mu: float
    sigma: float
    games: int
    history: list[RatingStep]


class RatedPool(Struct):
    """The ratings of a rule set with a number of seats, the best player first."""

    ruleset: str
    digest: str
    seats: int
    players: list[RatedPlayer]


@guarded
def ratings(*targets: GameTarget, json: Json = False, store: StoreOptions = HERE) -> int:
    """Rate the players of games, from the games alone.

    GAMES are files of records as the service exports them (GET /v1/exports/games), folders with
    such files, or ids of games in the store; without any: the whole store. The page "Ratings" of
    the documents says which games count, and what the figures mean. The games are not audited: see
    `audit`. The exit code is 1 where the record of a game cannot be followed.

    With --json: one document a line for each rule set and number of seats: {ruleset, digest, seats,
    players: [{name, mu, sigma, games, history: [{game, ended_at, place, mu,
    sigma, games}]}]}.

    For example: phaseledger ratings games.ndjson
    """
    files = [file for target in targets for file in files_in(target)]
    inputs.require_distinct(inputs.game_id(file) or file for file in files)
    games, damaged = results(inputs.rows_of(files or [None], store))
    for game in damaged:
        tell(f"{game}: the record cannot be followed; see `audit`.")
    pools = rated_pools(games)
    for pool in pools:
        if json:
            print_json(pool)
        else:
            say(
                f"{pool.ruleset}, {pool.seats} seats ({pool.digest[:12]})",
                *map(_line, pool.players),
            )
    if not (pools or json):
        say(
            f"None of {len(games):,} games counts for ratings: at each seat is to be a bot or a "
            "player of an application, two different players at least "
            "(docs/explanation/ratings.md)."
        )
    return FINDINGS if damaged else SOUND


def results(rows: Iterable[SourceRow]) -> tuple[list[RatedGame], list[str]]:
    """The results of the games that count, each once, and the games that cannot be followed."""
    chapters: dict[str, Chapter | None] = {}
    rated: dict[str, RatedGame] = {}
    damaged: dict[str, None] = {}
    for row in rows:
        if row.game in damaged:
            continue
        try:
            record, event = decode(row.topic, row.stored)
            before = None if record.seq == 1 else chapters.get(row.game)
            if record.seq != (before.version if before else 0) + 1:
                raise ValueError("an event is missing")
            chapter = continued(before, row.place, record.at, event)
        except (UnreadableEvent, *FAULTS):
            damaged[row.game] = chapters[row.game] = None
            continue
        if chapter.rated:
            rated[row.game] = chapter.rated
        chapters[row.game] = None if chapter.state.is_over else chapter
    return [game for game in rated.values() if game.game not in damaged], [*damaged]


def rated_pools(games: Iterable[RatedGame]) -> list[RatedPool]:
    """The ratings of each pool, by rule set and number of seats."""
    by_pool: dict[RatingPool, list[RatedGame]] = defaultdict(list)
    for game in games:
        by_pool[pool_of(game)].append(game)
    return [
        RatedPool(pool.ruleset, pool.digest, pool.seats, _players(by_pool[pool]))
        for pool in sorted(by_pool, key=lambda pool: (pool.ruleset, pool.digest, pool.seats))
    ]


def _players(games: Iterable[RatedGame]) -> list[RatedPlayer]:
    last: dict[str, Rating] = {}
    steps: dict[str, list[RatingStep]] = defaultdict(list)
    for game, after in history(games, {}):
        last |= after
        for entrant in game.entrants:
            if rating := after.get(entrant.name):
                step = RatingStep(game.game, game.at, entrant.place, *astuple(rating))
                steps[entrant.name].append(step)
    return [
        RatedPlayer(
            name=name,
            mu=rating.mu,
            sigma=rating.sigma,
            games=rating.games,
            history=steps[name],
        )
        for name, rating in sorted(last.items(), key=ranked)
    ]


def _line(player: RatedPlayer) -> str:
    games = f"{player.games} game{'s' * (player.games != 1)}"
    return f"  {player.name}  {player.mu:6.2f} ± {2 * player.sigma:5.2f}  {games}"
