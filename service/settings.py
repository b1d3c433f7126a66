"""The service's settings: `PHASELEDGER_*` variables under the command line's flags."""

import difflib
import re
import secrets
import socket
from collections.abc import Mapping
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec
import platformdirs
from msgspec import Meta, Struct, inspect

from phaseledger.replay.formats import files, sealing
from phaseledger.replay.formats.ledgers import LARGEST
from phaseledger.replay.formats.sealing import SealingKeys
from phaseledger.replay.formats.signing.notes import COSIGNATURE, BadKey, VerifierKey, verifier_keys
from phaseledger.replay.formats.text_files import read_text
from phaseledger.service.eventlog.migrations import SCHEMA, SCHEMA_NAME

PREFIX = "PHASELEDGER_"
ANY_ORIGIN = "*"
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
_ROOT_PATH = r"(?!/(?:v1|play|docs|problems|health)(?:/|\Z))(?:/[A-Za-z0-9._~-]+)+"
Network: TypeAlias = IPv4Network | IPv6Network

_Rate = Annotated[float, Meta(ge=0, le=1_000_000)]
_Count = Annotated[int, Meta(ge=0, le=1_000_000)]
_Folder = Annotated[str, Meta(description="a folder")]


class Constants(Struct, frozen=True, kw_only=True):
    """Bounds and waits that are the same in every deployment; only tests have others.

    0 stands for no bound where events, lag, stall, clock or guesses are bounded.
    """

    address_share: int = 20
    """The requests that an address may make, in those of a token."""
    application_share: int = 20
    """The requests, work, tables and events of an application, in those of an address."""
    burst_seconds: float = 5
    """Reads and writes that a token may make at once, in seconds of their rate."""
    work_per_write: float = 5
    """Milliseconds of work that an address or a token may ask for, per write of its rate."""
    work_burst_seconds: float = 20
    """Work that it may ask for at once, in seconds of that rate."""
    tables_per_write: float = 10
    """Open tables of an address, per write a second of a token."""
    bot_games_per_write: float = 1
    """Open tables of an address where bots are alone, per write a second of a token."""
    events_per_write: float = 0.2
    """Events that the tables of an address may write, per write of a token."""
    event_burst_seconds: float = 10_000
    """Events that they may write at once, in seconds of that rate."""
    join_guesses: int = 30
    """Wrong join codes a minute from an address."""
    max_streams: int = 2_000
    """Open event streams."""
    max_streams_per_address: int = 256
    """Open event streams and waiting reads of an address."""
    spare_connections: int = 1_024
    """Connections beside those of streams."""
    heartbeat_seconds: float = 15
    """The silence after which an event stream shows that it is alive."""
    patience_seconds: float = 10
    """How long a read waits for a version."""
    reveal_seconds: int = 120
    """How long a sealed table waits for the secrets that its seats have committed to."""
    lobby_events: int = 1_000
    """Events of a lobby after which no seat is taken."""
    game_events: int = 30_000
    """Events after which the service breaks a game off. A bundle holds that many with receipts."""
    bots_alone_seconds: float = 600
    """How long bots play alone in a game that is not watched."""
    ready_lag: int = 100_000
    """Events by which the views of a ready service may be behind."""
    ready_stall_seconds: float = 30
    """How long views or signatures of a ready service may stand still with events to take in."""
    session_days: float = 30
    """Days after which a player has to sign in again."""
    clock_tolerance_seconds: float = 5
    """By how much the clock of a ready node may differ from the database's."""

    @property
    def most_connections(self) -> int:
        """The most connections that the service accepts."""
        return self.max_streams + self.spare_connections


