"""Results of games whose records are not wanted, played in the kernel.

The deals and the bots' chance are as in `game.play`, so each game ends as its record does.
"""

from array import array
from collections.abc import Iterator
from time import process_time_ns

from msgspec import Struct

from phaseledger.domain import deal
from phaseledger.domain.bots import choose
from phaseledger.domain.cards import remove
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, pack
from phaseledger.domain.kernel.play.piles import card_named, seat_at
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import State
from phaseledger.replay.laboratory.simulate import game as recorded
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, opened, part
from phaseledger.replay.laboratory.simulate.luck import BotLuck

TIMED = 7
"""Decisions of which one is timed: the clock takes longer than the kernel."""


class GameResult(Struct, frozen=True):
    """How one game ended. ``winners`` are seats; ``points`` are of each seat."""

    game: str
    winners: tuple[int, ...]
    points: tuple[int, ...]
    decisions: int
    fault: str
    luck: tuple[float, ...] = ()
    """Of each seat, in chances to win; empty where it was not asked for."""


class Stopwatch:
    """Processor time for decisions, measured for each bot."""

    def __init__(self) -> None:
        self.spent: dict[str, tuple[int, int]] = {}
        """By bot: nanoseconds, and decisions."""

    def add(self, bot: str, start: int) -> None:
        """Count a decision of the bot that began at ``start``."""
        time, decisions = self.spent.get(bot, (0, 0))
        self.spent[bot] = time + process_time_ns() - start, decisions + 1


def play_result(
    plan: SimulationPlan, index: int, watch: Stopwatch, *, with_luck: bool = False
) -> GameResult:
    """Play one game of the run, and take its luck where asked; raises as `game.play`."""
    state = opened(plan, index)
    rules = compile_rules(state.ruleset)
    play = _KernelGame(rules, state)
    chances = [part(plan.seed, f"bot {seat}", index) for seat in range(plan.players)]
    bots = [seat.bot for seat in state.seats if seat]
    luck = None
    if with_luck:
        luck = BotLuck(rules, state.ruleset, bots, part(plan.seed, "luck", index), plan.cap)
        luck.begin_game(play.game)
    count = plan.players + 2  # of the commands that opened it
    fault = ""
    while play.game[at.ASK] != at.ASK_NOTHING:
        if count >= plan.cap:
            fault = recorded.too_long(count)
            count += 1  # the command that stops it
            break
        seat = play.game[at.ASKED]
        start = 0 if count % TIMED else process_time_ns()
        number = choose(bots[seat], rules, play.game, play.space, chances[seat], count)
        if start:
            watch.add(bots[seat], start)
        place = 1 + number * at.MOVE
        before = play.play(place)
        is_over = play.game[at.ASK] == at.ASK_NOTHING
        if luck and (is_over or play.game[at.ROUND] != before[at.ROUND]):
            luck.end_round(before, play.game, play.space.moves, place)
        count += 1
    seats = range(plan.players)
    return GameResult(
        game=state.game,
        winners=tuple([seat for seat in seats if play.game[at.WINNERS] >> seat & 1]),
        points=tuple([play.game[at.SEAT_AT + seat * at.SEAT + at.POINTS] for seat in seats]),
        decisions=count,
        fault=fault,
        luck=tuple(luck.of_seats) if luck else (),
    )


class _KernelGame:
    """A game in the kernel with the shuffles and dice of its deal (docs/reference/deal.md)."""

    def __init__(self, rules: "array[int]", state: State) -> None:
        self.game = pack(state)
        self.space = Workspace(len(state.seats))
        self._rules = rules
        self._ruleset: RuleSet = state.ruleset
        self._deck = state.ruleset.deck.cards()
        self._key = deal.deal_key(
            bytes.fromhex(state.server_secret), bytes.fromhex(state.transcript)
        )

    def play(self, place: int) -> "array[int]":
        """Play the listed move at ``place``, and return the game before it. Where the move wants
        chance, it is played once more.
        """
        before = self.game[:]
        brought: list[int] = []
        chance = self._chance(before, place)
        while True:
            source = array("q", (at.GIVEN, at.CHANCE, at.CHANCE + len(brought), 0, *brought))
            kernel.play(self._rules, self.game, source, self.space.moves, place)
            if source[at.NEXT] <= source[at.END]:
                return before
            brought += next(chance)
            self.game[:] = before

    def _chance(self, before: "array[int]", place: int) -> Iterator[list[int]]:
        """What chance may bring at a state: a shuffle of the pile, or else one deal after another;
        then dice.

        Asked for the next, ``game`` is as the move left it without.
        """
        key, game, round_number = self._key, self.game, before[at.ROUND]
        if game[at.SHUFFLES] != before[at.SHUFFLES] and game[at.ROUND] == round_number:
            pile = [*before[at.PILE_AT :][: before[at.PILE]], *self._chosen(before, place, at.SWAP)]
            under = bytes(pile[: len(pile) - game[at.PILE]])
            yield [*deal.shuffled(key, round_number, game[at.SHUFFLES], under)]
        while game[at.ROUND] != round_number:
            round_number += 1
            deck = remove(self._deck, self._kept(before, place))
            assert deck is not None
            words = [*deal.shuffled(key, round_number, 0, deck)]
            if self._ruleset.options.first_player == "random":
                words.append(deal.starter(key, round_number, game[at.PLAYERS]))
            yield words
        yield [die - 1 for die in deal.dice(key, game[at.TURN], game[at.ROLLS] - 1)]

    def _kept(self, before: "array[int]", place: int) -> bytes:
        """The cards that are kept from the round that a move may end, by their faces."""
        kept = [*self._chosen(before, place, at.KEEP_CARDS)]
        for seat in range(before[at.SEATS]):
            here = seat_at(seat)
            kept += before[here + at.KEPT_AT :][: max(0, before[here + at.KEPT] - 1)]
        return bytes([card % at.CODES for card in kept])

    def _chosen(self, before: "array[int]", place: int, kind: int) -> Iterator[int]:
        """The cards of a move of the kind, by their faces."""
        move, here = self.space.moves[place : place + at.MOVE], seat_at(before[at.ASKED])
        if move[0] == kind:
            for name in move[at.CHOSEN_AT :][: move[1]]:
                yield card_named(before, here, name) % at.CODES
