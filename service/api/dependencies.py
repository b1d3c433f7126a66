"""What handlers are given: the service, in one dependency."""

from asyncio import Semaphore
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias, TypeVar
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import SkipValidation
from litestar.types import Receive, Scope

from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.service.analyses.analyses import Analyses
from phaseledger.service.api.health_monitor import HealthMonitor
from phaseledger.service.api.limits.attempts import AttemptLimits
from phaseledger.service.api.limits.slots import Slots
from phaseledger.service.api.requests.client_address import origin
from phaseledger.service.applications.store import Applications
from phaseledger.service.automation.takeover import Adopt
from phaseledger.service.credentials.store import Credentials
from phaseledger.service.eventlog.clock import LOCAL, LedgerClock
from phaseledger.service.eventlog.continuity import Continuity
from phaseledger.service.eventlog.measures import Measures
from phaseledger.service.eventlog.pool import Pool
from phaseledger.service.eventlog.protocols import Store
from phaseledger.service.eventlog.write_probe import WriteProbe
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.join_codes import JoinCodes
from phaseledger.service.lobby.table_quotas import TableQuotas
from phaseledger.service.notices.notices import Notices
from phaseledger.service.operations import AdminLog, Gate
from phaseledger.service.players.store import Players
from phaseledger.service.quotas.open_tables import Opener
from phaseledger.service.readmodels.views import Views
from phaseledger.service.runtime.background import Until
from phaseledger.service.runtime.shutdown import Shutdown
from phaseledger.service.settings import Network, Settings
from phaseledger.service.signin.sign_in import SignIn
from phaseledger.service.signin.store import PlayerSessions
from phaseledger.service.streams.hub import Streams
from phaseledger.service.streams.reactions import ReactionNotice
from phaseledger.service.streams.remote_commits import CommitListener
from phaseledger.service.transparency.publisher import PublicLog
from phaseledger.service.webhooks.delivery import Deliveries

T = TypeVar("T")
Injected: TypeAlias = NamedDependency[SkipValidation[T]]
"""What a handler asks for by its parameter's name; `api.application` provides it."""


class Components(NamedTuple):
    """What the service stands on. None: not in a ledger in memory, which tests have."""

    store: Store
    credentials: Credentials
    applications: Applications
    players: Players
    sessions: PlayerSessions
    views: Views
    keys: Keyring
    log: PublicLog
    record: AdminLog
    """The record of admin actions."""
    codes: JoinCodes
    """The join codes of private tables."""
    clock: LedgerClock = LOCAL
    sign_in: SignIn | None = None
    """Signs people in; None where the operator has named no issuer, too."""
    follow: Until | None = None
    """Keeps the views up; None where another process does."""
    hear: CommitListener | None = None
    """Hears what other processes write to the log."""
    announce: Callable[[ReactionNotice], Awaitable[None]] | None = None
    """Tells all processes of a reaction; None: there is this one alone."""
    adopt: Adopt | None = None
    """Looks at all games first, then at games that other processes leave."""
    deliveries: Deliveries | None = None
    """The deliveries of webhooks."""
    notices: Notices | None = None
    """The notices to players who are away; None where the operator sends none, too."""
    probe: WriteProbe | None = None
    """Tries whether the log can be written."""
    measures: Measures | None = None
    """Measures the ledger for the metrics."""
    continuity: Continuity | None = None
    """Notices a log that has gone back."""
    connections: Pool | None = None
    """Shared by the stores of small statements."""


class RequestSlots(NamedTuple):
    """The slots of requests that last."""

    analyses: Slots
    bundles: Semaphore
    exports: Slots
    frames: Slots
    hints: Slots
    uploads: Slots
    replays: Slots


class Service(NamedTuple):
    """The service: one dependency, since the framework starts a task for each of several."""

    settings: Settings
    parts: Components
    games: GameService
    analyses: Analyses
    streams: Streams
    quotas: TableQuotas
    attempts: AttemptLimits
    slots: RequestSlots
    gate: Gate
    shutdown: Shutdown
    health: HealthMonitor
    proxies: tuple[Network, ...]
    """The proxies that name the client's address."""

    def origin(self, scope: Scope) -> bytes:
        """The key of the request's address for limits."""
        return origin(scope, self.proxies)

    def opener(self, scope: Scope, application: UUID | None) -> Opener:
        """Whose quotas of tables count for what the request opens, for an application or not."""
        if application is None:
            return Opener(self.origin(scope))
        return Opener(application.bytes, self.settings.application_share, "application")

    @property
    def has_gone_back(self) -> bool:
        """Whether the log may have lost events, ever, as far as its server tells."""
        return self.parts.continuity is not None and self.parts.continuity.has_gone_back


def receive_of(scope: Scope) -> Receive:
    """The source of the request's messages, which the framework gives no handler."""
    receive: Receive = scope["receive"]  # type: ignore[typeddict-item]
    return receive


def service_of(scope: Scope) -> Service:
    """The service of the application that answers the request."""
    service: Service = scope["litestar_app"].state["service"]
    return service
