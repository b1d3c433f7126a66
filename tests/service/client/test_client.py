"""The client against the real service, over wires that lose answers, break off and fall silent."""

import asyncio
import email.utils
import inspect
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from phaseledger.domain.commands import Draw, GroupToLay
from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.client import operations as client_calls
from phaseledger.service.client import webhooks
from phaseledger.service.client.bot import play
from phaseledger.service.client.client import AsyncClient, Client
from phaseledger.service.client.protocol import (
    Refused,
    Reply,
    Retry,
    Unreachable,
    Unreadable,
    retry_after,
)
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from phaseledger.service.schemas.games import JoinTable, OpenTable, VoidTable
from phaseledger.service.schemas.lobby import Claim, FillTable, JoinByCode, PlayAgain
from phaseledger.service.schemas.rulesets import LayCheck
from phaseledger.service.schemas.terms import TableTerms
from tests.support.openapi_operations import operations
from tests.support.service.client_seats import PERSON, QUICK, first, refused, seated
from tests.support.service.faulty_proxy import once, wired
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import Served, serving


@contextmanager
def answering(status: int, headers: dict[str, str], body: bytes) -> Iterator[str]:
    """The address of a server that answers everything so."""

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_DELETE = do_GET  # noqa: N815 - the names of the methods

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Same) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture
def anyone(served: Served) -> Iterator[Client]:
    with Client(served.url, retry=QUICK) as client:
        yield client


# --- what it is -----------------------------------------------------------------------------------

HEAVY = {"litestar", "psycopg", "psycopg_pool", "granian", "eventsourcing", "structlog", "cyclopts"}


def test_the_server_is_not_loaded() -> None:
    modules = "phaseledger.service.client.bot, phaseledger.service.schemas.games"
    program = f"import sys, {modules}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(ended.stdout.split())
    assert "msgspec" in loaded
    assert loaded & HEAVY == set()


METHODS = {
    "getAnalysis": "analysis",
    "confirmPresence": "present",
    "claimTimeOut": "claim",
    "turnClock": "turn_clock",
    "checkCards": "check",
    "exportGames": "export",
    "fillSeats": "fill",
    "getBundle": "bundle",
    "getFrames": "frames",
    "getGame": "view",
    "getGameRules": "rules",
    "getHint": "hint",
    "getLeaderboard": "leaderboard",
    "getRatings": "ratings",
    "getReadiness": "ready",
    "getReceipt": "receipt",
    "getRuleset": "ruleset",
    "getScoreboard": "scoreboard",
    "getTable": "table",
    "joinByCode": "join_by_code",
    "kickSeat": "kick",
    "leaveSeat": "leave",
    "listActions": "actions",
    "listEvents": "events",
    "getApplication": "application",
    "listOpenedTables": "opened_tables",
    "issueToken": "table_token",
    "putPlayer": "put_player",
    "getPlayer": "player",
    "listPlayers": "players",
    "erasePlayer": "erase_player",
    "listPlayerGames": "player_games",
    "getPlayerStatistics": "player_statistics",
    "getNames": "names",
    "getPlayerRatings": "player_ratings",
    "getRatingHistory": "rating_history",
    "signIn": "sign_in",
    "signOut": "sign_out",
    "newTicket": "ticket",
    "listGames": "games",
    "listRulesets": "rulesets",
    "openGame": "open",
    "openRematch": "rematch",
    "getRematch": "following",
    "sendCommand": "command",
    "sendReaction": "react",
    "startGame": "start",
    "takeSeat": "join",
    "voidGame": "void",
    "listWebhooks": "webhooks",
    "getWebhook": "webhook",
    "registerWebhook": "register_webhook",
    "rotateSecret": "rotate_secret",
    "deleteWebhook": "delete_webhook",
    # Those of an application: the same methods, of a client without a game.
    "listWebhooksOfApplication": "webhooks",
    "getWebhookOfApplication": "webhook",
    "registerWebhookOfApplication": "register_webhook",
    "rotateSecretOfApplication": "rotate_secret",
    "deleteWebhookOfApplication": "delete_webhook",
}
"""The client's method for each operation."""
NO_METHOD = {
    *(
        "getLiveness",
        "listProblems",
        "getProblem",
        "getRule",
    ),  # for whoever runs the service, and browsers
    *("readRuleSheet",),  # for people: a program reads `getRuleset`
    # for browsers: a program follows the game's events
    *("getNoticeChannels", "subscribeToNotices", "unsubscribeFromNotices"),
    "readReplay",  # for pages: a program has `viewer_document`, which asks nobody
    *("getCheckpoint", "proveConsistency", "proveInclusion", "listLogKeys", "cosignCheckpoint"),
}
"""The public log has a client of its own, `phaseledger witness`."""


