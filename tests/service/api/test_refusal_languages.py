"""Refusals in the caller's language: the words change, and nothing that programs go by."""

import pytest

from phaseledger.domain.explain.languages import Language
from phaseledger.domain.explain.refusals import title_of
from phaseledger.service.api.problems import REFUSALS, problem
from phaseledger.service.api.refusal_titles import TITLES, wording

ASKED = [
    ({"Accept-Language": "de-CH, en;q=0.5"}, "", "de"),
    ({"Accept-Language": "es, fr;q=0.5, de;q=0.4"}, "", "fr"),
    ({"Accept-Language": "de;q=0, pt"}, "", "en"),
    ({}, "", "en"),
]
GERMAN = "Diese Spielart gibt es hier nicht."


@pytest.mark.parametrize("lang", ["de", "fr"])
def test_every_refusal_has_a_title(lang: Language) -> None:
    own = {code for code in REFUSALS if title_of(code, "en") is None}
    assert own - TITLES[lang].keys() == set()
    assert TITLES[lang].keys() - own == set()
    titles = [wording(refusal, "", lang).title for refusal in REFUSALS.values()]
    assert all(title.endswith(".") for title in titles)
    assert len({*titles}) > 0.98 * len(titles)


@pytest.mark.parametrize("code", REFUSALS)
def test_english_is_as_declared(code: str) -> None:
    plain = problem(REFUSALS[code], instance="/")
    assert (plain.title, plain.detail) == (REFUSALS[code].title, REFUSALS[code].title)
    detail = problem(REFUSALS[code], "seat 2.", instance="/").detail
    assert detail == f"{REFUSALS[code].title[:-1]}: seat 2."


@pytest.mark.parametrize(("headers", "query", "lang"), ASKED)
def test_the_language_that_is_asked_for(client, headers, query: str, lang: str) -> None:
    answer = client.get(f"/rulesets/none{query}", headers=headers)
    refused = answer.json()

    assert answer.headers["Content-Language"] == lang
    assert "Accept-Language" in answer.headers["Vary"]
    assert (refused["title"] == GERMAN) == (lang == "de")
    assert refused["code"] == "no_such_ruleset"


def test_the_query_goes_first(client) -> None:
    answer = client.get("/rulesets/none?lang=de", headers={"Accept-Language": "fr"})
    assert answer.json()["title"] == answer.json()["detail"] == GERMAN
