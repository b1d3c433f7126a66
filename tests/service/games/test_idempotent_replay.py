"""A repeated command gets the first answer, byte for byte: after a restart, and from another
process over the same log.
"""

from collections.abc import Callable
from typing import Any

import httpx2

from phaseledger.service.settings import Settings
from tests.support.service.api_tables import (
    BOT,
    KEY,
    PERSON,
    bearer,
    mover,
    open_table,
    started,
)
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import client_over, ledger_client

DRAW = {"type": "draw"}
ONCE = {"Idempotency-Key": KEY}
FRESH = ("date", "x-request-id", "ratelimit", "content-length", "idempotent-replayed")
"""Headers of the answer at hand, not of the command."""


def comparable(answer: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name not in FRESH}
    return answer.status_code, headers, answer.content


Ask = Callable[[httpx2.Client], httpx2.Response]


def test_other_processes_and_a_later_one_answer_the_same_bytes(settings: Settings) -> None:
    """And refuse another body under the key, and a version that was the last one they knew."""
    asks: list[Ask] = []
    with ledger_client(settings) as client, ledger_client(settings) as other:
        table = open_table(client)
        asks.append(_posted(f"{table.path}/start", None, table.host, KEY + "start"))
        answers = [asks[-1](client)]
        seat, version = mover(table), table.version()
        elsewhere = table._replace(client=other)
        assert elsewhere.get(seat=seat).status_code == 200  # it knows the game before the command
        asks.append(_posted(f"{table.path}/commands", DRAW, table.tokens[seat], KEY))
        answers.append(asks[-1](client))
        changed = {"type": "draw", "source": "discard"}
        problem(elsewhere.send(seat, changed, Idempotency_Key=KEY), 422, "idempotency_mismatch")
        stale = elsewhere.send(seat, {"type": "pass"}, If_Match=f'"{version}"')
        assert problem(stale, 412, "stale_version").version == table.version()
        card = next(c for c in answers[-1].json()["table"]["hand"].split() if c != "S")
        discard = {"type": "discard", "cards": card}
        asks.append(_posted(f"{table.path}/commands", discard, table.tokens[seat], KEY + "2"))
        answers.append(asks[-1](client))
        asks.append(_posted(f"{table.path}/void", {"reason": "x"}, table.host, KEY + "void"))
        answers.append(asks[-1](client))
        assert [answer.status_code for answer in answers] == [200] * 4
        wanted = [comparable(ask(client)) for ask in asks]
        assert [content for _, _, content in wanted[:3]] == [
            answer.content for answer in answers[:3]
        ]
        assert [comparable(ask(other)) for ask in asks] == wanted
    with ledger_client(settings) as later:
        assert [comparable(ask(later)) for ask in asks] == wanted


def _posted(path: str, body: Any, token: str, key: str) -> Ask:
    headers = {**bearer(token), "Idempotency-Key": key}
    return lambda client: client.post(path, json=body, headers=headers)


def test_an_opening_a_join_and_a_rematch_are_the_same_to_the_token(settings: Settings) -> None:
    body = {"ruleset": "classic", "seats": [PERSON, BOT]}

    def asked(client: httpx2.Client) -> list[tuple[int, dict[str, str], bytes]]:
        opened = client.post("/games", json=body, headers=ONCE)
        path = f"/games/{opened.json()['game']}"
        joined = client.post(f"{path}/seats", json={"name": "Ann"}, headers=ONCE)
        host, seat = (bearer(opened.json()["host_token"]), bearer(joined.json()["token"]))
        client.post(f"{path}/start", headers=host)
        client.post(f"{path}/void", json={"reason": "x"}, headers=host)
        rematches = [client.post(f"{path}/rematch", json={}, headers=who) for who in (host, seat)]
        return [comparable(answer) for answer in (opened, joined, *rematches)]

    with ledger_client(settings) as client:
        wanted = asked(client)
        assert [status for status, _, _ in wanted] == [201] * 4
        assert asked(client) == wanted
    with ledger_client(settings) as later:
        assert asked(later) == wanted


def test_commands_need_if_match_where_the_operator_wants_it() -> None:
    with client_over(in_memory(), require_if_match=True) as strict:
        table = started(strict)  # neither opening nor joining nor starting needs one
        seat, version = mover(table), table.version()
        problem(strict.post(f"{table.path}/commands", json=DRAW), 401, "token_missing")
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
