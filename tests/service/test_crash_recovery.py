"""No acknowledged command is lost, whatever is killed, and none is applied twice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.campaigns import sampled
from tests.support.crash_campaign import Campaign, campaign, kill_database
from tests.support.player import Player


@pytest.fixture
def schema(postgres_dsn: str, empty_schema: str) -> str:
    prepare(Settings(database_url=postgres_dsn, schema=empty_schema))
    return empty_schema


@pytest.mark.system
def test_a_killed_service_has_lost_nothing(postgres_dsn: str, schema: str) -> None:
    with campaign(postgres_dsn, schema, seed="first") as running:
        running.kill_at_random(6)
        running.until(lambda player: player.answered, more=20)
        running.finish()
        assert running.kills == 6
        assert sum(player.doubts for player in running.players) > 0


@pytest.mark.parametrize(
    "kill",
    sampled(
        (Campaign.kill_worker, Campaign.kill_supervisor), Campaign.kill_supervisor, rest="system"
    ),
)
def test_a_service_of_which_one_process_was_killed_has_lost_nothing(
    postgres_dsn: str, schema: str, kill: Callable[[Campaign], None]
) -> None:
    """The other one ends as well, so that the service can be started again."""
    with campaign(postgres_dsn, schema, seed=kill.__name__) as running:
        kill(running)
        running.start()
        running.until(Player.acknowledged, more=5)
        running.finish()


@pytest.mark.system
def test_a_killed_database_is_reported_and_has_lost_nothing(short_dir: Path) -> None:
    with embedded_postgres(short_dir) as dsn:
        settings = Settings(database_url=dsn)
        prepare(settings)
        with campaign(dsn, settings.schema, seed="database") as running:
            running.until(lambda player: player.answered, more=20)
            kill_database(short_dir)
            running.until(lambda player: player.refused, more=1)
            with embedded_postgres(short_dir):
                running.until(lambda player: player.answered, more=20)  # within a minute
                running.finish()
