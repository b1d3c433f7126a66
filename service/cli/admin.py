"""`phaseledger admin`: the operator's commands.

Those of the group `Ledger` work on the database and the keys; those of the group `Running service`
ask its operator's listener.
"""

import re
from typing import Annotated
from uuid import UUID

from cyclopts import App, Parameter

from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.cli import apps, events, keys
from phaseledger.service.cli.archive import archive, unarchive
from phaseledger.service.cli.backup import backup, restore
from phaseledger.service.cli.flags import ActorFlag, JsonFlag, ReasonFlag
from phaseledger.service.cli.listener import HERE, RUNNING, Listener, act, utc
from phaseledger.service.cli.public_log import end_log, new_epoch
from phaseledger.service.cli.tables import migrate, rebuild
from phaseledger.service.credentials.tokens import digest, is_wellformed, public_id

app = App(name="admin", help="Make, keep, restore and steer a ledger: the operator's commands.")
for command in (migrate, rebuild, backup, restore, new_epoch, end_log, archive, unarchive):
    app.command(command, group="Ledger")
app.command(keys.app)
app.command(apps.app)
app.command(events.app)


@app.command(group=RUNNING)
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
    entries = []
    while page := at.ask("/events", after=after)["events"]:
        entries += page
        after = page[-1]["id"]
    if json:
        print_json({"events": entries})
        return 0
    for event in entries:
        timestamp = utc(event["at"])
        details = " ".join(f"{name}={value}" for name, value in event["details"].items())
        action = f"{event['actor']}: {event['action']} {details}".rstrip()
        say(f"{event['id']:>5}  {timestamp}  {action} ({event['reason']})")
    return 0


@app.command(name="set-aside", group=RUNNING)
@guarded
def set_aside(*, at: Listener = HERE, json: JsonFlag = False) -> int:
    """Print the games that are set aside because their record is damaged, and why.

    Exit code 1 where there are some that are not void yet. With --json: {games: [{game, version,
    reason, at, voided_by, void_reason}]}.

    For example: phaseledger admin set-aside
    """
    games = at.ask("/set-aside")["games"]
    if json:
        print_json({"games": games})
    for game in () if json else games:
        timestamp = utc(game["at"])
        by, why = game["voided_by"], game["void_reason"]
        say(f"{game['game']}  {timestamp}  {game['reason']}{f'; void: {by}, {why}' if by else ''}")
    return int(not all(game["voided_by"] for game in games))


@app.command(group=RUNNING)
@guarded
def void(
    game: Annotated[UUID, Parameter(help="The game.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Break a game off without a winner. Its players read who did it, and why.

    A game that is set aside is noted as void beside its log, which cannot be continued.

    With --json: the entry of the record.

    For example: phaseledger admin void GAME --actor ann --reason "dealt to the wrong people"
    """
    sentence = f"Game {game} is void."
    return act(f"/games/{game}/void", actor, reason, at, json=json, sentence=sentence)


@app.command(group=RUNNING)
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


@app.command(group=RUNNING)
@guarded
def revoke(
    what: Annotated[str, Parameter(help="A token's public id, the token itself, or a game.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    seat: Annotated[int | None, Parameter(help="Of a game: all tokens of that seat.")] = None,
    host: Annotated[
        bool, Parameter(negative="", help="Of a game: all tokens of its host.")
    ] = False,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Revoke one token, or all tokens of a seat or of a host. They are not replaced.

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
        holder = "host" if seat is None else f"seats/{seat}"
        path, sentence = f"/games/{_game(what)}/{holder}/revoke", "Its tokens are revoked."
    return act(path, actor, reason, at, json=json, sentence=sentence)


def _game(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UsageError("--seat and --host go with a game: give its id.") from None


@app.command(group=RUNNING)
@guarded
def drain(
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Have every process over the log take no new commands, until `undrain`.

    They answer 503 with Retry-After, and are not ready. Reads and streams go on, and so do bots,
    up to where a person has to move. It holds across restarts.

    With --json: the entry of the record.

    For example: phaseledger admin drain --actor ann --reason "update to 1.3"
    """
    return act("/drain", actor, reason, at, json=json, sentence="New commands are refused.")


@app.command(group=RUNNING)
@guarded
def undrain(
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Have commands taken again.

    With --json: the entry of the record.

    For example: phaseledger admin undrain --actor ann --reason "updated"
    """
    return act("/undrain", actor, reason, at, json=json, sentence="Commands are taken again.")
