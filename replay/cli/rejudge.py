"""The command `rejudge`: which recorded games would differ under other house rules, and how."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from phaseledger.domain.commands import RejectCode
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.batch.inputs import (
    HERE,
    ClusterAddress,
    HouseRuleOptions,
    Jobs,
    Json,
    StoreOptions,
    house_rule,
    optional,
)
from phaseledger.replay.batch.pool import workers_of
from phaseledger.replay.batch.work import WorkUnit, run_on_all
from phaseledger.replay.evidence.audit.batch import AuditLine, damaged_line
from phaseledger.replay.evidence.rejudge import Course, OptionChanges, RejudgedGame, rejudged_games
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.terminal import (
    DAMAGED,
    FINDINGS,
    SOUND,
    UsageError,
    answer,
    guarded,
    print_json,
    tell,
)
from phaseledger.replay.text import clean


class _WorkResult(Struct, frozen=True):
    """The result for one unit of work: the number of games, and the games that would change."""

    games: int
    changed: tuple[RejudgedGame, ...]
    broken: AuditLine | None


@guarded
def rejudge_command(
    *targets: Annotated[
        str,
        Parameter(
            name="GAME|FILE|FOLDER",
            allow_leading_hyphen=True,
            help="Id of a game in the store, or else a file of records, or a folder of such.",
        ),
    ],
    option: HouseRuleOptions = (),
    every: Annotated[bool, optional("All games of the store.", "--all")] = False,
    jobs: Jobs = None,
    cluster: ClusterAddress = "",
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Judge recorded games anew under changed house rules, and list the games that would differ.

    The cards stay the recorded ones: every shuffle and every throw of the dice is by the recorded
    seed and transcript. The recorded decisions are decided again by the rules of the game with
    --option on top. A game is told with the first event that would be another, the first decision
    that would be illegal (what follows was never decided, so it ends there) and, where all
    decisions can be replayed, whether the game would end earlier or later, with scores and
    winners. Players who knew the rules might have decided otherwise: see
    docs/how-to/rejudge-games.md.

    Games are audited first; one that is not sound is named and not rejudged. GAMES are ids of games
    in the store, files, and folders of files ending in .ndjson or .jsonl.

    With --json: one line for each game that would differ or is not sound: {game, ruleset, seq,
    refusal?: {seq, command, code, sentence, seat?, rule?}, difference?: {seq, recorded, rejudged,
    was, becomes, rule?}, ends?: earlier | later | refused, recorded: {stage, events, rounds,
    points, winners}, rejudged, unsound?, source?}; for a file that breaks off, as `audit --all`.

    Exit codes: 0 no game would differ, 1 some would, 2 usage or options that make no game, 3 store
    unreachable, 4 no such game, 5 a game that is not sound, a file that cannot be read, or
    output that cannot be written.

    For example: phaseledger rejudge games.ndjson --option wild_min_scope=phase

    Or: phaseledger rejudge games/ --option skip_drawable=false --option initial_skip=cover --json

    Or: phaseledger rejudge --all --option max_turns_per_round=40 --jobs 2
    """
    if every == bool(targets):
        raise UsageError("Say which games: GAME, FILE or FOLDER, one or more, or --all.")
    options: OptionChanges = dict(map(house_rule, option))
    _require_playable(options)
    tally: Counter[str] = Counter()
    task = partial(_rejudge, options=options)
    workers = workers_of(jobs, cluster)
    with run_on_all(task, targets, store, workers, "rejudging") as parts:
        for part in parts:
            tally["games"] += part.games
            for rejudged in part.changed:
                tally.update(_kinds(rejudged))
                answer(rejudged, _lines(rejudged), json=json)
            if part.broken:
                tally["broken"] += 1
                if json:
                    print_json(part.broken)
                else:
                    tell(part.broken.recorded)
    _sum_up(tally)
    if tally["unsound"] or tally["broken"]:
        return DAMAGED
    return FINDINGS if tally["differ"] else SOUND


