"""The operators' actions on applications: to make them, to issue and end their keys, and to send
samples to their webhooks.
"""

from typing import Annotated, Any
from uuid import UUID

from litestar import get, post
from litestar.params import FromPath, JSONBody, PathParameter
from msgspec import Meta, Struct, field

from phaseledger.service.api.dependencies import Injected
from phaseledger.service.api.operator.record import (
    AdminIdempotencyKey,
    Operator,
    carry_out,
    entry_of,
)
from phaseledger.service.applications.application import SCOPES, RegisteredApplication
from phaseledger.service.operations import AdminEvent
from phaseledger.service.schemas.applications import Scope
from phaseledger.service.schemas.games import AdminRequest
from phaseledger.service.schemas.names import Name, require_plain
from phaseledger.service.schemas.webhooks import Type
from phaseledger.service.webhooks.errors import WebhooksUnavailable
from phaseledger.service.webhooks.samples import SampleSent, trigger

KeyScopes = Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=len(SCOPES))]


class NewApplication(AdminRequest, frozen=True, kw_only=True):
    """An application, and what its first key is good for."""

    name: Name
    scopes: KeyScopes = SCOPES

    def __post_init__(self) -> None:
        super().__post_init__()
        require_plain(self.name)


class NewKey(AdminRequest, frozen=True, kw_only=True):
    """Another key of an application, with the scopes of the newest one unless it names others; its
    earlier keys end ``keep`` hours later.
    """

    scopes: KeyScopes | None = None
    keep: Annotated[float, Meta(ge=0, le=10_000)] = field(default=24.0)


class MadeKey(Struct, frozen=True):
    """The entry of the record, and the key, which is shown here only."""

    event: AdminEvent
    application: UUID
    key: str


class ApplicationList(Struct, frozen=True):
    """All applications, the oldest first."""

    applications: tuple[RegisteredApplication, ...]


class WantedSample(Struct, frozen=True, forbid_unknown_fields=True):
    """The type of the sample."""

    type: Type


class SamplesSent(Struct, frozen=True):
    """What was sent, and how each endpoint answered."""

    sent: tuple[SampleSent, ...]


@get("/applications")
async def list_applications(operator: Injected[Operator]) -> ApplicationList:
    """All applications and their keys, by their public ids."""
    return ApplicationList(tuple(await operator.service.parts.applications.all()))


@post("/applications")
async def make_application(
    data: JSONBody[NewApplication], operator: Injected[Operator], key: AdminIdempotencyKey = ""
) -> MadeKey:
    """Make an application, and its first key."""
    scopes = _in_order(data.scopes)
    entry = entry_of(key, data, "make_application", name=data.name, scopes=" ".join(scopes))
    store = operator.service.parts.applications
    made: list[str] = []

    async def work(event: AdminEvent) -> None:
        await store.register(entry.key, data.name)
        made.append(await store.issue(entry.key, scopes, entry.key))

    event = await carry_out(operator.service.parts.record, entry, work)
    return MadeKey(event, entry.key, made[0])


@post("/applications/{application:uuid}/keys")
async def issue_key(
    application: FromPath[UUID],
    data: JSONBody[NewKey],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> MadeKey:
    """Issue another key of the application; the others end some hours later."""
    scopes = None if data.scopes is None else _in_order(data.scopes)
    shown = "as before" if scopes is None else " ".join(scopes)
    named = {"application": str(application), "scopes": shown, "keep": f"{data.keep:g}"}
    entry = entry_of(key, data, "issue_key", **named)
    made: list[str] = []

    async def work(event: AdminEvent) -> None:
        store = operator.service.parts.applications
        made.append(await store.issue(application, scopes, entry.key, 3600 * data.keep))

    event = await carry_out(operator.service.parts.record, entry, work)
    return MadeKey(event, application, made[0])


@post("/applications/{name:str}/revoke", status_code=200)
async def revoke_keys(
    name: Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$|^[0-9a-f-]{36}$")],
    data: JSONBody[AdminRequest],
    operator: Injected[Operator],
    key: AdminIdempotencyKey = "",
) -> AdminEvent:
    """End all keys of an application, by its id, or one key, by its public id."""
    entry = entry_of(key, data, "revoke_key", of=name)

    async def work(event: AdminEvent) -> None:
        await operator.service.parts.applications.revoke(name)

    return await carry_out(operator.service.parts.record, entry, work)


@post("/applications/{application:uuid}/samples", status_code=200)
async def send_sample(
    application: FromPath[UUID], data: JSONBody[WantedSample], operator: Injected[Operator]
) -> SamplesSent:
    """Send a sample to the webhooks of an application. It changes nothing, so no record has it."""
    deliveries = operator.service.parts.deliveries
    if deliveries is None:
        raise WebhooksUnavailable
    return SamplesSent(tuple(await trigger(deliveries, application, data.type)))


def _in_order(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    return tuple(scope for scope in SCOPES if scope in scopes)


ACTIONS: list[Any] = [list_applications, make_application, issue_key, revoke_keys, send_sample]
