"""Luck in games of bots: the control variate of their shares of wins (docs/replay.md)."""

from array import array
from collections.abc import Sequence

from phaseledger.domain.bots import BOTS
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, game_size, ints
from phaseledger.domain.kernel.rollouts.values import CHANCE_AT
from phaseledger.domain.ruleset import RuleSet
from phaseledger.replay.laboratory.account.models import model

OTHER_CARDS = 6
"""Cards of the stock beside which a drawn card is held: more hardly take more variance away."""
OTHER_DEALS = 8


class BotLuck:
    """The luck of each seat in one game: 0 in the mean, whatever the value model thinks.

    What chance brings is held beside a few other cards of the same stock, or other deals at the
    same scoreboard, each as likely as what came.
    """

    def __init__(
        self, rules: "array[int]", ruleset: RuleSet, bots: Sequence[str], seed: bytes
    ) -> None:
        seats = len(bots)
        self.of_seats = array("d", bytes(8 * seats))
        self._rules = rules
        self._model = model(ruleset, seats)
        self._policies = array("q", [BOTS[bot] for bot in bots])
        self._space = Workspace(seats)
        self._copy = ints(game_size(seats))
        self._seed = int.from_bytes(seed[:7], "big")

    def add_draw(self, game: "array[int]", number: int) -> None:
        """Add the luck of the card that is drawn by the decision of that number."""
        if not game[at.STOCK]:
            return
        space = self._space
        kernel.add_draw_luck(
            self._rules,
            game,
            self._copy,
            space.chance,
            space.moves,
            space.work,
            space.tuning,
            space.weights,
            self._model,
            self._policies,
            self._seed,
            number,
            OTHER_CARDS,
            self.of_seats,
        )

    def add_deal(
        self,
        before: "array[int]",
        after: "array[int]",
        moves: "array[int]",
        place: int,
        number: int,
    ) -> None:
        """Add the luck of the deal that followed the move at ``place``, decision ``number``."""
        self._add_value(after, 1.0)
        for deal in range(OTHER_DEALS):
            self._copy[:] = before
            kernel.seed_chance(self._space.chance, self._seed, (1 + deal << 32) + number)
            kernel.play(self._rules, self._copy, self._space.chance, moves, place)
            self._add_value(self._copy, -1.0 / OTHER_DEALS)

    def _add_value(self, game: "array[int]", weight: float) -> None:
        space = self._space
        kernel.appraise(self._rules, game, self._model, 1, space.work, space.tuning, space.weights)
        for seat in range(len(self.of_seats)):
            self.of_seats[seat] += weight * space.weights[CHANCE_AT + seat]
