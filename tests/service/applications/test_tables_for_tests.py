"""Tables for tests over HTTP: scripted deals, a clock that the test turns on, and in no list."""

from collections.abc import Iterator
from typing import Any

import httpx2
import msgspec
import pytest
from playwright.sync_api import Browser

from phaseledger.domain.deal import seat_commit
from phaseledger.domain.words import LANGUAGES, message
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.cases import looped
from tests.support.polling import eventually
from tests.support.replay.page_grades import judged_without_bots
from tests.support.service.api_tables import BOT, PERSON, SHORT, Table, bearer, sit, started
from tests.support.service.applications import done, made
from tests.support.service.dealt_tables import SECRETS
from tests.support.service.problems import problem
from tests.support.service.server import serving
from tests.support.service.table_pages import window

CLOCK = {"clock": {"seconds": 60, "grace": 5}}
SCRIPT = {"deals": [{"hands": ["R1 R2 R3", "S W"], "discard": "Y7", "stock": "B12"}]}

RED, BLUE = (" ".join(f"{colour}{n}" for n in range(1, 11)) for colour in "RB")
CALM = {"deals": [{"hands": [RED, BLUE], "discard": "Y7", "stock": "G1 G2 G3 G4"}]}
"""No skip comes up, which a bot might play."""


@pytest.fixture(scope="module")
def club(settings: Settings) -> Iterator[httpx2.Client]:
    """A client of a service that shows an application's key wherever it shows nothing else."""
    with (
        serving(in_postgres(settings), lobby_hours=24, idle_days=7) as service,
        httpx2.Client(
            base_url=f"{service.url}/v1", headers=bearer(made(settings)), timeout=None
        ) as client,
    ):
        yield client


def opened(club: httpx2.Client, *, start: bool = True, **more: Any) -> Table:
    """A table for tests of two people; seat 0 begins."""
    body = {"ruleset": "classic", "seats": [PERSON] * 2, "dealer": 1, "test": {}, **more}
    answer = done(club.post("/games", json=body))
    table = Table(club, answer["game"], answer["host_token"], {})
    if start:
        for seat in range(2):
            table.tokens[seat] = done(sit(club, table.game, name=f"Seat {seat}"))["token"]
        done(table.start())
    return table