class Settings(Constants, frozen=True, kw_only=True):
    """How to run. Each of `NAMES` may be given as ``PHASELEDGER_<NAME>``; a flag goes before it."""

    database_url: Annotated[
        str, Meta(description="a DSN, such as postgresql://user:password@host/database")
    ] = ""
    """DSN of a PostgreSQL server, 15 or newer; empty: an embedded server of our own."""
    data_dir: _Folder = ""
    """Where the embedded server keeps its data; empty: the user's data folder."""
    host: Annotated[str, Meta(description="an address or a name")] = "127.0.0.1"
    """The address that the API listens on."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8000
    """The port that the API listens on; 0: any free one."""
    schema: Annotated[
        str,
        Meta(
            pattern=rf"^{SCHEMA_NAME.pattern}\Z",
            description="a name of lower-case letters, digits and _, which begins with no digit",
        ),
    ] = SCHEMA
    """The schema of the tables in the database."""
    ledger: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    """The number of the ledger among several behind one proxy, which new games have in their ids
    (docs/how-to/scale.md); 0: it has none.
    """
    web: bool = True
    """Whether `serve` has pages for people too, at `/play`."""
    projections: bool = True
    """Whether `serve` follows the projections itself; off leaves them to `phaseledger worker`."""
    unsafe: bool = False
    """Whether to accept a server set up to lose acknowledged events."""
    synchronous_standby: bool = False
    """Whether to demand that commits wait for a standby, so that a failover loses none."""
    keys_dir: _Folder = ""
    """Where the operator's keys are; empty: ``keys`` in `data_dir` or the user's data folder."""
    sealing_dir: _Folder = ""
    """Where the keys are that seal what is hidden in the database; empty: with the others."""
    published_dir: _Folder = ""
    """Where the last published checkpoints are kept, apart from database and keys, so that no
    backup of these brings them back; empty: in the user's state folder.
    """
    log_origin: Annotated[
        str,
        Meta(
            pattern=r"^([!-*,-~]{1,200})?\Z",
            description="1 to 200 visible ASCII characters without +",
        ),
    ] = ""
    """What the public log is called; empty: the name of the first key."""
    witnesses: Annotated[str, Meta(description="verifier keys")] = ""
    """Verifier keys of witnesses whose cosignatures are taken, with spaces."""
    lobby_hours: Annotated[float, Meta(ge=0, le=100_000)] = 24
    """After how many hours a lobby closes whose game has not begun; 0: never."""
    idle_days: Annotated[float, Meta(ge=0, le=36_500)] = 7
    """After how many days a table closes at which nothing has happened; 0: never."""
    cached_games: Annotated[int, Meta(ge=1, le=1_000_000)] = 2_000
    """How many games are kept in memory, some 30 kB each; four times as many stay packed, some
    12 kB each. Others are read from the log when they are asked for.
    """
    require_if_match: bool = False
    """Whether commands without If-Match are refused (428)."""
    token_days: Annotated[float, Meta(ge=0, le=36_500)] = 0
    """After how many days a token expires; 0: never."""
    player_days: Annotated[float, Meta(ge=0, le=36_500)] = 0
    """After how many days without a game an application's player is erased; 0: never."""
    read_rate: _Rate = 200
    """Reads a second that a token may make for long; 0: no limit on reads."""
    write_rate: _Rate = 100
    """Writes a second that a token may make for long; 0: no limit on writes."""
    player_tables: _Count = 100
    """Open tables at which a player of an application may sit; 0: no limit."""
    player_joins: _Count = 60
    """Seats that a player of an application may take a minute; 0: no limit."""
    trusted_proxies: Annotated[str, Meta(description="addresses and networks")] = ""
    """Addresses and networks of proxies that say for whom they ask, with spaces."""
    openers: Literal["auto", "everyone", "applications"] = "auto"
    """Who may open tables: everyone, or the applications to which the operator has given a key;
    auto: everyone where the API listens for this machine alone, else applications.
    """
    root_path: Annotated[
        str,
        Meta(
            pattern=rf"^({_ROOT_PATH})?\Z",
            description="a path such as /cards, without / at its end, and none of the service's",
        ),
    ] = ""
    """The path below which a proxy serves this service, such as `/cards`, whether it takes that off
    or not; empty: none.
    """
    allowed_origins: Annotated[str, Meta(description="origins, or *")] = ""
    """Origins whose pages may call the API from a browser, with spaces, or * for all; empty: none
    but the service's own.
    """
    embedders: Annotated[str, Meta(description="origins")] = ""
    """Origins whose pages may show a table in a frame (docs/how-to/embed-a-table.md), with spaces;
    empty: none.
    """
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least level that is logged: debug (health checks too), info, warning or error."""
    stop_seconds: Annotated[float, Meta(ge=0, le=3_600)] = 2
    """How long, after SIGTERM, requests are still answered so that clients give up the connections
    that they keep open; shorter where none is open.
    """
    webhook_allow_private: bool = False
    """Whether webhooks may go to private addresses, and without TLS."""
    oidc_issuer: Annotated[
        str,
        Meta(
            pattern=r"^(https?://[!-~]{1,500})?\Z",
            description="the issuer's identifier, an https URL",
        ),
    ] = ""
    """The OpenID Connect issuer with which people sign in as players
    (docs/how-to/let-people-sign-in.md), such as `https://id.club.example/realms/club`; empty: there
    is no sign-in.
    """
    oidc_client_id: Annotated[str, Meta(description="the id of a client of the issuer")] = ""
    """The client that the issuer knows this service as; its secret, if it has one, is the text of
    `oidc.secret` in the folder of the operator's keys.
    """
    oidc_origin: Annotated[str, Meta(description="an origin")] = ""
    """The origin of this service's pages in people's browsers, such as `https://table.example`, to
    which the issuer sends them back.
    """
    oidc_application: Annotated[str, Meta(description="the name of an application")] = ""
    """The application whose players the people are who sign in; it is made where there is none of
    that name.
    """
    push_contact: Annotated[
        str,
        Meta(
            pattern=r"^(mailto:[!-~]+@[!-~]+|https://[!-~]+)?\Z",
            description="mailto: with an address, or an https URL",
        ),
    ] = ""
    """How push services reach the operator, such as `mailto:ops@club.example`: turns on
    notifications in the browsers of players who are away; empty: there are none.
    """
    admin_host: Annotated[str, Meta(description="an address or a name")] = "127.0.0.1"
    """The address that the operator's listener has."""
    admin_port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """The port of the operator's listener; 0: there is none."""

    @property
    def opens_to_everyone(self) -> bool:
        """Whether tables are opened without the key of an application too."""
        return self.openers == "everyone" or (self.openers == "auto" and is_loopback(self.host))


