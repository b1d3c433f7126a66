"""The bots by name: levels of play, each a policy of the kernel.

A bot has no memory and no clock. Its random numbers are keyed by a seed and a counter, so that its
choices, which are recorded as a person's are, can be made again.
"""

from array import array
from collections.abc import Iterator
from itertools import count
from struct import Struct
from threading import local

from phaseledger.domain.commands import Command
from phaseledger.domain.hashing import hmac_sha256
from phaseledger.domain.kernel import entries as kernel
from phaseledger.domain.kernel import layout as at
from phaseledger.domain.kernel.pack import Workspace, command, pack
from phaseledger.domain.kernel.policies import games
from phaseledger.domain.kernel.table import compile_rules
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import State

BOTS = {
    "random": games.RANDOM,
    "greedy": games.GREEDY,
    "expert": games.EXPERT,
    "master": games.MASTER,
}
"""The kernel's policies, by the name that opens a bot's seat. At the board `master` plays as
`expert`.
"""
_words = Struct("<16H").unpack  # whatever the byte order of the machine


def chance(seed: bytes, counter: int) -> Iterator[tuple[int, ...]]:
    """The random numbers of one decision, each of 16 bits, 16 at a time; they never end."""
    return (_words(hmac_sha256(seed, b"p10-bot/v1 %d %d" % (counter, n))) for n in count())


def decision(bot: str, state: State, seat: int, seed: bytes, counter: int) -> Command:
    """The command that the bot chooses for the seat, by what the seat can see.

    Raises:
        ValueError: the seat owes no answer.
        NotCovered: the kernel lacks a rule; `resolve` makes no such rule set.

    """
    game, space = pack(state, seat), _thread.space
    if game[at.ASK] == at.ASK_NOTHING:
        raise ValueError(f"Seat {seat} is asked nothing.")
    number = choose(bot, _thread.rules(state.ruleset), game, space, seed, counter)
    return command(space.moves, number, state)


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
    numbers: Iterator[tuple[int, ...]] | None = None
    policy = BOTS[bot]
    while True:
        source = array("q", (at.WORDS, at.CHANCE, at.CHANCE + len(words), 0, *words))
        number: int = kernel.choose(
            rules, game, source, space.moves, space.work, space.tuning, space.weights, policy
        )
        if source[at.NEXT] <= source[at.END]:
            return number
        numbers = numbers or chance(seed, counter)
        words += next(numbers)


class _Thread(local):
    """What a thread keeps between decisions: the rule set asked for last, and scratch memory."""

    def __init__(self) -> None:
        self.space = Workspace()
        self._ruleset: RuleSet | None = None
        self._rules = array("q")

    def rules(self, ruleset: RuleSet) -> "array[int]":
        """As `compile_rules`; rule sets are long to compare, and mostly it is the same object."""
        if ruleset is not self._ruleset:
            self._ruleset, self._rules = ruleset, compile_rules(ruleset)
        return self._rules


_thread = _Thread()
