"""The command that writes a game as a page to be played back."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from msgspec import UNSET

from phaseledger.domain.kernel.table import NotCovered
from phaseledger.domain.wording import word_list
from phaseledger.domain.words import Language, reason_of, spoken
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    GameOption,
    GameTarget,
    Json,
    PageOut,
    StoreOptions,
    optional,
)
from phaseledger.replay.batch.pool import workers_of
from phaseledger.replay.cli.analyse import plan_of
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.verify import exit_code
from phaseledger.replay.formats.records import bundled
from phaseledger.replay.formats.records.source import SourceError, open_input
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan
from phaseledger.replay.laboratory.account.errors import WORLDS
from phaseledger.replay.terminal import UsageError, guarded, is_stdout, output, tell
from phaseledger.replay.text import clean
from phaseledger.replay.viewer.analysed import analysis_of, with_analysis
from phaseledger.replay.viewer.document import ViewerDocument, chairs_of, document_of
from phaseledger.replay.viewer.limits import HiddenCards, ViewerLimits, WorkBudget
from phaseledger.replay.viewer.recorded_game import RecordedGame, read_recorded, recorded_rows
from phaseledger.replay.web.joiner import offline_page

LIMITS = ViewerLimits(events=20_000, seconds=3_600.0)


@guarded
def viewer(
    target: GameTarget,
    /,
    *,
    out: PageOut = None,
    lang: Annotated[
        Language | None,
        Parameter(
            help="Language in which the page opens, and of what is said here. Default: that of the "
            "reader's browser, and English."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        Parameter(help="Show what that seat (from 0) may know, and nothing else."),
    ] = None,
    public: Annotated[bool, optional("Show what everybody may know, and nothing else.")] = False,
    analysis: Annotated[
        bool, optional("Show how lucky each seat was, and which decisions cost most.")
    ] = False,
    worlds: Annotated[
        int, Parameter(help="Worlds in which each decision is judged, at most. 0: only the luck.")
    ] = WORLDS,
    game: GameOption = None,
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Write a game as one page that plays it back, from any chair, and shows what is wrong with it.

    The page is one HTML file, which needs no server and connects to nothing: open it, send it,
    keep it. It has the game as every seat saw it, as a spectator did and with all cards open;
    #event=123&seat=1 in its address leads to one moment. What is found wrong stands there as
    recorded and as it should be, with the rule, who is blamed, and what that proves; the game is
    shown up to there. A file is an export or a bundle, which is verified without a policy.

    The hidden cards of a game that goes on are not shown: of one in the store --public alone can be
    shown, of the view of a seat what that seat knows.

    With --analysis, the page of a finished game says at the end of each round and of the
    game how lucky each seat was and which three decisions cost most, and lets them be tried again.
    Every decision is judged: of a game of four with 100 worlds in some 25 seconds of processor time
    on all cores, with --worlds 20 in 10, with --worlds 0 (luck, no decisions) in 1. House rules
    take some 20 seconds more. An analysis tells of all hands, so no page with
    --seat or --public has one.

    With --json: the data of the page (p10-viewer/v1, docs/reference/frames.md) in place of the
    page.

    For example: phaseledger viewer game.bundle -o game.html

    Or: phaseledger viewer games.ndjson --game 3 -o game.html --lang fr

    Or: phaseledger viewer game.ndjson --analysis -o game.html

    Or: phaseledger viewer 0f8b5a3e-6d0c-4b7e-9a53-5c1f2f1f7d11 --public -o table.html
    """
    asked = inputs.viewer_of(seat, public=public)
    inputs.require_distinct([target], [out])
    if analysis and asked != "all":
        raise UsageError(
            "An analysis tells of all hands: leave out --analysis, or --seat and --public."
        )
    plan = plan_of(worlds)
    budget = WorkBudget(LIMITS)
    try:
        recorded = _recorded(target, game, store, budget)
    except SourceError as refusal:
        raise type(refusal)(spoken(reason_of(refusal), lang or "en")) from refusal
    seats = len(recorded.steps[0].state.seats)
    if isinstance(asked, int) and asked >= seats:
        raise UsageError(f"The game has seats 0 to {seats - 1}; there is no seat {asked}.")
    try:
        chairs = chairs_of(recorded, seat, public=public)
    except HiddenCards as refusal:
        raise HiddenCards(spoken(reason_of(refusal), lang or "en")) from None
    data = document_of(recorded, chairs, budget, lang or UNSET)
    document = msgspec.json.encode(_analysed(data, recorded, plan) if analysis else data)
    with output(out) as file:
        file.write(document + b"\n" if json else offline_page(document, recorded.title).encode())
    for finding in recorded.conclusions[lang or "en"].findings:
        tell(f"event {finding.seq}: {finding.code}: {finding.text}")
    if out and not is_stdout(out) and not json:
        tell(f"Open {out} in a browser.")
    return exit_code(CODES[finding.code].exit_code for finding in recorded.findings)


def _analysed(
    document: ViewerDocument, recorded: RecordedGame, plan: AnalysisPlan
) -> ViewerDocument:
    """The document with its analysis, or as it is, after a sentence that says why."""
    try:
        analysis = analysis_of(recorded, plan, workers_of(None, ""))
    except NotCovered as fault:
        tell(f"There is no analysis, {fault}: the page is without.")
        return document
    if analysis is None:
        tell("Only a finished game of which all is good has an analysis: the page is without.")
        return document
    return with_analysis(document, analysis)


def _recorded(
    target: str, game: str | None, store: StoreOptions, budget: WorkBudget
) -> RecordedGame:
    is_file = inputs.game_id(target) is None
    title = "standard input" if target == "-" else clean(Path(target).name)
    content = _content(inputs.named_file(target)) if is_file else None
    if content is not None:
        return read_recorded(content, title, game, budget)
    with inputs.rows(target, store, "reading") as rows:
        recorded = recorded_rows(rows, title, game, budget)
    if is_file:
        return recorded
    last = recorded.steps[-1].state
    names = [clean(seat.name) for seat in last.seats if seat]
    return recorded._replace(title=word_list(names) if names else title)


def _content(name: str) -> bytes | None:
    """The whole of a bundle, or of a pipe, which is read once; None for what is read line by line,
    an export of many games among them, and for what cannot be read.
    """
    try:
        if name == "-":
            with open_input(name) as stream:
                return stream.read()
        path = Path(name)
        if path.exists() and not (path.is_file() or path.is_dir()):
            return path.read_bytes()
        with path.open("rb") as file:
            is_bundle = file.read(len(bundled.BEGINS)) == bundled.BEGINS
            return bundled.BEGINS + file.read() if is_bundle else None
    except (OSError, ValueError):
        return None  # the reader of records says why