NAMES = tuple(
    name for name in Settings.__struct_fields__ if name not in Constants.__struct_fields__
)
"""The settings that a deployment may give."""
_BY_READS = f"it goes by {PREFIX}READ_RATE"
_BY_WRITES = f"it goes by {PREFIX}WRITE_RATE"
_GONE: Mapping[str, str] = {
    "partitions": (
        f"each partition is a ledger with a service of its own now, under {PREFIX}LEDGER. "
        "docs/how-to/scale.md, Partitions of release 0.1.0, has the steps"
    ),
    "owner_database_url": (
        f"commands that need the owner's DSN take it as --database-url or {PREFIX}DATABASE_URL, "
        "and `serve` does not migrate: run `phaseledger admin migrate`"
    ),
    "sealing_keys": "keys are files; docs/how-to/keep-secrets.md, Keys, says how to write one",
    "sealing_command": "keys are files; docs/how-to/keep-secrets.md, Keys, says how to write one",
    "admin_token": "the token is the text of admin.token in the folder of the operator's keys",
    "archive_dir": "name the folder to `phaseledger admin archive`",
    "archive_days": "name the days to `phaseledger admin archive`",
    "proxy_header": "trusted proxies name their clients in X-Forwarded-For",
    "bots_alone_minutes": "it is always 10",
    "read_burst": _BY_READS,
    **dict.fromkeys(
        (
            *("write_burst", "work_rate", "work_burst", "tables_per_address"),
            *("bot_games_per_address", "event_rate", "event_burst"),
        ),
        _BY_WRITES,
    ),
    **{
        name: f"it is always {getattr(Constants(), name):g}"
        for name in (
            *("address_share", "join_guesses", "max_streams", "max_streams_per_address"),
            *("heartbeat_seconds", "reveal_seconds", "lobby_events", "game_events", "ready_lag"),
            *("ready_stall_seconds", "clock_tolerance_seconds"),
        )
    },
}
"""Settings of earlier releases, and what is said in place of each."""


