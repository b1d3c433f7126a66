"""The second referee and the documented first discards (O-11, O-12; docs/reference/deal.md)."""

from json import loads
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from phaseledger.domain.events import RoundDealt
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.referee.rounds import deal
from phaseledger.replay.evidence.referee.table import Foul, RefereeTable
from tests.support.cases import looped

VECTORS = Path(__file__).parents[3] / "domain" / "format-v1.json"
CASES = {
    case["name"]: case for case in loads(VECTORS.read_text())["deals"] if case["replays"] is None
}
RETURNING = [name for name, case in CASES.items() if case["event"]["data"].get("returned")]
COVERING = [name for name, case in CASES.items() if " " in case["event"]["data"]["discard"]]


def dealt(case: dict[str, Any]) -> RoundDealt:
    event = case["event"]
    return msgspec.convert(event["data"] | {"hidden": event["hidden"]}, RoundDealt)


def allows(case: dict[str, Any], event: RoundDealt) -> bool:
    """Whether the referee takes the event for the deal of the case's second round."""
    table = RefereeTable(resolve(preset(case["ruleset"]), case["options"]), case["seats"], 0)
    table.round, table.dealer, table.next = case["round"], case["dealer"], "deal"
    try:
        deal(table, event)
    except Foul:
        return False
    return True


def with_stock(event: RoundDealt, cards: list[str]) -> RoundDealt:
    secret = replace(event.hidden["stock"], stock=" ".join(cards))
    return replace(event, stock=len(cards), hidden={**event.hidden, "stock": secret})


def stock_of(event: RoundDealt) -> list[str]:
    return event.hidden["stock"].stock.split()


def test_a_documented_deal_is_allowed() -> None:
    assert [name for name in CASES if not allows(CASES[name], dealt(CASES[name]))] == []


@looped("name", RETURNING)
def test_what_was_returned_lies_under_the_stock(name: str) -> None:
    """In the order in which it was turned up, and nothing else was."""
    case, event = CASES[name], dealt(CASES[name])
    stock, returned = stock_of(event), event.returned.split()
    assert not allows(case, with_stock(event, [stock[-1], *stock[:-1]]))
    assert not allows(case, replace(event, returned=f"{event.returned} {stock[0]}"))
    usual = resolve(preset(case["ruleset"]), {}).options
    options = {"S": "initial_skip", "W": "initial_wild"}
    for option in {options[card] for card in returned}:
        other = case | {"options": case["options"] | {option: getattr(usual, option)}}
        assert not allows(other, event)


@looped("name", COVERING)
def test_only_a_skip_is_covered(name: str) -> None:
    case, event = CASES[name], dealt(CASES[name])
    stock, (bottom, *shown) = stock_of(event), event.discard.split()
    assert bottom == "S"
    assert not allows(case | {"options": {}}, event)
    number = next(card for card in stock if card not in "SW")
    other = with_stock(event, [card if card != number else bottom for card in stock])
    assert not allows(case, replace(other, discard=" ".join([number, *shown])))
