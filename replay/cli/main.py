"""The auditor's commands: replay, audit, verify, export and more; `service.cli.main` adds them too.

Each is imported when it is called. They start without the service, and without a database driver
where they read a file.
"""

import sys
from collections.abc import Sequence
from types import MappingProxyType

from cyclopts import App, Group

EXIT_CODES = (
    "Exit codes: 0 sound, 1 findings, 2 usage, 3 store unreachable, 4 no such game, "
    "5 unreadable or damaged input, or output that cannot be written, 6 the operator's "
    "evidence does not hold, 7 sound but the policy asks for more, 130 interrupted."
)
PLAY, AUDIT, ANALYSE, OPERATE = (
    Group(name, sort_key=place)
    for place, name in enumerate(("Play", "Audit", "Analyse", "Operate"))
)
"""The groups of `phaseledger --help`, in its order."""
COMMANDS = MappingProxyType(
    {
        "rules": ("rules:rules", PLAY),
        "replay": ("replay:replay", AUDIT),
        "viewer": ("viewer:viewer", AUDIT),
        "audit": ("audit:audit_command", AUDIT),
        "verify": ("verify:verify_command", AUDIT),
        "explain": ("explain:explain", AUDIT),
        "verifier": ("verifier:verifier", AUDIT),
        "export": ("export:export", ANALYSE),
        "simulate": ("simulate:simulate", ANALYSE),
        "analyse": ("analyse:analyse_command", ANALYSE),
        "rejudge": ("rejudge:rejudge_command", ANALYSE),
        "query": ("query:query", ANALYSE),
        "report": ("report:report", ANALYSE),
        "odds": ("odds:odds_command", ANALYSE),
    }
)
"""The commands, where in this package each is, and its group."""


def add_commands(app: App) -> None:
    """Add the auditor's commands to a command line."""
    for name, (target, group) in COMMANDS.items():
        app.command(f"phaseledger.replay.cli.{target}", name=name, group=group)


def import_for_list(app: App, arguments: Sequence[str], *more: str) -> None:
    """Import the commands, and those named ``more``, where the arguments ask for their list, which
    tells what each does.
    """
    if list(arguments[:1]) in ([], ["--help"], ["-h"]):
        for name in (*COMMANDS, *more):
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
