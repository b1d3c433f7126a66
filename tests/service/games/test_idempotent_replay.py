"""A repeated command gets the first answer, byte for byte: after a restart, and from another
process over the same log.
"""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from phaseledger.service.app import in_memory, in_postgres
from phaseledger.service.settings import Settings
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    Table,
    bearer,
    mover,
    open_table,
    started,
)
from tests.support.service.problems import problem
from tests.support.service.server import Served, serving

DRAW = {"type": "draw"}
ONCE = {"Idempotency-Key": KEY}
FRESH = ("date", "x-request-id", "ratelimit", "content-length", "idempotent-replayed")
"""Headers of the answer at hand, not of the command."""


def comparable(answer: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name not in FRESH}
    return answer.status_code, headers, answer.content


Ask = Callable[[httpx2.Client], httpx2.Response]


def test_another_process_and_a_later_one_answer_the_same_bytes(settings: Settings) -> None:
    asks: list[Ask] = []
    with (
        serving(in_postgres(settings)) as service,
        httpx2.Client(base_url=f"{service.url}/v1") as client,
    ):
        table = open_table(client)
        asks.append(_posted(f"{table.path}/start", None, table.host, KEY + "start"))
        begun = asks[-1](client)
        assert begun.status_code == 200, begun.text
        seat = mover(table)
        asks.append(_posted(f"{table.path}/commands", DRAW, table.tokens[seat], KEY))
        first = asks[-1](client)
        assert first.status_code == 200, first.text
        hand = first.json()["table"]["hand"].split()
        card = next(card for card in hand if card != "S")
        discard = {"type": "discard", "cards": card}
        asks.append(_posted(f"{table.path}/commands", discard, table.tokens[seat], KEY + "2"))
        gone_on = asks[-1](client)
        assert gone_on.status_code == 200, gone_on.text
        void = {"reason": "over"}
        asks.append(_posted(f"{table.path}/void", void, table.host, KEY + "void"))
        assert asks[-1](client).status_code == 200
        wanted = [comparable(ask(client)) for ask in asks]
        assert [parts[2] for parts in wanted[:3]] == [
            answer.content for answer in (begun, first, gone_on)
        ]
        with (
            serving(in_postgres(settings)) as second,
            httpx2.Client(base_url=f"{second.url}/v1") as other,
        ):
            assert [comparable(ask(other)) for ask in asks] == wanted
    with (
        serving(in_postgres(settings)) as later,
        httpx2.Client(base_url=f"{later.url}/v1") as client,
    ):
        assert [comparable(ask(client)) for ask in asks] == wanted


def _posted(path: str, body: Any, token: str, key: str) -> Ask:
    headers = {**bearer(token), "Idempotency-Key": key}
    return lambda client: client.post(path, json=body, headers=headers)


def test_an_opening_a_join_and_a_rematch_are_the_same_to_the_token(settings: Settings) -> None:
    body = {"ruleset": "classic", "seats": [PERSON, BOT]}

    def asked(served: Served) -> list[tuple[int, dict[str, str], bytes]]:
        with httpx2.Client(base_url=f"{served.url}/v1") as client:
            opened = client.post("/games", json=body, headers=ONCE)
            path = f"/games/{opened.json()['game']}"
            joined = client.post(f"{path}/seats", json={"name": "Ann"}, headers=ONCE)
            host, seat = (bearer(opened.json()["host_token"]), bearer(joined.json()["token"]))
            client.post(f"{path}/start", headers=host)
            client.post(f"{path}/void", json={"reason": "x"}, headers=host)
            rematches = [
                client.post(f"{path}/rematch", json={}, headers=who) for who in (host, seat)
            ]
            return [comparable(answer) for answer in (opened, joined, *rematches)]

    with serving(in_postgres(settings)) as service, serving(in_postgres(settings)) as second:
        wanted = asked(service)
        assert [status for status, _, _ in wanted] == [201] * 4
        assert asked(service) == wanted
        assert asked(second) == wanted
    with serving(in_postgres(settings)) as later:
        assert asked(later) == wanted


def test_other_processes_refuse_another_body_under_the_key(settings: Settings) -> None:
    with (
        serving(in_postgres(settings)) as service,
        serving(in_postgres(settings)) as second,
        httpx2.Client(base_url=f"{service.url}/v1") as client,
        httpx2.Client(base_url=f"{second.url}/v1") as other,
    ):
        table = started(client)
        seat = mover(table)
        elsewhere = Table(other, table.game, table.host, table.tokens)
        assert elsewhere.get(seat=seat).status_code == 200  # it knows the game before the command
        version = table.version()
        assert table.send(seat, DRAW, Idempotency_Key=KEY).status_code == 200
        changed = {"type": "draw", "source": "discard"}
        problem(elsewhere.send(seat, changed, Idempotency_Key=KEY), 422, "idempotency_mismatch")
        stale = elsewhere.send(seat, {"type": "pass"}, If_Match=f'"{version}"')
        assert problem(stale, 412, "stale_version").version == table.version()


# --- If-Match where it is required ----------------------------------------------------------------


@pytest.fixture(scope="module")
def strict() -> Iterator[httpx2.Client]:
    with (
        serving(in_memory(), require_if_match=True) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        yield client


def test_commands_need_if_match_where_the_operator_wants_it(strict: httpx2.Client) -> None:
    table = started(strict)  # neither opening nor joining nor starting needs one
    seat, version = mover(table), table.version()
    problem(table.send(seat, DRAW), 428, "if_match_needed")
    problem(table.send(seat, DRAW, Idempotency_Key=KEY), 428, "if_match_needed")
    assert table.version() == version
    once = {"Idempotency_Key": KEY, "If_Match": f'"{version}.{seat}"'}
    first = table.send(seat, DRAW, **once)
    assert first.status_code == 200
    assert table.send(seat, DRAW, **once).content == first.content
    problem(table.send(1 - seat, DRAW, If_Match="*"), 409, "not_your_turn")
    voided = strict.post(f"{table.path}/void", json={"reason": "x"}, headers=bearer(table.host))
    assert voided.status_code == 200


def test_without_a_token_that_is_said_first(strict: httpx2.Client) -> None:
    table = started(strict)
    problem(strict.post(f"{table.path}/commands", json=DRAW), 401, "token_missing")


def test_the_description_has_428_and_429(strict: httpx2.Client) -> None:
    described = strict.get("/openapi.json").json()
    paths = described["paths"]
    commands = paths["/v1/games/{game}/commands"]["post"]["responses"]
    assert {"412", "428", "429", "503"} <= commands.keys()
    _, _, name = commands["429"].get("$ref", "").rpartition("/")
    limited = described["components"]["responses"][name] if name else commands["429"]
    assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= limited["headers"].keys()
    others = [
        (path, method)
        for path, item in paths.items()
        for method, operation in item.items()
        if "428" in operation["responses"]
    ]
    assert others == [("/v1/games/{game}/commands", "post")]
