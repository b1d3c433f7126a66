"""A report as the command writes it, and what it consists of for a parser of HTML."""

from collections.abc import Sequence
from html.parser import HTMLParser

from typing_extensions import override

from phaseledger.domain.words import Language
from phaseledger.replay.evidence.verify.batch import partings_of
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.evidence import SCHEMA, Document
from phaseledger.replay.evidence.verify.html_report import html_report
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verdict_words import VerdictWords
from phaseledger.replay.evidence.verify.verify import exit_code, in_language, verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from tests.support.replay.bundle_mutations import POLICY

VOID = {"meta", "rect", "path", "line", "circle"}
ALLOWED = {
    *("html", "head", "title", "style", "body", "main", "section", "h1", "h2", "p", "div"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary"),
    *("bdi", "code", "mark", "pre", "span", "strong", "meta", "header", "svg", "rect", "path"),
}


def report(
    *bundles: Sequence[bytes],
    policy: Policy | None = POLICY,
    damage: str = "",
    lang: Language = "en",
) -> str:
    """The report on bundles, as the command writes it."""
    examined = verify(
        [parse_bundle(lines, f"{n}.bundle") for n, lines in enumerate(bundles, 1)], policy
    )
    codes = [CODES[p.code].exit_code for bundle in examined for p in bundle.judgement.problems]
    code = exit_code([*codes, *[5] * bool(damage)])
    examined = in_language(examined, lang)
    judged = tuple(bundle.judgement for bundle in examined)
    source = policy.source if policy else ""
    damages = (damage,) if damage else ()
    stories = tuple(partings_of(examined, (), lang))
    words = VerdictWords(lang)
    judgement = Document(SCHEMA, code, code == 0, source, judged, damages, stories)
    return html_report(judgement, examined, words)


class Outline(HTMLParser):
    """The elements of a page, their text, and whether they are nested as they must be."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.cells: list[list[str]] = []
        self.headings: list[str] = []
        self.feed(page)
        self.close()

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("th", "td"):
            self.cells[-1].append("")
        if tag in ("h1", "h2"):
            self.headings.append("")

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        if {"th", "td"} & {*self.open}:
            self.cells[-1][-1] += data
        if {"h1", "h2"} & {*self.open}:
            self.headings[-1] += data


def outline(page: str) -> Outline:
    parsed = Outline(page)
    assert parsed.open == []
    assert {*parsed.tags} <= ALLOWED
    assert {name for name, _ in parsed.attributes} <= {
        *("lang", "charset", "http-equiv", "content", "name", "class", "id", "scope", "open"),
        *("aria-labelledby", "aria-label", "aria-hidden", "role", "tabindex"),
        *("viewbox", "x", "y", "width", "height", "rx", "fill", "stroke", "transform", "d"),
    }
    return parsed
