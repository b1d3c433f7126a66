"""The record of operators' actions on the database."""

from uuid import uuid4

from phaseledger.replay.terminal import UsageError, print_json, say
from phaseledger.service.operations import AdminAction, AdminEvent, AdminLog, AdminRecord
from phaseledger.service.settings import Settings


def entry(action: AdminAction, actor: str, reason: str, **details: str | int | None) -> AdminRecord:
    """An entry for the record. Raises UsageError."""
    if not actor.strip() or not reason.strip():
        raise UsageError("--actor and --reason say who does it, and why: neither is empty.")
    return AdminRecord(key=uuid4(), actor=actor, action=action, reason=reason, details=details)


async def note(settings: Settings, new: AdminRecord) -> AdminEvent:
    """Write the entry; returns it with its number. Raises StoreUnavailable."""
    async with AdminLog(settings.database_url, schema=settings.schema) as record:
        return await record.note(new)


def tell_of(event: object, sentence: str, *, json: bool) -> int:
    """Print the entry as JSON, or what was done in a sentence; returns the exit code."""
    print_json(event) if json else say(sentence)
    return 0
