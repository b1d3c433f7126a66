"""The commands that make the tables, and that build the projections anew."""

import asyncio
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress

from phaseledger.replay.terminal import guarded
from phaseledger.service.cli.flags import AS_SET, StoreFlags
from phaseledger.service.database.examination import BEFORE_UPGRADE, examined, line_of
from phaseledger.service.database.examined_ledger import Ledger
from phaseledger.service.database.rights import PROJECTIONS, has_rights
from phaseledger.service.database.setup import connected_settings, pending, prepare, upgrade
from phaseledger.service.eventlog.connection import connected
from phaseledger.service.eventlog.migrations import SchemaError
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


@guarded
def migrate(
    flags: StoreFlags = AS_SET,
    *,
    application_role: AppRole = None,
    projection_role: FollowRole = None,
    check: Annotated[
        bool,
        Parameter(negative="", help="Only say what would be done, and what speaks against it."),
    ] = False,
) -> int:
    """Make the tables, or bring them up to this release.

    What it does is done in one transaction, or not at all. An older release does not start on the
    tables afterwards: the way back is a backup. With --check it changes nothing, prints a line for
    each migration, and examines the newest backup and the connections of services.

    Exit codes: 0 it is done; with --check: 0 go ahead, 1 there is something to mend first.

    For example: phaseledger admin migrate --check
    """
    with connected_settings(flags.settings()) as settings:
        if check:
            return _checked(settings, is_embedded=not flags.settings().database_url)
        applied = upgrade(
            settings, application_role=application_role, projection_role=projection_role
        )
    print("\n".join(applied) or "Everything is there already.")
    return 0


def _checked(settings: Settings, *, is_embedded: bool) -> int:
    """Say what `migrate` would do; the exit code."""
    names = pending(settings)
    print("\n".join(f"would apply {name}" for name in names) or "Everything is there already.")
    if not names:
        return 0
    with connected(settings.database_url) as conn:
        made = conn.execute("SELECT to_regclass(%s)", (f"{settings.schema}.migrations",)).fetchone()
        if made == (None,):
            return 0  # a new ledger
        diagnoses = [*examined(Ledger(settings, conn, is_embedded), BEFORE_UPGRADE)]
    for diagnosis in diagnoses:
        print(line_of(diagnosis))
    return int(any(diagnosis.severity != "ok" for diagnosis in diagnoses))


def rebuild(flags: StoreFlags = AS_SET) -> None:
    """Build the projections anew from the log, beside the present ones, and swap them in."""
    with connected_settings(flags.settings()) as settings:
        prepare(settings, migrating=False)
        with connected(settings.database_url) as conn:
            if not has_rights(conn, settings.schema, PROJECTIONS):
                raise SchemaError(
                    f"The database role {conn.info.user!r} may not write the views: run this as "
                    "the role of `phaseledger worker`, or as the owner of the tables."
                )
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
