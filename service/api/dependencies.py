"""What handlers are given: the parts of the service, each by the name of its parameter."""

from asyncio import Semaphore
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from litestar.di import NamedDependency
from litestar.params import SkipValidation
from litestar.types import Receive, Scope

from phaseledger.projections.views import Views
from phaseledger.replay.signing.keys import Keyring
from phaseledger.service.api.health_monitor import HealthMonitor, ReadyBounds
from phaseledger.service.api.limits.attempts import AttemptLimits
from phaseledger.service.api.limits.slots import Slots
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.automation.table_expiry import ENDLESS, Lifetimes
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.join_codes import JoinCodes
from phaseledger.service.lobby.table_quotas import TableQuotas
from phaseledger.service.operations import AdminLog, Gate
from phaseledger.service.runtime.shutdown import Shutdown
from phaseledger.service.streams.hub import Streams
from phaseledger.service.transparency.publisher import PublicLog
from phaseledger.service.webhooks.delivery import Deliveries

T = TypeVar("T")
Injected: TypeAlias = NamedDependency[SkipValidation[T]]
"""What a handler or a dependency asks for by its parameter's name; `service.app` provides it."""


SERVICE = "service"
"""The key of the `Service` in the application's state."""


class Service(NamedTuple):
    """The service's parts as handlers get them: one dependency, because the framework starts a
    task for each that it may resolve beside another.
    """

    games: GameService
    credentials: Credentials
    views: Views
    store: Store
    log: PublicLog
    keys: Keyring
    reveal_seconds: int
    codes: JoinCodes
    record: AdminLog
    """The record of admin actions."""
    gate: Gate
    shutdown: Shutdown
    streams: Streams
    quotas: TableQuotas
    bundling: Semaphore
    """Held by those who write a bundle."""
    exports: Slots
    """Held by open exports."""
    framing: Slots
    """Held by those who make frames."""
    uploads: Slots
    """Held by those who send a file."""
    replaying: Slots
    """Held by those whose file is read."""
    health: HealthMonitor
    attempts: AttemptLimits
    deliveries: Deliveries | None = None
    """The deliveries of webhooks; None where the log is in memory."""
    continuity: Continuity | None = None
    """None where the log is in memory."""
    ledger: int = 0
    """The ledger's number, which ids of new games have; 0: none."""
    origin: Callable[[Scope], bytes] = origin
    """The key of a request's address for rate limits."""
    require_if_match: bool = False
    web: bool = True
    """Whether there are pages for people."""
    bounds: ReadyBounds = ReadyBounds()
    lifetimes: Lifetimes = ENDLESS
    bots_alone: float = 0
    """For how many seconds bots play alone while nobody watches; 0: for ever."""

    @property
    def has_gone_back(self) -> bool:
        """Whether the log may have lost events, ever, as far as its server tells."""
        return self.continuity is not None and self.continuity.has_gone_back


def receive_of(scope: Scope) -> Receive:
    """The source of the request's messages, which the framework gives no handler."""
    receive: Receive = scope["receive"]  # type: ignore[typeddict-item]
    return receive


def service_of(scope: Scope) -> Service:
    """The service of the application that answers the request."""
    service: Service = scope["litestar_app"].state[SERVICE]
    return service
