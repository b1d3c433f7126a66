"""`phaseledger admin`: what operators do to a running service, through its own listener."""

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID, uuid4

import httpx2
from cyclopts import App, Parameter

from phaseledger.replay.records.source import StoreUnreachable, UnknownGame
from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.credentials.tokens import digest, is_wellformed, public_id
from phaseledger.service.settings import Settings, SettingsError, admin_token_file, load

app = App(name="admin", help="What operators do to a service that runs, and the record of it.")

Actor = Annotated[str, Parameter(help="Who does it, for the record.")]
ReasonOption = Annotated[
    str, Parameter(help="Why, for the record; players of a voided game read it.")
]
Json = Annotated[bool, Parameter(negative="", show_default=False, help="Print one JSON document.")]

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

    def ask(self, path: str, body: dict[str, str] | None = None, **more: Any) -> Any:  # noqa: ANN401
        """The listener's answer. A request that got none is sent once more, under the same key.

        Raises:
            NoSuchGame, SettingsError: it refuses; the sentence says why.
            Unreachable: it does not answer, or cannot do it now.

        """
        folders = {"data_dir": self.data_dir, "keys_dir": self.keys_dir}
        settings = load(os.environ, {name: at and str(at) for name, at in folders.items()})
        listener = self.url or f"http://127.0.0.1:{settings.admin_port or PORT}"
        headers = {
            "Authorization": f"Bearer {_token(settings)}",
            "Idempotency-Key": str(uuid4()),
        }
        method, url = "POST" if body else "GET", f"{listener}/admin{path}"
        for last in (False, True):
            try:
                answer = httpx2.request(
                    method, url, json=body, headers=headers, params=more, timeout=20
                )
            except (httpx2.TransportError, httpx2.InvalidURL) as lost:
                if last:
                    raise StoreUnreachable(
                        f"{listener} does not answer ({lost}): serve with --admin-port, or name "
                        "the operator's listener with --url."
                    ) from None
            else:
                break
        if answer.is_success:
            return answer.json()
        if answer.status_code >= 500:
            raise StoreUnreachable(_said(answer)[1])
        code, said = _said(answer)
        raise (UnknownGame if code == "no_such_game" else SettingsError)(said)


HERE = Listener()


def _token(settings: Settings) -> str:
    if settings.admin_token:
        return settings.admin_token
    path = admin_token_file(settings)
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise SettingsError(
            f"{path} holds no token of the operator's: set PHASELEDGER_ADMIN_TOKEN, or name the "
            "folder of the service's keys with --keys-dir."
        ) from None


def _said(answer: httpx2.Response) -> tuple[str, str]:
    """The problem's code, and its sentence."""
    try:
        problem = answer.json()
        return str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return "", f"The listener answered {answer.status_code}."


def _do(path: str, actor: str, reason: str, at: Listener, *, json: bool, done: str) -> int:
    event = at.ask(path, {"actor": actor, "reason": reason})
    if json:
        print_json(event)
    else:
        say(f"{event['id']}  {done}")
    return 0


@app.command
@guarded
def log(
    *,
    after: Annotated[int, Parameter(help="Only what came after the entry of that id.")] = 0,
    at: Listener = HERE,
    json: Json = False,
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
        when = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(event["at"]))
        told = " ".join(f"{name}={value}" for name, value in event["details"].items())
        what = f"{event['actor']}: {event['action']} {told}".rstrip()
        say(f"{event['id']:>5}  {when}  {what} ({event['reason']})")
    return 0


@app.command
@guarded
def void(
    game: Annotated[UUID, Parameter(help="The game.")],
    /,
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Listener = HERE,
    json: Json = False,
) -> int:
    """Break a game off without a winner. Its players read who did it, and why.

    With --json: the entry of the record.

    For example: phaseledger admin void GAME --actor ann --reason "dealt to the wrong people"
    """
    path, done = f"/games/{game}/void", f"Game {game} is void."
    return _do(path, actor, reason, at, json=json, done=done)


@app.command
@guarded
def tokens(
    game: Annotated[UUID, Parameter(help="The game.")],
    /,
    *,
    at: Listener = HERE,
    json: Json = False,
) -> int:
    """Print the tokens of a game by their public ids; never a token.

    With --json: {tokens: [{id, seat, issued_at, expires_at, revoked}]}; the host's seat is null,
    and times are in seconds since 1970.

    For example: phaseledger admin tokens GAME
    """
    found = at.ask(f"/games/{game}/tokens")
    if json:
        print_json(found)
        return 0
    for token in found["tokens"]:
        whose = "host" if token["seat"] is None else f"seat {token['seat']}"
        say(f"{token['id']}  {whose}{'  revoked' if token['revoked'] else ''}")
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
    json: Json = False,
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
        path, done = f"/tokens/{name}/revoke", f"The token {name} is revoked."
    else:
        path, done = f"/games/{_game(what)}/{_whose(seat)}/revoke", "Its tokens are revoked."
    return _do(path, actor, reason, at, json=json, done=done)


def _game(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UsageError("--seat and --host go with a game: give its id.") from None


def _whose(seat: int | None) -> str:
    return "host" if seat is None else f"seats/{seat}"


@app.command
@guarded
def drain(
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Listener = HERE,
    json: Json = False,
) -> int:
    """Have every process over the log take no new commands, until `undrain`.

    They answer 503 with Retry-After, and are not ready. Reads and streams go on, and so do bots,
    up to where a person has to move. It holds across restarts.

    With --json: the entry of the record.

    For example: phaseledger admin drain --actor ann --reason "update to 1.3"
    """
    return _do("/drain", actor, reason, at, json=json, done="New commands are refused.")


@app.command
@guarded
def undrain(
    *,
    actor: Actor,
    reason: ReasonOption,
    at: Listener = HERE,
    json: Json = False,
) -> int:
    """Have commands taken again.

    With --json: the entry of the record.

    For example: phaseledger admin undrain --actor ann --reason "updated"
    """
    return _do("/undrain", actor, reason, at, json=json, done="Commands are taken again.")
