"""Every request has an id: in its answer, in a problem, and in each line of the log about it."""

import json
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import httpx2

ROOT = Path(__file__).parents[2]


SANE = ("7", "a" * 128, "A-b_c.9", "0f5c9fd2-9d5b-4d15-8f53-0e9c3a5b1d11")
OTHERS = ("", "a" * 129, "a b", "a\tb", "ä", '{"x":1}', "a/b", "a,b")


def test_a_sane_id_is_taken_over_and_any_other_replaced(client: httpx2.Client) -> None:
    def answered(*given: str, path: str = "/health/live") -> list[str]:
        answer = client.get(path, headers=[("X-Request-Id", name.encode()) for name in given])
        return answer.headers.get_list("x-request-id")

    for given in SANE:
        for path in ("/health/live", "/v1/nothing", "/docs"):
            assert answered(given, path=path) == [given]
    made = [answered(*given) for given in (*[(name,) for name in OTHERS], ("a", "b"), ())]
    assert [[str(UUID(name))] for (name,) in made] == made
    assert len({name for (name,) in made}) == len(made)


LINES = """
import asyncio, httpx2, structlog
from phaseledger.service.app import create_app
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_views import MemoryViews
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
