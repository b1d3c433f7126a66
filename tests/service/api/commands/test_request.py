"""Requests of commands: what is answered to them in every spelling."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx2
import pytest

from phaseledger.service.api.limits.rates import Limits
from phaseledger.service.app import in_memory
from phaseledger.service.quotas.token_buckets import RateLimitPolicy
from tests.support.service.api_tables import KEY, Table, bearer, open_table, started
from tests.support.service.server import serving

JSON = {"Content-Type": "application/json"}
DRAW, PASS, DANCE = b'{"type":"draw"}', b'{"type":"pass"}', b'{"type":"dance"}'
UNKNOWN_TOKEN = {"Authorization": "Bearer x"}
NOT_NOW = ("not_your_turn", "must_draw", "")
"""What a command is answered whose form is right: it depends on who begins."""
Lines = Mapping[str, str] | list[tuple[str, str | bytes]]


def send(
    table: Table, headers: Lines, body: bytes, *, query: str = "", path: str = "", seat: int = 0
) -> httpx2.Response:
    """The answer to a command of a seat, unless the headers have another token."""
    lines: list[tuple[str, Any]] = [*(headers.items() if isinstance(headers, Mapping) else headers)]
    names = {name for name, _ in lines}
    if "Authorization" not in names:
        lines += bearer(table.tokens[seat]).items()
    if "Content-Type" not in names:
        lines += JSON.items()
    return table.client.post(
        (path or f"{table.path}/commands") + query, content=body, headers=lines
    )


def code(answer: httpx2.Response) -> str:
    """The code of its problem; empty without one."""
    return answer.json().get("code", "") if answer.content else ""


@pytest.mark.parametrize(
    "spelled",
    [
        lambda path: path,
        lambda path: path + "/",
        lambda path: path.replace("/games/", "/games//"),
        lambda path: path.upper().replace("/GAMES", "/games").replace("COMMANDS", "commands"),
        lambda path: path.replace("commands", "comm%61nds"),
    ],
    ids=["plain", "slash", "slashes", "capitals", "quoted"],
)
def test_a_path_is_found_in_every_spelling(
    client: httpx2.Client, spelled: Callable[[str], str]
) -> None:
    table = started(client)
    answer = send(table, {}, PASS, path=spelled(f"{table.path}/commands"))
    assert code(answer) in NOT_NOW[:2]


@pytest.mark.parametrize(
    "spelled",
    [
        lambda path: path.replace("-", ""),
        lambda path: path[:-10] + "x" + "/commands",
        lambda path: path + "/x",
    ],
    ids=["no hyphens", "no UUID", "more"],
)
def test_what_is_no_path_of_a_command_is_not_found(
    client: httpx2.Client, spelled: Callable[[str], str]
) -> None:
    table = started(client)
    answer = send(table, {}, PASS, path=spelled(f"{table.path}/commands"))
    assert (answer.status_code, code(answer)) == (404, "not_found")


class Refused(NamedTuple):
    """A request, and what it is answered."""

    code: str
    headers: Lines = MappingProxyType({})
    body: bytes = DRAW
    query: str = ""
    names: tuple[str, ...] = ()
    """The parts at fault."""


UNSOUND = {"Idempotency-Key": "short", "If-Match": "x", "Command-Signature": "0"}
NAMES = ("idempotency-key", "if-match", "command-signature", "dry_run")
REFUSED = [
    # The first of all is the host, then parameters that are there twice or unknown.
    Refused("bad_request", {"Host": "x/y", **UNKNOWN_TOKEN}),
    Refused("bad_request", {"Host": "h?x"}),
    Refused("unknown_parameter", query="?x=1", names=("x",)),
    Refused("unknown_parameter", UNKNOWN_TOKEN, DANCE, query="?lang=fr", names=("lang",)),
    Refused("invalid_parameter", query="?dry_run=true&dry_run=true", names=("dry_run",)),
    Refused("invalid_parameter", [("Idempotency-Key", KEY)] * 2, DANCE, names=("idempotency-key",)),
    Refused(
        "invalid_parameter",
        [("Idempotency-Key", KEY)] * 2,
        query="?x=1&x=2",
        names=("idempotency-key", "x"),
    ),
    Refused("invalid_parameter", [*JSON.items()] * 2, names=("content-type",)),
    # Then the body.
    Refused("body_too_large", body=b" " * 65_537),
    Refused("body_too_large", {"Content-Type": "text/plain"}, b" " * 65_537),
    Refused("unsupported_media_type", {"Content-Type": "text/plain", **UNKNOWN_TOKEN}),
    Refused("unsupported_media_type", {"Content-Type": "application/json; charset=latin-1"}),
    Refused("unsupported_media_type", {"Content-Encoding": "gzip"}),
    Refused("invalid_body", {**UNSOUND, **UNKNOWN_TOKEN}, DANCE, query="?dry_run=yes"),
    Refused("malformed_json", UNKNOWN_TOKEN, b"{"),
    Refused("malformed_json", body=b"\xff"),
    Refused("malformed_json", body=b"[" * 5000),
    Refused("duplicate_key", body=b'{"type":"draw","type":"draw"}'),
    Refused("invalid_body", body=b'{"type":"discard","cards":5}'),
    # Then the token.
    Refused("token_unknown", {**UNSOUND, **UNKNOWN_TOKEN}, b"", query="?dry_run=yes"),
    Refused("token_unknown", {"Authorization": "Basic abc"}),
    Refused("token_mistyped", {"Authorization": "Bearer p10s_" + "0" * 72}),
    # Then the form of parameters, all at once, and that there is a body.
    Refused("invalid_parameter", UNSOUND, query="?dry_run=1", names=NAMES),
    Refused("invalid_parameter", {"Idempotency-Key": "k" * 129}, names=NAMES[:1]),
    Refused("invalid_parameter", [("Idempotency-Key", b"\xe9" * 20)], names=NAMES[:1]),
    Refused("invalid_parameter", {"If-Match": '"' + "1" * 1000 + '"'}, names=NAMES[1:2]),
    Refused("invalid_parameter", query="?dry_run=", names=NAMES[3:]),
    Refused("malformed_json", body=b""),
    Refused("malformed_json", {"Content-Type": "text/plain"}, b""),
    # Then the game.
    Refused("stale_version", {"If-Match": '"1"'}),
    Refused("stale_version", [("If-Match", '"1"'), ("If-Match", '"2"')]),
]


@pytest.mark.parametrize(
    "refused", REFUSED, ids=[f"{number}-{refused.code}" for number, refused in enumerate(REFUSED)]
)
def test_a_request_is_refused_for_the_first_of_its_faults(
    client: httpx2.Client, refused: Refused
) -> None:
    answer = send(started(client), refused.headers, refused.body, query=refused.query)

    assert code(answer) == refused.code
    if refused.code.endswith("_parameter"):
        assert tuple(fault["name"] for fault in answer.json()["errors"]) == refused.names
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Content-Type": "application/json; charset=utf-8"}, ""),
        ({"Content-Type": "Application/JSON"}, ""),
        ({"Content-Encoding": "identity"}, ""),
        ({"Host": "my_host"}, ""),
        ({"Host": "[::1]:80"}, ""),
        ({"Last-Event-ID": ""}, ""),
        ({"Idempotency-Key": "", "If-Match": "", "Command-Signature": ""}, ""),
        ({"If-Match": "*"}, ""),
        ([("Cookie", "a=b"), ("Cookie", "c=d")], ""),
        ({}, "?"),
        ({}, "?&"),
        ({}, "?dry_run=false"),
    ],
    ids=str,
)
def test_other_spellings_of_a_command_count(
    client: httpx2.Client, headers: Lines, query: str
) -> None:
    table = started(client)
    codes = {code(send(table, headers, DRAW, query=query, seat=seat)) for seat in (0, 1)}
    assert codes == {"", "not_your_turn"}


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER ", "Bearer   "])
def test_a_token_counts_in_other_spellings_too(client: httpx2.Client, scheme: str) -> None:
    table = started(client)
    answer = send(table, {"Authorization": scheme + table.tokens[0]}, PASS)
    assert code(answer) in NOT_NOW


def test_a_token_of_another_game_or_of_a_host_is_no_seat_s(client: httpx2.Client) -> None:
    table, other = started(client), open_table(client)
    for token, refusal in (
        (table.host, "seat_token_needed"),
        (other.host, "no_such_game"),
        (other.tokens[0], "no_such_game"),
    ):
        for _ in range(2):  # looked up, and remembered
            assert code(send(table, bearer(token), DRAW)) == refusal


def test_a_dry_run_is_answered_without_a_body(client: httpx2.Client) -> None:
    table = started(client)
    answers = [send(table, {}, DRAW, query="?dry_run=true", seat=seat) for seat in (0, 1)]

    taken = next(answer for answer in answers if answer.status_code == 204)
    assert taken.content == b""
    assert taken.headers["etag"].startswith('"')
    assert taken.headers["cache-control"] == "no-store"
    assert "content-type" not in taken.headers
    assert {code(answer) for answer in answers} == {"", "not_your_turn"}


@pytest.mark.parametrize(("given", "repeated"), [("abc", True), ("a b", False), (None, False)])
def test_an_answer_has_the_request_id(
    client: httpx2.Client, given: str | None, repeated: bool
) -> None:
    headers: Lines = {} if given is None else {"X-Request-Id": given}
    answer = send(started(client), headers, PASS)
    name = answer.headers["x-request-id"]
    assert (name == given) is repeated
    assert answer.json()["request_id"] == name


def test_other_methods_are_refused_with_what_there_is(client: httpx2.Client) -> None:
    path = f"{started(client).path}/commands"
    assert client.request("OPTIONS", path).headers["allow"] == "OPTIONS, POST"
    assert client.get(path).status_code == 405


@pytest.fixture(scope="module")
def limited() -> Iterator[httpx2.Client]:
    """A service with limits of writes that are used up by nobody, and of origins."""
    writes = RateLimitPolicy("address-writes", 1, 5_000), RateLimitPolicy("token-writes", 0.001, 2)
    work = RateLimitPolicy("address-work", 1e6, 10**9), RateLimitPolicy("token-work", 1e6, 10**9)
    limits = Limits(reads=None, writes=writes, work=work)
    with (
        serving(in_memory(), limits=limits, allowed_origins="https://a.example") as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        yield client


def test_limits_and_origins_count_here_too(limited: httpx2.Client) -> None:
    table = started(limited)
    answers = [send(table, {"Origin": "https://a.example"}, PASS) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [409, 409, 429]
    assert code(answers[2]) == "too_many_requests"
    assert int(answers[2].headers["retry-after"]) > 1
    for answer in answers:
        assert '"token-writes"' in answer.headers["ratelimit"]
        assert '"token-writes"' in answer.headers["ratelimit-policy"]
        assert answer.headers["access-control-allow-origin"] == "https://a.example"
        assert "Origin" in answer.headers["vary"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in send(table, {}, PASS).headers
