"""The commands that make the tables, and that build the projections anew."""

import asyncio
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress

from phaseledger.service.cli.flags import AS_SET, StoreFlags
from phaseledger.service.database.setup import connected_settings, prepare, upgrade
from phaseledger.service.eventlog.postgres import PostgresStore
from phaseledger.service.readmodels.follower import rebuild as rebuilt
from phaseledger.service.runtime.process import collect_seldom
from phaseledger.service.settings import Settings, sealing_keys_of

AppRole = Annotated[
    str | None, Parameter(help="A role that may then serve: read, append to the log, edit nothing.")
]
FollowRole = Annotated[
    str | None,
    Parameter(help="The role of `phaseledger worker`; without one the other has its rights too."),
]


def migrate(
    flags: StoreFlags = AS_SET,
    *,
    application_role: AppRole = None,
    projection_role: FollowRole = None,
) -> None:
    """Make the tables, or bring them up to this release."""
    with connected_settings(flags.settings()) as settings:
        applied = upgrade(
            settings, application_role=application_role, projection_role=projection_role
        )
    print("\n".join(applied) or "Everything is there already.")


def rebuild(flags: StoreFlags = AS_SET) -> None:
    """Build the projections anew from the log, beside the present ones, and swap them in."""
    with connected_settings(flags.settings()) as settings:
        prepare(settings, migrating=False)
        position = asyncio.run(_rebuild(settings))
    print(f"The projections are rebuilt up to log position {position}.")


async def _rebuild(settings: Settings) -> int:
    dsn, schema = settings.database_url, settings.schema
    console = Console(stderr=True)
    collect_seldom()
    sealing = sealing_keys_of(settings)
    async with PostgresStore(dsn, schema=schema, unsafe=settings.unsafe, sealing=sealing) as store:
        with Progress(console=console, disable=not console.is_terminal) as progress:
            bar = progress.add_task("Events", total=None)
            return await rebuilt(
                store,
                dsn,
                schema=schema,
                progress=lambda done, total: progress.update(bar, completed=done, total=total),
            )