def test_every_operation_has_a_method_or_a_reason(served: Served) -> None:
    description = httpx2.get(f"{served.url}/v1/openapi.json").json()
    assert operations(description).keys() == METHODS.keys() | NO_METHOD
    assert all(callable(getattr(Client, name)) for name in METHODS.values())


def methods(kind: type) -> dict[str, list[str]]:
    members = inspect.getmembers(kind, inspect.isfunction)
    return {
        name: [str(parameter) for parameter in inspect.signature(method).parameters.values()]
        for name, method in members
        if not name.startswith("_")
    }


def test_both_clients_have_the_same_methods() -> None:
    assert methods(Client) == methods(AsyncClient)
    own = {
        name
        for module in (client_calls, webhooks)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert own < methods(Client).keys()


# --- refusals -------------------------------------------------------------------------------------


def test_a_refusal_tells_all_that_the_service_says(anyone: Client) -> None:
    me = seated(anyone)
    me.command(Draw())
    twice = refused(lambda: me.command(Draw()))
    assert (twice.code, twice.status, twice.rule) == ("already_drawn", 409, "C-13")
    assert twice.detail in str(twice)
    assert len(twice.request_id) == 36
    late = refused(lambda: me.command(Draw(), if_match=1))
    assert (late.code, late.status, late.problem.version) == (
        "stale_version",
        412,
        me.view().version,
    )
    (fault,) = refused(lambda: anyone.at(me.session.game).join(JoinTable(name=""))).errors
    assert (fault.where, fault.name) == ("body", "$.name")
    absent = refused(lambda: anyone.at("00000000-0000-4000-8000-000000000000").view())
    assert (absent.code, absent.status) == ("no_such_game", 404)


def test_an_address_that_is_none_is_refused_at_once() -> None:
    for url in ("localhost:8000", "ftp://localhost", ""):
        with pytest.raises(ValueError, match="http://"):
            Client(url)


def test_what_needs_a_game_says_so(anyone: Client) -> None:
    with pytest.raises(ValueError, match="Say which game"):
        anyone.view()
    with pytest.raises(ValueError, match="Only a guard"):
        seated(anyone).reveal()


ELSEWHERE: dict[str, tuple[int, dict[str, str], bytes]] = {
    "an empty success": (200, {}, b""),
    "a proxy's page": (200, {"Content-Type": "text/html"}, b"<h1>Sign in</h1>"),
    "no content": (204, {}, b""),
    "not modified": (304, {}, b""),
    "a redirect": (302, {"Location": "https://sso.example/?p10s_ab12"}, b""),
    "a page for an error": (404, {"Content-Type": "text/html"}, b"<h1>Elsewhere</h1>"),
    "half an answer": (200, {"Content-Type": "application/json"}, b'{"token":"p10h_ab12'),
    "a newer answer": (200, {"Content-Type": "application/json"}, b'["p10h_ab12"]'),
    "a key": (200, {"Content-Type": "application/json"}, b'{"key":"p10k_ab12'),
    "a problem without a code": (
        403,
        {"Content-Type": "application/problem+json"},
        b'{"title":"Forbidden","status":403}',
    ),
    "a gateway's": (502, {"Content-Type": "text/plain"}, b"upstream connect error"),
}
"""Answers that are not the service's."""
ASKED: dict[str, Callable[[Client], Any]] = {
    "GET {url}/v1/rulesets": lambda client: client.rulesets(),
    "GET {url}/v1/games/x": lambda client: client.at("x").view(),
    "GET {url}/v1/games/x/bundle": lambda client: client.at("x").bundle(),
    "GET {url}/v1/games/x/events": lambda client: next(client.at("x").follow()),
    "GET {url}/v1/exports/games": lambda client: next(client.export()),
    "POST {url}/v1/games/x/commands": lambda client: client.at("x").command(Draw()),
    "DELETE {url}/v1/games/x/webhooks/h": lambda client: client.at("x").delete_webhook("h"),
}


def test_an_answer_that_is_not_from_the_service_is_told_with_its_source() -> None:
    for answer, (status, headers, body) in ELSEWHERE.items():
        with answering(status, headers, body) as url, Client(url, retry=QUICK) as client:
            for asked, ask in ASKED.items():
                if status == 204 and asked.endswith(("/events", "/h")):
                    continue  # the game is over; the webhook is gone
                with pytest.raises((Refused, Unreadable)) as error:
                    ask(client)
                words = str(error.value)
                assert asked.format(url=url) in words, answer
                assert str(status) in words, answer
                assert headers.get("Content-Type", "no content type") in words, answer
                assert (repr(body.decode())[1:7] if body else "it is empty") in words, answer
                assert "ab12" not in words, answer


def test_both_clients_tell_of_an_answer_in_the_same_words() -> None:
    async def reported(url: str) -> list[str]:
        errors = []
        async with AsyncClient(url) as client:
            stream, export = client.at("x").follow(), client.export()
            for asking in (client.rulesets(), anext(stream), anext(export)):
                with pytest.raises(Unreadable) as error:
                    await asking
                errors.append(str(error.value))
        return errors

    with answering(*ELSEWHERE["a proxy's page"]) as url, Client(url) as client:
        stream, export = client.at("x").follow(), client.export()
        for ask, words in zip(
            (client.rulesets, lambda: next(stream), lambda: next(export)),
            asyncio.run(reported(url)),
            strict=True,
        ):
            with pytest.raises(Unreadable) as error:
                ask()
            assert str(error.value) == words


def test_what_gets_no_answer_is_told_with_what_was_asked() -> None:
    with answering(200, {}, b"") as url:
        pass
    with Client(url.replace("//", "//ada:secret@"), retry=QUICK) as client:
        for asked, ask in ASKED.items():
            with pytest.raises(Unreachable) as error:
                ask(client)
            assert asked.format(url=url) in str(error.value)
            assert "secret" not in str(error.value)


# --- tries ----------------------------------------------------------------------------------------

ANSWER = b"HTTP/1.1 "


def test_a_command_whose_answer_is_lost_is_sent_again_and_taken_once(served: Served) -> None:
    with wired(served.url) as wire, Client(wire.url, retry=QUICK) as client:
        me = seated(client)
        before, wire.lose = me.view().version, once(ANSWER, 3)
        done = me.command(Draw())
        assert wire.connections >= 4
        assert done.version == before + 1 == me.view().version
        assert len(me.events(after=before).events) == 1


def test_opening_and_joining_whose_answers_are_lost_happen_once(served: Served) -> None:
    with wired(served.url) as wire, Client(wire.url, retry=QUICK) as client:
        wire.lose = once(ANSWER)
        opened = client.open(OpenTable(ruleset="classic", seats=(PERSON, PERSON)))
        wire.lose = once(ANSWER)
        joined = client.at(opened).join(JoinTable(name="Ada"))
        seats = client.at(joined).view().table.seats
        assert [seat.name for seat in seats if seat] == ["Ada"]


def test_after_enough_tries_the_key_is_told_that_takes_the_command_up(served: Served) -> None:
    with wired(served.url) as wire, Client(wire.url, retry=QUICK) as client:
        me = seated(client)
        before, wire.lose = me.view().version, once(ANSWER, 4)
        with pytest.raises(Unreachable) as lost:
            me.command(Draw())
        assert me.command(Draw(), key=lost.value.key).version == before + 1


def test_an_impatient_client_is_told_to_wait_and_waits() -> None:
    """A write in four seconds, two at once: the third waits for its Retry-After."""
    writes = (RateLimitPolicy("address-writes", 0.25, 2), RateLimitPolicy("token-writes", 0.25, 2))
    with (
        serving(in_memory(), limits=Limits(None, writes)) as served,
        Client(served.url, retry=QUICK) as client,
    ):
        table = OpenTable(ruleset="classic", seats=(PERSON, PERSON))
        client.open(table)
        client.open(table)
        began = time.monotonic()
        client.open(table)
        assert time.monotonic() - began >= 1
        with Client(served.url, retry=Retry(longest=0.5)) as hasty:
            refusal = refused(lambda: [hasty.open(table) for _ in range(3)])
            assert (refusal.code, refusal.status) == ("too_many_requests", 429)


def test_the_time_to_wait_is_read() -> None:
    past = "Sun, 06 Nov 1994 08:49:37 GMT"
    for asked, seconds in {"7": 7, "0": 0, "": 0, "soon": 0, "-3": 0, past: 0}.items():
        assert retry_after(Reply(503, {"retry-after": asked}, b"")) == seconds, asked
    asked = email.utils.formatdate(time.time() + 9_999, usegmt=True)
    assert 9_000 <= retry_after(Reply(503, {"retry-after": asked}, b"")) <= 9_999


def test_pauses_grow_and_are_never_the_same() -> None:
    retry = Retry(first=1, longest=4)
    for attempt, bound in ((1, 1), (2, 2), (3, 4), (4, 4), (60, 4)):
        waits = {retry.wait(attempt, 2) for _ in range(200)}
        assert len(waits) > 100
        assert all(2 <= wait <= 2 + bound for wait in waits)
        assert max(waits) > 2 + bound / 2


# --- tables ---------------------------------------------------------------------------------------


def test_a_table_through_its_life(anyone: Client) -> None:
    terms, options = TableTerms(private=True), {"initial_skip": "keep"}
    seats = (PERSON,) * 3
    opened = anyone.open(
        OpenTable(ruleset="express", options=options, seats=seats, terms=terms, dealer=2)
    )
    assert opened.code is not None
    host = anyone.at(opened)
    ada = anyone.at(anyone.join_by_code(JoinByCode(name="Ada", code=opened.code)))
    bob = anyone.at(host.join(JoinTable(name="Bob", code=opened.code)))
    assert bob.session.seat == 1
    host.kick(1)
    assert refused(bob.actions).status == 401
    host.fill(FillTable(level="expert"))
    started = host.start(if_match=host.view().version)
    assert started.table.stage == "playing"
    assert ada.receipt(started.version) == started.receipt
    assert refused(lambda: ada.claim(Claim())).code == "no_clock"
    view = ada.view()
    assert ada.view(known=view) is view
    assert ada.view(at_least=view.version + 1, known=view) is view  # nobody moves
    ada.leave()
    assert refused(lambda: ada.command(Draw())).code == "seat_handed_over"
    end = [*host.follow()][-1].view
    assert (end.table.stage, host.table().version) == ("ended", end.version)
    board = host.scoreboard(at_least=end.version)
    assert host.scoreboard(known=board) is board
    assert b'"seq":1' in host.bundle() or b"GameOpened" in host.bundle()
    rematch = host.rematch(PlayAgain())
    assert rematch.seat is None
    assert host.at(rematch).void(VoidTable(reason="enough")).table.stage == "voided"


def test_lists_and_rules(anyone: Client) -> None:
    game = seated(anyone).session.game
    assert game in [row.game for row in anyone.games(stage="playing", player="ada").games]
    assert anyone.games(ended_before=1, limit=1).games == ()
    assert anyone.leaderboard(limit=1).standings is not None
    names = [ruleset.name for ruleset in anyone.rulesets().rulesets]
    assert anyone.ruleset(names[0]).name == names[0]
    assert anyone.ruleset("classic@1").id == "classic@1"
    assert refused(lambda: anyone.ruleset("a b?c")).code == "no_such_ruleset"
    question = LayCheck(phase=2, groups=(GroupToLay("R5 B5 G5"), GroupToLay("R8 B9 G10 Y11")))
    assert anyone.check("classic", question).legal
    assert anyone.ready().status == "ready"


def test_an_export_is_whole_or_says_that_it_is_not(served: Served) -> None:
    with wired(served.url) as wire, Client(wire.url) as client:
        me = seated(client, ruleset="express")
        play(me, first)
        lines = [*client.export(ruleset="express")]
        assert me.session.game.encode() in lines[0]
        assert b'"next"' in lines[-1]
        wire.lose = lambda part: part.endswith(b"0\r\n\r\n")
        with pytest.raises(Unreachable):
            list(client.export(ruleset="express"))


def test_an_export_that_a_proxy_has_cut_off_neatly_is_found_out() -> None:
    line = b'{"export":"p10-games/v1","game":"x","cursor":"7"}\n'
    headers = {"Content-Type": "application/x-ndjson"}
    with (
        answering(200, headers, line) as url,
        Client(url) as client,
        pytest.raises(Unreachable, match="cut off"),
    ):
        list(client.export())
