"""Errors: each decision's candidates, played on in the same worlds, and what the played one cost.

A seat is judged by what it could see: worlds fit its knowledge, and others' hands are drawn anew in
each. All candidates are played on in the same worlds with the same chance by `expert` bots, to the
end of the round, where the value model gives the seat's chance to win. Differences between two
candidates are taken world by world, which takes most of the chance out of them.
"""

from array import array
from collections.abc import Sequence
from hashlib import sha256
from math import sqrt

from msgspec import Struct

from phaseledger.domain import events as e
from phaseledger.domain.cards import face_up, parse
from phaseledger.domain.commands import Command
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import command, game_size, ints, pack
from phaseledger.domain.kernel.policies.games import EXPERT
from phaseledger.domain.kernel.rollouts.reasons import FEEDS, FEEDS_HIT, REASONS, RISK, WAIT
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.moments import DecidedStep

WORLDS = 100
"""Worlds of a decision, at most."""
_PART = 20
"""Worlds between two looks at the candidates."""
_CLEAR = 3.0
"""Standard errors by which a candidate is behind when it is given up."""
_MATTERS = 2.0
"""Standard errors below which two candidates do not differ."""
_LAYS, _HITS, _OTHERS = 4, 8, 16
"""The most candidates of a kind."""
_MOST_DECISIONS = 2_000
_ENDS = {"": at.END_NONE, "low": at.END_LOW, "high": at.END_HIGH}


class Reasons(Struct, frozen=True, omit_defaults=True):
    """What speaks for and against a discard."""

    wait: float = 0.0
    feeds: float = 0.0
    feeds_hit: bool = False
    points: int = 0


