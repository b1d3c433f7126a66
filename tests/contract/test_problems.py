"""Every refusal is explained: a page for each code, with a cause and a cure that people wrote."""

import re
import tomllib

import httpx2
import msgspec
import pytest

from phaseledger.domain.commands import RejectCode
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.rulesets import GAMES, cite
from phaseledger.service.api.problem_pages import PROBLEMS_FILE, ProblemPage, page, problem_lines
from phaseledger.service.api.problems import REFUSALS
from phaseledger.service.schemas.problem import Problem
from tests.support.openapi_operations import Description, codes_of, operations
from tests.support.service.server import Served

WORDS = tomllib.loads(PROBLEMS_FILE.read_text())
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def is_told(text: str) -> bool:
    """Whether it is a plain sentence or more."""
    return len(text.split()) > 2 and text[0].isupper() | (text[0] == "`") and text.endswith(".")


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_code_has_cause_and_cure(code: str) -> None:
    assert code in WORDS, f"write its cause and its cure in {PROBLEMS_FILE.name}"
    words = WORDS[code]
    assert words.keys() <= {"cause", "cure", "rule"}
    assert all(map(is_told, words.values())), words
    assert len({REFUSALS[code].title, *words.values()}) == 1 + len(words), (
        "each says something else"
    )


def test_no_words_are_for_nothing() -> None:
    assert WORDS.keys() == REFUSALS.keys()
    assert [is_told(text) for text in ("", "bad.", "It went wrong", "the seat is free.")] == [
        False
    ] * 4


def test_where_games_cite_a_rule_there_is_its_text() -> None:
    cited = {code.value for code in RejectCode if any(cite(name, code) for name in GAMES)}
    assert {code for code, words in WORDS.items() if "rule" in words} == cited


def test_what_the_words_point_to_exists(description: Description) -> None:
    """Addresses are those of operations, house rules are options."""
    prose = " ".join(text for words in WORDS.values() for text in words.values())
    rules = {
        name
        for run in re.findall(r"house rules? ((?:`\w+`(?: and )?)+)", prose)
        for name in re.findall(r"\w+", run.replace(" and ", " "))
    }
    assert rules - PARAMETERS.keys() == set()
    assert len(rules) > 8
    routes = {
        (o.method.upper(), re.sub(r"{\w+}", "*", o.path)) for o in operations(description).values()
    }
    asked = re.findall(r"`(GET|POST|DELETE) ([^`? ]*)", prose)
    assert {(method, re.sub(r"{\w+}", "*", path)) for method, path in asked} - routes == set()
    assert len(asked) > 20


@pytest.mark.parametrize("code", ["must_draw", "stale_version", "token_missing"])
def test_the_type_of_a_problem_leads_to_its_page(client: httpx2.Client, code: str) -> None:
    where = f"/problems/{code}"
    read = client.get(where, headers={"Accept": "application/json"})
    problem = msgspec.json.decode(read.content, type=ProblemPage)
    assert problem == page(code)
    assert (problem.type, problem.status, problem.title) == (
        where,
        REFUSALS[code].status,
        REFUSALS[code].title,
    )
    html = client.get(where, headers=BROWSER)
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert html.headers["vary"] == "Accept, Accept-Encoding"
    assert "default-src 'none'" in html.headers["content-security-policy"]
    for text in (code, problem.title, problem.cause, problem.cure, problem.rule):
        assert re.sub("`|<.*?>", "", text) in re.sub("<.*?>", "", html.text)


def test_every_page_is_served_in_both_forms(client: httpx2.Client) -> None:
    lines = client.get("/problems").json()["problems"]
    assert {line["code"] for line in lines} == REFUSALS.keys()
    index = client.get("/problems", headers=BROWSER).text
    for line in lines:
        assert f'href="{line["type"]}"' in index
        assert client.get(line["type"]).json()["code"] == line["code"]
        assert line["title"].partition("'")[0] in client.get(line["type"], headers=BROWSER).text
    assert [line.status for line in problem_lines().problems] == sorted(
        refusal.status for refusal in REFUSALS.values()
    )


def test_no_page_for_what_is_no_code(client: httpx2.Client) -> None:
    for name in ("nonsense", "Must_Draw", "%3Cscript%3E"):
        answer = client.get(f"/problems/{name}", headers=BROWSER)
        assert msgspec.json.decode(answer.content, type=Problem).code == "no_such_problem"


def test_every_code_is_told_by_an_operation(description: Description) -> None:
    """What nobody can get needs no explanation, but for what the server answers to all paths."""
    documented = {
        code
        for operation in operations(description).values()
        for status, answer in operation.answers.items()
        if status[0] in "45"
        for code in codes_of(answer)
    }
    anywhere = {"bad_request", "method_not_allowed"}
    assert REFUSALS.keys() - documented - anywhere == INTERNAL
    assert documented <= REFUSALS.keys()


INTERNAL = {"bad_secret", "bad_game_id", "game_exists", "bot_seat", "no_such_token", "loop_busy"}
"""Refusals by the rules of what HTTP never lets through, and those of the operator's listener."""


def test_a_refusal_has_the_address_of_its_page(client: httpx2.Client, served: Served) -> None:
    refused = client.get("/v1/games/nonsense").json()
    assert httpx2.get(served.url + refused["type"], timeout=None).json()["code"] == refused["code"]
