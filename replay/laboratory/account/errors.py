"""Errors: each decision's candidates, played on in the same worlds, and what the played one cost.

A seat is judged by what it could see: worlds fit its knowledge, and others' hands are drawn anew in
each. All candidates are played on in the same worlds with the same chance by `expert` bots, to the
end of the round, where the value model gives the seat's chance to win. Differences between two
candidates are taken world by world, which takes most of the chance out of them.
"""

from array import array
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain.commands import Command, Keep, Swap
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import UnlawfulState, command, game_size, ints, pack
from phaseledger.domain.kernel.play.piles import seat_at
from phaseledger.domain.kernel.policies.games import EXPERT
from phaseledger.domain.kernel.rollouts.reasons import FEEDS, FEEDS_HIT, REASONS, RISK, WAIT
from phaseledger.domain.state import State
from phaseledger.replay.laboratory.account.account import Appraiser, seed_of
from phaseledger.replay.laboratory.account.moments import DecidedStep
from phaseledger.replay.laboratory.account.moves import (
    OTHERS,
    chosen_cards,
    is_played,
    only,
    to_compare,
)

WORLDS = 100
"""Worlds of a decision, at most."""
_PART = 20
"""Worlds between two looks at the candidates."""
_CLEAR = 3.0
"""Standard errors by which a candidate is behind when it is given up."""
_MATTERS = 2.0
"""Standard errors below which two candidates do not differ."""
_MOST_DECISIONS = 2_000
_TURNS, _CHANCE, _POINTS = 0.3, 0.15, 5
"""By how much a move has to be worse than the best in a measure for it to be a drawback."""


class Reasons(Struct, frozen=True, omit_defaults=True):
    """What speaks for and against a discard, or a draw before the phase: ``wait`` alone."""

    wait: float = 0.0
    feeds: float = 0.0
    feeds_hit: bool = False
    points: int = 0


class Drawback(Struct, frozen=True, omit_defaults=True):
    """One measure in which a draw or a discard is worse than the best; ``analysis.why.KIND`` says
    it in words.
    """

    kind: Literal["wait", "hit", "feeds", "points"]
    turns: float = 0.0
    """By how many turns more the phase has to be waited for."""
    played: float = 0.0
    """The chance that the next seat takes this card."""
    best: float = 0.0
    """The chance that it takes the best one."""
    count: int = 0
    """How many points more stay in hand."""


class Candidate(Struct, frozen=True, omit_defaults=True):
    """One way to decide."""

    command: Command
    equity: float
    """The seat's chance to win with it."""
    behind: float
    """By how much it is worse than the best; at least 0."""
    error: float
    """The standard error of that difference."""
    worlds: int
    reasons: Reasons | None = None
    drawbacks: tuple[Drawback, ...] = ()

    @property
    def is_worse(self) -> bool:
        """Whether it is behind by more than chance."""
        return self.behind > _MATTERS * self.error


