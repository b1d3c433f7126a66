"""The command `report`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    ClusterAddress,
    GameTarget,
    Jobs,
    LangOption,
    PageOut,
    StoreOptions,
    optional,
)
from phaseledger.replay.batch.pool import workers_of
from phaseledger.replay.batch.work import files_in
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.laboratory.report.batches import studied
from phaseledger.replay.laboratory.report.games import Sorter, Study
from phaseledger.replay.laboratory.report.page import page, reasons
from phaseledger.replay.laboratory.report.words import ReportWords
from phaseledger.replay.terminal import FINDINGS, SOUND, UsageError, guarded, output, tell
from phaseledger.replay.text import clean


@guarded
def report(
    *targets: GameTarget,
    every: Annotated[bool, optional("Report on all games of the store.", "--all")] = False,
    out: PageOut = None,
    timelines: Annotated[
        int, Parameter(help="Of how many games of each rule set to show a timeline.")
    ] = 3,
    jobs: Jobs = None,
    cluster: ClusterAddress = "",
    lang: LangOption = "en",
    store: StoreOptions = HERE,
) -> int:
    """Make one HTML page with charts out of many games: who wins, how long it takes, and why.

    GAMES are files of records as `export` and `simulate` write them, exports of many games,
    folders with such files (.ndjson, .jsonl), or ids of games in the store. There is a chapter for
    each rule set with its house rules and number of seats: wins by seat and by bot, rounds and
    turns to finish, how soon each phase is made, points by phase, what taking from the discard pile
    goes together with, luck against play, the exact odds of a dealt hand beside those seen, and
    timelines. docs/reference/report.md defines every figure.

    The page needs nothing but itself: no script, no network; it prints. The same games in the
    same order give the same page. --lang is the language of the page, and of what is said beside
    it. Only finished games count, and they are not audited: see
    `audit`. The exit code is 1 where damaged games were left out.

    For example: phaseledger report games.ndjson -o report.html

    Or: phaseledger report games.ndjson --lang de -o bericht.html

    Or: phaseledger report league/ cup.ndjson --timelines 10 --out report.html
    """
    if every == bool(targets):
        raise UsageError("Say which games: GAME or FILE or folder, one or more, or --all.")
    if not 0 <= timelines <= 1_000:
        raise UsageError("--timelines takes 0 to 1000.")
    if jobs is not None and not 1 <= jobs <= 256:
        raise UsageError("--jobs takes 1 to 256.")
    workers = workers_of(jobs, cluster)
    files = [file for target in targets for file in files_in(target)]
    inputs.require_distinct((inputs.game_id(file) or file for file in files), [out])
    study = Study()
    sorter = Sorter(study.left_out)
    games = sorter.games(inputs.rows_of([None] if every else files, store))
    with studied(games, workers) as results:
        for batch in results:
            for game in batch:
                study.add(game, timelines)
    sorter.close()
    words = ReportWords(lang)
    for fault in study.first_faults:
        tell(words.text("damaged", fault=words.say(fault)))
    why = reasons(study, words)
    if not study.chapters:
        no_game = words.text("no_game.reasons", reasons=why) if why else words.text("no_game")
        raise UnknownGame(no_game)
    with output(out) as file:
        sources = [words.text("store")] if every else [*map(clean, targets)]
        file.write(page(study, sources, words).encode())
    if out or why:
        _tell_games(study, out, why, words)
    return FINDINGS if study.left_out["damaged"] else SOUND


def _tell_games(study: Study, out: Path | None, why: str, words: ReportWords) -> None:
    games = sum(chapter.games for chapter in study.chapters.values())
    sentence = words.text(
        "told.reasons" if why else "told",
        games=words.number(games),
        file=out or words.text("told.page"),
        left_out=words.number(study.left_out.total()),
        reasons=why,
    )
    tell(sentence)
