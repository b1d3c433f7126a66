"""`phaseledger admin new-epoch` and `end-log`: the end of a public log, and another one."""

import asyncio
from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.formats.signing.keys import fresh_name
from phaseledger.replay.terminal import guarded, print_json, progress, say
from phaseledger.service.cli.flags import (
    LEDGER_AS_SET,
    ActorFlag,
    JsonFlag,
    LedgerFlags,
    ReasonFlag,
)
from phaseledger.service.cli.record import entry, tell_of
from phaseledger.service.database.epoch import NewEpoch, begin_epoch
from phaseledger.service.database.epoch import end_log as ended_log
from phaseledger.service.database.setup import connected_settings, prepare, require_owner


@guarded
def new_epoch(
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    unpublished: Annotated[
        bool,
        Parameter(
            help="The ledger lacks events which no checkpoint covered, or it is not known; missing "
            "events that were published are found.",
            negative="",
        ),
    ] = False,
    log_origin: Annotated[
        str | None, Parameter(help="The new log's name; else one is made.")
    ] = None,
    at: LedgerFlags = LEDGER_AS_SET,
    json: JsonFlag = False,
) -> int:
    """Go on from a restore that lost events.

    Stop every service first. Finished games stay as they are. Running games are voided, since
    their players have seen cards that would be dealt again. Their last event says that they
    were restored, which `verify` understands: receipts of what is lost are then no proof against
    you. Auditors see another log, signed by the old keys and a new one. Tell them and your players.

    With --json: {log, key, epoch, ended, published, events, voided, damaged}.

    For example: phaseledger admin new-epoch --actor ann --reason "the disk was lost"
    """
    log = log_origin or fresh_name()
    new = entry("new_epoch", actor, reason, log=log)
    with connected_settings(at.settings()) as settings:
        prepare(settings)
        require_owner(settings)
        with progress("Voiding games", None) as advance:
            epoch = asyncio.run(begin_epoch(settings, log, new, advance, unpublished=unpublished))
    if json:
        print_json(epoch)
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


@guarded
def end_log(
    name: Annotated[str, Parameter(help="The public log, as PHASELEDGER_LOG_ORIGIN names it.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: LedgerFlags = LEDGER_AS_SET,
    json: JsonFlag = False,
) -> int:
    """End a public log for good: one that was begun by mistake, or that another name is to follow.

    Stop every service first. What it has signed stays; auditors see that it ends. A service then
    goes on with the log that PHASELEDGER_LOG_ORIGIN names, or begins that one.

    With --json: the entry of the record.

    For example: phaseledger admin end-log gamse.example.org --actor ann --reason "a typo"
    """
    new = entry("end_log", actor, reason, log=name)
    with connected_settings(at.settings()) as settings:
        prepare(settings, migrating=False)
        event = asyncio.run(ended_log(settings, name, new))
    return tell_of(event, f"The log {name} has ended.", json=json)
