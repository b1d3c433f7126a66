"""The account: each seat's result, split into luck and choices, exactly.

The chance to win (``kernel.rollouts.values``) is followed over a game. What a step changes is luck,
where chance brings something: the drawn card's value less the mean over the stock; the value of a
throw less the mean over all throws; the deal's value less the mean over other deals at the same
scoreboard; where several cards came, the value less the mean over other throws and stocks. So luck
is 0 in the mean, whatever the model thinks. The rest is choice: of the seat that acts, or, for the
others, others' choice. For each seat

    result = start + luck + own choices + others' choices

to the last bit but for rounding, since all steps are differences of one series of values.
"""

from array import array
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain import deal
from phaseledger.domain.commands import Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import UnlawfulState, Workspace, pack
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT, FINAL_AT
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.state import State
from phaseledger.replay.laboratory.account.models import model
from phaseledger.replay.laboratory.account.moments import DecidedStep

Values = tuple[float, ...]
"""The chance to win of each seat."""
DEALS = 100
"""Deals over which the mean is taken: its standard error is about half a hundredth."""
CHANCES = 30
"""Stocks and throws over which the mean of a decision is taken that brought several cards."""


class AccountStep(Struct, frozen=True):
    """What one decision changed, for each seat, in chances to win."""

    seq: int
    round: int
    turn: int
    seat: int
    """The seat that decided; -1 where a command outside of the game did."""
    kind: Literal["deal", "draw", "dice", "play"]
    """Where chance came in: with a deal, cards from the stock, dice alone, or nowhere."""
    cards: bytes
    """The cards from the stock."""
    odds: float
    """How likely the card was, 0 to 1; 0 where not just one was drawn."""
    dice: tuple[int, ...]
    """The dice that were thrown afterwards, if any."""
    value: Values
    """The chances after it."""
    luck: Values
    choice: Values
    points: Values
    """The expected points at the end, by the scoreboard after it, for a deal and the last step;
    else, and where the rule set counts no points, none.
    """

    @property
    def between(self) -> Values:
        """The chances before chance came in: for a deal, the mean over deals."""
        return _less(self.value, self.luck)


class SeatAccount(Struct, frozen=True):
    """The parts of one seat's result, in chances to win; they add up to it."""

    seat: int
    start: float
    result: float
    """The seat's share of the win."""
    luck: float
    own: float
    others: float


class GameAccount(Struct, frozen=True):
    """The account of one finished game."""

    seats: tuple[SeatAccount, ...]
    steps: tuple[AccountStep, ...]


class Appraiser:
    """Values of the states of a rule set's games."""

    def __init__(self, state: State, chances: int = CHANCES) -> None:
        seats = len(state.seats)
        self.rules = compile_rules(state.ruleset)
        self.model = model(state.ruleset, seats)
        self.space = Workspace(seats)
        self.seats = seats
        self._chances = chances

    def value(self, state: State) -> Values:
        """The chances to win at a state."""
        return self.appraise(pack(state))[0]

    def points(self, state: State) -> Values:
        """The expected points at the end, by the scoreboard alone; none where none count."""
        return () if state.ruleset.scoring == "none" else self.appraise(pack(state), within=0)[1]

    def appraise(self, game: "array[int]", within: int = 1) -> tuple[Values, Values]:
        """The chances to win, and the expected points at the end; by the scoreboard alone where
        ``within`` is 0.
        """
        space, weights = self.space, self.space.weights
        kernel.appraise(self.rules, game, self.model, within, space.work, space.tuning, weights)
        return (
            tuple(weights[CHANCE_AT : CHANCE_AT + self.seats]),
            tuple(weights[FINAL_AT : FINAL_AT + self.seats]),
        )

    def expected(self, state: State, viewer: int, seed: int, worlds: int) -> tuple[Values, Values]:
        """The chances to win, and the expected points at the end, by what the seat ``viewer``
        knows: in the mean over worlds, which are those of rollouts by the same seed.
        """
        game, sums = pack(state), [0.0] * 2 * self.seats
        for number in range(worlds):
            world = game[:]
            kernel.seed_chance(self.space.chance, seed, 2 * number)
            kernel.draw_world(self.rules, world, self.space.chance, viewer, self.space.work)
            sums = _added(sums, chain.from_iterable(self.appraise(world)))
        means = tuple([total / worlds for total in sums])
        return means[: self.seats], means[self.seats :]

    def before_deal(self, dealing: State, after: State) -> Values:
        """The mean chances to win over deals of the round of ``after``, dealt of ``dealing``; the
        deals are made of the game's id and the round's number.
        """
        seed, among = seed_of(after.game, after.round), sum(1 << seat for seat in after.players)
        board, sums = pack(after), [0.0] * self.seats
        board[at.ROUND] -= 1
        for number in range(self.seats):
            board[at.SEAT_AT + number * at.SEAT + at.SKIPS] = dealing.seat(number).skips
        for number in range(DEALS):
            game = board[:]
            kernel.seed_chance(self.space.chance, seed, number)
            kernel.deal_round(
                self.rules, game, self.space.chance, among, after.dealer, int(after.replay)
            )
            sums = _added(sums, self.appraise(game)[0])
        return tuple([total / DEALS for total in sums])

    def before_draw(self, state: State) -> Values:
        """The mean chances to win over the cards that the stock may bring the active seat."""
        if state.active not in state.players:
            raise UnlawfulState("no seat is on turn")
        space, means = self.space, array("d", bytes(8 * self.seats))
        kernel.expect_draw(
            self.rules, pack(state), self.model, space.work, space.tuning, space.weights, means
        )
        return tuple(means)

    def before_dice(self, after: State) -> Values:
        """The mean chances to win over the throws that may begin the turn, or go on with it."""
        game, sums = pack(after), [0.0] * self.seats
        for high in range(1, 7):
            for low in range(1, high + 1):
                game[at.DIE], game[at.OTHER_DIE] = low, high
                share = (1 if low == high else 2) / 36
                sums = _added(sums, self.appraise(game)[0], share)
        return tuple(sums)

    def before_chance(self, moment: DecidedStep) -> Values:
        """The mean chances to win over other stocks, deals and dice that the decision may meet;
        they are made of the game's id and the decision's number.

        Raises:
            UnlawfulState: the rules refuse the decision.

        """
        state, sums = moment.before, [0.0] * self.seats
        for number in range(self._chances):
            key = sha256(f"{state.game}\n{moment.seq}\n{number}".encode())
            stock = deal.shuffled(key.digest(), 0, 0, state.stock)
            other = replace(state, stock=stock, server_secret=key.hexdigest())
            try:
                after, _ = step(other, moment.act)
            except Rejected as refusal:
                raise UnlawfulState("the rules refuse a decision") from refusal
            sums = _added(sums, self.value(after))
        return tuple([total / self._chances for total in sums])


