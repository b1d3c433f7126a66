"""Games whose rule set says another value of one house rule than they were played by."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from phaseledger.domain.events import Event, GameOpened
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.laboratory.simulate.game import SimulationPlan
from tests.support.replay.option_pairs import VALUES


def other_readings(
    plan: SimulationPlan, events: Sequence[Event], names: Sequence[str]
) -> Iterator[tuple[str, OptionValue, list[Event]]]:
    """The game as if it had been opened by each other value of the options named, one at a time."""
    opened = events[0]
    assert isinstance(opened, GameOpened)
    assert opened.act
    game = GAMES[plan.ruleset]
    for name in names:
        for value in VALUES[name]:
            if value in (plan.options.get(name, ()), *game.settings[name].without):
                continue
            chosen = {key: kept for key, kept in plan.options.items() if key != name}
            if value != ():
                chosen[name] = value
            try:
                rules = resolve(game.rules, chosen, game.settings)
            except Unplayable:
                continue
            act = replace(opened.act, command=replace(opened.act.command, options=chosen))
            yield name, value, [replace(opened, ruleset=rules, act=act), *events[1:]]
