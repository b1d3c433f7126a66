"""Every request has an id: in its answer, in a problem, and in each line of the log about it."""

import json
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import httpx2

from tests.support.cases import looped

ROOT = Path(__file__).parents[2]


@looped("given", ["7", "a" * 128, "A-b_c.9", "0f5c9fd2-9d5b-4d15-8f53-0e9c3a5b1d11"])
def test_a_sane_id_is_taken_over(client: httpx2.Client, given: str) -> None:
    for path in ("/health/live", "/v1/nothing", "/docs"):
        assert client.get(path, headers={"X-Request-Id": given}).headers["x-request-id"] == given


@looped("given", ["", "a" * 129, "a b", "a\tb", "ä", '{"x":1}', "a/b", "a,b"])
def test_any_other_is_replaced(client: httpx2.Client, given: str) -> None:
    headers = {"X-Request-Id": given.encode()}
    ids = [client.get("/health/live", headers=headers).headers["x-request-id"] for _ in range(2)]
    assert ids[0] != ids[1]
    assert [str(UUID(text)) for text in ids] == ids


def test_two_of_them_are_none(client: httpx2.Client) -> None:
    answer = client.get("/health/live", headers=[("X-Request-Id", "a"), ("X-Request-Id", "b")])
    assert answer.headers.get_list("x-request-id") == [str(UUID(answer.headers["x-request-id"]))]


def test_a_problem_has_it(client: httpx2.Client) -> None:
    answers = [
        client.get("/v1/nothing"),
        client.put("/v1/games"),
        client.post("/v1/games", content=b"{"),
        client.get("/v1/games?limit=0"),
    ]
    for answer in answers:
        assert answer.is_client_error
        assert answer.json()["request_id"] == answer.headers["x-request-id"]


LINES = """
import asyncio, httpx2, structlog
from phaseledger.service.app import create_app, in_memory
from phaseledger.service.eventlog.memory import MemoryStore
from phaseledger.service.readmodels.views import MemoryViews
from phaseledger.service.runtime import logs
from phaseledger.service.settings import Settings

class Broken(MemoryStore):
    async def append(self, game, rows, prev=None):
        await asyncio.sleep(0.01)
        raise RuntimeError("a bug")

async def ask(client, name):
    body = {"ruleset": "classic", "seats": [{"kind": "bot"}] * 2}
    answer = await client.post("/v1/games", json=body, headers={"X-Request-Id": name})
    assert answer.json()["request_id"] == name, answer.text

async def main():
    store = Broken()
    app = create_app(in_memory()._replace(store=store, views=MemoryViews(store)), Settings())
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app), base_url="http://t"
    ) as client:
        await asyncio.gather(*(ask(client, f"r{n}") for n in range(5)))

logs.configure()
asyncio.run(main())
for path in ["/\\ud800", "/\\x9b31m\\u2028\\x85", '/\\n{"a": 1}\\x7f', "/\\x00"]:
    structlog.get_logger().info("hostile", path=path)
"""
PATHS = ["/\ud800", "/\x9b31m\u2028\x85", '/\n{"a": 1}\x7f', "/\x00"]


def test_every_line_of_the_log_has_it_and_is_plain_json() -> None:
    """However hostile the path is that it names."""
    ended = subprocess.run(
        [sys.executable, "-c", LINES], cwd=ROOT, capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    lines = [json.loads(line) for line in ended.stderr.decode("ascii").splitlines()]
    assert [line["path"] for line in lines if line["event"] == "hostile"] == PATHS
    logged = {(line["request_id"], line["event"]) for line in lines if line["event"] != "hostile"}
    events = ("request failed", "request")
    assert logged == {(f"r{n}", event) for n in range(5) for event in events}
