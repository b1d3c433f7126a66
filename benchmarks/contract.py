"""Hold the service against its description: 1,000 examples for each operation, all checks.

The service runs in this process, over a throw-away PostgreSQL and a real socket. schemathesis
plays two seats of one table, and then the host.
"""

import argparse
import logging
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

sys.path.insert(0, str(Path(__file__).parents[1]))

from phaseledger.replay.formats.signing.keys import load_or_new
from phaseledger.service.app import in_postgres
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.api_fuzzing import fuzz
from tests.support.service.server import serving

RUNS = (("two seats", ("ann", "ben")), ("host", ("host",)))


def main() -> int:
    """Run both, and say how many cases each had; the exit code is 1 when one has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=1000, help="for each operation")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    failed = False
    with TemporaryDirectory(prefix="pl-") as name, embedded_postgres(Path(name) / "pg") as dsn:
        home = Path(name)
        settings = Settings(database_url=dsn, keys_dir=str(home / "keys"))
        prepare(settings)
        load_or_new(home / "keys")
        for who, peers in RUNS:
            folder = home / peers[0]
            folder.mkdir()
            began = time.monotonic()
            with serving(in_postgres(settings)) as service:
                ended = fuzz(service.url, folder, given.examples, *peers, seed=given.seed)
            took = time.monotonic() - began
            cases = re.search(r"Test cases:\s+(.*)", ended.output)
            print(f"{who}: {cases[1] if cases else 'no cases'}; {took:.0f} s", flush=True)
            if ended.code:
                failed = True
                print(ended.output)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