class Candidate(Struct, frozen=True, omit_defaults=True):
    """One way to decide."""

    command: Command
    equity: float
    """The seat's chance to win with it."""
    behind: float
    """By how much it is worse than the best."""
    error: float
    """The standard error of that difference."""
    worlds: int
    reasons: Reasons | None = None


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
        state = moment.before
        if state.stage != "playing" or moment.act.seat != state.active:
            return None
        game = pack(state)
        candidates = self._candidates(game, moment)
        if candidates is None or candidates[0] < 2:
            return None
        digest = sha256(f"{self._seed}\n{moment.seq}".encode()).digest()
        seed = int.from_bytes(digest[:7], "big")
        equities = self._rolled_out(game, candidates, seed)
        return self._judgement(moment, game, candidates, equities)

    def _candidates(self, game: "array[int]", moment: DecidedStep) -> "array[int] | None":
        """The moves to compare, the played one first; None where it is not listed."""
        space, rules = self._appraiser.space, self._appraiser.rules
        kernel.list_moves(rules, game, self._list, space.work, at.LISTED)
        moves = [
            self._list[place : place + at.MOVE]
            for place in range(1, 1 + self._list[0] * at.MOVE, at.MOVE)
        ]
        played = next((move for move in moves if _is_played(move, moment)), None)
        if played is None:
            return None
        kept = [played]
        for kinds, most in (((at.LAY,), _LAYS), ((at.HIT,), _HITS), (_OTHER_KINDS, _OTHERS)):
            kept += [move for move in moves if move[0] in kinds and move is not played][:most]
        return array("q", [len(kept), *(number for move in kept for number in move)])

    def _rolled_out(
        self, game: "array[int]", candidates: "array[int]", seed: int
    ) -> list[list[float]]:
        """The equities of each candidate, world by world; fewer where one fell behind."""
        equities: list[list[float]] = [[] for _ in range(candidates[0])]
        left = list(range(candidates[0]))
        for first in range(0, self._worlds, _PART):
            part = min(_PART, self._worlds - first)
            rolled = self._roll(game, _only(candidates, left), seed, first, part)
            for place, candidate in enumerate(left):
                equities[candidate] += rolled[place :: len(left)]
            best = max(left, key=lambda number: sum(equities[number]))
            left = [
                number
                for number in left
                if number in (0, best) or not _is_clear(equities[best], equities[number])
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

    def _judgement(
        self,
        moment: DecidedStep,
        game: "array[int]",
        candidates: "array[int]",
        equities: list[list[float]],
    ) -> JudgedDecision:
        worlds = max(map(len, equities))
        judged_fully = [n for n, values in enumerate(equities) if len(values) == worlds]
        best = max(judged_fully, key=lambda number: (_mean(equities[number]), -number))
        rows = []
        for number, values in enumerate(equities):
            behind, error = _difference(equities[best], values)
            rows.append(
                Candidate(
                    command=command(candidates, number, moment.before),
                    equity=rounded(_mean(equities[best]) - behind),
                    behind=rounded(behind),
                    error=rounded(error),
                    worlds=len(values),
                    reasons=self._reasons(game, candidates, number),
                )
            )
        order = sorted(
            range(len(rows)),
            key=lambda n: (n != best, n not in judged_fully, rows[n].behind),
        )
        cost, error = _cost(equities)
        return JudgedDecision(
            seq=moment.seq,
            round=moment.before.round,
            turn=moment.before.turn,
            seat=moment.before.active,
            played=order.index(0),
            cost=rounded(cost) if cost > _MATTERS * error else 0.0,
            estimate=rounded(cost),
            error=rounded(error),
            candidates=tuple([rows[number] for number in order]),
        )

    def _reasons(self, game: "array[int]", candidates: "array[int]", number: int) -> Reasons | None:
        place = 1 + number * at.MOVE
        if candidates[place] != at.DISCARD:
            return None
        space, reasons = self._appraiser.space, array("d", bytes(8 * REASONS))
        kernel.weigh_discard(
            self._appraiser.rules,
            game,
            candidates[place + 1],
            space.work,
            space.tuning,
            space.weights,
            reasons,
        )
        return Reasons(
            wait=round(reasons[WAIT], 2),
            feeds=round(reasons[FEEDS], 3),
            feeds_hit=reasons[FEEDS_HIT] > 0,
            points=int(reasons[RISK]),
        )


_OTHER_KINDS = (at.DRAW_STOCK, at.DRAW_PILE, at.DISCARD, at.PASS)
_DIGITS = 6


def rounded(number: float) -> float:
    """A figure as the analysis prints it: to six digits, and never -0."""
    return round(number, _DIGITS) + 0.0


def _is_played(move: Sequence[int], moment: DecidedStep) -> bool:
    """Whether the listed move is the one that the event tells of."""
    match moment.first:
        case e.CardDrawn(source=source):
            return move[0] == (at.DRAW_STOCK if source == "stock" else at.DRAW_PILE)
        case e.CardDiscarded(cards=cards, target=target) | e.SkipPlaced(card=cards, target=target):
            target = -1 if target is None else target
            return move[0] == at.DISCARD and move[1:3] == array("q", [*parse(cards), target])
        case e.CardsHit(group=group, cards=cards, end=end):
            codes = [*parse(cards), 0]
            hit = array("q", [group, _ENDS[end], *codes[:2]])
            return move[0] == at.HIT and move[1:5] == hit and len(codes) <= 3
        case e.PhaseLaid():
            return move[0] == at.LAY and _laid(move) == _laid_groups(moment.first)
        case e.TurnPassed():
            return move[0] == at.PASS
    return move[0] == at.DRAW_STOCK and isinstance(moment.first, (e.StockShuffled, e.RoundEnded))


def _laid(move: Sequence[int]) -> list[tuple[list[int], int]]:
    """The groups of a lay: their cards, sorted, and their low ends."""
    groups, place = [], at.LAY_CARDS
    for number in range(move[2]):
        low, count = move[at.LAY_GROUPS + 2 * number], move[at.LAY_GROUPS + 2 * number + 1]
        groups.append((sorted(move[place : place + count]), low))
        place += count
    return groups


def _laid_groups(laid: e.PhaseLaid) -> list[tuple[list[int], int]]:
    return [(sorted(face_up(parse(group.cards))), group.low) for group in laid.groups]


def _only(candidates: "array[int]", numbers: list[int]) -> "array[int]":
    """The list of these candidates alone."""
    rows = [candidates[1 + n * at.MOVE : 1 + (n + 1) * at.MOVE] for n in numbers]
    return array("q", [len(rows), *(number for row in rows for number in row)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _difference(best: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """By how much the other is behind in the worlds of both, and the standard error of that."""
    return _spread(_gaps(best, other))


def _gaps(best: Sequence[float], other: Sequence[float]) -> list[float]:
    return [first - second for first, second in zip(best, other, strict=False)]


def _spread(gaps: list[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    mean, count = _mean(gaps), len(gaps)
    squares = sum((gap - mean) ** 2 for gap in gaps)
    return mean, sqrt(squares / (count - 1) / count) if count > 1 else 0.0


def _cost(equities: list[list[float]]) -> tuple[float, float]:
    """By how much the first candidate is behind, and the standard error of that.

    The best is chosen by every second world, and compared in the others, so that the luck by which
    it looked best does not count.
    """
    worlds = max(map(len, equities))
    full = [values for values in equities if len(values) == worlds]
    gaps = []
    for half in (0, 1):
        best = max(full, key=lambda values: sum(values[half::2]))
        gaps += _gaps(best[1 - half :: 2], equities[0][1 - half :: 2])
    return _spread(gaps)


def _is_clear(best: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the other is behind beyond doubt."""
    behind, error = _difference(best, other)
    return behind > _CLEAR * error > 0