class SettingKind(NamedTuple):
    """What values a setting takes, in words."""

    words: str
    may_be_secret: bool


@cache
def kinds() -> dict[str, SettingKind]:
    """The kind of each setting."""
    described = inspect.type_info(Settings)
    assert isinstance(described, inspect.StructType)
    return {field.name: _kind(field.type) for field in described.fields if field.name in NAMES}


def _kind(given: inspect.Type) -> SettingKind:
    match given:
        case inspect.BoolType():
            return SettingKind("true or false", may_be_secret=False)
        case inspect.LiteralType(values):
            return SettingKind(" or ".join(sorted(map(str, values))), may_be_secret=False)
        case inspect.IntType() | inspect.FloatType():
            number = "a whole number" if isinstance(given, inspect.IntType) else "a number"
            bounds = f" from {given.ge:g}" + (f" to {given.le:.0f}" if given.le else " on")
            return SettingKind(number + bounds, may_be_secret=False)
        case inspect.Metadata(extra_json_schema={"description": words}):
            return SettingKind(words, may_be_secret=True)
    raise TypeError(given)


@cache
def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address, or the address of the name."""
    try:
        ((_, _, _, _, address), *_) = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return ip_address(address[0]).is_loopback


def keys_folder(settings: Settings) -> Path:
    """The folder of the operator's keys."""
    if settings.keys_dir:
        return Path(settings.keys_dir).expanduser()
    if settings.data_dir:
        return Path(settings.data_dir).expanduser() / "keys"
    return platformdirs.user_data_path("phaseledger", appauthor=False) / "keys"


def sealing_folder(settings: Settings) -> Path:
    """The folder of the keys that seal."""
    folder = settings.sealing_dir
    return Path(folder).expanduser() if folder else keys_folder(settings)


def sealing_keys_of(settings: Settings) -> SealingKeys:
    """The keys under which what is hidden is sealed in the database; raises SealingError."""
    return sealing.load(sealing_folder(settings))


def published_folder(settings: Settings) -> Path:
    """The folder of the last published checkpoints."""
    if settings.published_dir:
        return Path(settings.published_dir).expanduser()
    return platformdirs.user_state_path("phaseledger", appauthor=False) / "published"


def admin_token_file(settings: Settings) -> Path:
    """The file of the operator's token."""
    return keys_folder(settings) / "admin.token"


class SettingsError(Exception):
    """An invalid variable or flag; the message names it."""


def trusted_proxies(settings: Settings) -> tuple[Network, ...]:
    """The networks of the trusted proxies. Raises SettingsError."""
    try:
        return tuple(ip_network(text) for text in settings.trusted_proxies.split())
    except ValueError as error:
        raise SettingsError(
            f"{PREFIX}TRUSTED_PROXIES is not usable: {error}; write addresses or networks such as "
            "10.0.0.0/8, with spaces."
        ) from None


def allowed_origins(settings: Settings) -> tuple[str, ...]:
    """The origins whose pages may call the API; `ANY_ORIGIN` is all. Raises SettingsError."""
    origins = tuple(settings.allowed_origins.split())
    _require_origins("ALLOWED_ORIGINS", {*origins} - {ANY_ORIGIN}, ", or * for all")
    return origins


def embedders(settings: Settings) -> tuple[str, ...]:
    """The origins whose pages may show a table in a frame. Raises SettingsError."""
    origins = tuple(settings.embedders.split())
    _require_origins("EMBEDDERS", {*origins})
    return origins


def _require_origins(name: str, origins: set[str], more: str = "") -> None:
    for origin in sorted(origins):
        if not _ORIGIN.fullmatch(origin):
            raise SettingsError(
                f"{PREFIX}{name} is not usable: {origin!r} is no origin; write such as "
                f"https://table.example, in lower case and without a path, with spaces{more}."
            )


class OidcClient(NamedTuple):
    """What this service is to the issuer with which people sign in."""

    issuer: str
    id: str
    secret: str
    """Empty for a client that has none."""
    redirect: str
    """Where the issuer sends browsers back to."""
    application: str


