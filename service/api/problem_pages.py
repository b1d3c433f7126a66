"""The problem pages, to which a problem's `type` leads: what each refusal means, and its cure."""

import tomllib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from itertools import groupby
from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from phaseledger.domain.rulesets import GAMES, cite
from phaseledger.replay.pages.look import compact
from phaseledger.replay.pages.page import Html, bar, document, element, section, text
from phaseledger.service.api.problems import REFUSALS
from phaseledger.service.api.reference.pages import LINKS
from phaseledger.service.api.reference.schema_markup import coded

PROBLEMS_FILE = Path(__file__).with_name("static") / "problems.toml"

STYLE = compact("""
.sheet h2 { font-size: var(--text-note); color: var(--soft); margin: var(--space-4) 0 2px }
.sheet p { margin: 0 } .status { font-variant-numeric: tabular-nums }
.list { list-style: none; padding: 0; max-width: none }
.list li { padding: var(--space-2) 0; border-bottom: 1px solid var(--line) }
.list li:last-child { border: 0 } .list a { font-weight: 600 }
.list span { color: var(--soft); display: block; font-size: var(--text-note) }
@media (min-width: 48rem) {
  .list li { display: grid; grid-template-columns: 20rem minmax(0, 1fr) } }
""")


class Citation(Struct, frozen=True):
    """Where a rule stands in the rule book of one game."""

    ruleset: str
    rule: str


class ProblemLine(Struct, frozen=True):
    """A refusal in the list."""

    code: str
    type: str
    status: int
    title: str


class ProblemPage(Struct, frozen=True):
    """What a refusal means, and what to do about it."""

    code: str
    type: str
    status: int
    title: str
    cause: str
    cure: str
    rule: Annotated[
        str,
        Meta(
            description="The rule of the game behind it, in a sentence; empty where there is none."
        ),
    ]
    citations: Annotated[
        tuple[Citation, ...],
        Meta(
            description="Where the rule stands, as far as a rule set cites it without house rules."
        ),
    ]


class ProblemList(Struct, frozen=True):
    """Every code that a refusal may have."""

    problems: tuple[ProblemLine, ...]


class _PageText(NamedTuple):
    cause: str = ""
    cure: str = ""
    rule: str = ""


@cache
def _page_texts() -> Mapping[str, _PageText]:
    tables = tomllib.loads(PROBLEMS_FILE.read_text("utf-8"))
    return {code: _PageText(**table) for code, table in tables.items()}


def page(code: str) -> ProblemPage | None:
    """The page of a code; None when there is no such code."""
    refusal = REFUSALS.get(code)
    if refusal is None:
        return None
    text = _page_texts().get(code, _PageText())
    rules = ((name, cite(name, code)) for name in GAMES)
    return ProblemPage(
        code=code,
        type=f"/problems/{code}",
        status=refusal.status,
        title=refusal.title,
        cause=text.cause,
        cure=text.cure,
        rule=text.rule,
        citations=tuple(Citation(name, rule) for name, rule in rules if rule),
    )


def problem_lines() -> ProblemList:
    """All codes, by status and name."""
    lines = (
        ProblemLine(code, f"/problems/{code}", refusal.status, refusal.title)
        for code, refusal in REFUSALS.items()
    )
    return ProblemList(tuple(sorted(lines, key=lambda line: (line.status, line.code))))


def as_html(problem: ProblemPage) -> str:
    """The page of one code as HTML."""
    status = HTTPStatus(problem.status)
    parts: list[object] = [
        element("h2", "Cause"),
        element("p", coded(problem.cause)),
        element("h2", "Cure"),
        element("p", coded(problem.cure)),
    ]
    if problem.rule:
        books = ", ".join(
            f"{text(citation.ruleset)} <code>{text(citation.rule)}</code>"
            for citation in problem.citations
        )
        parts += [element("h2", "The rule"), element("p", coded(problem.rule))]
        parts += [element("p", Html(books), attributes='class="soft"')] if books else []
    line = Html(f"<code>{text(problem.code)}</code>, status {problem.status} {text(status.phrase)}")
    return _document(
        problem.title,
        element("p", line, attributes='class="lead"'),
        element("div", *parts, attributes='class="sheet"'),
    )


def index_as_html(problems: ProblemList) -> str:
    """The list of all codes as HTML, by status."""
    parts: list[object] = [
        element(
            "p",
            Html(
                "Every refusal has one of these codes, and its <code>type</code> leads to the "
                "code's page: cause, cure, and the rule of the game behind it."
            ),
            attributes='class="lead"',
        )
    ]
    for status, lines in groupby(problems.problems, key=lambda line: line.status):
        items = (
            element(
                "li",
                Html(f'<a href="{text(line.type)}">{text(line.code)}</a>'),
                element("span", line.title),
            )
            for line in lines
        )
        key = f"s{status}"
        title = f"{status} {HTTPStatus(status).phrase}"
        listed = element("ul", *items, attributes='class="list sheet"')
        parts.append(section(key, title, listed))
    return _document("Problems", *parts)


def _document(title: str, *body: object) -> str:
    above = bar(LINKS, here="/problems", home="/")
    return document(title, element("h1", title), *body, more_style=STYLE, above=above)
