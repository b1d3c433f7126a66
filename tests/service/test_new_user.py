"""A whole game of each rule set as a stranger plays it: the pages that the service shows, and HTTP.

`examples/plain_http.py` was written from README.md and the API reference alone, and uses nothing
of the project.
"""

import ast
import sys
from pathlib import Path

import httpx2
import pytest

from phaseledger.domain.rulesets import GAMES
from tests.support.campaigns import sampled
from tests.support.children import run
from tests.support.service.server import Served

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "plain_http.py"


@pytest.mark.parametrize("ruleset", sampled(GAMES, "express", rest="system"))
def test_a_script_of_ones_own_plays_a_whole_game(served: Served, ruleset: str) -> None:
    ended = run([sys.executable, "-I", SCRIPT, served.url, ruleset])
    assert ended.stderr == ""
    assert " won, " in ended.stdout


def test_the_script_uses_nothing_but_the_standard_library() -> None:
    tree = ast.parse(SCRIPT.read_text())
    taken = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert taken <= sys.stdlib_module_names
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


MISTAKES = [
    ("POST", "/v1/games", {"ruleset": "uno", "seats": [{"kind": "bot"}]}, "unknown_ruleset"),
    ("POST", "/v1/games", {"ruleset": "classic", "seats": 4}, "invalid_body"),
    ("POST", "/v1/games", {"ruleset": "classic", "seats": [{"kind": "bot"}]}, "seats_out_of_range"),
    ("GET", "/v1/games?limit=many", None, "invalid_parameter"),
    ("GET", "/v1/game", None, "not_found"),
    ("PUT", "/v1/games", None, "method_not_allowed"),
]
"""What one gets wrong at first."""


def test_a_first_mistake_is_told_with_a_page_that_helps(served: Served) -> None:
    with httpx2.Client(base_url=served.url) as client:
        for method, path, body, code in MISTAKES:
            refused = client.request(method, path, json=body).json()
            page = client.get(refused["type"]).json()
            assert refused["code"] == page["code"] == code
            assert page["cause"].endswith(".")
            assert page["cure"].endswith(".")


def persons(kind: object, **more: object) -> dict[str, object]:
    return {"ruleset": "classic", "seats": [{"kind": kind}, {"kind": "bot", **more}]}


CHOICES = [
    ("/v1/games", persons("human"), "$.seats[0].kind", "it is one of person, bot"),
    (
        "/v1/games",
        persons("bot", level="hard"),
        "$.seats[1].level",
        "expert, greedy, master, random",
    ),
    ("/v1/rulesets/classic/checks", {"type": "Lay"}, "$.type", "it is one of lay, hit"),
]


def test_a_word_that_is_none_is_told_with_those_that_are(served: Served) -> None:
    for path, body, where, words in CHOICES:
        refused = httpx2.post(f"{served.url}{path}", json=body).json()
        (fault,) = refused["errors"]
        assert (refused["code"], fault["name"]) == ("invalid_body", where)
        assert words in fault["reason"]
        assert words in refused["detail"]
    other = httpx2.post(f"{served.url}/v1/games", json={"ruleset": 7, "seats": []}).json()
    assert other["errors"][0]["reason"] == "Expected `str`, got `int`", "without choices"
