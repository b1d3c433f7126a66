"""A refused lay or hit says where it is wrong, in the caller's language."""

from typing import Any

import httpx2
import pytest

from phaseledger.domain.explain.wording import card_words
from phaseledger.domain.words import Language
from tests.support.cases import looped
from tests.support.service.api_tables import Table, bearer, mover, started


@pytest.fixture
def table(client: httpx2.Client) -> Table:
    """A table whose mover has drawn."""
    table = started(client)
    assert table.send(mover(table), {"type": "draw"}).status_code == 200
    return table


def wrong_lay(table: Table, seat: int) -> dict[str, Any]:
    """A lay of cards that the seat has, whose first group has the lowest and the highest."""
    hand = table.get(seat=seat).json()["table"]["hand"].split()
    naturals = sorted((card for card in hand if card not in "WS"), key=lambda card: int(card[1:]))
    low, high, *others = naturals[0], naturals[-1], *naturals[1:-1]
    groups = [[low, high, others[0]], others[1:4]]
    return {"type": "lay", "groups": [{"cards": " ".join(cards)} for cards in groups]}


@looped(
    ("lang", "words", "path"),
    [
        ("en", "in group 1 ({})", "/commands"),
        ("de", "Gruppe 1 ({})", "/commands?dry_run=true"),
        ("fr", "groupe 1 ({})", "/commands"),
    ],
)
def test_a_lay_names_the_group_and_the_card(
    table: Table, lang: Language, words: str, path: str
) -> None:
    seat = mover(table)
    lay = wrong_lay(table, seat)
    headers = {**bearer(table.tokens[seat]), "Accept-Language": lang}
    answer = table.client.post(f"{table.path}{path}", json=lay, headers=headers)
    refused = answer.json()
    assert (answer.status_code, refused["code"]) == (422, "not_one_rank")
    first = lay["groups"][0]["cards"]
    assert refused["at"] == 0
    assert refused["card"] in first.split()
    spoken = ", ".join(card_words(card, lang) for card in first.split())
    assert words.format(spoken) in refused["detail"]
    checked = table.client.post(
        "/rulesets/classic/checks", json={**lay, "phase": 1}, headers={"Accept-Language": lang}
    )
    assert refused["detail"] == checked.json()["sentence"]


def test_what_is_not_about_the_cards_is_told_as_before(table: Table) -> None:
    refused = table.send(1 - mover(table), {"type": "lay", "groups": [{"cards": "R1"}]}).json()
    assert refused["code"] == "not_your_turn"
    assert {"at", "card"}.isdisjoint(refused)


def test_a_hand_is_not_explained(table: Table) -> None:
    """A good phase of cards that the seat does not have."""
    groups = [{"cards": "R5 B5 G5"}, {"cards": "R8 B8 G8"}]
    refused = table.send(mover(table), {"type": "lay", "groups": groups}).json()
    assert refused["code"] == "not_in_hand"
    assert "at" not in refused
