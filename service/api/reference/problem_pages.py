"""The problem pages, to which a problem's `type` leads: what each refusal means, and its cure."""

from functools import partial
from itertools import groupby
from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.rulesets import GAMES, cite
from phaseledger.domain.words import LANGUAGES, Language, has_message, message
from phaseledger.replay.pages.page import Html, bar, document, element, section, text
from phaseledger.replay.web.joiner import styles
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.problems.phrases import phrase
from phaseledger.service.api.reference.pages import links, search_field
from phaseledger.service.api.reference.schema_markup import coded

INDEX = "/problems"

STYLE = styles("search.css", "problems.css")


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


def page(code: str, lang: Language = "en") -> ProblemPage | None:
    """The page of a code; None when there is no such code."""
    refusal = REFUSALS.get(code)
    if refusal is None:
        return None
    rules = ((name, cite(name, code)) for name in GAMES)
    return ProblemPage(
        code=code,
        type=f"/problems/{code}",
        status=refusal.status,
        title=title_of(code, lang),
        cause=_text(code, "cause", lang),
        cure=_text(code, "cure", lang),
        rule=_text(code, "rule", lang),
        citations=tuple(Citation(name, rule) for name, rule in rules if rule),
    )


def _text(code: str, part: str, lang: Language) -> str:
    """What people have written about the refusal; empty where that is nothing."""
    key = f"problems.{code}.{part}"
    return message(lang, key) if has_message(key) else ""


def problem_lines(lang: Language = "en") -> ProblemList:
    """All codes, by status and name."""
    lines = (
        ProblemLine(code, f"/problems/{code}", refusal.status, title_of(code, lang))
        for code, refusal in REFUSALS.items()
    )
    return ProblemList(tuple(sorted(lines, key=lambda line: (line.status, line.code))))


def as_html(problem: ProblemPage, lang: Language = "en", *, chosen: bool = False) -> str:
    """The page of one code as HTML; ``chosen``: its links keep the language."""
    words = partial(_words, lang)
    parts: list[object] = [
        element("h2", words("cause")),
        element("p", coded(problem.cause)),
        element("h2", words("cure")),
        element("p", coded(problem.cure)),
    ]
    if problem.rule:
        books = ", ".join(
            f"<code>{text(citation.ruleset)} {text(citation.rule)}</code>"
            for citation in problem.citations
        )
        parts += [element("h2", words("rule")), element("p", coded(problem.rule))]
        parts += [element("p", Html(books), attributes='class="soft"')] if books else []
    code = element("code", problem.code)
    line = Html(words("line", code=code, status=_status(problem.status, lang)))
    return _document(
        problem.title,
        element("p", line, attributes='class="lead"'),
        element("div", *parts, attributes='class="sheet"'),
        lang=lang,
        address=problem.type,
        chosen=chosen,
    )


def _status(status: int, lang: Language) -> str:
    """A status with its name, which HTTP has in English alone."""
    return f"{status} {text(phrase(status))}" if lang == "en" else str(status)


def index_as_html(problems: ProblemList, lang: Language = "en", *, chosen: bool = False) -> str:
    """The list of all codes as HTML, by status; ``chosen``: its links keep the language."""
    words, query = partial(_words, lang), f"?lang={lang}" * chosen
    parts: list[object] = [element("p", coded(words("lead")), attributes='class="lead"')]
    for status, lines in groupby(problems.problems, key=lambda line: line.status):
        items = (
            element(
                "li",
                Html(f'<a href="{text(line.type)}{query}"><code>{text(line.code)}</code></a>'),
                element("span", line.title),
            )
            for line in lines
        )
        listed = element("ul", *items, attributes='class="list sheet"')
        parts.append(section(f"s{status}", Html(_status(status, lang)), listed))
    return _document(words("title"), *parts, lang=lang, address=INDEX, chosen=chosen)


def _words(lang: Language, key: str, /, **arguments: object) -> str:
    """What stands around the words of each refusal, and on the links by their addresses."""
    return message(lang, f"problem_pages.{key}", **arguments)


def _document(title: str, *body: object, lang: Language, address: str, chosen: bool) -> str:
    words, query = partial(_words, lang), f"?lang={lang}" * chosen
    shown = [(f"{to}{query * (to == INDEX)}", words(to)) for to, _ in links()]
    top = bar(shown, f"{INDEX}{query}", "/", words("skip"), words("pages"))
    above = Html(top + search_field(words("search")))

    def choice(other: Language) -> Html:
        is_here = other == lang
        mark = 'aria-current="true"' if is_here else f'href="{address}?lang={other}"'
        name = message(other, "language.name")
        return element("span" if is_here else "a", name, attributes=f'{mark} lang="{other}"')

    about = f'class="languages" aria-label="{words("languages")}"'
    languages = element("nav", *map(choice, LANGUAGES), attributes=about)
    content = (element("h1", title), *body, languages)
    return document(title, *content, more_style=STYLE, above=above, lang=lang, form="'self'")
