"""Luck in games of bots, a control variate of shares (docs/how-to/replay-and-simulate.md)."""

from array import array
from collections.abc import Callable, Sequence

from phaseledger.domain.bots import BOTS
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT
from phaseledger.domain.ruleset import RuleSet
from phaseledger.replay.laboratory.account.models import model

OTHER_DEALS = 12
"""Deals beside which a round's own is held: more hardly take more variance away."""


class BotLuck:
    """The luck of each seat in one game: 0 in the mean, whatever the value model thinks.

    The same bots play each round with some other deals too, each as likely as what came. The luck
    of a round is the value of the scoreboard after it less the mean of these values. What makes
    bots differ in all deals is no luck.
    """

    def __init__(
        self, rules: "array[int]", ruleset: RuleSet, bots: Sequence[str], seed: bytes, most: int
    ) -> None:
        seats = len(bots)
        self.of_seats = [0.0] * seats
        self._rules = rules
        self._model = model(ruleset, seats)
        self._policies = array("q", [BOTS[bot] for bot in bots])
        self._space = Workspace(seats)
        self._seed = int.from_bytes(seed[:7], "big")
        self._most = most

    def begin_game(self, game: "array[int]") -> None:
        """Expect the first round of a game that has just been opened."""
        space, seats, dealer = self._space, game[at.SEATS], game[at.DEALER]
        self._expect(
            0, lambda: kernel.open_game(self._rules, space.game, space.chance, seats, dealer)
        )

    def end_round(
        self, before: "array[int]", after: "array[int]", moves: "array[int]", place: int
    ) -> None:
        """Add the luck of the round that ended, and expect the one that was dealt, if any, after
        the move at ``place``.
        """
        self._add_value(after, 1.0)
        if after[at.ASK] == at.ASK_NOTHING:
            return
        space = self._space

        def deal() -> None:
            space.game[:] = before
            kernel.play(self._rules, space.game, space.chance, moves, place)

        self._expect(before[at.ROUND], deal)

    def _expect(self, number: int, deal: Callable[[], None]) -> None:
        """Take off the mean value after a round that is dealt after round ``number``."""
        space = self._space
        for other in range(OTHER_DEALS):
            kernel.seed_chance(space.chance, self._seed, (other << 32) + number)
            deal()
            kernel.play_on(
                self._rules,
                space.game,
                space.chance,
                space.moves,
                space.work,
                space.tuning,
                space.weights,
                self._policies,
                1,
                self._most,
            )
            self._add_value(space.game, -1.0 / OTHER_DEALS)

    def _add_value(self, game: "array[int]", weight: float) -> None:
        """Add the chances to win by the scoreboard."""
        space = self._space
        kernel.appraise(self._rules, game, self._model, 0, space.work, space.tuning, space.weights)
        for seat in range(len(self.of_seats)):
            self.of_seats[seat] += weight * space.weights[CHANCE_AT + seat]