def _require_playable(options: OptionChanges) -> None:
    """Refuse options under which no game can be opened, as the service does."""
    if not options:
        raise UsageError("Say what changes: --option NAME=VALUE, once or more.")
    refused: dict[str, Unplayable] = {}
    for name, game in GAMES.items():
        try:
            resolve(game.rules, options, game.settings)
        except Unplayable as error:
            refused[name] = error
    if len(refused) == len(GAMES):
        accepting = [
            name for name in GAMES if all(option in GAMES[name].settings for option in options)
        ]
        refusal = refused[(accepting or [*GAMES])[0]]
        title = RejectCode.BAD_OPTION.sentence.rstrip(".")
        raise UsageError(f"{title}: {str(refusal).rstrip('.')}.")


def _rejudge(work: WorkUnit, *, options: OptionChanges) -> _WorkResult:
    games, changed = 0, []
    broken: AuditLine | None = None
    try:
        for rejudged in rejudged_games(work.rows(), options, clean(work.file)):
            games += 1
            if rejudged.differs or rejudged.unsound:
                changed.append(rejudged)
    except DamagedSource as error:
        broken = damaged_line(work.file, error)
    return _WorkResult(games, tuple(changed), broken)


def _kinds(game: RejudgedGame) -> Iterator[str]:
    """The counters that the game adds to."""
    if game.unsound:
        yield "unsound"
        return
    yield "differ"
    yield game.ends
    recorded, rejudged = game.recorded, game.rejudged
    if recorded and rejudged and game.ends != "refused" and recorded.winners != rejudged.winners:
        yield "winners"


def _sum_up(tally: Counter[str]) -> None:
    tell(f"Games: {tally['games']:,}, of which {tally['differ']:,} would differ.")
    if tally["differ"]:
        tell(
            f"Of these {tally['refused']:,} have a decision that becomes illegal, "
            f"{tally['earlier']:,} end earlier, {tally['later']:,} go on longer than recorded, and "
            f"{tally['winners']:,} replay whole with other winners."
        )
    if tally["unsound"]:
        tell(f"Not sound, and so not rejudged: {tally['unsound']:,}; `phaseledger audit` says why.")
    if tally["broken"]:
        tell(f"Files that cannot be read, or not to their end: {tally['broken']:,}.")


_ENDS = {
    "same": "Every decision can be replayed, and the game ends with the same one.",
    "earlier": "Every decision can be replayed until the game ends, earlier than recorded.",
    "later": "Every decision can be replayed, and the game is not over with the last one.",
    "refused": "What would have followed is not known.",
}


def _lines(game: RejudgedGame) -> Iterator[str]:
    place = f"  ({game.source})" if game.source else ""
    if game.unsound:
        yield f"NOT SOUND  {game.game}{place}  event {game.unsound.seq}: {game.unsound.text}"
        return
    yield f"DIFFERS  {game.game}  {game.ruleset}  from event {game.seq}{place}"
    if change := game.difference:
        yield f"  event {change.seq} has another outcome{_cited(change.rule)}"
        yield f"    recorded: {change.was}"
        yield f"    rejudged: {change.becomes}"
    if refusal := game.refusal:
        decider = "the host" if refusal.seat is None else f"seat {refusal.seat}"
        command = " ".join(f"{name}={value}" for name, value in refusal.command.items())
        yield f"  event {refusal.seq} becomes illegal{_cited(refusal.rule)}: {refusal.code}"
        yield f"    {refusal.sentence}"
        yield f"    decided by {decider}: {command}"
    yield f"  {_ENDS[game.ends]}"
    if game.recorded and game.rejudged and game.ends != "refused":
        yield f"    recorded: {_course(game.recorded)}"
        yield f"    rejudged: {_course(game.rejudged)}"


def _cited(rule: str) -> str:
    return f" [{rule}]" if rule else ""


def _course(course: Course) -> str:
    winners = ", ".join(f"seat {seat}" for seat in course.winners)
    ending = f"won by {winners}" if winners else course.stage
    points = " ".join(map(str, course.points))
    return f"{ending} after event {course.events}, round {course.rounds}; points {points}"
