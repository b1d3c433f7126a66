"""Every refusal is a problem with a stable code; nothing hostile is stored or ends in a 5xx."""

import asyncio
import socket
from uuid import uuid4

import httpx2
import msgspec
import pytest

from phaseledger.domain.bots.registry import BOTS
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.options import PARAMETERS as KNOWN
from phaseledger.domain.options import Options
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.app import create_app, in_memory
from phaseledger.service.credentials.tokens import is_wellformed, new_token
from phaseledger.service.eventlog.errors import StoreFull, StoreUnavailable
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.schemas.games import BotSeat
from tests.support.service.api_tables import bearer, mover, open_table, started
from tests.support.service.invalid_bodies import BODIES
from tests.support.service.problems import TABLE, problem
from tests.support.service.server import FREE


def test_every_reject_code_has_its_sentence():
    assert {code.value for code in RejectCode} <= REFUSALS.keys()
    assert all(title_of(code).endswith(".") for code in REFUSALS)
    assert set(KNOWN) == set(Options.__struct_fields__)


def test_the_levels_of_bots_are_those_of_the_domain():
    (level,) = (f.type for f in msgspec.structs.fields(BotSeat) if f.name == "level")
    assert set(level.__args__) == set(BOTS)


# --- what may be sent -----------------------------------------------------------------------------


def test_a_hostile_body_is_refused_and_nothing_stored(served, client):
    before = asyncio.run(served.parts.store.position())
    for name, (body, status, code) in BODIES.items():
        answer = client.post("/games", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (status, code), name
    assert asyncio.run(served.parts.store.position()) == before


def test_a_chunked_body_is_read_up_to_the_same_bound(served, client):
    json = {"Content-Type": "application/json"}
    body = msgspec.json.encode(TABLE)
    small = client.post("/games", content=iter([body[:10], body[10:]]), headers=json)
    assert small.status_code == 201
    large = client.post("/games", content=(b" " * 10_000 for _ in range(20)), headers=json)
    problem(large, 413, "body_too_large")


def test_an_integer_written_with_a_point_is_an_integer(client):
    assert client.post("/games", json={**TABLE, "dealer": 1.0}).status_code == 201
    problem(client.post("/games", json={**TABLE, "dealer": 0.5}), 400, "invalid_body")


def test_what_is_wrong_with_a_body_is_said_by_its_path(client):
    answer = client.post("/games", json={**TABLE, "seats": [{"kind": "bot", "level": "genius"}]})
    (fault,) = problem(answer, 400, "invalid_body").errors
    assert (fault.where, fault.name) == ("body", "$.seats[0].level")


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
    problem(client.get("/games/not-a-uuid"), 404, "not_found")
    problem(client.get(f"/games/{uuid4()}"), 404, "no_such_game")
    problem(client.get(f"/games/{uuid4()}/table"), 404, "no_such_game")
    problem(client.get(f"/games/{uuid4()}/scoreboard?at_least=3"), 404, "no_such_game")
    problem(client.get(f"/games/{uuid4()}/events"), 404, "no_such_game")
    problem(client.post(f"/games/{uuid4()}/seats", json={"name": "A"}), 404, "no_such_game")
    problem(client.get("/rulesets/poker"), 404, "no_such_ruleset")
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


def test_a_path_with_raw_bytes_is_refused_by_somebody(served):
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as raw:
        raw.sendall(b"GET /v1/games/%00%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert raw.recv(100).split()[1].startswith(b"4")


@pytest.mark.parametrize("host", ["a:99999", "a:b:c"])
def test_a_host_that_makes_no_url_is_no_reason_to_fail(client, host):
    assert client.get("/games", headers={"Host": host}).is_success
    missing = problem(client.get("/games/x", headers={"Host": host}), 404, "not_found")
    assert missing.instance == "/v1/games/x"
    wrong = problem(client.get("/games?limit=x", headers={"Host": host}), 400, "invalid_parameter")
    assert [(fault.where, fault.name) for fault in wrong.errors] == [("query", "limit")]


# --- who ------------------------------------------------------------------------------------------


def test_tokens_have_a_checksum():
    token = new_token(3)
    assert is_wellformed(token)
    assert not is_wellformed(token[:-1] + ("0" if token[-1] != "0" else "1"))
    assert not is_wellformed(token[:-1])
    assert not is_wellformed("ä" * 77)


def test_who_may_do_what(client):
    table, other = started(client), started(client)
    draw = {"type": "draw"}
    commands = f"{table.path}/commands"

    missing = client.post(commands, json=draw)
    problem(missing, 401, "token_missing")
    assert missing.headers["www-authenticate"] == 'Bearer realm="phaseledger"'
    for wrong in ("Bearer nonsense", f"Bearer {new_token(0)}", "Basic abc", "Bearer"):
        unknown = client.post(commands, json=draw, headers={"Authorization": wrong})
        problem(unknown, 401, "token_unknown")
        assert "invalid_token" in unknown.headers["www-authenticate"]
        problem(client.get(table.path, headers={"Authorization": wrong}), 401, "token_unknown")

    foreign = bearer(other.tokens[0])
    problem(client.post(commands, json=draw, headers=foreign), 404, "no_such_game")
    problem(client.get(table.path, headers=foreign), 404, "no_such_game")
    absent = client.get(f"/games/{uuid4()}", headers=foreign)
    problem(absent, 404, "no_such_game")

    problem(client.post(commands, json=draw, headers=bearer(table.host)), 403, "seat_token_needed")
    problem(
        client.post(f"{table.path}/start", headers=bearer(table.tokens[0])), 403, "not_for_seats"
    )
    problem(client.post(f"{table.path}/start"), 401, "token_missing")


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
    assert lacking in missing.detail
    problem(table.send(seat, {"type": "discard", "cards": "a\0b"}), 422, "unknown_card")
    problem(table.send(seat, {"type": "reveal_secret", "secret": "ab" * 32}), 409, "no_secret_due")
    problem(table.send(seat, {"type": "start"}), 400, "invalid_body")


def test_a_full_table_and_a_taken_seat(client):
    table = open_table(client)
    problem(client.post(f"{table.path}/seats", json={"name": "A"}), 409, "table_full")
    problem(client.post(f"{table.path}/seats", json={"name": "A", "seat": 0}), 409, "seat_taken")
    problem(client.post(f"{table.path}/seats", json={"name": "A", "seat": 9}), 422, "no_such_seat")


# --- when it is our fault -------------------------------------------------------------------------


class Broken(MemoryStore):
    """A store that fails as told."""

    failure: Exception = StoreUnavailable("The database is away: it speaks of R7.", retry_after=7)

    async def append(self, game, rows, prev=None):
        raise self.failure


def _answer_of(store: MemoryStore) -> httpx2.Response:
    async def ask() -> httpx2.Response:
        app = create_app(in_memory(store), FREE)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://t/v1") as client:
            return await client.post("/games", json=TABLE)

    return asyncio.run(ask())


def test_a_log_out_of_reach_is_503_with_a_time_to_wait():
    answer = _answer_of(Broken())
    problem(answer, 503, "store_unavailable")
    assert answer.headers["retry-after"] == "7"
    full = Broken()
    full.failure = StoreFull("Too many wait.")
    problem(_answer_of(full), 503, "store_unavailable")


def test_a_bug_is_500_and_says_nothing():
    store = Broken()
    store.failure = RuntimeError("the card is R7")
    answer = _answer_of(store)
    problem(answer, 500, "internal_error")
    assert "R7" not in answer.text
