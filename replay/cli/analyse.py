"""The command `analyse`: luck and error in finished games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from phaseledger.domain.evidence.codec import UnreadableEvent
from phaseledger.domain.kernel import is_compiled
from phaseledger.domain.kernel.pack import UnlawfulState
from phaseledger.domain.kernel.table import NotCovered
from phaseledger.domain.words import Language, message, reason_of, spoken
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    ClusterAddress,
    GameTarget,
    Jobs,
    Json,
    LangOption,
    StoreOptions,
    optional,
)
from phaseledger.replay.batch.pool import Workers, workers_of
from phaseledger.replay.batch.work import files_in
from phaseledger.replay.formats.bundle.reader import opened
from phaseledger.replay.formats.guards import FAULTS, ProofFailed
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.laboratory.account.analysis import (
    PARTS,
    Analysis,
    AnalysisPlan,
    analyse,
    analyse_position,
)
from phaseledger.replay.laboratory.account.errors import WORLDS
from phaseledger.replay.laboratory.account.laid_out import ImpossiblePosition
from phaseledger.replay.laboratory.account.position import position_state
from phaseledger.replay.laboratory.account.tables import open_tables
from phaseledger.replay.laboratory.account.text import lines, position_lines
from phaseledger.replay.laboratory.report.games import Sorter
from phaseledger.replay.terminal import (
    FINDINGS,
    SOUND,
    UsageError,
    answer,
    guarded,
    print_json,
    progress,
    say,
    tell,
)

_LEAST_WORLDS, _MOST_WORLDS = 20, 10_000
"""In fewer worlds two moves may differ by the same in each, and seem to differ for certain."""
_WORLDS_OF_POSITION = 1_000
_LARGEST = 1 << 20
"""Bytes of a position."""


def plan_of(worlds: int, seed: str = AnalysisPlan().seed) -> AnalysisPlan:
    """The plan that the options name; raises UsageError."""
    if worlds and not _LEAST_WORLDS <= worlds <= _MOST_WORLDS:
        raise UsageError(f"--worlds takes 0, or {_LEAST_WORLDS} to {_MOST_WORLDS}.")
    return AnalysisPlan(seed, worlds)


@guarded
def analyse_command(
    *targets: GameTarget,
    position: Annotated[
        str,
        Parameter(
            allow_leading_hyphen=True,
            show_default=False,
            help="File with a hand and a table (- for standard input), in place of games: say what "
            "is best there.",
        ),
    ] = "",
    parquet: Annotated[
        Path | None, optional("Folder to write, of Parquet files; instead of the text.")
    ] = None,
    worlds: Annotated[
        int | None,
        optional(
            "Worlds in which each decision is judged, at most. 0: only the luck. "
            f"Default: {WORLDS}, for a position {_WORLDS_OF_POSITION}."
        ),
    ] = None,
    seed: Annotated[
        str, Parameter(help="The seed of the worlds: the same seed gives the same analysis.")
    ] = AnalysisPlan().seed,
    jobs: Jobs = None,
    cluster: ClusterAddress = "",
    json: Json = False,
    lang: LangOption = "en",
    store: StoreOptions = HERE,
) -> int:
    """Say of finished games how lucky each player was, and which decisions cost most.

    GAMES are files of records as `export` and `simulate` write them, folders with such files,
    or ids of games in the store. For each player: the chance to win at the start, plus luck
    (deals and cards from the stock), plus errors (each decision beside its best candidate, by
    what the player could see), plus what hidden cards made of the choices, plus others'
    choices, is the result. It adds up exactly. A decision is judged by playing each candidate
    on in the same worlds, which fit what the player knew, with `expert` bots to the end of the
    round; what may be chance costs nothing. Beside the chance to win after each round stand the
    points expected at the end, where cards in hand cost points.
    docs/explanation/luck-and-skill.md defines every figure.

    With --json: one document a line for each game. With --parquet: the tables players,
    decisions and luck, which docs/reference/tables.md describes. The games are not audited: see
    `audit`. The exit code is 1 where the record of a game cannot be followed.

    With --position: the candidates of the seat that is asked, best first, by what that seat knows.
    The file is TOML or JSON; docs/how-to/analyse-a-game.md has examples to paste.

    For example: phaseledger analyse game.ndjson

    Or: phaseledger analyse games/ --worlds 0 --json

    Or: phaseledger analyse 4b0c2ff2-1f4c-8f2a-9d3e-6f0a3c6d1e77 --worlds 400 --lang de

    Or: phaseledger analyse games/ --parquet tables

    Or: phaseledger analyse --position table.toml
    """
    if bool(position) == bool(targets) or (position and parquet):
        raise UsageError("Say which games: GAME or FILE or FOLDER, one or more; or --position.")
    default = _WORLDS_OF_POSITION if position else WORLDS
    plan = plan_of(default if worlds is None else worlds, seed)
    if not is_compiled():
        tell("The kernel runs uncompiled, which takes a hundred times as long.")
    if position:
        return _answer_position(position, plan, lang, json=json)
    workers = workers_of(jobs, cluster)
    files = [file for target in targets for file in files_in(target)]
    inputs.require_distinct(inputs.game_id(file) or file for file in files)
    counts: Counter[str] = Counter()
    with open_tables(parquet) if parquet else nullcontext() as tables:
        for analysis in _analyses(files, store, plan, workers, counts):
            if tables:
                tables.add(analysis)
            if json:
                print_json(analysis)
            elif not tables:
                say(*["", *lines(analysis, lang)][not counts["analysed"] :])
            counts["analysed"] += 1
    if not counts["analysed"] and not counts["damaged"]:
        raise UnknownGame("No finished game is there.")
    return FINDINGS if counts["damaged"] else SOUND


def _analyses(
    files: Sequence[str],
    store: StoreOptions,
    plan: AnalysisPlan,
    workers: Workers,
    counts: Counter[str],
) -> Iterator[Analysis]:
    """The analyses of the finished games; what is wrong with others is told, and counted."""
    sorter = Sorter(counts)
    for game, raw in sorter.games(inputs.rows_of(files, store)):
        try:
            with progress(game[:8], PARTS if plan.worlds else 0) as advance:
                analysis = analyse(raw, plan, workers, lambda share: advance(int(share > 0)))
        except NotCovered as fault:
            tell(f"{game}: {fault}.")
        except (ProofFailed, UnreadableEvent, *FAULTS) as fault:
            tell(f"{game}: the record cannot be followed ({type(fault).__name__}); see `audit`.")
            counts["damaged"] += 1
        else:
            yield analysis
    sorter.close()


def _answer_position(source: str, plan: AnalysisPlan, lang: Language, *, json: bool) -> int:
    """Print the candidates at the position in a file."""
    if not plan.worlds:
        raise UsageError(f"--worlds takes {_LEAST_WORLDS} to {_MOST_WORLDS} for a position.")
    with opened(inputs.named_file(source)) as file:
        text = file.read(_LARGEST)
    try:
        state = position_state(text)
        analysis = analyse_position(state, plan)
    except ImpossiblePosition as error:
        raise UsageError(spoken(reason_of(error), lang)) from None
    except UnlawfulState:
        raise UsageError(message(lang, "position.unlawful")) from None
    except NotCovered as error:
        raise UsageError(f"{error}.") from None
    answer(analysis, position_lines(analysis, state, lang), json=json)
    return SOUND
