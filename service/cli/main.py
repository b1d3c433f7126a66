"""The command line `phaseledger`: one entry for the service, its upkeep, and the auditor.

Commands are imported when they are called, so the auditor starts without a web framework.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter

from phaseledger import __version__
from phaseledger.domain.kernel import is_compiled
from phaseledger.replay.batch import inputs
from phaseledger.replay.cli.main import (
    ANALYSE,
    AUDIT,
    EXIT_CODES,
    OPERATE,
    PLAY,
    add_commands,
    import_for_list,
)
from phaseledger.replay.formats.records.source import StoreUnreachable
from phaseledger.replay.formats.sealing import SealingError
from phaseledger.replay.formats.signing.keys import KeysError


def version() -> str:
    """The release, and which kernel plays simulated games."""
    return f"{__version__} ({'compiled' if is_compiled() else 'plain'} kernel)"


app = App(
    name="phaseledger",
    help="An event-sourced game service for the Phase 10 family.",
    help_epilogue=EXIT_CODES,
    version=version,
)
PLAY_HELP = """\
Play in the browser: serve as `serve` does, and open the tables there.

Bots and a database are there at once; stop it with Ctrl-C, and the games go on next time. With a
game's id it shows that game. What `serve` takes can be said here too.

For example: phaseledger play
"""
SERVICE = "phaseledger.service.cli."
SERVER_COMMANDS = {
    "demo": ("demo:demo", "Watch four bots play over HTTP; then scores and audit."),
    "play": ("play:play", PLAY_HELP),
    "serve": ("serve:serve", "Serve the HTTP API, with all it needs in one process."),
    "worker": ("serve:worker", "Keep the projections up with the log, until stopped."),
    "doctor": ("doctor:doctor", "Examine a ledger and its proxy: what is wrong, and its cure."),
    "openapi": ("openapi:openapi", "Print the OpenAPI description of the HTTP API."),
    "admin": ("admin:app", "Make, keep, restore and steer a ledger: the operator's commands."),
}
"""The commands that need the extra ``server``: where each is, and its help."""
MOVED = {
    **{name: name for name in ("migrate", "backup", "restore", "new-epoch", "keys")},
    "projections": "rebuild",
    "upgrade": "migrate",
}
"""Former commands that are under `admin`, and their names there."""


class ServerMissing(Exception):
    """The command needs packages that only the extra ``server`` installs."""


def _without_server(*_: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> None:
    raise ServerMissing(
        "This needs the server, or its database driver: pip install 'phaseledger[server]'."
    )


def _at(target: str) -> str | Callable[..., None]:
    """The import path of a server command, or a stand-in that fails without the server's extra."""
    return SERVICE + target if find_spec("litestar") else _without_server


for name, (target, help_text) in SERVER_COMMANDS.items():
    group = PLAY if name in {"demo", "play"} else OPERATE
    app.command(_at(target), name=name, help=help_text, group=group)
app.command(
    SERVICE + "witness:witness",
    help="Watch a public log from elsewhere, and cosign it.",
    group=AUDIT,
)
app.command(SERVICE + "ratings:ratings", group=ANALYSE)
app.command(
    SERVICE + "docs:docs", help="Show the documents in the browser, without a network.", group=PLAY
)
add_commands(app)
app.command(
    SERVICE + "completion:install",
    name="--install-completion",
    help="Install completion of commands and flags for the shell: bash, zsh or fish.",
)


@contextmanager
def _embedded(data_dir: Path | None) -> Iterator[str]:
    """The embedded server's DSN for the auditor, which only reads: no store is created."""
    if find_spec("psycopg") is None:
        _without_server()
    from phaseledger.service.database.embedded import (
        EmbeddedPostgresError,
        embedded_postgres,
        existing_data_dir,
    )

    try:
        with embedded_postgres(existing_data_dir(data_dir)) as dsn:
            yield dsn
    except EmbeddedPostgresError as error:
        raise StoreUnreachable(str(error)) from error


def _published() -> Path:
    """The folder of the service's last published checkpoints."""
    if find_spec("psycopg") is None:
        raise StoreUnreachable(
            "Reading a store needs its driver: pip install 'phaseledger[server]'."
        )
    from phaseledger.service.settings import Settings, published_folder

    return published_folder(Settings(published_dir=os.environ.get("PHASELEDGER_PUBLISHED_DIR", "")))


def _keys(data_dir: str) -> Path | None:
    """The folder of the service's keys."""
    if find_spec("psycopg") is None:
        return None
    from phaseledger.service.settings import Settings, keys_folder

    keys_dir = os.environ.get("PHASELEDGER_KEYS_DIR", "")
    return keys_folder(Settings(keys_dir=keys_dir, data_dir=data_dir))


inputs.default_dsn = _embedded
inputs.default_keys = _keys
inputs.default_published = _published


def main() -> None:
    """Run the command line; expected errors end as one sentence, not as a traceback."""
    if (named := "".join(sys.argv[1:2])) in MOVED:
        print(f"phaseledger: It is `phaseledger admin {MOVED[named]}` now.", file=sys.stderr)
        sys.exit(2)
    import_for_list(app, sys.argv[1:], "ratings")
    try:
        result = app(exit_on_error=False, result_action="return_value")
    except CycloptsError:
        sys.exit(2)  # cyclopts has said what is wrong
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        outcome = explanation(error)
        if outcome is None:
            raise
        code, sentence = outcome
        print(f"phaseledger: {sentence}", file=sys.stderr)
        sys.exit(code)
    sys.exit(result if isinstance(result, int) else 0)


def explanation(error: Exception) -> tuple[int, str] | None:
    """The exit code and the sentence for an error that is no bug of ours; None for a bug."""
    if isinstance(error, KeysError | SealingError | ServerMissing):
        return 2, str(error)
    if find_spec("psycopg") is None:
        return None
    import psycopg

    from phaseledger.projections.pages import ViewsUnavailable
    from phaseledger.service.cli.demo import DemoFailed
    from phaseledger.service.database.embedded import EmbeddedPostgresError
    from phaseledger.service.eventlog.errors import GameUnreadable, StoreUnavailable, explain_outage
    from phaseledger.service.eventlog.migrations import SchemaError
    from phaseledger.service.readmodels.follower import RebuildRunning
    from phaseledger.service.settings import SettingsError
    from phaseledger.service.transparency.signer import OtherLog, SigningRefused

    if isinstance(error, SettingsError | OtherLog | GameUnreadable):
        return 2, str(error)
    if isinstance(error, DemoFailed):
        return 1, str(error)
    if isinstance(error, psycopg.Error):
        return 3, str(explain_outage(error))
    unusable = EmbeddedPostgresError | SchemaError | StoreUnavailable | SigningRefused
    unusable |= RebuildRunning | ViewsUnavailable
    return (3, str(error)) if isinstance(error, unusable) else None


if __name__ == "__main__":
    main()
