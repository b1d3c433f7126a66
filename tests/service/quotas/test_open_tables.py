"""The open tables of addresses."""

from uuid import UUID

import pytest

from phaseledger.service.quotas.errors import TooManyEvents
from phaseledger.service.quotas.open_tables import PAUSE, Opener, OpenTables
from phaseledger.service.quotas.token_buckets import RateLimitPolicy

ADDRESS, OTHER = Opener(b"address"), Opener(b"other")
GAMES = [UUID(int=number) for number in range(1, 7)]


def test_tables_are_counted_by_address_until_they_are_closed() -> None:
    tables = OpenTables()
    for game in GAMES[:3]:
        tables.add(game, ADDRESS, bots=game == GAMES[0])
    tables.add(GAMES[3], OTHER, bots=False)
    tables.add(GAMES[0], OTHER, bots=False)  # again, by somebody else
    assert (tables.count(ADDRESS), tables.bot_games(ADDRESS), tables.count(OTHER)) == (3, 1, 1)
    tables.update(GAMES[1], bots=True)
    tables.update(GAMES[0], bots=False)
    tables.update(GAMES[5], bots=True)  # of which nothing is known
    assert (tables.opened_by(ADDRESS), tables.bot_games(ADDRESS)) == (GAMES[:3], 1)
    for game in GAMES:
        tables.close(game)
    assert (tables.count(ADDRESS), tables.bot_games(ADDRESS), tables.opened_by(OTHER)) == (0, 0, [])
    assert (tables._openers, tables._tables, tables._bots_alone) == ({}, {}, {})


def test_bots_that_people_have_left_wait_beyond_the_quota() -> None:
    tables = OpenTables(bot_games=2)
    for game in reversed(GAMES):
        tables.add(game, ADDRESS, bots=False)
        tables.update(game, bots=True)
    tables.add(UUID(int=99), OTHER, bots=True)
    assert [tables.pause(game) for game in GAMES] == [0, 0, PAUSE, PAUSE, PAUSE, PAUSE]
    assert tables.pause(UUID(int=99)) == 0
    tables.close(GAMES[0])
    tables.update(GAMES[1], bots=False)
    assert [tables.pause(game) for game in GAMES[1:]] == [0, 0, 0, PAUSE, PAUSE]


def test_tables_of_an_address_have_so_many_events() -> None:
    now = 0.0
    tables = OpenTables(events=RateLimitPolicy("events", 2, 10), clock=lambda: now)
    for game in GAMES[:2]:
        tables.add(game, ADDRESS, bots=False)
    tables.add(GAMES[2], OTHER, bots=False)
    tables.charge(GAMES[0], 6)
    tables.charge(GAMES[1], 5)
    for game in GAMES[:2]:
        with pytest.raises(TooManyEvents) as refused:
            tables.require_events(game)
        assert (refused.value.retry_after, tables.pause(game)) == (1, PAUSE)
    tables.require_events(GAMES[2])
    tables.charge(GAMES[5], 1_000)
    tables.require_events(GAMES[5])
    now = 1.0
    tables.require_events(GAMES[0])


def test_no_rate_is_no_limit() -> None:
    tables = OpenTables()
    tables.add(GAMES[0], ADDRESS, bots=False)
    tables.charge(GAMES[0], 1_000_000)
    tables.require_events(GAMES[0])