def oidc_client(settings: Settings) -> OidcClient | None:
    """The client of the issuer with which people sign in; None where none is named.

    Raises:
        SettingsError: some of its settings are missing or do not fit, or its secret cannot be read.

    """
    names = ("oidc_issuer", "oidc_client_id", "oidc_origin", "oidc_application")
    values = {name: getattr(settings, name).strip() for name in names}
    if not any(values.values()):
        return None
    if missing := [PREFIX + name.upper() for name, value in values.items() if not value]:
        raise SettingsError(
            f"{' and '.join(missing)} missing: sign-in takes all of "
            f"{', '.join(PREFIX + name.upper() for name in names)}."
        )
    issuer, client, origin, application = values.values()
    _require_origins("OIDC_ORIGIN", {origin})
    for name, url in (("OIDC_ISSUER", issuer), ("OIDC_ORIGIN", origin)):
        parts = urlsplit(url)
        if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
            raise SettingsError(f"{PREFIX}{name} is not usable: {url!r} is no https address.")
    secret = keys_folder(settings) / "oidc.secret"
    return OidcClient(
        issuer=issuer,
        id=client,
        secret=_private_text(secret) if secret.exists() else "",
        redirect=f"{origin}{settings.root_path}/play/signed-in",
        application=application,
    )


def operator_token(settings: Settings) -> str:
    """The operator's token, from its file, which is made when missing.

    Raises:
        SettingsError: the file cannot be read or made, is open to other users, or holds no token.

    """
    path = admin_token_file(settings)
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            files.write(path, f"p10a_{secrets.token_hex(32)}\n", 0o600)
    except OSError as error:
        raise SettingsError(f"{path} cannot be used: {error}.") from None
    token = _private_text(path)
    if len(token) < 32 or not token.isascii():
        raise SettingsError(f"{path} holds no token of 32 characters or more: delete it.")
    return token


def _private_text(path: Path) -> str:
    """The text of a file that its owner alone may read. Raises SettingsError."""
    try:
        text = read_text(path).strip()
        is_private = not path.stat().st_mode & 0o077
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{path} cannot be used: {error}.") from None
    if not is_private:
        raise SettingsError(f"{path} is open to other users; chmod 600 it.")
    return text


def witnesses(settings: Settings) -> tuple[VerifierKey, ...]:
    """The witnesses whose cosignatures are taken; raises SettingsError."""
    try:
        return verifier_keys(settings.witnesses.split(), COSIGNATURE)
    except BadKey as error:
        raise SettingsError(f"{PREFIX}WITNESSES is not usable: {error}.") from None


def load(environ: Mapping[str, str], flags: Mapping[str, object] | None = None) -> Settings:
    """The settings of the environment, under the flags that are not None.

    Raises:
        SettingsError: a misspelt variable, an empty flag, or a value of the wrong type or out of
            bounds.

    """
    values: dict[str, Any] = {}
    for variable in sorted(environ):
        if variable.upper().startswith(PREFIX):
            values[_field(variable)] = environ[variable]
    sources = {name: PREFIX + name.upper() for name in values}
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = value
            sources[name] = "--" + name.replace("_", "-")
        if value == "":  # a variable of the shell that was not set
            raise SettingsError(f"{sources[name]} is empty: name one, or leave it out.")
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        name = str(error).partition(" - at `$.")[2].rstrip("`")
        kind = kinds()[name]
        wrong = "" if kind.may_be_secret else f", not {values[name]!r}"
        raise SettingsError(f"{sources[name]} is not usable: it is {kind.words}{wrong}.") from None


def _field(variable: str) -> str:
    name = variable[len(PREFIX) :].lower()
    if name in NAMES and variable.isupper():
        return name
    if reason := _GONE.get(name):
        raise SettingsError(f"{variable} is no setting any more: {reason}.")
    matches = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.7)
    meant = f"did you mean {PREFIX}{matches[0].upper()}?" if matches else ""
    hint = meant or "docs/reference/settings.md has all."
    raise SettingsError(f"{variable} is no setting: {hint}")
