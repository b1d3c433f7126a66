"""schemathesis finds nothing: every check, stateful runs, and two seats of one table.

`benchmarks/contract.py` does the same with 1,000 examples for each operation.
"""

from pathlib import Path

import httpx2
import pytest

from tests.support.api_fuzzing import fuzz
from tests.support.campaigns import sampled
from tests.support.openapi_operations import Description, operations
from tests.support.service.server import Served

pytestmark = pytest.mark.system  # a thousand requests


@pytest.mark.parametrize("examples", sampled([2, 3], 2))
def test_two_seats_of_a_table(served: Served, tmp_path: Path, examples: int) -> None:
    ended = fuzz(served.url, tmp_path, examples, "ann", "ben")
    assert ended.code == 0, ended.output[-8000:]
    _is_alive(served)


@pytest.mark.parametrize("examples", sampled([3, 5], 3))
def test_the_host(served: Served, tmp_path: Path, description: Description, examples: int) -> None:
    """What nobody else may do, so that others' refusals do not hide it."""
    hosts = [
        name
        for name, operation in operations(description).items()
        if operation.specification["security"] == [{"hostToken": []}]
    ]
    assert len(hosts) > 1
    ended = fuzz(served.url, tmp_path, examples, "host", only=hosts)
    assert ended.code == 0, ended.output[-8000:]
    _is_alive(served)


def _is_alive(served: Served) -> None:
    assert httpx2.get(f"{served.url}/health/ready", timeout=None).status_code == 200
