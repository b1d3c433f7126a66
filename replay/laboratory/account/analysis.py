"""The analysis of one finished game: its account, and the judgement of each decision."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Literal

from msgspec import Struct

from phaseledger.domain.cards import NAMES
from phaseledger.domain.commands import Pass
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.state import State
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.formats.guards import check_opening
from phaseledger.replay.laboratory.account.account import (
    AccountStep,
    Appraiser,
    GameAccount,
    SeatAccount,
    Values,
    account,
    seed_of,
)
from phaseledger.replay.laboratory.account.errors import (
    WORLDS,
    Candidate,
    Judge,
    JudgedDecision,
    rounded,
)
from phaseledger.replay.laboratory.account.fit import Watch, unwatched
from phaseledger.replay.laboratory.account.models import model
from phaseledger.replay.laboratory.account.moments import moments

FORMAT = "phaseledger-analysis/1"
POSITION_FORMAT = "phaseledger-position/1"
StoredGame = Sequence[tuple[str, bytes]]
"""A game's stored events: topic and bytes."""
PARTS = 24
"""Parts of a game's decisions, which processes share."""


HERE = Workers()
"""This process alone."""


class AnalysisPlan(Struct, frozen=True):
    """How a game is analysed; the same plan gives the same analysis."""

    seed: str = "analysis"
    worlds: int = WORLDS
    """Worlds of a decision, at most; 0 judges none."""


class AnalysedPlayer(Struct, frozen=True, omit_defaults=True):
    """One seat's part: start + luck + errors + hidden + others = result, in chances to win. The
    points are those of a rule set that counts any.
    """

    seat: int
    name: str
    bot: str
    start: float
    luck: float
    errors: float
    """Never above 0."""
    hidden: float
    """What cards that the seat could not see made of its choices."""
    others: float
    result: float
    judged: int
    """Decisions that were not forced."""
    lost: float
    """The chance to win lost per such decision, in the mean of all estimates."""
    lost_error: float
    """Its standard error."""
    start_points: float | None = None
    """The points at the end that were to be expected before the first deal."""
    points: int | None = None
    """The points at the end."""


class Luck(Struct, frozen=True, omit_defaults=True):
    """What chance brought with one decision."""

    seq: int
    round: int
    turn: int
    seat: int
    """The seat that decided; -1 for a deal."""
    kind: Literal["deal", "draw", "dice"]
    card: str
    """The cards from the stock, jokers by their faces; empty for a deal, and where none came."""
    odds: float
    """How likely the stock was to bring the card, 0 to 1; 0 where not just one was drawn."""
    change: tuple[float, ...]
    """The change of each seat's chance to win."""
    dice: tuple[int, ...] = ()
    """The dice that were thrown then, by the seat whose turn began."""


class RoundLuck(Struct, frozen=True, omit_defaults=True):
    """One round: each seat's luck and errors in it, and what is to be expected afterwards."""

    round: int
    luck: tuple[float, ...]
    errors: tuple[float, ...]
    after: tuple[float, ...]
    """The chances to win."""
    points: tuple[float, ...] = ()
    """The expected points at the end; none where the rule set counts none."""


class Analysis(Struct, frozen=True, omit_defaults=True):
    """The analysis of one game."""

    format: str
    game: str
    ruleset: str
    seed: str
    worlds: int
    players: tuple[AnalysedPlayer, ...]
    rounds: tuple[RoundLuck, ...]
    luck: tuple[Luck, ...]
    decisions: tuple[JudgedDecision, ...]
    test: bool = False
    """Whether the table was for tests, so that a script may have chosen the cards."""


class SeatValue(Struct, frozen=True, omit_defaults=True):
    """What a seat may expect at a position, by what the seat knows that is asked."""

    seat: int
    chance: float
    """The chance to win."""
    points: float | None = None
    """The expected points at the end; none where the rule set counts none."""


class PositionAnalysis(Struct, frozen=True):
    """The candidates of the seat that is asked at a position, best first, and what each seat may
    expect before the decision.
    """

    format: str
    ruleset: str
    seat: int
    seed: str
    worlds: int
    candidates: tuple[Candidate, ...]
    seats: tuple[SeatValue, ...]


class NotPlayedOut(ValueError):
    """A game that was not played to its end: nothing is said about it."""


def analyse(
    raw: StoredGame, plan: AnalysisPlan, workers: Workers = HERE, watch: Watch = unwatched
) -> Analysis:
    """The analysis of a finished game; ``watch`` hears of each step, and may end it by raising.

    Raises:
        NotCovered: the kernel does not cover the rule set; `resolve` makes no such.
        NotPlayedOut: the game goes on, or was broken off.
        UnreadableEvent: an event cannot be read.
        ProofFailed: the log begins with no game that can be opened.
        FAULTS: what the rules raise on events that no rules made.

    """
    events = [decode_event(topic, stored) for topic, stored in raw]
    check_opening(events[0])
    decided = [*moments(events)]
    if not decided or decided[-1].after.stage != "ended":
        raise NotPlayedOut("only a game that was played to its end is analysed")
    last = decided[-1].after
    model(last.ruleset, len(last.seats), watch)
    whole = account(decided)
    decisions: list[JudgedDecision] = []
    if plan.worlds:
        with in_order(partial(judged, raw, plan), range(PARTS), workers) as results:
            for number, part in enumerate(results, 1):
                decisions += part
                watch(number / PARTS)
    decisions.sort(key=lambda judgement: judgement.seq)
    return _document(last, whole, decisions, plan)


