"""The service over eventsourcing's stock recorder, for comparison.

    python -m benchmarks.stock_recorder --port PORT

The settings are those of `phaseledger serve`, by variables; the tables are there already.
"""

import argparse
import os

from granian import Granian
from granian.constants import Interfaces

from phaseledger.replay.signing.keys import load_or_new
from phaseledger.service import app, components
from phaseledger.service.settings import keys_folder, load
from tests.support.stock_store import StockStore


def serving() -> object:
    """The application of the server process, over that store."""
    components.PostgresStore = StockStore
    return app.serving()


def main() -> None:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    load_or_new(keys_folder(load(os.environ)))
    Granian(
        "benchmarks.stock_recorder:serving",
        factory=True,
        interface=Interfaces.ASGI,
        address="127.0.0.1",
        port=port,
        workers=1,
        websockets=False,
    ).serve()


if __name__ == "__main__":
    main()