class JudgedDecision(Struct, frozen=True, omit_defaults=True):
    """One decision that was not forced."""

    seq: int
    round: int
    turn: int
    seat: int
    played: int
    """The place of what was played among the candidates, which stand best first."""
    cost: float
    """The chance to win that it cost; 0 where the difference may be chance."""
    estimate: float
    """The cost as it was estimated: right in the mean, and below 0 at times."""
    error: float
    """The standard error of the cost."""
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The best candidate."""
        return self.candidates[0]


class Judge:
    """Judges the decisions of one game's seats."""

    def __init__(self, appraiser: Appraiser, seed: str, worlds: int = WORLDS) -> None:
        self._appraiser = appraiser
        self._seed = seed
        self._worlds = worlds
        seats = appraiser.seats
        self._world, self._copy = (ints(game_size(seats)) for _ in range(2))
        self._list = ints(1 + at.MOVES * at.MOVE)
        self._policies = array("q", [EXPERT] * seats)

    def judge(self, moment: DecidedStep) -> JudgedDecision | None:
        """The judgement of a decision; None where it was forced, or where what was played is more
        than one listed move (K-13).
        """
        state = _asking(moment.before, moment.act.seat)
        if state.stage != "playing" or not state.waits:
            return None
        game = pack(state)
        moves = self._listed(game)
        played = next((move for move in moves if is_played(move, moment)), None)
        if played is None and isinstance(moment.act.command, Swap | Keep):
            # Of thousands of choices, and of those to keep fewer cards than one may, not all are
            # listed.
            played = ints(at.MOVE)
            chosen = chosen_cards(moment.act.command)
            played[: len(chosen)] = chosen
            moves.append(played)
        if played is None or len(moves) < 2:
            return None
        compared = to_compare(moves, played)
        equities = self._rolled_out(game, compared, moment.seq, kept=0)
        order, candidates = self._ranked(state, game, compared, equities)
        place = order.index(0)
        estimate, error = _behind(equities, 0)
        return JudgedDecision(
            seq=moment.seq,
            round=state.round,
            turn=state.turn,
            seat=game[at.ASKED],
            played=place,
            cost=candidates[place].behind if candidates[place].is_worse else 0.0,
            estimate=rounded(estimate),
            error=rounded(error),
            candidates=candidates,
        )

    def candidates(self, state: State, seat: int, number: int = 0) -> tuple[Candidate, ...]:
        """The seat's moves at a state, best first, by what it knows.

        Others' hands and the order of the stock have no influence. ``number`` tells the worlds of
        one state from those of another, as the seed does.

        Raises:
            UnlawfulState: no rules have made the state, or the seat is not asked for a move.

        """
        state = _asking(state, seat)
        if state.stage != "playing" or not state.waits:
            raise UnlawfulState("the seat is not asked for a move")
        game = pack(state)
        moves = self._listed(game)
        if not moves:
            raise UnlawfulState("the seat has no move")
        compared = to_compare(moves)
        equities = self._rolled_out(game, compared, number)
        return self._ranked(state, game, compared, equities)[1]

    def _listed(self, game: "array[int]") -> "list[array[int]]":
        """The lawful moves, in the order of `legal.legal`, but of many answers the bot's first."""
        space, rules = self._appraiser.space, self._appraiser.rules
        kernel.list_moves(rules, game, self._list, space.work, at.LISTED)
        moves = [
            self._list[place : place + at.MOVE]
            for place in range(1, 1 + self._list[0] * at.MOVE, at.MOVE)
        ]
        if game[at.ASK] > at.ASK_PLAY and len(moves) > OTHERS:
            # Of many answers the first are no better than others: the bot's comes before.
            source, weights = space.chance, (space.work, space.tuning, space.weights)
            kernel.seed_chance(source, 1, 0)
            place = 1 + kernel.choose(rules, game, source, self._list, *weights, EXPERT) * at.MOVE
            length = at.CHOSEN_AT + self._list[place + 1] if self._list[0] == 1 else 5
            chosen = self._list[place : place + length]
            moves.sort(key=lambda move: move[:length] != chosen)
        return moves

    def _rolled_out(
        self, game: "array[int]", candidates: "array[int]", seq: int, kept: int = -1
    ) -> list[list[float]]:
        """The equities of each candidate, world by world; fewer where one fell behind, but for the
        one that is ``kept``.
        """
        seed = seed_of(self._seed, seq)
        equities: list[list[float]] = [[] for _ in range(candidates[0])]
        left = list(range(candidates[0]))
        for first in range(0, self._worlds, _PART):
            part = min(_PART, self._worlds - first)
            rolled = self._roll(game, only(candidates, left), seed, first, part)
            for place, candidate in enumerate(left):
                equities[candidate] += rolled[place :: len(left)]
            best = max(left, key=lambda number: sum(equities[number]))
            left = [
                number
                for number in left
                if number in (kept, best) or not _is_clear(equities[best], equities[number])
            ]
            if len(left) == 1:
                break
        return equities

    def _roll(
        self, game: "array[int]", candidates: "array[int]", seed: int, first: int, worlds: int
    ) -> "array[float]":
        space, rolled = self._appraiser.space, array("d", bytes(8 * worlds * candidates[0]))
        kernel.roll_out(
            self._appraiser.rules,
            game,
            self._world,
            self._copy,
            space.chance,
            space.moves,
            candidates,
            space.work,
            space.tuning,
            space.weights,
            self._appraiser.model,
            self._policies,
            seed,
            first,
            worlds,
            _MOST_DECISIONS,
            rolled,
        )
        return rolled

    def _ranked(
        self, state: State, game: "array[int]", compared: "array[int]", equities: list[list[float]]
    ) -> tuple[list[int], tuple[Candidate, ...]]:
        """The candidates, best first, and their numbers in that order."""
        worlds = max(map(len, equities))
        judged_fully = [n for n, values in enumerate(equities) if len(values) == worlds]
        best = max(judged_fully, key=lambda number: (_mean(equities[number]), -number))
        reasons = [self._reasons(game, compared, number) for number in range(len(equities))]
        rows = []
        for number, values in enumerate(equities):
            behind, error = _behind(equities, number) if number != best else (0.0, 0.0)
            behind = max(rounded(behind), 0.0)
            rows.append(
                Candidate(
                    command=command(compared, number, state),
                    equity=rounded(_mean(equities[best]) - behind),
                    behind=behind,
                    error=rounded(error),
                    worlds=len(values),
                    reasons=reasons[number],
                    drawbacks=tuple(_drawbacks(reasons[number], reasons[best])),
                )
            )
        order = sorted(
            range(len(rows)),
            key=lambda n: (n != best, n not in judged_fully, rows[n].behind),
        )
        return order, tuple([rows[number] for number in order])

    def _reasons(self, game: "array[int]", candidates: "array[int]", number: int) -> Reasons | None:
        place = 1 + number * at.MOVE
        kind, space = candidates[place], self._appraiser.space
        weights = (space.work, space.tuning, space.weights)
        if candidates[place + 1] >= at.TURNED or candidates[place + 2]:
            return None  # a joker, or two cards
        if kind <= at.DRAW_PILE and not game[seat_at(game[at.ACTIVE]) + at.LAID]:
            wait = kernel.weigh_draw(self._appraiser.rules, game, kind, *weights)
            return Reasons(wait=round(wait, 2) + 0.0)
        if kind != at.DISCARD:
            return None
        reasons = array("d", bytes(8 * REASONS))
        kernel.weigh_discard(
            self._appraiser.rules,
            game,
            candidates[place + 1],
            *weights,
            reasons,
        )
        return Reasons(
            wait=round(reasons[WAIT], 2) + 0.0,
            feeds=round(reasons[FEEDS], 3),
            feeds_hit=reasons[FEEDS_HIT] > 0,
            points=int(reasons[RISK]),
        )


