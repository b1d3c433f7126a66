"""Refusals in the caller's language: the words change, and nothing that programs go by."""

from pathlib import Path

from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.words import LANGUAGES
from phaseledger.service.api.problems.details import REFUSALS, problem
from phaseledger.service.refusals import Refusal
from tests.support.cases import looped
from tests.support.written_texts import texts_of_calls

GERMAN = "Diese Spielart gibt es hier nicht."


def test_every_refusal_has_a_title() -> None:
    for lang in LANGUAGES:
        titles = [title_of(code, lang) for code in REFUSALS]
        assert all(title.endswith(".") for title in titles)
        assert len({*titles}) > 0.98 * len(titles), lang


def test_a_detail_adds_to_the_title() -> None:
    title = title_of("game_over")
    plain = problem(REFUSALS["game_over"], instance="/")
    assert (plain.title, plain.detail) == (title, title)
    detail = problem(REFUSALS["game_over"], "seat 2.", instance="/").detail
    assert detail == f"{title[:-1]}: seat 2."


@looped(
    ("query", "accepted", "lang"),
    [
        ("", "de-CH, en;q=0.5", "de"),
        ("", "es, fr;q=0.5, de;q=0.4", "fr"),
        ("", "es, fr;q=0.1, de;q=0.5", "de"),
        ("", "de;q=0, pt", "en"),
        ("", "de;q=0, fr;q=x, en-GB;q=0.2", "en"),
        ("", "*", "en"),
        ("", "", "en"),
        ("?lang=de", "fr", "de"),
        ("?lang=FR", "", "fr"),
        ("?lang=de-CH", "", "de"),
        ("?lang=tlh", "de", "en"),
    ],
)
def test_the_language_that_is_asked_for(client, query: str, accepted: str, lang: str) -> None:
    answer = client.get(f"/rulesets/none{query}", headers={"Accept-Language": accepted})
    refused = answer.json()
    assert answer.headers["Content-Language"] == lang
    assert "Accept-Language" in answer.headers["Vary"]
    assert (refused["title"] == refused["detail"] == GERMAN) == (lang == "de")
    assert refused["code"] == "no_such_ruleset"


# --- what refusals add ----------------------------------------------------------------------------

ROOT = Path(__file__).parents[4]
HTTP = [
    path
    for room in ("api", "credentials", "games", "lobby", "readmodels", "streams", "transparency")
    for path in sorted((ROOT / "service" / room).rglob("*.py"))
]
SOURCES = (*HTTP, ROOT / "service/webhooks/egress.py", ROOT / "domain/resolve.py")


def refusing(kind: type[Refusal] = Refusal) -> set[str]:
    """The names of a refusal's subclasses."""
    return {kind.__name__}.union(*map(refusing, kind.__subclasses__()))


WRITERS = (refusing() | {"Fault", "AddressRefused", "Unplayable", "Rejected"}) - {
    *(
        "TreeError",
        "LogDamaged",
        "StoreUnavailable",
        "LedgerTimeUnknown",
        "StoreFull",
    ),  # for the log alone
    *("NoPublishedCheckpoint", "LogWentBack", "SigningRefused", "LedgerBehind"),
}
NEUTRAL = ("operator {}: {}", "Bearer realm=")


def test_every_text_that_a_refusal_adds_is_a_phrase() -> None:
    plain = [
        (path, text)
        for path in SOURCES
        for text in texts_of_calls(path, WRITERS)
        if not text.startswith(NEUTRAL)
    ]
    assert plain == []