def _added(sums: Iterable[float], values: Iterable[float], share: float = 1.0) -> list[float]:
    """The sums, and a share of the values."""
    return [total + share * value for total, value in zip(sums, values, strict=True)]


def seed_of(text: str, number: int) -> int:
    """A seed for the kernel's chance."""
    return int.from_bytes(sha256(f"{text}\n{number}".encode()).digest()[:7], "big")


def account(decided: Sequence[DecidedStep], chances: int = CHANCES) -> GameAccount:
    """The account of a finished game, from its decisions (`moments`)."""
    appraiser = Appraiser(decided[0].after, chances)
    steps: list[AccountStep] = []
    start: Values = ()
    value: Values = ()
    for moment in decided:
        row = _step(appraiser, moment, value)
        start, value = start or row.between, row.value
        steps.append(row)
    seats = range(len(start))
    return GameAccount(
        tuple([_seat_account(seat, start[seat], value[seat], steps) for seat in seats]),
        tuple(steps),
    )


def _step(appraiser: Appraiser, moment: DecidedStep, value: Values) -> AccountStep:
    middle = after = appraiser.value(moment.after)
    if moment.dice and not (moment.drawn or moment.dealing):
        middle = appraiser.before_dice(moment.after)
    elif moment.is_mixed:
        middle = appraiser.before_chance(moment)
    elif moment.dealing:
        middle = appraiser.before_deal(moment.dealing, moment.after)
    elif moment.drawing:
        middle = appraiser.before_draw(moment.drawing)
    seat, single = moment.act.seat, None if moment.is_mixed else moment.drawing
    is_between = moment.dealing or moment.after.stage == "ended"
    return AccountStep(
        seq=moment.seq,
        round=moment.before.round,
        turn=moment.before.turn,
        seat=-1 if seat is None else seat,
        kind=_kind(moment),
        cards=moment.drawn,
        odds=single.stock.count(single.stock[0]) / len(single.stock) if single else 0.0,
        dice=moment.dice,
        value=after,
        luck=_less(after, middle),
        choice=_less(middle, value or middle),
        points=appraiser.points(moment.after) if is_between else (),
    )


def _kind(moment: DecidedStep) -> Literal["deal", "draw", "dice", "play"]:
    if moment.dealing:
        return "deal"
    return "draw" if moment.drawn else "dice" if moment.dice else "play"


def _less(after: Values, before: Values) -> Values:
    return tuple([later - earlier for later, earlier in zip(after, before, strict=True)])


def _seat_account(seat: int, start: float, result: float, steps: list[AccountStep]) -> SeatAccount:
    return SeatAccount(
        seat=seat,
        start=start,
        result=result,
        luck=sum(step.luck[seat] for step in steps),
        own=sum(step.choice[seat] for step in steps if step.seat == seat),
        others=sum(step.choice[seat] for step in steps if step.seat != seat),
    )
