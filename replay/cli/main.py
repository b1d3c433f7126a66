"""The auditor's commands: replay, audit, verify, export and more; `service.cli.main` adds them too.

They start without the service, and without a database driver where they read a file.
"""

import os
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    GameOption,
    GameTarget,
    Json,
    Out,
    StoreOptions,
    viewer_of,
)
from phaseledger.replay.bundle.export import bundled_lines, exported_lines, is_over, require_seat
from phaseledger.replay.cli.audit import audit_command, judge
from phaseledger.replay.cli.odds import odds_command
from phaseledger.replay.cli.query import query
from phaseledger.replay.cli.rejudge import rejudge_command
from phaseledger.replay.cli.report import report
from phaseledger.replay.cli.rules import rules
from phaseledger.replay.cli.simulate import simulate
from phaseledger.replay.cli.verifier import verifier
from phaseledger.replay.cli.verify import explain, verify_command
from phaseledger.replay.records.source import UnknownGame
from phaseledger.replay.terminal import SOUND, UsageError, guarded, output, print_json, tell
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

EXIT_CODES = (
    "Exit codes: 0 sound, 1 findings, 2 usage, 3 store unreachable, 4 no such game, "
    "5 unreadable or damaged input, or output that cannot be written, 6 the operator's "
    "evidence does not hold, 7 sound but the policy asks for more, 130 interrupted."
)

app = App(
    name="phaseledger",
    help="Replay, audit, verify, export, simulate and query games, and read the rules.",
    help_epilogue=EXIT_CODES,
    help_format="markdown",
    version_flags=[],
)


def _flag(text: str, name: str | None = None) -> Parameter:
    return Parameter(name=name, negative="", show_default=False, help=text)


def _check_range(steps: list[Step], viewer: Viewer, at: int | None) -> None:
    seats = len(steps[0].state.seats) if steps else 0
    if isinstance(viewer, int) and seats and viewer >= seats:
        raise UsageError(f"The game has seats 0 to {seats - 1}; there is no seat {viewer}.")
    if at is not None and steps and not 1 <= at <= len(steps):
        raise UsageError(f"The game has events 1 to {len(steps)}; there is no event {at}.")


@app.command
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


app.command(audit_command, name="audit")


@app.command
@guarded
def export(
    target: GameTarget,
    /,
    *,
    game: GameOption = None,
    seat: Annotated[
        int | None,
        Parameter(help="Seal what this seat (from 0) may not see; nothing of a finished game."),
    ] = None,
    public: Annotated[
        bool, _flag("Seal what not everybody may see; nothing of a finished game.")
    ] = False,
    bundle: Annotated[
        bool,
        _flag("Write a bundle, for `phaseledger verify`; the public's unless --seat is given."),
    ] = False,
    keys_dir: Annotated[
        Path | None,
        Parameter(
            help="The operator's keys: with them, a bundle gets receipts (PHASELEDGER_KEYS_DIR).",
            show_default=False,
        ),
    ] = None,
    out: Out = None,
    store: StoreOptions = HERE,
) -> int:
    """Write a game's records as NDJSON, as they are stored, without judging them.

    The stored form holds every hidden card and the server's secret: while a game goes on, it is
    for nobody who plays in it. With --seat or --public the sealed form is written.

    With --bundle: one file that settles a dispute (docs/evidence.md). Only the service's own,
    GET /v1/games/{id}/bundle, has a checkpoint of the public log and its proofs too. Receipts are
    signed only for a game that `audit` finds sound.

    For example: phaseledger export 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --out game.ndjson

    Or: phaseledger export games.ndjson --game 3 --public

    Or: phaseledger export 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --bundle --out game.bundle
    """
    viewer = viewer_of(seat, public=public)
    if keys_dir and not bundle:
        raise UsageError("--keys-dir is for --bundle: nothing else is signed.")
    with inputs.rows(target, store, "reading") as rows:
        game_rows = list(one_game(rows, target, game))
    if not game_rows:
        raise UnknownGame(f"{target} holds no game.")
    require_seat(game_rows, viewer)
    if bundle:
        configured_dir = os.environ.get("PHASELEDGER_KEYS_DIR")
        keys_dir = keys_dir or (Path(configured_dir) if configured_dir else None)
        lines = bundled_lines(game_rows, None if viewer == "all" else viewer, keys_dir)
        with output(out) as file:
            file.writelines(lines)
        receipts = (
            "receipts, but no" if keys_dir else "no receipts (give --keys-dir for them) and no"
        )
        tell(f"The bundle has {receipts} checkpoint: only GET /v1/games/{{id}}/bundle has that.")
        return SOUND
    with output(out) as file:
        file.writelines(line + b"\n" for line in exported_lines(game_rows, viewer))
    if viewer == "all" and not is_over(game_rows):
        tell("This game is not over: the export holds its secret and every hidden card.")
    return SOUND


app.command(simulate)
app.command(query)
app.command(rejudge_command, name="rejudge")
app.command(rules)
app.command(odds_command, name="odds")
app.command(report)
app.command(verify_command, name="verify")
app.command(explain)
app.command(verifier)

if __name__ == "__main__":
    app()
