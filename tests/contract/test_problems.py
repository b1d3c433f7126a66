"""Every refusal is explained: a page for each code, with a cause and a cure that people wrote."""

import html
import re

import httpx2
import msgspec

from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.words import LANGUAGES, Language, message, texts
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.reference.pages import LINKS
from phaseledger.service.api.reference.problem_pages import ProblemPage, page, problem_lines
from phaseledger.service.schemas.problem import Problem
from tests.support.openapi_operations import Description, codes_of, operations


def written_parts(lang: Language) -> dict[str, dict[str, str]]:
    """What pages say, by code and part; what is not written is left out."""
    parts: dict[str, dict[str, str]] = {}
    for key in texts(lang, "problems."):
        code, _, part = key.partition(".")
        parts.setdefault(code, {})[part] = message(lang, f"problems.{key}")
    return parts


WORDS = written_parts("en")
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def is_told(text: str) -> bool:
    """Whether it is a plain sentence or more."""
    return len(text.split()) > 2 and text[0].isupper() | (text[0] == "`") and text.endswith(".")


def test_every_code_has_cause_and_cure() -> None:
    assert WORDS.keys() == REFUSALS.keys(), "they stand in domain/words"
    for code, words in WORDS.items():
        assert {"cause", "cure"} <= words.keys(), code
        assert all(map(is_told, words.values())), words
        apart = {title_of(code), *words.values()}
        assert len(apart) == 1 + len(words), f"each says something else of {code}"


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


def test_the_type_of_a_problem_leads_to_its_page(client: httpx2.Client) -> None:
    refused = client.get("/v1/games/nonsense").json()
    assert refused["type"] == f"/problems/{refused['code']}"
    for code in (refused["code"], "must_draw"):
        where = f"/problems/{code}"
        read = client.get(where, headers={"Accept": "application/json"})
        problem = msgspec.json.decode(read.content, type=ProblemPage)
        assert problem == page(code)
        expected = (where, REFUSALS[code].status, title_of(code))
        assert (problem.type, problem.status, problem.title) == expected
        shown = client.get(where, headers=BROWSER)
        assert shown.headers["content-type"] == "text/html; charset=utf-8"
        assert shown.headers["vary"] == "Accept, Accept-Language, Accept-Encoding"
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        for text in (code, problem.title, problem.cause, problem.cure, problem.rule):
            assert re.sub("`|<.*?>", "", text) in re.sub("<.*?>", "", shown.text)
    for name in ("nonsense", "Must_Draw", "%3Cscript%3E"):
        answer = client.get(f"/problems/{name}", headers=BROWSER)
        assert msgspec.json.decode(answer.content, type=Problem).code == "no_such_problem"


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


def test_every_page_is_written_in_every_language() -> None:
    """With the same addresses, fields and rules in it, and no sentence of the English ones."""
    assert texts("en", "problem_pages.").keys() >= {to for to, _ in LINKS}
    for lang in {*LANGUAGES} - {"en"}:
        other = written_parts(lang)
        assert other.keys() == WORDS.keys()
        for code, words in WORDS.items():
            assert other[code].keys() == words.keys(), code
            for part, text in words.items():
                written = other[code][part]
                spans = [sorted(re.findall("`[^`]*`", sentence)) for sentence in (text, written)]
                assert spans[0] == spans[1], (code, part)
                assert written.endswith("."), (code, part)
                assert written != text, (code, part)


def test_a_page_in_the_reader_s_language(client: httpx2.Client) -> None:
    """A chosen one is kept by the links."""
    french = {**BROWSER, "Accept-Language": "fr-CH, fr;q=0.9, en;q=0.8"}
    english, other = (
        client.get("/problems/must_draw", headers=headers) for headers in (BROWSER, french)
    )
    assert (english.headers["content-language"], other.headers["content-language"]) == ("en", "fr")
    assert '<html lang="fr">' in other.text
    assert "Tirez d'abord une carte." in html.unescape(other.text)
    spoken = [
        re.sub("<style>.*?</style>|<code>.*?</code>|<.*?>", "\n", page.text, flags=re.DOTALL)
        for page in (english, other)
    ]
    lines = [
        {line.strip() for line in text.splitlines() if " " in line.strip() and line[0] != ","}
        for text in spoken
    ]
    assert lines[0] & lines[1] == set()
    index = client.get("/problems?lang=de", headers=french).text
    assert 'href="/problems/must_draw?lang=de"' in index
    shown = client.get("/problems/must_draw?lang=de", headers=french).text
    assert 'href="/problems?lang=de" aria-current=page' in shown
    assert 'href="/problems/must_draw?lang=fr" lang="fr"' in shown


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


INTERNAL = {
    *("bad_secret", "bad_game_id", "game_exists", "bot_seat", "no_such_token", "loop_busy"),
    *("application_name_taken", "no_such_application"),
}
"""Refusals by the rules of what HTTP never lets through, and those of the operator's listener."""
