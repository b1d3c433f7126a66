"""Bots wait as long as the terms of their table say, so that people can follow."""

from phaseledger.domain.terms import LONGEST_PACE
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, open_table, started
from tests.support.service.problems import problem


def test_a_bot_waits_before_it_moves(client):
    """The ledger's own times tell: it draws a second after the deal, and then discards."""
    table = started(
        client,
        (BOT, PERSON),
        dealer=1,
        terms={"pace": 1},
        options={"initial_skip": "cover"},
    )
    eventually(lambda: [e for e in events(table) if e["type"] == "CardDiscarded/1"])
    times = {event["type"]: event["at"] for event in events(table)}
    assert times["CardDrawn/1"] - times["RoundDealt/1"] >= 1_000
    assert times["CardDiscarded/1"] - times["CardDrawn/1"] >= 1_000


def events(table):
    return table.get("/events", limit=1000).json()["events"]


def test_the_pace_is_among_the_terms_only_where_there_is_one(client):
    assert open_table(client, (BOT, BOT), terms={"pace": 2}).get().json()["terms"] == {"pace": 2}
    assert open_table(client, (BOT, BOT), terms={"pace": 0}).get().json()["terms"] == {}
    for pace in (-1, LONGEST_PACE + 1, 0.5):
        body = {"ruleset": "classic", "seats": [BOT, BOT], "terms": {"pace": pace}}
        problem(client.post("/games", json=body), 400, "invalid_body")
