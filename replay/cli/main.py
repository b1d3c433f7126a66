"""The auditor's commands: replay, audit, verify, export and more; `service.cli.main` adds them too.

Each is imported when it is called. They start without the service, and without a database driver
where they read a file.
"""

import sys
from collections.abc import Sequence
from types import MappingProxyType

from cyclopts import App

EXIT_CODES = (
    "Exit codes: 0 sound, 1 findings, 2 usage, 3 store unreachable, 4 no such game, "
    "5 unreadable or damaged input, or output that cannot be written, 6 the operator's "
    "evidence does not hold, 7 sound but the policy asks for more, 130 interrupted."
)
COMMANDS = MappingProxyType(
    {
        "replay": "replay:replay",
        "viewer": "viewer:viewer",
        "audit": "audit:audit_command",
        "rejudge": "rejudge:rejudge_command",
        "verify": "verify:verify_command",
        "explain": "explain:explain",
        "verifier": "verifier:verifier",
        "export": "export:export",
        "simulate": "simulate:simulate",
        "query": "query:query",
        "report": "report:report",
        "rules": "rules:rules",
        "odds": "odds:odds_command",
    }
)
"""The commands, and where in this package each is."""


def add_commands(app: App) -> None:
    """Add the auditor's commands to a command line."""
    for name, target in COMMANDS.items():
        app.command(f"phaseledger.replay.cli.{target}", name=name)


def import_for_list(app: App, arguments: Sequence[str]) -> None:
    """Import the commands where the arguments ask for their list, which tells what each does."""
    if list(arguments[:1]) in ([], ["--help"], ["-h"]):
        for name in COMMANDS:
            app[name]


app = App(
    name="phaseledger",
    help="Replay, audit, verify, export, simulate and query games, and read the rules.",
    help_epilogue=EXIT_CODES,
    help_format="markdown",
    version_flags=[],
)
add_commands(app)

if __name__ == "__main__":
    import_for_list(app, sys.argv[1:])
    app()
