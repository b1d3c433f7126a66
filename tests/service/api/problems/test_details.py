"""Every refusal is a problem with a stable code; nothing hostile is stored or ends in a 5xx."""

import asyncio
from collections.abc import Iterator
from uuid import uuid4

import httpx2
import msgspec
import pytest

from phaseledger.domain.bots import BOTS
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.wording import card_words
from phaseledger.domain.options import PARAMETERS as KNOWN
from phaseledger.domain.options import Options
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.app import create_app
from phaseledger.service.eventlog.errors import StoreFull, StoreUnavailable
from phaseledger.service.games import command_metrics
from phaseledger.service.refusals import Occasion, Refusal
from phaseledger.service.runtime.metrics import COMMANDS, PROBLEMS, REGISTRY
from phaseledger.service.schemas.games import BotSeat
from tests.support.cases import looped
from tests.support.service.api_tables import mover, open_table, started
from tests.support.service.invalid_bodies import BODIES
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.planted_refusals import forgotten, worded
from tests.support.service.problems import TABLE, problem
from tests.support.service.server import FREE


def test_every_reject_code_has_its_sentence():
    assert {code.value for code in RejectCode} <= REFUSALS.keys()
    assert set(KNOWN) == set(Options.__struct_fields__)
    (level,) = (f.type for f in msgspec.structs.fields(BotSeat) if f.name == "level")
    assert set(level.__args__) == set(BOTS)


# --- what may be sent -----------------------------------------------------------------------------


