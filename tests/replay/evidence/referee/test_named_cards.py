"""The second referee and the card that is named for a discard; `AS` is any Ace (RULES.md 0.3)."""

import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Act, Discard
from phaseledger.domain.events import CardDiscarded
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.referee.table import RefereeTable
from tests.support.cases import looped
from tests.support.replay.referee_tables import seated


def objection(named: str, shown: str) -> str:
    """What the referee says to a discard of a card where another one was named."""
    table = RefereeTable(preset("standard-deck"), 2, 0)
    table.round, table.turn, table.players, table.active, table.next = 1, 1, [0, 1], 0, "play"
    for seat in table.seats:
        seat.hand = table.read("A 5C 9H")
    event = CardDiscarded(seat=0, cards=shown, act=Act(Discard(named), seat=0))
    verdict = seated(table).watch(replace(event, asks=()))
    return verdict.text if verdict else ""


@pytest.mark.parametrize("named", ["5C", "9H"])
def test_no_ace_is_discarded_for_another_card(named: str) -> None:
    assert objection(named, "A") == "other cards are discarded than were named"


@looped("named", ["A", "AS", "AH"])
def test_an_ace_may_be_named_with_its_suit(named: str) -> None:
    assert objection(named, "A") == ""
