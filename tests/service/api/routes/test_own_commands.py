"""Whoever has had a command acknowledged sees it from then on, through whichever service they ask.

Two services have one log and each its own memory. Many games are played and looked at side by side,
so that looks share statements and find what other services have written meanwhile.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from phaseledger.service.app import in_postgres
from tests.support.ledgers import own_ledger
from tests.support.service.api_tables import Table, bearer, mover, ok, started
from tests.support.service.server import serving

GAMES = 4
HOW = [(0, "seat"), (0, "spectator"), (1, "seat"), (1, "spectator")]
"""Through which service somebody looks, and who."""

Look = tuple[int, str]
Moves = Sequence[tuple[int, Sequence[Look]]]
"""Through which service each move goes, and the looks after it."""
MOVES = st.lists(
    st.tuples(st.integers(0, 1), st.lists(st.sampled_from(HOW), min_size=1, max_size=4)),
    min_size=2,
    max_size=8,
)


@pytest.fixture(scope="module")
def services(
    postgres_dsn: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[httpx2.Client]]:
    """Clients of two services over one ledger."""
    folder: Path = tmp_path_factory.mktemp("keys")
    with own_ledger(postgres_dsn, folder) as ledger, ExitStack() as stack:
        yield [
            stack.enter_context(httpx2.Client(base_url=f"{service.url}/v1", timeout=None))
            for service in [stack.enter_context(serving(in_postgres(ledger))) for _ in range(2)]
        ]


def play(services: Sequence[httpx2.Client], table: Table, moves: Moves) -> None:
    """Draw and discard in turn, and look after each move. Raises AssertionError for stale looks."""
    seat, card, tags = mover(table), "", dict[Look, str]()
    for where, looks in moves:
        command = {"type": "discard", "cards": card} if card else {"type": "draw"}
        held = dict[Look, str]()
        done = ok(table._replace(client=services[where]).send(seat, command))
        for look in looks:
            through, who = look
            headers = {"If-None-Match": tags[look]} if look in tags else {}
            headers |= bearer(table.tokens[seat]) if who == "seat" else {}
            view = services[through].get(table.path, headers=headers)
            assert view.status_code == 200, "what the command changed is said to be known"
            assert view.json()["version"] >= done["version"]
            assert view.json()["head"] == done["head"]
            held[look] = view.headers["etag"]
        hand = [name for name in done["table"]["hand"].split() if name != "S"]
        seat, card, tags = (1 - seat, "", {}) if card else (seat, hand[0], held)


def play_beside(services: Sequence[httpx2.Client], courses: Sequence[Moves]) -> None:
    """Play so many games at once."""
    tables = [started(services[0]) for _ in courses]
    with ThreadPoolExecutor(len(courses)) as threads:
        results = [
            threads.submit(play, services, table, moves)
            for table, moves in zip(tables, courses, strict=True)
        ]
    for result in results:
        result.result()


@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink would take minutes
)
@given(st.lists(MOVES, min_size=GAMES, max_size=GAMES))
def test_a_look_shows_the_own_command_through_either_service(
    services: list[httpx2.Client], courses: list[Moves]
) -> None:
    play_beside(services, courses)
