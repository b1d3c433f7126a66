"""What a bot is. It sees a seat's view and its legal commands, and answers with one of them.

A bot has no memory and no clock; its chance comes from outside, keyed by seed and counter, so
that a simulated game can be played again. Its choices are recorded like anybody's.
"""

from collections.abc import Callable, Iterable

from phaseledger.domain.commands import Command
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.view import TableView

Pick = Callable[[int], int]
"""A number below the given one, by the bot's own chance."""
Legal = Callable[[], Iterable[Command]]
"""The seat's legal commands, made when asked for."""
Bot = Callable[[TableView, RuleSet, Legal, Pick], Command]
"""(the seat's view, the rule set, the seat's legal commands, chance) to a command."""
