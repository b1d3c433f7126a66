"""The console script: Ctrl-C ends it without a traceback, while it imports the program too."""

import sys


def main() -> None:
    """Run the command line of `service.cli.main`."""
    try:
        from phaseledger.service.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
