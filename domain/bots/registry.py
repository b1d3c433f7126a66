"""The registry of bots by name, and the keyed random numbers of their decisions."""

import hmac
from collections.abc import Iterator

from phaseledger.domain.bots.expert import expert
from phaseledger.domain.bots.greedy import greedy
from phaseledger.domain.bots.player import Bot, Legal, Pick
from phaseledger.domain.commands import Command
from phaseledger.domain.deal import uniform_below
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.sight import Sight


def chooser(seed: bytes, counter: int) -> Pick:
    """The random numbers of one decision: the same seed and counter give the same ones."""

    def words() -> Iterator[int]:
        block = 0
        while True:
            digest = hmac.digest(seed, b"p10-bot/v1 %d %d" % (counter, block), "sha256")
            # Written out, so that the machine's byte order does not change a game.
            yield from (digest[i] | digest[i + 1] << 8 for i in range(0, 32, 2))
            block += 1

    stream = words()
    return lambda bound: uniform_below(stream, bound)


def random_bot(_sight: Sight, _ruleset: RuleSet, legal: Legal, pick: Pick) -> Command:
    """Any legal command, all equally likely."""
    choices = list(legal())
    return choices[pick(len(choices))]


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy, "expert": expert}
"""Levels of play, by the name that opens a bot's seat."""
