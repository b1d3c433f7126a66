"""The command line `phaseledger`: one entry for the service, its upkeep, and the auditor.

Commands are imported when they are called, so the auditor starts without a web framework.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cyclopts import App, CycloptsError

from phaseledger.replay.batch import inputs
from phaseledger.replay.cli.main import app as auditor
from phaseledger.replay.records.source import StoreUnreachable

app = App(
    name="phaseledger",
    help="An event-sourced game service for the Phase 10 family.",
    help_epilogue=auditor.help_epilogue,
)
projections = App(name="projections", help="The read models and their upkeep.")
app.command(
    "phaseledger.service.cli.demo:demo",
    help="Watch four bots play over HTTP; then scores and audit.",
)
COMMANDS = "phaseledger.service.cli.serve:"
app.command(COMMANDS + "serve", help="Serve the HTTP API, with all it needs in one process.")
app.command(COMMANDS + "worker", help="Keep the projections up with the log, until stopped.")
app.command(COMMANDS + "migrate", help="Make the tables, or bring them up to this release.")
app.command(COMMANDS + "openapi", help="Print the OpenAPI description of the HTTP API.")
projections.command(COMMANDS + "rebuild", help="Empty the read models and fill them again.")
app.command(projections)
app.command(
    "phaseledger.service.cli.witness:witness",
    help="Watch a public log from elsewhere, and cosign it.",
)
app.command(
    "phaseledger.service.cli.keys:app",
    name="keys",
    help="The operator's keys, which sign receipts and checkpoints.",
)
app.command(
    "phaseledger.service.cli.admin:app",
    name="admin",
    help="What operators do to a service that runs, and the record of it.",
)
for each in ("replay", "audit", "rejudge", "verify", "explain", "verifier", "export"):
    app.command(auditor[each], name=each)
for each in ("simulate", "query", "report", "rules", "odds"):
    app.command(auditor[each], name=each)


@contextmanager
def _embedded(data_dir: Path | None) -> Iterator[str]:
    """The embedded server's DSN for the auditor, which reads what is there and makes nothing."""
    from phaseledger.service.database.embedded import default_data_dir, embedded_postgres
    from phaseledger.service.database.errors import EmbeddedPostgresError

    home = data_dir or default_data_dir()
    if not home.exists():
        raise StoreUnreachable(f"There is no store in {home} yet; `phaseledger serve` makes one.")
    try:
        with embedded_postgres(home) as dsn:
            yield dsn
    except EmbeddedPostgresError as error:
        raise StoreUnreachable(str(error)) from error


inputs.default_dsn = _embedded


def main() -> None:
    """Run the command line; an error that people can act on is one sentence, not a traceback."""
    try:
        result = app(exit_on_error=False, result_action="return_value")
    except CycloptsError:
        sys.exit(2)  # cyclopts has said what is wrong
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        known = explanation(error)
        if known is None:
            raise
        code, sentence = known
        print(f"phaseledger: {sentence}", file=sys.stderr)
        sys.exit(code)
    sys.exit(result if isinstance(result, int) else 0)


def explanation(error: Exception) -> tuple[int, str] | None:
    """The exit code and the sentence for an error that is no bug of ours; None for a bug."""
    import psycopg

    from phaseledger.replay.signing.keys import KeysError
    from phaseledger.service.cli.demo import DemoFailed
    from phaseledger.service.database.errors import EmbeddedPostgresError
    from phaseledger.service.eventlog.errors import StoreUnavailable, explain_outage
    from phaseledger.service.eventlog.migrations import SchemaError
    from phaseledger.service.readmodels.follower import ProjectionStopped
    from phaseledger.service.settings import SettingsError
    from phaseledger.service.transparency.signer import SigningRefused

    if isinstance(error, SettingsError | KeysError):
        return 2, str(error)
    if isinstance(error, DemoFailed):
        return 1, str(error)
    if isinstance(error, psycopg.Error):
        return 3, str(explain_outage(error))
    if isinstance(error, EmbeddedPostgresError | SchemaError | StoreUnavailable | SigningRefused):
        return 3, str(error)
    return (5, str(error)) if isinstance(error, ProjectionStopped) else None


if __name__ == "__main__":
    main()
