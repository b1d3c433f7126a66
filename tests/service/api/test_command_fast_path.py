"""Commands past the framework: answered to the letter as the framework's route answers them."""

import pytest
from litestar import Litestar

from phaseledger.domain.commands import Play
from phaseledger.service.api import command_fast_path
from phaseledger.service.app import routes
from phaseledger.service.components import in_memory
from tests.support.service.api_tables import KEY, bearer, open_table, started

PLAIN = {"Content-Type": "application/json"}
FRAMEWORK = {"Content-Type": "application/json; charset=utf-8"}
"""The same, but not as nearly everybody writes it."""
DRAW = b'{"type":"draw"}'


@pytest.fixture(autouse=True)
def taken(monkeypatch) -> list[bool]:
    """For each request that any application here gets, whether it went past the framework."""
    bypasses: list[bool] = []
    plain = command_fast_path._plain_command

    def noted(scope):
        command = plain(scope)
        bypasses.append(command is not None)
        return command

    monkeypatch.setattr(command_fast_path, "_plain_command", noted)
    return bypasses


FRESH = ("date", "idempotent-replayed")
"""Headers that tell one answer from the next."""


def both(table, taken, headers, body, path=None):
    """What one request is answered, past the framework and by it."""
    answers = []
    for how in (PLAIN, FRAMEWORK):
        given = {**how, "X-Request-ID": "the-same", **headers}
        path = path or f"{table.path}/commands"
        got = table.client.post(path, content=body, headers=given)
        answer_headers = {name: value for name, value in got.headers.items() if name not in FRESH}
        answers.append((got.status_code, answer_headers, got.content))
    assert taken[-2:] == [True, False]
    return answers


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff",
        b'{"type":"draw","type":"draw"}',
        b'{"type":"dance"}',
        b'{"type":"draw","source":"thin air"}',
        b'{"type":"discard","cards":5}',
        b"[" * 5000,
        b'{"type":"lay","groups":[[1,2,3]]}',
        b'{"type":"discard","cards":"Z9"}',
        b'{"type":"move","by":3}',
        DRAW,
    ],
)
def test_a_body_is_answered_the_same(client, taken, body):
    table = started(client)
    for seat in (0, 1):
        headers = {**bearer(table.tokens[seat]), "Idempotency-Key": KEY}
        plain, framework = both(table, taken, headers, body)
        assert plain == framework


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Basic abc"},
        {"Authorization": "Bearer p10s_" + "0" * 72},
        {"Authorization": "Bearer abc"},
        {"If-Match": '"1"'},
        {"If-Match": "*"},
        {"If-Match": ""},
        {"Idempotency-Key": ""},
        {"Command-Signature": "0" * 128},
        {"Last-Event-ID": ""},
    ],
    ids=str,
)
def test_headers_are_answered_the_same(client, taken, headers):
    table = started(client)
    token = bearer(table.tokens[0]) if "Authorization" not in headers and headers else {}
    plain, framework = both(table, taken, {**token, **headers}, b'{"type":"pass"}')

    assert plain[0] >= 400
    assert plain == framework


def test_a_host_and_a_stranger_are_answered_the_same(client, taken):
    table, other = started(client), open_table(client)
    for token in (table.host, other.host, *other.tokens.values()):
        plain, framework = both(table, taken, bearer(token), DRAW)
        assert plain == framework


def test_a_game_that_is_not_there_is_answered_the_same(client, taken):
    table = started(client)
    path = "/games/00000000-0000-4000-8000-000000000000/commands"
    plain, framework = both(table, taken, bearer(table.tokens[0]), DRAW, path)

    assert plain[0] == 404
    assert plain == framework


@pytest.mark.parametrize("token", ["Bearer p10s_" + "0" * 72, "Basic abc", None])
def test_a_wrong_body_beside_a_wrong_token_is_answered_the_same(client, taken, token):
    table = started(client)
    headers = {"Authorization": token} if token else {}
    plain, framework = both(table, taken, headers, b'{"type":"dance"}')

    assert plain == framework


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "x/y"},
        {"Host": "h?x"},
        {"Content-Type": "text/plain"},
        {"Content-Encoding": "gzip"},
        {"Idempotency-Key": "short"},
        {"If-Match": "x"},
        {"If-Match": '"' + "1" * 1000 + '"'},
        {"Command-Signature": "0"},
    ],
    ids=str,
)
def test_what_is_refused_for_how_it_is_written_is_left_to_the_framework(client, taken, headers):
    table = started(client)
    given = {**PLAIN, **bearer(table.tokens[0]), **headers}
    answer = client.post(f"{table.path}/commands", content=DRAW, headers=given)

    assert answer.status_code in {400, 415}
    assert taken[-1] is False


def test_a_body_that_is_empty_or_too_large_is_left_to_the_framework(client, taken):
    table = started(client)
    for body, status in ((b"", 400), (b" " * 65_537, 413)):
        given = {**PLAIN, **bearer(table.tokens[0])}
        answer = client.post(f"{table.path}/commands", content=body, headers=given)
        assert answer.status_code == status
        assert taken[-1] is False


def test_a_query_is_left_to_the_framework(client, taken):
    table = started(client)
    given = {**PLAIN, **bearer(table.tokens[0])}
    client.post(f"{table.path}/commands?x=1", content=DRAW, headers=given)
    assert taken[-1] is False


def test_the_route_is_the_framework_s_and_takes_the_same_body():
    app: Litestar = routes(in_memory())
    route = next(route for route in app.routes if route.path.endswith("/commands"))
    handler = next(
        candidate for candidate in route.route_handlers if "POST" in candidate.http_methods
    )

    assert route.path_format == command_fast_path.TEMPLATE
    assert handler.parsed_data_field.annotation == Play