def candidates_at(
    state: State, plan: AnalysisPlan, number: int, watch: Watch, *, seat: int
) -> tuple[Candidate, ...]:
    """The candidates alone, as `analyse_position` has them for the seat."""
    model(state.ruleset, len(state.seats), watch)
    return Judge(Appraiser(state), plan.seed, plan.worlds).candidates(state, seat, number)


def analyse_position(
    state: State,
    plan: AnalysisPlan,
    number: int = 0,
    watch: Watch = unwatched,
    *,
    seat: int | None = None,
) -> PositionAnalysis:
    """The candidates at a position, by what the seat knows that is asked: the first, or ``seat``.

    ``number`` tells the worlds of one position from those of another, as the plan's seed does.
    ``watch`` hears of a value model that is fitted, and may end it by raising.

    Raises:
        NotCovered: the kernel does not cover the rule set; `resolve` makes no such.
        UnlawfulState: no rules have made the state, or the seat is not asked for a move.

    """
    if seat is None:
        seat = next((question.seat for question in state.waits), -1)
    candidates = candidates_at(state, plan, number, watch, seat=seat)
    expected = Appraiser(state).expected(state, seat, seed_of(plan.seed, number), plan.worlds)
    return PositionAnalysis(
        format=POSITION_FORMAT,
        ruleset=state.ruleset.id,
        seat=seat,
        seed=plan.seed,
        worlds=plan.worlds,
        candidates=candidates,
        seats=tuple(_seat_values(state, *expected)),
    )


def _seat_values(state: State, chances: Values, points: Values) -> Iterator[SeatValue]:
    counts = state.ruleset.scoring != "none"
    for seat, chance in enumerate(chances):
        yield SeatValue(seat, rounded(chance), rounded(points[seat]) if counts else None)


def judged(raw: StoredGame, plan: AnalysisPlan, part: int) -> list[JudgedDecision]:
    """The judgements of one part of the decisions: of every PARTS-th from ``part`` on."""
    events = [decode_event(topic, stored) for topic, stored in raw]
    judge: Judge | None = None
    decisions = []
    for number, moment in enumerate(moments(events)):
        judge = judge or Judge(Appraiser(moment.after), plan.seed, plan.worlds)
        if number % PARTS == part and not isinstance(moment.act.command, Pass):
            judgement = judge.judge(moment)
            if judgement:
                decisions.append(judgement)
    return decisions


def _document(
    state: State, whole: GameAccount, decisions: list[JudgedDecision], plan: AnalysisPlan
) -> Analysis:
    names = NAMES[state.ruleset.deck.notation]
    return Analysis(
        format=FORMAT,
        game=state.game,
        ruleset=state.ruleset.id,
        seed=plan.seed,
        worlds=plan.worlds,
        test=state.terms.test,
        players=tuple(
            [_player(state, seat, decisions, whole.steps[0].points) for seat in whole.seats]
        ),
        rounds=tuple(_rounds(whole.steps, decisions)),
        luck=tuple(
            [
                Luck(
                    seq=step.seq,
                    round=step.round,
                    turn=step.turn,
                    seat=-1 if step.kind == "deal" else step.seat,
                    kind=step.kind,
                    card=" ".join([names[card] for card in step.cards]),
                    odds=rounded(step.odds),
                    change=tuple([rounded(change) for change in step.luck]),
                    dice=step.dice,
                )
                for step in whole.steps
                if step.kind != "play"
            ]
        ),
        decisions=tuple(decisions),
    )


def _player(
    state: State, seat: SeatAccount, decisions: list[JudgedDecision], points: Values
) -> AnalysedPlayer:
    own = [decision for decision in decisions if decision.seat == seat.seat]
    errors, count = 0.0 - sum(decision.cost for decision in own), max(len(own), 1)
    sitter = state.seat(seat.seat)
    return AnalysedPlayer(
        seat=seat.seat,
        name=sitter.name,
        bot=sitter.bot,
        start=seat.start,
        luck=seat.luck,
        errors=errors,
        hidden=seat.own - errors,
        others=seat.others,
        result=seat.result,
        judged=len(own),
        lost=rounded(sum(decision.estimate for decision in own) / count),
        lost_error=rounded(sqrt(sum(decision.error**2 for decision in own)) / count),
        start_points=rounded(points[seat.seat]) if points else None,
        points=sitter.points if points else None,
    )


def _rounds(steps: Sequence[AccountStep], decisions: Iterable[JudgedDecision]) -> list[RoundLuck]:
    """Each round; a deal belongs to the round that it begins."""
    seats = len(steps[0].value)
    luck: dict[int, list[float]] = {}
    errors: dict[int, list[float]] = {}
    after: dict[int, Values] = {}
    points: dict[int, Values] = {}
    for step in steps:
        number = step.round + (step.kind == "deal")
        row = luck.setdefault(number, [0.0] * seats)
        errors.setdefault(number, [0.0] * seats)
        after[step.round] = step.between if step.kind == "deal" else step.value
        points[step.round] = step.points
        for seat, change in enumerate(step.luck):
            row[seat] += change
    for judgement in decisions:
        errors[judgement.round][judgement.seat] -= judgement.cost
    return [
        RoundLuck(
            round=number,
            luck=tuple(map(rounded, luck[number])),
            errors=tuple(map(rounded, errors[number])),
            after=after.get(number, steps[-1].value),
            points=tuple(map(rounded, points.get(number, steps[-1].points))),
        )
        for number in sorted(luck)
    ]
