"""Games under the eyes of the second referee, from their stored events."""

from collections.abc import Iterable

import msgspec

from phaseledger.domain.events import Event
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.replay.referee.referee import Objection, judge


class _Topic(msgspec.Struct):
    type: str


_topic = msgspec.json.Decoder(_Topic).decode


def events_of_game(lines: Iterable[bytes]) -> list[Event]:
    """The events of stored lines."""
    return [decode_event(_topic(line).type, line) for line in lines]


def refereed(lines: Iterable[bytes]) -> Objection | None:
    """The referee's objection to a game, if there is any."""
    return judge(events_of_game(lines))
