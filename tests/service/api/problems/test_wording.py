"""Refusals in the caller's language: the words change, and nothing that programs go by."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.words import LANGUAGES
from phaseledger.service.api.problems.details import REFUSALS, problem
from phaseledger.service.refusals import Refusal
from tests.support.cases import looped

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
ROOMS = ("api", "credentials", "games", "lobby", "readmodels", "streams", "transparency")
SOURCES = [path for room in ROOMS for path in (ROOT / "service" / room).rglob("*.py")]
SOURCES += [ROOT / "service/webhooks/egress.py", ROOT / "domain/resolve.py"]


def refusing(kind: type[Refusal] = Refusal) -> set[str]:
    """The names of a refusal's subclasses."""
    return {kind.__name__}.union(*map(refusing, kind.__subclasses__()))


FOR_THE_LOG = {"TreeError", "LogDamaged", "StoreUnavailable", "LedgerTimeUnknown", "StoreFull"}
FOR_THE_LOG |= {"NoPublishedCheckpoint", "LogWentBack", "SigningRefused", "LedgerBehind"}
WRITERS = (refusing() | {"Fault", "AddressRefused", "Unplayable", "Rejected"}) - FOR_THE_LOG
PROSE = re.compile("[a-z]{2} | [a-z]{2}")
NEUTRAL = ("operator ", "Bearer realm=")


def written(tree: ast.AST) -> Iterator[str]:
    """The texts in calls of what refuses, and those that a name among them stands for."""
    arguments: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in WRITERS:
            arguments += [*node.args, *(keyword.value for keyword in node.keywords)]
    names = {part.id for part in arguments if isinstance(part, ast.Name)}
    arguments += [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in names
    ]
    while arguments:
        part = arguments.pop()
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.IfExp | ast.JoinedStr | ast.FormattedValue):
            arguments += [
                child for child in ast.iter_child_nodes(part) if isinstance(child, ast.expr)
            ]


def test_every_text_that_a_refusal_adds_is_a_phrase() -> None:
    """So it is said in the caller's language."""
    for path in SOURCES:
        texts = written(ast.parse(path.read_text("utf-8")))
        plain = [text for text in texts if PROSE.search(text) and not text.startswith(NEUTRAL)]
        assert plain == [], path
