"""The record of operators' actions, in which each stands before it is carried out."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NamedTuple
from uuid import UUID, uuid5

import structlog
from litestar.datastructures import State
from litestar.params import HeaderParameter
from uuid_utils.compat import uuid7

from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.problems.details import as_refusal
from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.games.errors import KeyReused
from phaseledger.service.operations import AdminEvent, AdminLog, AdminRecord, Details
from phaseledger.service.schemas.games import AdminRequest

log = structlog.get_logger("phaseledger.admin")


class Operator(NamedTuple):
    """The listener's dependencies: the service and the application's state."""

    service: Service
    state: State


AdminIdempotencyKey = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=r"^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?$",
        description="A UUID: repeated with it, the action is carried out once.",
    ),
]


def entry_of(key: str, data: AdminRequest, action: Any, **details: str | int | None) -> AdminRecord:  # noqa: ANN401
    """The entry of an action under the key of its request, or a fresh one."""
    return AdminRecord(
        key=UUID(key) if key else uuid7(),
        actor=data.actor,
        action=action,
        reason=data.reason,
        details=details,
    )


async def carry_out(
    record: AdminLog, entry: AdminRecord, work: Callable[[AdminEvent], Awaitable[Any]]
) -> AdminEvent:
    """Record the entry and do the work; when it is refused, record that too, and raise.

    A failure of the database is not recorded as refused: a retry under the same key does it.

    Raises:
        KeyReused: the key belongs to another action.

    """
    event = await record.note(entry)
    if _identity(event) != _identity(entry):
        raise KeyReused
    try:
        await work(event)
    except StoreUnavailable:
        raise
    except Exception as error:
        details: Details = {"about": event.id, "code": as_refusal(error).code}
        key = uuid5(entry.key, "refused")
        await record.note(
            AdminRecord(
                key=key, actor=entry.actor, action="refused", reason=entry.reason, details=details
            )
        )
        raise
    log.info("admin", action=entry.action, actor=entry.actor, id=event.id)
    return event


def _identity(entry: AdminRecord | AdminEvent) -> tuple[object, ...]:
    """The identity of the action under its key; the version is from the first try."""
    target = {name: value for name, value in entry.details.items() if name != "before"}
    return entry.actor, entry.action, entry.reason, target
