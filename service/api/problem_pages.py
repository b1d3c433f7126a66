"""What every refusal means and what to do about it: the pages that a problem's `type` leads to."""

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
from phaseledger.service.api.problems import KINDS

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


class _Words(NamedTuple):
    cause: str = ""
    cure: str = ""
    rule: str = ""


@cache
def _written() -> Mapping[str, _Words]:
    found = tomllib.loads(PROBLEMS_FILE.read_text("utf-8"))
    return {code: _Words(**words) for code, words in found.items()}


def page(code: str) -> ProblemPage | None:
    """The page of a code; None when there is no such code."""
    kind = KINDS.get(code)
    if kind is None:
        return None
    words = _written().get(code, _Words())
    cited = ((name, cite(name, code)) for name in GAMES)
    return ProblemPage(
        code=str(code),
        type=f"/problems/{code}",
        status=kind.status,
        title=kind.title,
        cause=words.cause,
        cure=words.cure,
        rule=words.rule,
        citations=tuple(Citation(name, rule) for name, rule in cited if rule),
    )


def problem_lines() -> Problems:
    """All codes, by status and name."""
    lines = (
        ProblemLine(str(code), f"/problems/{code}", kind.status, kind.title)
        for code, kind in KINDS.items()
    )
    return Problems(tuple(sorted(lines, key=lambda line: (line.status, line.code))))


def as_html(found: ProblemPage) -> str:
    """The page of one code, for people."""
    rule = ""
    if found.rule:
        rows = "".join(
            f"<tr><td>{escape(each.ruleset)}</td><td>{escape(each.rule)}</td></tr>"
            for each in found.citations
        )
        rule = f"<h2>The rule</h2><p>{_told(found.rule)}</p><table>{rows}</table>"
    return _document(
        found.title,
        f"<p><code>{escape(found.code)}</code>, status {found.status}</p>"
        f"<h2>Cause</h2><p>{_told(found.cause)}</p><h2>Cure</h2><p>{_told(found.cure)}</p>{rule}"
        '<p><a href="/problems">All problems</a> · <a href="/docs">The API</a></p>',
    )


def index_as_html(found: Problems) -> str:
    """The list of all codes, for people."""
    rows = "".join(
        f'<tr><td>{line.status}</td><td><a href="{escape(line.type)}">{escape(line.code)}</a></td>'
        f"<td>{escape(line.title)}</td></tr>"
        for line in found.problems
    )
    return _document("Problems", f"<table>{rows}</table>")


def _told(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))


def _document(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{escape(title)}</h1>{body}</html>\n"
    )
