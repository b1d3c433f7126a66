"""The parts that the figures of the service stand on."""

from itertools import pairwise

import psycopg
import pytest

from benchmarks.filled import Played, copies, long, put, whole
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.evolve import fold
from phaseledger.service.database.setup import prepare
from phaseledger.service.games.game import apply_rows
from phaseledger.service.games.integrity import require_chained
from phaseledger.service.settings import Settings


@pytest.fixture(scope="module")
def game() -> Played:
    return whole("a game", "random", 2)


def test_a_played_game_is_one_that_the_service_would_have_stored(game: Played) -> None:
    now, _ = apply_rows(None, game.rows)
    assert now.state.stage == "ended"
    require_chained(game.game, game.rows, now.chain.key)


def test_a_long_game_goes_on() -> None:
    game = long("long", 500)
    state = fold(decode_event(row.topic, row.state) for row in game.rows)
    assert 500 <= len(game.rows) < 510
    assert (state.stage, state.waits[0].seat) == ("playing", game.turn)


def test_the_log_is_filled_with_games_in_turn(
    game: Played, postgres_dsn: str, empty_schema: str
) -> None:
    prepare(Settings(database_url=postgres_dsn, schema=empty_schema))
    games = list(copies([game], 3 * len(game.rows)))
    assert len({played.game for played in games}) == 3
    assert put(postgres_dsn, empty_schema, games, together=3) == 3 * len(game.rows)
    with psycopg.connect(postgres_dsn) as conn:
        states = conn.execute(
            f"SELECT originator_id, state FROM {empty_schema}.stored_events "
            "ORDER BY notification_id"
        ).fetchall()
    assert all(earlier[0] != later[0] for earlier, later in pairwise(states))
    assert all(f'"game":"{name}"'.encode() in state for name, state in states)
