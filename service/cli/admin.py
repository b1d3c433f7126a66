"""`phaseledger admin`: operators' actions on a running service, through its own listener.

What concerns damaged games works on the database alone as well.
"""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID, uuid4

import httpx2
import msgspec
from cyclopts import App, Parameter

from phaseledger.replay.records.source import StoreUnreachable, UnknownGame
from phaseledger.replay.records.text_files import read_text
from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.cli import offline
from phaseledger.service.cli.archive import archive
from phaseledger.service.cli.flags import JsonFlag
from phaseledger.service.credentials.tokens import digest, is_wellformed, public_id
from phaseledger.service.database.setup import connected_settings, prepare
from phaseledger.service.settings import Settings, SettingsError, admin_token_file, load

app = App(name="admin", help="What operators do to a service that runs, and the record of it.")

Actor = Annotated[str, Parameter(help="Who does it, for the record.")]
ReasonOption = Annotated[
    str, Parameter(help="Why, for the record; players of a voided game read it.")
]

PORT = 8001


@Parameter(name="*")
@dataclass(frozen=True)
class Listener:
    """Where the listener is, and what it is shown."""

    url: Annotated[
        str | None,
        Parameter(help="The operator's listener; else this machine, at the port of the settings."),
    ] = None
    data_dir: Annotated[
        Path | None, Parameter(help="The data folder, whose keys have the token.")
    ] = None
    keys_dir: Annotated[
        Path | None, Parameter(help="The folder of the keys, which has the token.")
    ] = None

    def ask(self, path: str, body: dict[str, str] | None = None, **parameters: Any) -> Any:  # noqa: ANN401
        """The listener's response. A request without one is sent once more, under the same key.

        Raises:
            NoSuchGame, SettingsError: it refuses; the sentence says why.
            Unreachable: it does not answer, or cannot do it now.

        """
        folders = {"data_dir": self.data_dir, "keys_dir": self.keys_dir}
        settings = load(
            os.environ, {name: folder and str(folder) for name, folder in folders.items()}
        )
        listener = self.url or f"http://127.0.0.1:{settings.admin_port or PORT}"
        headers = {
            "Authorization": f"Bearer {_token(settings)}",
            "Idempotency-Key": str(uuid4()),
        }
        method, url = "POST" if body else "GET", f"{listener}/admin{path}"
        for is_last in (False, True):
            try:
                response = httpx2.request(
                    method, url, json=body, headers=headers, params=parameters, timeout=20
                )
            except (httpx2.TransportError, httpx2.InvalidURL) as error:
                if is_last:
                    raise StoreUnreachable(
                        f"{listener} does not answer ({error}): serve with --admin-port, or name "
                        "the operator's listener with --url."
                    ) from None
            else:
                break
        if response.is_success:
            return response.json()
        if response.status_code >= 500:
            raise StoreUnreachable(_problem_of(response)[1])
        code, sentence = _problem_of(response)
        raise (UnknownGame if code == "no_such_game" else SettingsError)(sentence)


HERE = Listener()


@Parameter(name="*")
@dataclass(frozen=True)
class Ledger(Listener):
    """Where the listener is, or the database where no service runs."""

    offline: Annotated[
        bool,
        Parameter(negative="", help="Go by the database alone, whether or not a service runs."),
    ] = False
    database_url: Annotated[
        str | None, Parameter(help="DSN of the database; else the embedded one of the data folder.")
    ] = None
    schema: Annotated[str | None, Parameter(help="The schema that holds the tables.")] = None

    @contextmanager
    def settings(self) -> Iterator[Settings]:
        """The settings of a database that runs, during the block; raises SettingsError."""
        flags = {
            "data_dir": self.data_dir and str(self.data_dir),
            "keys_dir": self.keys_dir and str(self.keys_dir),
            "database_url": self.database_url,
            "schema": self.schema,
        }
        with connected_settings(load(os.environ, flags)) as settings:
            prepare(settings, migrating=False)
            yield settings


HERE_OR_OFFLINE = Ledger()


def _token(settings: Settings) -> str:
    path = admin_token_file(settings)
    with suppress(OSError, UnicodeError):
        token = read_text(path).strip()
        if token and token.isascii():
            return token
    raise SettingsError(
        f"{path} holds no token of the operator's: name the folder of the service's keys with "
        "--keys-dir."
    )


