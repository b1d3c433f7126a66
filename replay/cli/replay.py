"""The command that tells a game event by event."""

from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    GameOption,
    GameTarget,
    Json,
    StoreOptions,
    viewer_of,
)
from phaseledger.replay.cli.audit import judge
from phaseledger.replay.terminal import UsageError, guarded, print_json, tell
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.table import table_data
from phaseledger.replay.transcript.walk import (
    Step,
    finding_lines,
    one_game,
    print_table,
    print_transcript,
    step_through,
    transcript_data,
    walk,
)


def _flag(text: str, name: str | None = None) -> Parameter:
    return Parameter(name=name, negative="", show_default=False, help=text)


def _check_range(steps: list[Step], viewer: Viewer, at: int | None) -> None:
    seats = len(steps[0].state.seats) if steps else 0
    if isinstance(viewer, int) and seats and viewer >= seats:
        raise UsageError(f"The game has seats 0 to {seats - 1}; there is no seat {viewer}.")
    if at is not None and steps and not 1 <= at <= len(steps):
        raise UsageError(f"The game has events 1 to {len(steps)}; there is no event {at}.")


@guarded
def replay(
    target: GameTarget,
    /,
    *,
    at: Annotated[int | None, Parameter(help="Show the table after this event instead.")] = None,
    seat: Annotated[
        int | None,
        Parameter(help="Tell only what that seat (from 0) may know. Default: every card."),
    ] = None,
    public: Annotated[bool, _flag("Tell only what everybody may know.")] = False,
    step: Annotated[
        bool,
        _flag("Walk through the game: Enter, b for back, a number to go there, q to quit."),
    ] = False,
    game: GameOption = None,
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Tell a game event by event, or show the table as it stood.

    The game is audited while it is read. If something is wrong with it, the story ends before
    the first bad event, the finding goes to stderr, and the exit code is that of `audit`.

    With --json: {game, verdict, events: [{seq, type, text, more}]}. With --at as well: {game,
    verdict, seq, table}; the table is the one that the service shows, and has every hand under
    `hands` unless --seat or --public is given.

    For example: phaseledger replay games.ndjson --game 3

    Or: phaseledger replay 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --at 120 --seat 0
    """
    viewer = viewer_of(seat, public=public)
    if step and json:
        raise UsageError("--step and --json exclude one another.")
    with inputs.rows(target, store, "reading") as rows:
        steps, verdict = walk(one_game(rows, target, game), target)
    _check_range(steps, viewer, at)
    if step:
        step_through(steps, viewer, at or 1)
    elif json:
        answer: dict[str, object] = {"game": verdict.game, "verdict": verdict}
        if at is not None and steps:
            answer |= {"seq": at, "table": table_data(steps[at - 1].state, viewer)}
        else:
            answer["events"] = transcript_data(steps, viewer)
        print_json(answer)
    elif at is not None and steps:
        print_table(steps, at, viewer)
    else:
        print_transcript(steps, viewer)
    for line in (line for finding in verdict.findings for line in finding_lines(finding, target)):
        tell(line)
    return judge([verdict])
