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
from phaseledger.replay.analysis.rejudge import Course, OptionChanges, RejudgedGame, rejudged_games
from phaseledger.replay.audit.batch import AuditLine, damaged_line
from phaseledger.replay.batch.inputs import HERE, HouseRuleOptions, Json, StoreOptions, house_rule
from phaseledger.replay.batch.pool import cores
from phaseledger.replay.batch.work import WorkUnit, run_on_all
from phaseledger.replay.records.source import DamagedSource
from phaseledger.replay.terminal import (
    DAMAGED,
    FINDINGS,
    SOUND,
    UsageError,
    guarded,
    print_json,
    say,
    tell,
)


class _Told(Struct, frozen=True):
    """What there is to say of one part: how many games, and those that would not stay the same."""

    games: int
    some: tuple[RejudgedGame, ...]
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
    every: Annotated[
        bool,
        Parameter(name="--all", negative="", show_default=False, help="All games of the store."),
    ] = False,
    jobs: Annotated[
        int | None, Parameter(help="Processes. Default: one a core.", show_default=False)
    ] = None,
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Judge recorded games anew under changed house rules, and list those that would differ.

    The cards stay the recorded ones: every shuffle and every throw of the dice is by the recorded
    seed and transcript. The recorded decisions are decided again by the rules of the game with
    --option on top. A game is told with the first event that would be another, the first decision
    that would be illegal (what follows it nobody has decided, so it ends there) and, where all
    decisions can be replayed, whether the game would end earlier or later, with scores and
    winners. Whoever had known of the rules might have decided otherwise: see docs/rejudge.md.

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
    seen: Counter[str] = Counter()
    task = partial(_rejudge, options=options)
    with run_on_all(task, targets, store, cores() if jobs is None else jobs, "rejudging") as parts:
        for part in parts:
            seen["games"] += part.games
            for found in part.some:
                seen.update(_kinds(found))
                if json:
                    print_json(found)
                else:
                    for line in _lines(found):
                        say(line)
            if part.broken:
                seen["broken"] += 1
                if json:
                    print_json(part.broken)
                else:
                    tell(part.broken.recorded)
    _sum_up(seen)
    if seen["unsound"] or seen["broken"]:
        return DAMAGED
    return FINDINGS if seen["differ"] else SOUND


def _require_playable(options: OptionChanges) -> None:
    """Refuse options under which no game can be opened, as the service does."""
    if not options:
        raise UsageError("Say what changes: --option NAME=VALUE, once or more.")
    refused: dict[str, Unplayable] = {}
    for name, game in GAMES.items():
        try:
            resolve(game.rules, options, game.settings)
        except Unplayable as wrong:
            refused[name] = wrong
    if len(refused) == len(GAMES):
        known = [name for name in GAMES if all(each in GAMES[name].settings for each in options)]
        why = refused[(known or [*GAMES])[0]]
        title = RejectCode.BAD_OPTION.sentence.rstrip(".")
        raise UsageError(f"{title}: {str(why).rstrip('.')}.")


def _rejudge(work: WorkUnit, *, options: OptionChanges) -> _Told:
    games, some = 0, []
    broken: AuditLine | None = None
    try:
        for made in rejudged_games(work.rows(), options, work.file):
            games += 1
            if made.differs or made.unsound:
                some.append(made)
    except DamagedSource as error:
        broken = damaged_line(work.file, error)
    return _Told(games, tuple(some), broken)


def _kinds(found: RejudgedGame) -> Iterator[str]:
    """Under what to count the game."""
    if found.unsound:
        yield "unsound"
        return
    yield "differ"
    yield found.ends
    one, other = found.recorded, found.rejudged
    if one and other and found.ends != "refused" and one.winners != other.winners:
        yield "winners"


def _sum_up(seen: Counter[str]) -> None:
    tell(f"Games: {seen['games']:,}, of which {seen['differ']:,} would differ.")
    if seen["differ"]:
        tell(
            f"Of these {seen['refused']:,} have a decision that becomes illegal, "
            f"{seen['earlier']:,} end earlier, {seen['later']:,} go on longer than recorded, and "
            f"{seen['winners']:,} replay whole with other winners."
        )
    if seen["unsound"]:
        tell(f"Not sound, and so not rejudged: {seen['unsound']:,}; `phaseledger audit` says why.")
    if seen["broken"]:
        tell(f"Files that cannot be read, or not to their end: {seen['broken']:,}.")


_ENDS = {
    "same": "Every decision can be replayed, and the game ends with the same one.",
    "earlier": "Every decision can be replayed until the game ends, earlier than recorded.",
    "later": "Every decision can be replayed, and the game is not over with the last one.",
    "refused": "What would have followed is not known.",
}


def _lines(found: RejudgedGame) -> Iterator[str]:
    where = f"  ({found.source})" if found.source else ""
    if found.unsound:
        yield f"NOT SOUND  {found.game}{where}  event {found.unsound.seq}: {found.unsound.text}"
        return
    yield f"DIFFERS  {found.game}  {found.ruleset}  from event {found.seq}{where}"
    if change := found.difference:
        yield f"  event {change.seq} has another outcome{_cited(change.rule)}"
        yield f"    recorded: {change.was}"
        yield f"    rejudged: {change.becomes}"
    if refusal := found.refusal:
        who = "the host" if refusal.seat is None else f"seat {refusal.seat}"
        what = " ".join(f"{name}={value}" for name, value in refusal.command.items())
        yield f"  event {refusal.seq} becomes illegal{_cited(refusal.rule)}: {refusal.code}"
        yield f"    {refusal.sentence}"
        yield f"    decided by {who}: {what}"
    yield f"  {_ENDS[found.ends]}"
    if found.recorded and found.rejudged and found.ends != "refused":
        yield f"    recorded: {_course(found.recorded)}"
        yield f"    rejudged: {_course(found.rejudged)}"


def _cited(rule: str) -> str:
    return f" [{rule}]" if rule else ""


def _course(course: Course) -> str:
    winners = ", ".join(f"seat {seat}" for seat in course.winners)
    ending = f"won by {winners}" if winners else course.stage
    points = " ".join(map(str, course.points))
    return f"{ending} after event {course.events}, round {course.rounds}; points {points}"