def _asking(state: State, seat: int | None) -> State:
    """The state where no other seat is asked anything."""
    asked = [question for question in state.waits if question.seat == seat]
    return replace(state, waits=tuple(asked))


def _drawbacks(played: Reasons | None, best: Reasons | None) -> Iterator[Drawback]:
    """What the best of two moves of a kind has for it; nothing where one has no reasons."""
    if played is None or best is None:
        return
    if played.wait - best.wait >= _TURNS:
        yield Drawback(kind="wait", turns=round(played.wait - best.wait, 2))
    if played.feeds_hit and not best.feeds_hit:
        yield Drawback(kind="hit")
    elif played.feeds - best.feeds >= _CHANCE:
        yield Drawback(kind="feeds", played=played.feeds, best=best.feeds)
    if best.points - played.points >= _POINTS:
        yield Drawback(kind="points", count=best.points - played.points)


_DIGITS = 6


def rounded(number: float) -> float:
    """A figure as the analysis prints it: to six digits, and never -0."""
    return round(number, _DIGITS) + 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _gaps(best: Sequence[float], other: Sequence[float]) -> list[float]:
    return [first - second for first, second in zip(best, other, strict=False)]


def _spread(gaps: list[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean, count = _mean(gaps), len(gaps)
    squares = sum((gap - mean) ** 2 for gap in gaps)
    return mean, sqrt(squares / (count - 1) / count) if count > 1 else 0.0


def _behind(equities: list[list[float]], number: int) -> tuple[float, float]:
    """By how much a candidate is behind the best, and the standard error of that.

    The best is chosen by every second world, and compared in the others, so that the luck by which
    it looked best does not count.
    """
    worlds = max(map(len, equities))
    full = [values for values in equities if len(values) == worlds]
    gaps = []
    for half in (0, 1):
        best = max(full, key=lambda values: sum(values[half::2]))
        gaps += _gaps(best[1 - half :: 2], equities[number][1 - half :: 2])
    return _spread(gaps)


def _is_clear(best: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the other is behind beyond doubt."""
    behind, error = _spread(_gaps(best, other))
    return behind > _CLEAR * error > 0
