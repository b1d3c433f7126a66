"""The problem pages, to which a problem's `type` leads: what each refusal means, and its cure."""

import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from phaseledger.domain.rulesets import GAMES, cite
from phaseledger.service.api.problems import REFUSALS

PROBLEMS_FILE = Path(__file__).with_name("static") / "problems.toml"

STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.3rem }
h2 { font-size: 1rem; margin-bottom: 0 }
p { margin-top: .2rem }
td, th { text-align: left; vertical-align: top; padding: .1rem 1rem .1rem 0 }
code { font-size: .9em; background: #8882; padding: 0 .2em }
:root { color-scheme: light dark }
"""
_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"
"""The pages' Content-Security-Policy: nothing is loaded, nothing runs."""


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


class Problems(Struct, frozen=True):
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


def problem_lines() -> Problems:
    """All codes, by status and name."""
    lines = (
        ProblemLine(code, f"/problems/{code}", refusal.status, refusal.title)
        for code, refusal in REFUSALS.items()
    )
    return Problems(tuple(sorted(lines, key=lambda line: (line.status, line.code))))


def as_html(problem: ProblemPage) -> str:
    """The page of one code as HTML."""
    rule = ""
    if problem.rule:
        rows = "".join(
            f"<tr><td>{escape(citation.ruleset)}</td><td>{escape(citation.rule)}</td></tr>"
            for citation in problem.citations
        )
        rule = f"<h2>The rule</h2><p>{_with_code_tags(problem.rule)}</p><table>{rows}</table>"
    return _document(
        problem.title,
        f"<p><code>{escape(problem.code)}</code>, status {problem.status}</p>"
        f"<h2>Cause</h2><p>{_with_code_tags(problem.cause)}</p>"
        f"<h2>Cure</h2><p>{_with_code_tags(problem.cure)}</p>{rule}"
        '<p><a href="/problems">All problems</a> · <a href="/docs">The API</a></p>',
    )


def index_as_html(problems: Problems) -> str:
    """The list of all codes as HTML."""
    rows = "".join(
        f'<tr><td>{line.status}</td><td><a href="{escape(line.type)}">{escape(line.code)}</a></td>'
        f"<td>{escape(line.title)}</td></tr>"
        for line in problems.problems
    )
    return _document("Problems", f"<table>{rows}</table>")


def _with_code_tags(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{escape(title)}</h1>{body}</html>\n"
    )
