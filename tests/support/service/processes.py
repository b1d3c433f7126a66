"""The service's commands as processes of their own, over a ledger of the test's own."""

import os
import subprocess

from phaseledger.service.settings import Settings
from tests.support import forked


def environment(settings: Settings) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if "PHASELEDGER" not in name}
    return {
        **plain,
        "PHASELEDGER_DATABASE_URL": settings.database_url,
        "PHASELEDGER_SCHEMA": settings.schema,
        "PHASELEDGER_KEYS_DIR": settings.keys_dir,
    }


def launched(settings: Settings, port: int, *more: object) -> subprocess.Popen[bytes]:
    """The service as it starts; what it says is to be read in the end."""
    process: subprocess.Popen[bytes] = forked.started(
        "serve", "--port", port, *more, env=environment(settings), stderr=subprocess.PIPE
    )
    return process


def command(
    settings: Settings, *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A command over the ledger that has ended."""
    return forked.phaseledger(*arguments, env=environment(settings) | variables)
