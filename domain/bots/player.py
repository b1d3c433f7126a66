"""The interface of a bot: it gets a seat's sight and legal commands, and returns one of these.

A bot has no memory and no clock; its random numbers come from outside, keyed by seed and counter,
so that a simulated game can be played again. Its choices are recorded as a person's are.
"""

from collections.abc import Callable, Iterable

from phaseledger.domain.commands import Command
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.sight import Sight

Pick = Callable[[int], int]
"""A bound to a random number below it, from 0."""
Legal = Callable[[], Iterable[Command]]
"""A call that lists the seat's legal commands, lazily."""
Bot = Callable[[Sight, RuleSet, Legal, Pick], Command]
"""(what the seat sees, the rule set, the seat's legal commands, random numbers) to a command."""
