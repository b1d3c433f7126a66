"""Requests of commands: which fault is told first, and what is no fault."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx2

from tests.support.service.api_tables import KEY, Table, bearer, started

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
    *(  # commands of the game that are no play of a seat's
        Refused("invalid_body", body=b'{"type":"%s"}' % kind)
        for kind in (b"start", b"void_game", b"time_out")
    ),
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


def test_a_request_is_refused_for_the_first_of_its_faults(client: httpx2.Client) -> None:
    table = started(client)
    for refused in REFUSED:
        answer = send(table, refused.headers, refused.body, query=refused.query)
        assert code(answer) == refused.code, refused
        if refused.code.endswith("_parameter"):
            names = tuple(fault["name"] for fault in answer.json()["errors"])
            assert names == refused.names, refused
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-type"] == "application/problem+json"


SPELLINGS: list[tuple[Lines, str]] = [
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
]


def test_other_spellings_of_a_command_count(client: httpx2.Client) -> None:
    table = started(client)
    for headers, query in SPELLINGS:
        for seat in (0, 1):
            assert code(send(table, headers, PASS, query=query, seat=seat)) in NOT_NOW, headers


def test_an_answer_has_the_request_id(client: httpx2.Client) -> None:
    table = started(client)
    for given, is_repeated in (("abc", True), ("a b", False), (None, False)):
        headers: Lines = {} if given is None else {"X-Request-Id": given}
        answer = send(table, headers, PASS)
        name = answer.headers["x-request-id"]
        assert (name == given) is is_repeated
        assert answer.json()["request_id"] == name
