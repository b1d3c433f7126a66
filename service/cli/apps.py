"""`phaseledger admin apps`: applications, the programs of integrators, and their keys."""

from typing import Annotated, Any

from cyclopts import App, Parameter

from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.applications.application import SCOPES
from phaseledger.service.cli.flags import ActorFlag, JsonFlag, ReasonFlag
from phaseledger.service.cli.listener import HERE, RUNNING, Listener, act, utc
from phaseledger.service.schemas.applications import Scope

app = App(
    name="apps",
    help="Make, list and end applications and their keys: the programs of integrators.",
    group=RUNNING,
)

ScopesFlag = Annotated[
    tuple[Scope, ...],
    Parameter(
        name="--scope",
        negative="",
        help="What the key is good for: to open tables, to seat players, to read what is its own, "
        "to erase its players. Several times for several.",
    ),
]


@app.command
@guarded
def create(
    name: Annotated[str, Parameter(help="What it is called, at most 40 characters.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    scope: ScopesFlag = SCOPES,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Make an application and its first key, which is shown here and never again.

    With --json: {event, application, key}.

    For example: phaseledger admin apps create "Chess club" --actor ann --reason "their site"
    """
    body = {"name": name, "scopes": scope, "actor": actor, "reason": reason}
    return _tell_of_key(at.ask("/applications", body), json=json)


@app.command(name="list")
@guarded
def list_(*, at: Listener = HERE, json: JsonFlag = False) -> int:
    """Print all applications, and their keys by their public ids; never a key.

    With --json: {applications: [{id, name, made_at, keys: [{id, scopes, issued_at, expires_at,
    is_valid}]}]}; times are in seconds since 1970.

    For example: phaseledger admin apps list
    """
    answer = at.ask("/applications")
    if json:
        print_json(answer)
        return 0
    for entry in answer["applications"]:
        say(f"{entry['id']}  {entry['name']}")
        for key in entry["keys"]:
            say(f"  {key['id']}  {' '.join(key['scopes'])}  {_validity(key)}")
    return 0


def _validity(key: dict[str, Any]) -> str:
    if key["expires_at"] is None:
        return "valid"
    return f"{'valid until' if key['is_valid'] else 'ended'} {utc(key['expires_at'])}"


@app.command
@guarded
def rotate(
    name: Annotated[str, Parameter(help="The application, by its name or id.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    scope: ScopesFlag = (),
    keep: Annotated[float, Parameter(help="Hours for which its other keys stay valid.")] = 24,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Issue another key of an application; its earlier keys end some hours later.

    Without --scope it is good for what the newest key is.

    The key is shown here and never again. With --json: {event, application, key}.

    For example: phaseledger admin apps rotate "Chess club" --actor ann --reason yearly
    """
    body = {"scopes": scope or None, "keep": keep, "actor": actor, "reason": reason}
    return _tell_of_key(at.ask(f"/applications/{id_of(name, at)}/keys", body), json=json)


@app.command
@guarded
def revoke(
    what: Annotated[str, Parameter(help="An application by name or id, or a key's public id.")],
    /,
    *,
    actor: ActorFlag,
    reason: ReasonFlag,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """End all keys of an application at once, or one key.

    Its tables stay, and so do the tokens of their seats. With --json: the entry of the record.

    For example: phaseledger admin apps revoke "Chess club" --actor ann --reason "it is closed"
    """
    path = f"/applications/{id_of(what, at, keys=True)}/revoke"
    return act(path, actor, reason, at, json=json, sentence="Its keys are ended.")


def id_of(text: str | None, at: Listener, *, keys: bool = False) -> str:
    """The id of the application, or of the key, that the text names; None: of the only one.

    Raises UsageError.
    """
    applications = at.ask("/applications")["applications"]
    if text is None and len(applications) == 1:
        return str(applications[0]["id"])
    for entry in applications:
        if text in (entry["name"], entry["id"]):
            return str(entry["id"])
        if keys and text in [key["id"] for key in entry["keys"]]:
            return str(text)
    names = ", ".join(entry["name"] for entry in applications) or "none"
    raise UsageError(f"There is no application, and no key, of that name. There is: {names}.")


def _tell_of_key(made: dict[str, Any], *, json: bool) -> int:
    if json:
        print_json(made)
        return 0
    say(f"Application {made['application']}. Its key, which is shown only now:")
    say(made["key"])
    return 0
