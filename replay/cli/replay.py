"""The command `replay`: a game printed event by event."""

from typing import Annotated

from cyclopts import Parameter

from phaseledger.domain.words import Language, message, reason_of, spoken
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    GameOption,
    GameTarget,
    Json,
    LangOption,
    StoreOptions,
    optional,
    viewer_of,
)
from phaseledger.replay.evidence.audit.batch import exit_code
from phaseledger.replay.evidence.walk import (
    VIEW_NOTE,
    WalkedGame,
    finding_lines,
    one_game,
    print_table,
    print_transcript,
    step_through,
    transcript_data,
    walk,
)
from phaseledger.replay.terminal import UsageError, guarded, print_json, tell
from phaseledger.replay.text import Viewer, clean
from phaseledger.replay.transcript.table import table_data


def _check_range(walked: WalkedGame, viewer: Viewer, at: int | None, lang: Language) -> None:
    steps = walked.steps
    seats = len(steps[0].state.seats) if steps else 0
    if isinstance(viewer, int) and seats and viewer >= seats:
        raise UsageError(message(lang, "replay.no_seat", last=seats - 1, seat=viewer))
    is_whole = walked.verdict.sound and walked.damage is None
    if at is not None and steps and (at < 1 or (at > len(steps) and is_whole)):
        raise UsageError(message(lang, "replay.no_event", last=len(steps), seq=at))


def _position(walked: WalkedGame, at: int | None, lang: Language) -> int | None:
    """The event after which the table is shown: of a damaged file no later one than is good."""
    if at is None or at <= len(walked.steps):
        return at
    tell(message(lang, "replay.damaged", seq=at, last=len(walked.steps)))
    return len(walked.steps)


def _answer(
    walked: WalkedGame, viewer: Viewer, at: int | None, lang: Language
) -> dict[str, object]:
    """The document of --json."""
    answer: dict[str, object] = {"game": walked.verdict.game, "verdict": walked.verdict}
    if at is not None and walked.steps:
        answer |= {"seq": at, "table": table_data(walked.steps[at - 1].state, viewer)}
    else:
        answer["events"] = transcript_data(walked.steps, viewer, lang)
    if walked.damage:
        answer["damage"] = clean(str(walked.damage))
    return answer


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
    public: Annotated[bool, optional("Tell only what everybody may know.")] = False,
    step: Annotated[
        bool, optional("Walk through the game: Enter, b for back, a number to go there, q to quit.")
    ] = False,
    game: GameOption = None,
    lang: LangOption = "en",
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Tell a game event by event, or show the table as it stood.

    The game is audited while it is read. If something is wrong with it, the story ends before
    the first bad event, the finding goes to stderr, and the exit code is `audit`'s. With --at
    a later event, the table is shown as it stood before the first bad one. A file is an export or a
    bundle; of a game that goes on it is told as far as the bundle's viewer knows.

    With --json: {game, verdict, events: [{seq, type, text, more}]}. With --at as well: {game,
    verdict, seq, table}; the table is the one that the service shows, and has every hand under
    `hands` unless --seat or --public is given. ``damage`` says why a file was not read to its end.
    --lang is the language of ``text`` and ``more``; the verdict is in English.

    For example: phaseledger replay games.ndjson --game 3

    Or: phaseledger replay game.bundle --at 69

    Or: phaseledger replay game.bundle --lang fr

    Or: phaseledger replay 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --at 120 --seat 0
    """
    viewer = viewer_of(seat, public=public)
    if step and json:
        raise UsageError("--step and --json exclude one another.")
    with inputs.rows(target, store, "reading") as rows:
        walked = walk(one_game(rows, target, game), target)
    steps, verdict = walked.steps, walked.verdict
    _check_range(walked, viewer, at, lang)
    if steps:
        at = _position(walked, at, lang)
    if step:
        step_through(steps, viewer, at or 1, lang)
    elif json:
        print_json(_answer(walked, viewer, at, lang))
    elif at is not None and steps:
        print_table(steps, at, viewer, lang)
    else:
        print_transcript(steps, viewer, lang)
    for finding in verdict.findings:
        tell(*finding_lines(finding, target, lang))
    if walked.is_view:
        tell(message(lang, VIEW_NOTE))
    if walked.damage:
        tell(spoken(reason_of(walked.damage), lang))
        return walked.damage.exit_code
    return exit_code(finding.code for finding in verdict.findings)
