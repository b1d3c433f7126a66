"""Kill the service many times under play and compare the log with what was acknowledged.

    python benchmarks/crash.py [--kills N] [--clients N] [--seed TEXT] [--database]

Uses a throw-away PostgreSQL. Exits with 1 when an acknowledged command is lost. `--database` kills
the database server in place of the service.
"""

import argparse
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.crash_campaign import Campaign, campaign, kill_database
from tests.support.player import Lost


def kill_databases(running: Campaign, data_dir: Path, kills: int, stack: ExitStack) -> None:
    """Kill the database server and bring it back."""
    for number in range(kills):
        running.until(lambda player: player.answered, more=20)
        kill_database(data_dir)
        stack.enter_context(embedded_postgres(data_dir))
        running.verify()
        tell(number + 1)


def tell(kills: int) -> None:
    """Say how far it is."""
    if kills % 10 == 0:
        print(f"  {kills} kills", file=sys.stderr, flush=True)


def main() -> int:
    """Kill, compare, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4, help="each plays games of its own")
    parser.add_argument("--seed", default="campaign")
    parser.add_argument("--database", action="store_true", help="kill the database instead")
    given = parser.parse_args()
    data_dir, began = Path(tempfile.mkdtemp(prefix="pl-")), time.monotonic()
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, data_dir)
        settings = Settings(database_url=stack.enter_context(embedded_postgres(data_dir)))
        prepare(settings)
        running = stack.enter_context(
            campaign(
                settings.database_url,
                settings.schema,
                players=given.clients,
                seed=given.seed,
            )
        )
        try:
            if given.database:
                kill_databases(running, data_dir, given.kills, stack)
            else:
                running.kill_at_random(given.kills, tell)
            running.finish()
        except Lost as lost:
            print(f"LOST after {running.kills} kills: {lost}")
            return 1
        players = running.players
        print(
            f"{given.kills} kills in {time.monotonic() - began:.0f} s: "
            f"{running.acknowledged():,} commands acknowledged in "
            f"{sum(len(player.played) for player in players)} games, none lost; "
            f"{sum(player.doubts for player in players)} in doubt, of which "
            f"{running.stored_unanswered} were stored already; "
            f"{sum(player.refused for player in players)} times refused with 503"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
