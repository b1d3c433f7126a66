"""Programs of `examples/` under an application's key, and what they need."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.support.service.api_tables import bearer

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"


@contextmanager
def started(command: Sequence[object], **environment: str) -> Iterator[str]:
    """A program that runs until the end of the block; the address that it prints first."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with subprocess.Popen(
        [*map(str, command)], env=env, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def broken_off(url: str, game: str, key: str) -> None:
    """Break the game off as its host, whose token the key gives."""
    asked = httpx2.post(f"{url}/v1/games/{game}/tokens", json={}, headers=bearer(key))
    host = asked.json()["token"]
    body = {"reason": "the test is over"}
    done = httpx2.post(f"{url}/v1/games/{game}/void", json=body, headers=bearer(host))
    assert done.status_code == 200, done.text
