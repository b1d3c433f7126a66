"""Why the log cannot be read or written: refusals with a sentence for the operator."""

from uuid import UUID

from phaseledger.service.refusals import Occasion, Refusal

OLDEST_SERVER = 15
UTF8 = "UTF8"
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")


class Conflict(Exception):
    """The log already has this version of the game."""

    def __init__(self, game: UUID, version: int, message: str = "") -> None:
        super().__init__(message or f"Version {version} of game {game} is already taken.")
        self.game = game
        self.version = version


class PredecessorMissing(Conflict):
    """The log lacks the event that these follow: it has gone back since that was read."""

    def __init__(self, game: UUID, version: int) -> None:
        message = (
            f"The log has not the event {version - 1} of game {game} that version {version} "
            "follows: it has gone back."
        )
        super().__init__(game, version, message)


class StoreUnavailable(
    Refusal,
    code="store_unavailable",
    status=503,
    met=(Occasion.LOG,),
    outcome="unavailable",
    of=Conflict,
):
    """The log cannot be read or written now; the message is a sentence for the operator.

    A conflict is answered so where trying again within the process has not helped.
    """

    retry_after: int

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(reason=message)
        self.retry_after = retry_after

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the conflict's message for the log."""
        return cls(str(error))


class GameUnreadable(StoreUnavailable):
    """One game cannot be read here and now; others perhaps can.

    The key that seals it is missing, or an event is of a newer release.
    """


class StoreFull(StoreUnavailable):
    """Too many commands wait already, or the disk is full. Nothing was stored."""


class LedgerTimeUnknown(
    StoreUnavailable,
    code="ledger_time_unknown",
    status=503,
    met=(Occasion.PLAYING, Occasion.CLAIMING),
    outcome="unavailable",
):
    """The database's clock was not read for too long, so no decision by the time is made."""


class RightsMissing(StoreUnavailable):
    """The database role may not do what the service does; the message names the cure."""


class StoreUnfit(StoreUnavailable):
    """The server must not hold a log as it is: too old, or set up to lose what it acknowledged."""


class LedgerBehind(
    StoreUnavailable, code="ledger_behind", status=503, met=(Occasion.WRITE,), outcome="unavailable"
):
    """The database lacks events that the public log has signed; the message says what to do."""

    def __init__(self, message: str, retry_after: int = 60) -> None:
        super().__init__(message, retry_after)


def require_fit(server_version: int, settings: dict[str, str], *, unsafe: bool = False) -> None:
    """Refuse a server that may lose what it acknowledges (unless `unsafe`), or cannot be written,
    and a database in which not every name can be stored.

    `server_version` is libpq's number, `settings` those of pg_settings.
    """
    if server_version < OLDEST_SERVER * 10_000:
        raise StoreUnfit(
            f"The server is PostgreSQL {server_version // 10_000}; phaseledger needs "
            f"{OLDEST_SERVER} or newer."
        )
    if (encoding := settings.get("server_encoding", UTF8)) != UTF8:
        raise StoreUnfit(
            f"The database is in {encoding}, and phaseledger needs one in {UTF8}: make it with "
            f"CREATE DATABASE name ENCODING '{UTF8}' LOCALE 'C' TEMPLATE template0."
        )
    loose = [name for name in DURABLE if settings.get(name) == "off"]
    if loose and not unsafe:
        raise StoreUnfit(
            f"The server runs with {' and '.join(f'{name}=off' for name in loose)}, so a crash "
            "may lose acknowledged events: turn it on (or accept the loss with the unsafe "
            "option)."
        )
    if settings.get("transaction_read_only") == "on":
        raise StoreUnavailable(
            "The database is read-only: connect to the primary server.", retry_after=5
        )


def require_replicated(settings: dict[str, str], standbys: int, *, synchronous: bool) -> str:
    """A warning where a failover to a standby may lose acknowledged events; empty elsewhere.

    ``standbys`` is how many follow the server at the moment.

    Raises:
        StoreUnfit: a ``synchronous`` standby is demanded, and commits wait for none.

    """
    is_awaited = settings.get("synchronous_commit") not in {"off", "local"}
    if settings.get("synchronous_standby_names") and is_awaited:
        return ""
    if synchronous:
        raise StoreUnfit(
            "Commits wait for no standby, which the setting synchronous_standby demands: name the "
            "standbys in the server's synchronous_standby_names, with synchronous_commit=on."
        )
    if not standbys:
        return ""
    return (
        f"Of the server's standbys ({standbys}) none is waited for, so a failover may lose "
        "acknowledged commands: name them in synchronous_standby_names, and demand it with the "
        "setting synchronous_standby."
    )


# By SQLSTATE, or its class: what an operator can do, and after how many seconds to come back.
_REMEDIES: dict[str, tuple[str, int]] = {
    "08": ("The connection to the database is lost.", 1),
    "25006": ("The database is read-only: connect to the primary server.", 5),
    "3F000": ("The database has no such schema: run `phaseledger admin migrate`.", 60),
    "42": ("The database's schema does not fit this program: run `phaseledger admin migrate`.", 60),
    "42501": (
        "The database role may not do this: run `phaseledger admin migrate` as the owner, with it.",
        60,
    ),
    "53100": ("The database's disk is full: make room; nothing was stored.", 30),
    "53300": ("The database has no free connection: raise its max_connections.", 5),
    "53": ("The database is short of memory or another resource.", 10),
    "57014": ("The database took too long, and cancelled it.", 5),
    "55P03": ("The log is locked by another session: end it, or wait.", 5),
    "57P": ("The database is starting or stopping.", 2),
}


def explain_outage(error: Exception) -> StoreUnavailable:
    """Say in a sentence what is wrong and what to do. libpq's messages hold no password."""
    state = getattr(error, "sqlstate", None) or ""
    message = str(error).strip().partition("\n")[0]
    for length in (5, 3, 2):
        if state and state[:length] in _REMEDIES:
            remedy, retry_after = _REMEDIES[state[:length]]
            kind = StoreFull if state == "53100" else StoreUnavailable
            return kind(f"{remedy} It says: {message}", retry_after)
    return StoreUnavailable(
        f"The database does not answer: check that it runs and that the DSN is right. ({message})",
        2,
    )


def outcome_unknown(refusal: StoreUnavailable) -> StoreUnavailable:
    """The refusal of a command that was sent, whose answer is lost."""
    return type(refusal)(
        f"{refusal} Whether the command was stored is not known: send it again with the same key.",
        refusal.retry_after,
    )


def of_newer_release(game: UUID) -> GameUnreadable:
    """The refusal of a game with an event that a newer release knows: its nodes have the game."""
    return GameUnreadable(f"Game {game} has an event of a newer release.", retry_after=5)


def store_closed() -> StoreUnavailable:
    """The refusal of every call after the store is closed."""
    return StoreUnavailable("The store is closed.", retry_after=5)