def turned(table: Table, seconds: int, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    shown = {**bearer(table.host), **named}
    return table.client.post(f"{table.path}/clock", json={"seconds": seconds}, headers=shown)


def events(table: Table) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = done(table.get("/events", limit=1000))["events"]
    return records


# --- opening ------------------------------------------------------------------------------------


def test_only_an_application_opens_one(client: httpx2.Client) -> None:
    body = {"ruleset": "classic", "seats": [PERSON] * 2, "test": {}}
    refused = problem(client.post("/games", json=body), 401, "application_key_needed")
    assert refused.detail.endswith("A table with `test` is for applications.")


def test_a_script_is_dealt_and_kept_from_all_but_the_seats_that_hold_it(
    club: httpx2.Client,
) -> None:
    table = opened(club, test=SCRIPT)
    for seat, cards in enumerate(("R1 R2 R3", "S W")):
        assert done(table.get(seat=seat))["table"]["hand"].startswith(f"{cards} ")
        assert "'script'" not in str(done(table.get("/events", seat, limit=1000)))
    view = done(table.get())
    assert view["terms"]["test"] is True
    assert view["table"]["discard"] == "Y7"
    drawn = done(table.send(0, {"type": "draw"}))
    assert drawn["table"]["hand"].endswith(" B12")
    done(club.post(f"{table.path}/void", json={"reason": "done"}, headers=bearer(table.host)))
    assert events(table)[0]["hidden"]["server"]["script"] == SCRIPT["deals"]


def test_a_script_that_cannot_be_dealt_is_refused_with_its_place(club: httpx2.Client) -> None:
    body = {"ruleset": "classic", "seats": [PERSON] * 2}
    script = {"deals": [{}, {"hands": ["", "R1 R1 R1"]}]}
    refused = club.post("/games", json={**body, "test": script})
    says = problem(refused, 422, "bad_script").detail
    assert says.endswith("deals[1].hands[1]: by then the script has named every R1 of the deck.")
    wrong = {"deals": [{"hand": "R1"}]}
    problem(club.post("/games", json={**body, "test": wrong}), 400, "invalid_body")


def test_it_is_in_no_list_and_counts_for_nothing(club: httpx2.Client) -> None:
    seats = [{**BOT, "level": "random"}] * 2
    body = {"ruleset": "classic", "seats": seats, "options": SHORT, "start": True}
    real, tried = [done(club.post("/games", json={**body, **more})) for more in ({}, {"test": {}})]
    for opening in (real, tried):
        path = f"/games/{opening['game']}"
        eventually(lambda path=path: done(club.get(path))["table"]["stage"] == "ended")
        eventually(lambda path=path: club.get(f"{path}/scoreboard").json()["stage"] == "ended")
    games = [game["game"] for game in done(club.get("/games"))["games"]]
    assert real["game"] in games
    assert tried["game"] not in games
    lines = done(club.get("/leaderboard"))["standings"]
    assert [line["games"] for line in lines if line["bot"] == "random"] == [2]
    export = club.get("/exports/games").text
    assert real["game"] in export
    assert tried["game"] not in export
    assert tried["game"] in str(done(club.get("/application/tables")))


# --- the clock ----------------------------------------------------------------------------------


def test_what_would_be_due_happens_at_the_time_when_it_would(club: httpx2.Client) -> None:
    """The next seat has its full time, and an auditor finds every time-out to be in order."""
    table = opened(club, terms=CLOCK, test=CALM)
    for late in (0, 1, 0):
        view = done(table.get())
        assert view["table"]["waits"][0]["seat"] == late
        asked = events(table)[-1]["at"]
        turn = done(turned(table, 65))
        assert (turn["events"][0]["type"], turn["events"][0]["at"]) == (
            "TurnTimedOut/1",
            asked + 65_000,
        )
        eventually(lambda late=late: done(table.get())["table"]["waits"][0]["seat"] != late)
    seat = done(table.get())["table"]["waits"][0]["seat"]
    head = {name: done(table.get())[name] for name in ("version", "head")}
    present = table.client.post(
        f"{table.path}/presence", json=head, headers=bearer(table.tokens[seat])
    )
    kept = msgspec.convert(done(present), Presence)
    done(club.post(f"{table.path}/void", json={"reason": "done"}, headers=bearer(table.host)))
    bundle = club.get(f"{table.path}/bundle").content.splitlines(keepends=True)
    judgement = judged_without_bots(bundle, kept=(kept,))  # type: ignore[arg-type]
    assert (judgement.problems, judgement.grade) == ((), "test")


def test_what_is_not_due_by_then_is_refused_with_the_time_left(club: httpx2.Client) -> None:
    """Turns do not add up, and one that is repeated for the same version turns nothing on."""
    table = opened(club, terms=CLOCK)
    for _ in range(2):
        left = problem(turned(table, 50), 409, "not_overdue").detail
        assert 55 < float(left.split()[-4]) <= 65
    version = f'"{table.version()}"'
    assert turned(table, 65, If_Match=version).status_code == 200
    problem(turned(table, 65, If_Match=version), 412, "stale_version")


def test_secrets_that_stay_away_void_the_table(club: httpx2.Client) -> None:
    table = opened(club, start=False)
    commit = seat_commit(table.game, 0, SECRETS[0])
    done(sit(club, table.game, name="Ada", seat=0, commit=commit))
    done(sit(club, table.game, name="Ben"))
    done(table.start())
    problem(turned(table, 100), 409, "not_overdue")
    later = done(turned(table, 120))
    assert later["table"]["stage"] == "voided"
    problem(turned(table, 120), 409, "game_over")


def test_lobbies_and_idle_tables_are_closed(club: httpx2.Client) -> None:
    for start, hours, reason in (
        (False, 24, "service: nobody began the game within 24 hours"),
        (True, 24 * 7, "service: nothing happened at the table for 7 days"),
    ):
        table = opened(club, start=start)
        problem(turned(table, 3_600), 409, "not_overdue")
        (closing,) = done(turned(table, hours * 3_600))["events"]
        assert closing["data"]["reason"] == reason


def test_the_clock_of_a_real_table_is_not_turned_on(client: httpx2.Client) -> None:
    problem(turned(started(client, terms=CLOCK), 65), 409, "no_test_table")


# --- its page -----------------------------------------------------------------------------------


@looped("lang", LANGUAGES)
def test_its_page_has_a_badge(lang: str, browser: Browser, club: httpx2.Client) -> None:
    """In the waiting room and at the table, in the reader's language."""
    table = opened(club, start=False)
    badge = message(lang, "play.terms.is.test")  # type: ignore[arg-type]
    small = {"viewport": {"width": 320, "height": 568}, "locale": lang}
    with window(browser, str(club.base_url).removesuffix("/v1/"), **small) as shown:
        shown.page.goto(f"{shown.url}/play/g/{table.game}")
        shown.page.wait_for_selector(f".lead .badge >> text={badge}")
        for seat in range(2):
            done(sit(club, table.game, name=f"Seat {seat}"))
        done(table.start())
        shown.page.wait_for_selector(f".bar .badge >> text={badge}")
        assert shown.page.evaluate("document.documentElement.scrollWidth") == 320
