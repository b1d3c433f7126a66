"""`phaseledger admin events`: samples of messages, to see how their receivers take them."""

from typing import Annotated, Any

from cyclopts import App, Parameter

from phaseledger.replay.terminal import UsageError, guarded, print_json, say
from phaseledger.service.cli.apps import id_of
from phaseledger.service.cli.flags import JsonFlag
from phaseledger.service.cli.listener import HERE, RUNNING, Listener
from phaseledger.service.schemas.webhooks import TYPES

app = App(
    name="events",
    help="Send samples of messages, to see how their receivers take them.",
    group=RUNNING,
)
YOUR_TURN = "your_turn"
"""What most receivers wait for, and the type that it is."""
EVENTS: dict[str, str] = {YOUR_TURN: "turn.asked", **{kind: kind for kind in TYPES}}


@app.command
@guarded
def trigger(
    event: Annotated[str, Parameter(help="A type of messages, or your_turn.")] = "",
    /,
    *,
    application: Annotated[
        str | None, Parameter(help="The application, by its name or id; else the only one.")
    ] = None,
    list_: Annotated[
        bool, Parameter(name="--list", negative="", help="Print what may be triggered.")
    ] = False,
    at: Listener = HERE,
    json: JsonFlag = False,
) -> int:
    """Send a sample to the webhooks of an application, and print what was sent and answered.

    It is signed and sent as all messages are, once, and has `sample` in its data.

    Exit code 1 where a webhook does not take it, or none waits for it. With --json: {sent: [{to,
    id, body, status, reason}]}.

    For example: phaseledger admin events trigger your_turn --application "Chess club"
    """
    if list_:
        if json:
            print_json([*EVENTS])
        for name in () if json else EVENTS:
            say(name)
        return 0
    if event not in EVENTS:
        raise UsageError(f"Name what to trigger, one of: {', '.join(EVENTS)}.")
    path = f"/applications/{id_of(application, at)}/samples"
    sent: list[dict[str, Any]] = at.ask(path, {"type": EVENTS[event]})["sent"]
    if json:
        print_json({"sent": sent})
    elif not sent:
        say(f"No webhook of the application takes {EVENTS[event]}.")
    for sample in () if json else sent:
        answered = f"answered {sample['status']}" if sample["status"] else "gave no answer"
        why = f" ({sample['reason']})" if sample["reason"] else ""
        say(f"{sample['to']} {answered}{why} to {sample['id']}:")
        say(sample["body"])
    return 0 if sent and not any(sample["reason"] for sample in sent) else 1
