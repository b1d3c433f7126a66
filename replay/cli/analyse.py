"""The command `analyse`: luck and error in finished games."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from phaseledger.domain.evidence.codec import UnreadableEvent
from phaseledger.domain.kernel import is_compiled
from phaseledger.domain.kernel.table import NotCovered
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    ClusterAddress,
    GameTarget,
    Json,
    StoreOptions,
)
from phaseledger.replay.batch.pool import workers_of
from phaseledger.replay.batch.work import files_in
from phaseledger.replay.cli.languages import LangOption
from phaseledger.replay.formats.guards import FAULTS, ProofFailed
from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.laboratory.account.analysis import PARTS, AnalysisPlan, analyse
from phaseledger.replay.laboratory.account.errors import WORLDS
from phaseledger.replay.laboratory.account.text import lines
from phaseledger.replay.laboratory.report.games import Sorter
from phaseledger.replay.terminal import (
    FINDINGS,
    SOUND,
    UsageError,
    guarded,
    print_json,
    progress,
    say,
    tell,
)

_LEAST_WORLDS, _MOST_WORLDS = 20, 10_000
"""In fewer worlds two moves may differ by the same in each, and seem to differ for certain."""
WorldsOption = Annotated[
    int, Parameter(help="Worlds in which each decision is judged, at most. 0: only the luck.")
]


def plan_of(worlds: int, seed: str = AnalysisPlan().seed) -> AnalysisPlan:
    """The plan that the options name; raises UsageError."""
    if worlds and not _LEAST_WORLDS <= worlds <= _MOST_WORLDS:
        raise UsageError(f"--worlds takes 0, or {_LEAST_WORLDS} to {_MOST_WORLDS}.")
    return AnalysisPlan(seed, worlds)


@guarded
def analyse_command(
    *targets: GameTarget,
    worlds: WorldsOption = WORLDS,
    seed: Annotated[
        str, Parameter(help="The seed of the worlds: the same seed gives the same analysis.")
    ] = AnalysisPlan().seed,
    jobs: Annotated[
        int | None, Parameter(help="Processes. Default: one a core.", show_default=False)
    ] = None,
    cluster: ClusterAddress = "",
    json: Json = False,
    lang: LangOption = "en",
    store: StoreOptions = HERE,
) -> int:
    """Say of finished games how lucky each player was, and which decisions cost most.

    GAMES are files of records as `export` and `simulate` write them, folders with such files, or
    ids of games in the store. For each player: the chance to win at the start, plus luck (deals and
    cards from the stock), plus errors (each decision beside its best candidate, by what the player
    could see), plus what hidden cards made of the choices, plus others' choices, is the result. It
    adds up exactly. A decision is judged by playing each candidate on in the same worlds, which fit
    what the player knew, with `expert` bots to the end of the round; what may be chance costs
    nothing. The page "Luck and error" of the documents defines every figure.

    With --json: one document a line for each game. The games are not audited: see `audit`. The exit
    code is 1 where the record of a game cannot be followed.

    For example: phaseledger analyse game.ndjson

    Or: phaseledger analyse games/ --worlds 0 --json

    Or: phaseledger analyse 4b0c2ff2-1f4c-8f2a-9d3e-6f0a3c6d1e77 --worlds 400 --lang de
    """
    if not targets:
        raise UsageError("Say which games: GAME or FILE or FOLDER, one or more.")
    plan = plan_of(worlds, seed)
    workers = workers_of(jobs, cluster)
    files = [file for target in targets for file in files_in(target)]
    inputs.require_distinct(inputs.game_id(file) or file for file in files)
    if not is_compiled():
        tell("The kernel runs uncompiled, which takes a hundred times as long.")
    left_out: Counter[str] = Counter()
    sorter = Sorter(left_out)
    analysed, damaged = 0, False
    for game, raw in sorter.games(_rows(files, store)):
        try:
            with progress(game[:8], PARTS if worlds else 0) as advance:
                analysis = analyse(raw, plan, workers, lambda share: advance(int(share > 0)))
        except NotCovered as fault:
            tell(f"{game}: {fault}.")
            continue
        except (ProofFailed, UnreadableEvent, *FAULTS) as fault:
            tell(f"{game}: the record cannot be followed ({type(fault).__name__}); see `audit`.")
            damaged = True
            continue
        if json:
            print_json(analysis)
        else:
            for line in ["", *lines(analysis, lang)][not analysed :]:
                say(line)
        analysed += 1
    sorter.close()
    if not analysed and not damaged:
        raise UnknownGame("No finished game of cards is there.")
    return FINDINGS if damaged else SOUND


def _rows(files: list[str], store: StoreOptions) -> Iterator[SourceRow]:
    for target in files:
        with inputs.rows(target, store, "reading") as rows:
            yield from rows
