"""schemathesis against a served instance: as two seats of one table, and as their host."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2

from tests.support.service.api_tables import started

LONGEST = 300  # characters of a line; bodies may be very long
HOOKS = """
import schemathesis

@schemathesis.hook
def filter_headers(context, headers):
    # An empty Last-Event-ID counts as none (HTML, 9.2.2), and not as one that is wrong.
    return bool((headers or {}).get("Last-Event-ID", "1"))
"""
PROJECT = """
hooks = "{hooks}"

[auth.wfc]
path = "peers.json"
{peers}

[parameters]
"path.game" = "{game}"
# With the game given, it takes a path with another parameter for one with a wrong game.
"path.seq" = 1
"path.name" = "classic"
"path.code" = "must_draw"

# A rule may refuse what the schema allows: that is 422, and 400 is left to mean the schema.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "412", "422", "428"]

# A body that is wrong may be too large as well.
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "409", "412", "413", "414", "415", "422", "428"]
"""


class Fuzzed(NamedTuple):
    """How a run ended."""

    code: int
    output: str


def table(url: str) -> dict[str, str]:
    """A game in play between two people; the tokens of both, and of their host."""
    with httpx2.Client(base_url=f"{url}/v1", timeout=None) as client:
        opened = started(client)
    return {
        "game": opened.game,
        "ann": opened.tokens[0],
        "ben": opened.tokens[1],
        "host": opened.host,
    }


def fuzz(
    url: str, folder: Path, examples: int, *peers: str, seed: int = 10, only: Sequence[str] = ()
) -> Fuzzed:
    """Run every check, stateful ones included, as these peers of a fresh table.

    ``only`` are ids of operations; all, where nothing is said.
    """
    tokens = table(url)
    entries = [
        {
            "name": peer,
            "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {tokens[peer]}"}],
        }
        for peer in peers
    ]
    (folder / "peers.json").write_text(json.dumps({"auth": entries}))
    listed = f"peers = {json.dumps(list(peers))}" if len(peers) > 1 else ""
    hooks = folder / "hooks.py"
    hooks.write_text(HOOKS)
    project = PROJECT.format(peers=listed, game=tokens["game"], hooks=hooks)
    (folder / "schemathesis.toml").write_text(project)
    done = subprocess.run(
        [
            *(Path(sys.executable).parent / "schemathesis", "run", f"{url}/v1/openapi.json"),
            *("--checks", "all", "-n", str(examples), "-w", "1"),
            *(part for name in only for part in ("--include-operation-id", name)),
            *("--seed", str(seed), "--no-color", "--continue-on-failure"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = (done.stdout + done.stderr).splitlines()
    return Fuzzed(done.returncode, "\n".join(line[:LONGEST] for line in lines))
