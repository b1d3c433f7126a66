"""The registry of bots by name, and their decisions with keyed random numbers.

In a game that the kernel covers, `decision` asks its policies (`kernel.policies.games.choose`). The
bots of this package serve house rules that it does not cover, such as phases of five groups, hands
that are larger than it reads, and players who know no more than a view and listed commands. They
hold the kernel: both choose alike.
"""

from array import array
from collections.abc import Iterator
from functools import partial
from itertools import chain, count
from struct import Struct
from threading import local

from phaseledger.domain.bots.expert import expert
from phaseledger.domain.bots.greedy import greedy
from phaseledger.domain.bots.player import Bot, Legal, Pick
from phaseledger.domain.commands import Command
from phaseledger.domain.deal import uniform_below
from phaseledger.domain.hashing import hmac_sha256
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import ASKS, Workspace, command, pack
from phaseledger.domain.kernel.policies import games
from phaseledger.domain.kernel.policies.collect import MOST_HELD
from phaseledger.domain.kernel.table import NotCovered, compile_rules
from phaseledger.domain.legal import legal
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.sight import Sight
from phaseledger.domain.state import State

_words = Struct("<16H").unpack  # whatever the byte order of the machine


def _chance(seed: bytes, counter: int) -> Iterator[tuple[int, ...]]:
    """The 16-bit words of one decision, 16 at a time."""
    return (_words(hmac_sha256(seed, b"p10-bot/v1 %d %d" % (counter, n))) for n in count())


def chooser(seed: bytes, counter: int) -> Pick:
    """The random numbers of one decision: the same seed and counter give the same ones."""
    return partial(uniform_below, chain.from_iterable(_chance(seed, counter)))


def random_bot(_sight: Sight, _ruleset: RuleSet, legal: Legal, pick: Pick) -> Command:
    """Any legal command, all equally likely."""
    choices = list(legal())
    return choices[pick(len(choices))]


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy, "expert": expert, "master": expert}
"""Levels of play, by the name that opens a bot's seat. At the board `master` plays as `expert`."""
POLICIES = {
    "random": games.RANDOM,
    "greedy": games.GREEDY,
    "expert": games.EXPERT,
    "master": games.MASTER,
}
"""The kernel's policies by the same names."""


def decision(bot: str, state: State, seat: int, seed: bytes, counter: int) -> Command:
    """The command that the bot chooses for the seat, by what the seat can see."""
    rules = _thread.rules(state.ruleset)
    if rules is None or not _is_turn(state, seat) or len(state.seat(seat).hand) > MOST_HELD:
        choices = partial(legal, state, seat)
        return BOTS[bot](Sight(state, seat), state.ruleset, choices, chooser(seed, counter))
    space = _thread.space
    return command(space.moves, choose(bot, rules, pack(state, seat), space, seed, counter), state)


def choose(
    bot: str,
    rules: "array[int]",
    game: "array[int]",
    space: Workspace,
    seed: bytes,
    counter: int,
) -> int:
    """The place, in the moves listed in ``space``, of the one that the bot of the seat that
    is asked chooses in the kernel.

    Most decisions take no chance, so words are made once one is wanted.
    """
    words: list[int] = []
    chance: Iterator[tuple[int, ...]] | None = None
    policy = POLICIES[bot]
    while True:
        source = array("q", (at.WORDS, at.CHANCE, at.CHANCE + len(words), 0, *words))
        number: int = kernel.choose(
            rules, game, source, space.moves, space.work, space.tuning, space.weights, policy
        )
        if source[at.NEXT] <= source[at.END]:
            return number
        chance = chance or _chance(seed, counter)
        words += next(chance)


def _is_turn(state: State, seat: int) -> bool:
    """Whether the seat owes an answer of the game itself."""
    return any(question.seat == seat and question.kind in ASKS for question in state.waits)


def kernel_rules(ruleset: RuleSet) -> "array[int] | None":
    """The rule set compiled for the kernel; None where the kernel does not cover it."""
    try:
        return compile_rules(ruleset)
    except NotCovered:
        return None


class _Thread(local):
    """What a thread keeps between decisions: the rule set asked for last, and scratch memory."""

    def __init__(self) -> None:
        self.space = Workspace()
        self._ruleset: RuleSet | None = None
        self._rules: array[int] | None = None

    def rules(self, ruleset: RuleSet) -> "array[int] | None":
        """As `kernel_rules`; rule sets are long to compare, and mostly it is the same object."""
        if ruleset is not self._ruleset:
            self._ruleset, self._rules = ruleset, kernel_rules(ruleset)
        return self._rules


_thread = _Thread()
