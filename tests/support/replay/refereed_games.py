"""Games under the eyes of the second referee, from their stored events."""

from collections.abc import Iterable

import msgspec

from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.options import OptionValue
from phaseledger.replay.evidence.referee.referee import Objection, judge
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play


class _Topic(msgspec.Struct):
    type: str


_topic = msgspec.json.Decoder(_Topic).decode


def events_of_game(lines: Iterable[bytes]) -> list[Event]:
    """The events of stored lines."""
    return [decode_event(_topic(line).type, line) for line in lines]


def nothing_but_again(limit: int, number: int = 0) -> list[Event]:
    """A game on a board whose spaces all say AGAIN: only O-39 ends its turns."""
    options: dict[str, OptionValue] = {
        "board_track": ("AGAIN*", *("AGAIN",) * 31),
        "max_turns_per_round": limit,
    }
    plan = SimulationPlan("again", "board", 3, ("greedy", "random"), options, 3_000)
    return events_of_game(play(plan, number).lines)


def refereed(lines: Iterable[bytes]) -> Objection | None:
    """The referee's objection to a game, if there is any."""
    return judge(events_of_game(lines))