def _problem_of(response: httpx2.Response) -> tuple[str, str]:
    """The code and the detail of the response's problem."""
    try:
        problem = response.json()
        return str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return "", f"The listener answered {response.status_code}."


def _act(path: str, actor: str, reason: str, at: Listener, *, json: bool, sentence: str) -> int:
    event = at.ask(path, {"actor": actor, "reason": reason})
    return _tell(event, json=json, sentence=sentence)


def _tell(event: Any, *, json: bool, sentence: str) -> int:  # noqa: ANN401 - an entry of the record
    if json:
        print_json(event)
    else:
        say(f"{event['id']}  {sentence}")
    return 0


@app.command
@guarded
def log(
    *,
    after: Annotated[int, Parameter(help="Only what came after the entry of that id.")] = 0,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Print what was done, oldest first: when, by whom, what, and why.

    With --json: {events: [{id, at, actor, action, reason, details}]}.

    For example: phaseledger admin log
    """
    events = []
    while page := at.ask("/events", after=after)["events"]:
        events += page
        after = page[-1]["id"]
    if json:
        print_json({"events": events})
        return 0
    for event in events:
        timestamp = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(event["at"]))
        details = " ".join(f"{name}={value}" for name, value in event["details"].items())
        action = f"{event['actor']}: {event['action']} {details}".rstrip()
        say(f"{event['id']:>5}  {timestamp}  {action} ({event['reason']})")
    return 0


@app.command(name="set-aside")
@guarded
def set_aside(*, at: Ledger = HERE_OR_OFFLINE, json: JsonFlag = False) -> int:
    """Print the games that are set aside because their record is damaged, and why.

    Exit code 1 where there are some. With --json: {games: [{game, version, reason, at, voided_by,
    void_reason}]}.

    For example: phaseledger admin set-aside --offline
    """
    if at.offline:
        with at.settings() as settings:
            games = msgspec.to_builtins(asyncio.run(offline.set_aside_games(settings)))
    else:
        games = at.ask("/set-aside")["games"]
    if json:
        print_json({"games": games})
    for game in () if json else games:
        timestamp = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(game["at"]))
        by, why = game["voided_by"], game["void_reason"]
        say(f"{game['game']}  {timestamp}  {game['reason']}{f'; void: {by}, {why}' if by else ''}")
    return 1 if games else 0


@app.command
@guarded
def void(
    game: Annotated[UUID, Parameter(help="The game.")],
    /,
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Ledger = HERE_OR_OFFLINE,
    json: JsonFlag = False,
) -> int:
    """Break a game off without a winner. Its players read who did it, and why.

    One that is set aside is noted as void beside its log, which cannot be continued; that alone
    can be done with --offline.

    With --json: the entry of the record.

    For example: phaseledger admin void GAME --actor ann --reason "dealt to the wrong people"
    """
    sentence = f"Game {game} is void."
    if not at.offline:
        return _act(f"/games/{game}/void", actor, reason, at, json=json, sentence=sentence)
    with at.settings() as settings:
        event = asyncio.run(offline.void(settings, game, actor, reason))
    return _tell(msgspec.to_builtins(event), json=json, sentence=sentence)


@app.command
@guarded
def restore(
    game: Annotated[UUID, Parameter(help="The game, which is set aside or archived.")],
    copy: Annotated[
        str,
        Parameter(help="A bundle, a file of records, or the DSN of another store or of a backup."),
    ] = "",
    /,
    *,
    actor: Actor,
    reason: ReasonOption,
    copy_schema: Annotated[str, Parameter(help="The schema of the other store.")] = "phaseledger",
    at: Ledger = HERE_OR_OFFLINE,
    json: JsonFlag = False,
) -> int:
    """Insert the events that a damaged game's log lacks, from a copy that has them.

    Their bytes must continue the game's chain exactly; nothing that is there is changed. A game
    that was archived is put back from its file, as it was. Without a copy the game is looked at
    again, such as after a repair by hand. It needs the database and the owner's DSN, and no
    service; one that runs goes on.

    With --json: the entry of the record.

    For example: phaseledger admin restore GAME game.p10bundle --actor ann --reason "ben's copy"
    """
    with at.settings() as settings:
        task = offline.restore(settings, game, copy, copy_schema, actor, reason)
        event, inserted = asyncio.run(task)
    sentence = f"Game {game} is whole; {inserted} of its events were inserted."
    return _tell(msgspec.to_builtins(event), json=json, sentence=sentence)


@app.command
@guarded
def end_log(
    name: Annotated[str, Parameter(help="The public log, as PHASELEDGER_LOG_ORIGIN names it.")],
    /,
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Ledger = HERE_OR_OFFLINE,
    json: JsonFlag = False,
) -> int:
    """End a public log for good: one that was begun by mistake, or that another name is to follow.

    Stop every service first. What it has signed stays; auditors see that it ends. A service then
    goes on with the log that PHASELEDGER_LOG_ORIGIN names, or begins that one.

    With --json: the entry of the record.

    For example: phaseledger admin end-log gamse.example.org --actor ann --reason "a typo"
    """
    with at.settings() as settings:
        event = asyncio.run(offline.end_log(settings, name, actor, reason))
    return _tell(msgspec.to_builtins(event), json=json, sentence=f"The log {name} has ended.")


app.command(archive)


@app.command
@guarded
def tokens(
    game: Annotated[UUID, Parameter(help="The game.")],
    /,
    *,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Print the tokens of a game by their public ids; never a token.

    With --json: {tokens: [{id, seat, issued_at, expires_at, revoked}]}; the host's seat is null,
    and times are in seconds since 1970.

    For example: phaseledger admin tokens GAME
    """
    page = at.ask(f"/games/{game}/tokens")
    if json:
        print_json(page)
        return 0
    for token in page["tokens"]:
        holder = "host" if token["seat"] is None else f"seat {token['seat']}"
        say(f"{token['id']}  {holder}{'  revoked' if token['revoked'] else ''}")
    return 0


@app.command
@guarded
def revoke(
    what: Annotated[str, Parameter(help="A token's public id, the token itself, or a game.")],
    /,
    *,
    actor: Actor,
    reason: ReasonOption,
    seat: Annotated[int | None, Parameter(help="Of a game: all tokens of that seat.")] = None,
    host: Annotated[
        bool, Parameter(negative="", help="Of a game: all tokens of its host.")
    ] = False,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Revoke one token, or all tokens of a seat or of a host. Nobody gets a fresh one for those.

    With --json: the entry of the record.

    For example: phaseledger admin revoke 5f3a09c1d2e4b687 --actor ann --reason leaked

    Or: phaseledger admin revoke GAME --seat 1 --actor ann --reason leaked
    """
    if host and seat is not None:
        raise UsageError("--seat and --host do not go together.")
    if seat is None and not host:
        name = public_id(digest(what)) if is_wellformed(what) else what
        if not re.fullmatch("[0-9a-f]{16}", name):  # not repeated: it may be nearly a token
            raise UsageError("That is no token, and no public id of one: 16 hex digits.")
        path, sentence = f"/tokens/{name}/revoke", f"The token {name} is revoked."
    else:
        path, sentence = (
            f"/games/{_game(what)}/{_holder_path(seat)}/revoke",
            "Its tokens are revoked.",
        )
    return _act(path, actor, reason, at, json=json, sentence=sentence)


def _game(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UsageError("--seat and --host go with a game: give its id.") from None


def _holder_path(seat: int | None) -> str:
    return "host" if seat is None else f"seats/{seat}"


@app.command
@guarded
def drain(
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Have every process over the log take no new commands, until `undrain`.

    They answer 503 with Retry-After, and are not ready. Reads and streams go on, and so do bots,
    up to where a person has to move. It holds across restarts.

    With --json: the entry of the record.

    For example: phaseledger admin drain --actor ann --reason "update to 1.3"
    """
    return _act("/drain", actor, reason, at, json=json, sentence="New commands are refused.")


@app.command
@guarded
def undrain(
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Have commands taken again.

    With --json: the entry of the record.

    For example: phaseledger admin undrain --actor ann --reason "updated"
    """
    return _act("/undrain", actor, reason, at, json=json, sentence="Commands are taken again.")
