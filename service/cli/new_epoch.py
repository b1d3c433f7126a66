"""`phaseledger new-epoch`: going on from a restore that lost events."""

import asyncio
from typing import Annotated
from uuid import uuid4

import msgspec
from cyclopts import Parameter

from phaseledger.replay.signing.keys import fresh_name
from phaseledger.replay.terminal import UsageError, guarded, print_json, progress, say
from phaseledger.service.cli.flags import LEDGER_AS_SET, JsonFlag, LedgerFlags
from phaseledger.service.database.epoch import NewEpoch, begin_epoch
from phaseledger.service.database.setup import connected_settings, prepare, require_owner
from phaseledger.service.operations import AdminRecord


@guarded
def new_epoch(
    *,
    actor: Annotated[str, Parameter(help="Who does it, for the record.")],
    reason: Annotated[str, Parameter(help="Why, for the record.")],
    unpublished: Annotated[
        bool,
        Parameter(
            help="The ledger lacks events which no checkpoint covered, or nobody knows; that it "
            "lacks published ones is found.",
            negative="",
        ),
    ] = False,
    log_origin: Annotated[
        str | None, Parameter(help="The new log's name; else one is made.")
    ] = None,
    at: LedgerFlags = LEDGER_AS_SET,
    json: JsonFlag = False,
) -> int:
    """Go on from a restore that lost events; its help is NEW_EPOCH in `main`."""
    if not actor.strip() or not reason.strip():
        raise UsageError("--actor and --reason say who does it, and why: neither is empty.")
    with connected_settings(at.settings()) as settings:
        prepare(settings)
        require_owner(settings)
        log = log_origin or fresh_name()
        entry = AdminRecord(
            key=uuid4(), actor=actor, action="new_epoch", reason=reason, details={"log": log}
        )
        with progress("Voiding games", None) as advance:
            epoch = asyncio.run(begin_epoch(settings, log, entry, advance, unpublished=unpublished))
    if json:
        print_json(msgspec.to_builtins(epoch))
        return 0
    _say_epoch(epoch)
    if settings.log_origin:
        say(f"Set PHASELEDGER_LOG_ORIGIN={epoch.log} before a service starts.")
    return 0


def _say_epoch(epoch: NewEpoch) -> None:
    say(
        f"The ledger goes on with {epoch.events:,} events (restore {epoch.epoch}); "
        f"{len(epoch.voided):,} running games are void. The log {epoch.ended} ended with "
        f"{epoch.published:,} published events."
    )
    for game in epoch.damaged:
        say(f"  {game} could not be voided: its record is damaged, and it will be set aside.")
    say(f"The public log is {epoch.log} from now on, and has another key: {epoch.key}")