def test_a_hostile_body_is_refused_and_nothing_stored(served, client):
    before = asyncio.run(served.parts.store.position())
    for name, (body, status, code) in BODIES.items():
        answer = client.post("/games", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (status, code), name
    assert asyncio.run(served.parts.store.position()) == before


def test_what_is_wrong_with_a_body_is_said_by_its_path(client):
    for wrong, path in (
        ({"seats": [{"kind": "bot", "level": "genius"}]}, "$.seats[0].level"),
        ({"dealer": 0.5}, "$.dealer"),
        ({"options": {"run_wrap": 1.0, "board_track": ["AGAIN", 1]}}, "$.options.board_track[1]"),
        ({"options": {"board_track": ["AGAIN"] * 41}}, "$.options.board_track"),
        ({"options": {"players": {}}}, "$.options.players"),
    ):
        refused = problem(client.post("/games", json=TABLE | wrong), 400, "invalid_body")
        (fault,) = refused.errors
        assert (fault.where, fault.name) == ("body", path)
        assert f"`{path}`" in refused.detail
    assert client.post("/games", json={**TABLE, "dealer": 1.0}).status_code == 201


REASONS = {
    b'\xef\xbb\xbf{"type": "draw"}': "begins with a byte order mark",
    '{"type": "draw"}'.encode("utf-16"): "UTF-16 or UTF-32",
    '{"type": "draw"}'.encode("utf-32-le"): "UTF-16 or UTF-32",
    b'{"type": NaN}': "JSON has no NaN (byte 9)",
    b'{"type": [-Infinity]}': "JSON has no Infinity (byte 11)",
    b'{"type": "a\xff"}': "not UTF-8 (byte 11)",
    b'{"type": "\xed\xa0\x80"}': "not UTF-8 (byte 10)",
    rb'{"type": "\ud800"}': "half of a surrogate pair",
    rb'{"type": "\ud800 and much more of it"}': "half of a surrogate pair",
    rb'{"type": "\\ud800': "truncated",
    b" \n": "it is empty",
    b'{"type": "draw",}': "trailing comma in object (byte 16)",
    b'{"type": "draw"}x': "trailing characters (byte 17)",
    b"{'type': 'draw'}": "object keys must be strings (byte 1)",
    b'{"type": "a\tb"}': "invalid character (byte 11)",
    b'\x00{"type": "draw"}': "invalid character (byte 0)",
}


def test_the_reason_why_a_body_is_no_json_is_the_true_one(client):
    """The sentence has German and French words too."""
    headers = {"Content-Type": "application/json"}
    for body, reason in REASONS.items():
        refused = client.post("/games", content=body, headers=headers)
        assert reason in problem(refused, 400, "malformed_json").detail, body
        for lang in ("de", "fr"):
            spoken = client.post(
                "/games", content=body, headers={**headers, "Accept-Language": lang}
            )
            assert reason not in problem(spoken, 400, "malformed_json").detail, body


# --- where and how --------------------------------------------------------------------------------


def test_addresses_and_methods_that_are_not_there(client):
    problem(client.get("/nothing"), 404, "not_found")
    for path in ("", "/table", "/scoreboard?at_least=3", "/events", "/bundle", "/analysis"):
        problem(client.get(f"/games/{uuid4()}{path}"), 404, "no_such_game")
    problem(client.post(f"/games/{uuid4()}/seats", json={"name": "A"}), 404, "no_such_game")
    refused = client.delete("/games")
    problem(refused, 405, "method_not_allowed")
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_a_token_in_a_path_is_not_said_back(client):
    token = f"p10s_{'0a' * 36}"
    refused = client.get(f"/games/{token}?{token}=1")
    assert problem(refused, 404, "not_found").instance == "/v1/games/p10s_..."
    assert token not in refused.text


def test_head_and_options(client):
    table = open_table(client)
    whole, head = client.get(table.path), client.head(table.path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]
    assert head.headers["content-length"] == whole.headers["content-length"]
    options = client.options("/games")
    assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    problem(client.options("/nothing"), 404, "not_found")


@looped("host", ["a:99999", "a:b:c"])
def test_a_host_that_makes_no_url_is_no_reason_to_fail(client, host):
    assert client.get("/games", headers={"Host": host}).is_success
    missing = problem(client.get("/games/x", headers={"Host": host}), 404, "not_found")
    assert missing.instance == "/v1/games/x"
    wrong = problem(client.get("/games?limit=x", headers={"Host": host}), 400, "invalid_parameter")
    assert [(fault.where, fault.name) for fault in wrong.errors] == [("query", "limit")]


# --- what the rules say ---------------------------------------------------------------------------


def test_the_state_refuses_with_409_and_the_rules_with_422(client):
    table = started(client)
    seat = mover(table)
    turn = problem(table.send(1 - seat, {"type": "draw"}), 409, "not_your_turn")
    assert turn.rule == "C-09"
    problem(table.send(seat, {"type": "discard", "cards": "R1"}), 409, "must_draw")
    problem(table.start(), 409, "not_in_lobby")
    problem(client.post(f"{table.path}/seats", json={"name": "Late"}), 409, "not_in_lobby")
    assert table.send(seat, {"type": "draw"}).status_code == 200
    unknown = problem(table.send(seat, {"type": "discard", "cards": "Z99"}), 422, "unknown_card")
    assert "Z99" in unknown.detail
    hand = table.get(seat=seat).json()["table"]["hand"].split()
    lacking = next(f"{c}{n}" for c in "RBGY" for n in range(1, 13) if f"{c}{n}" not in hand)
    missing = problem(table.send(seat, {"type": "discard", "cards": lacking}), 422, "not_in_hand")
    assert card_words(lacking) in missing.detail
    problem(table.send(seat, {"type": "discard", "cards": "a\0b"}), 422, "unknown_card")
    problem(table.send(seat, {"type": "reveal_secret", "secret": "ab" * 32}), 409, "no_secret_due")


def test_a_request_without_a_token_is_told_what_kind_is_needed(client):
    """The matrix of the contract says who else is refused what."""
    missing = client.post(f"{started(client).path}/commands", json={"type": "draw"})
    problem(missing, 401, "token_missing")
    assert missing.headers["www-authenticate"] == 'Bearer realm="phaseledger"'


# --- when it is our fault -------------------------------------------------------------------------


def answer_to(failure: Exception) -> httpx2.Response:
    """What a service answers whose log raises the failure."""

    class Broken(MemoryStore):
        async def append(self, game, rows, prev=None):
            raise failure

    async def ask() -> httpx2.Response:
        transport = httpx2.ASGITransport(app=create_app(in_memory(Broken()), FREE))
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            return await client.post("/games", json=TABLE)

    return asyncio.run(ask())


@looped(
    ("failure", "status", "code", "wait"),
    [
        (StoreUnavailable("The database is away: R7.", retry_after=7), 503, "store_unavailable", 7),
        (StoreFull("Too many wait: R7."), 503, "store_unavailable", 1),
        (RuntimeError("the card is R7"), 500, "internal_error", 0),
    ],
)
def test_a_fault_of_the_service_says_nothing_but_when_to_come_back(failure, status, code, wait):
    answer = answer_to(failure)
    problem(answer, status, code)
    assert answer.headers.get("retry-after", "0") == str(wait)
    assert "R7" not in answer.text


# --- one declaration is enough --------------------------------------------------------------------

TITLE = "The moon is too bright."


class Eclipse(Exception):
    """What a lower room raises."""


@pytest.fixture
def planted() -> Iterator[type[Refusal]]:
    with forgotten(), worded("refused.too_bright", TITLE):

        class TooBright(
            Refusal,
            code="too_bright",
            status=409,
            met=(Occasion.FILLING,),
            outcome="dazzled",
            of=Eclipse,
        ):
            """Nobody sees the cards."""

        yield TooBright
    COMMANDS.remove_by_labels({"outcome": "dazzled"})
    PROBLEMS.remove_by_labels({"code": TooBright.code})
    command_metrics._counter.cache_clear()


@pytest.mark.parametrize("detail", ["it is full", ""])
def test_a_declared_refusal_is_answered_and_counted(planted: type[Refusal], detail: str) -> None:
    """Where it is listed and described is asked in tests/architecture/test_refusals.py."""

    def counts() -> list[float]:
        labels = {"type": "open_game", "outcome": "dazzled"}
        series = ("problems", {"code": "too_bright"}), ("commands", labels)
        return [
            REGISTRY.get_sample_value(f"phaseledger_{name}_total", by) or 0 for name, by in series
        ]

    before = counts()
    answer = answer_to(planted(detail) if detail else Eclipse("the card is R7"))
    shown = problem(answer, 409, "too_bright")
    assert shown.title == TITLE
    assert shown.detail == (f"{TITLE[:-1]}: {detail}." if detail else TITLE)
    assert counts() == [number + 1 for number in before]
