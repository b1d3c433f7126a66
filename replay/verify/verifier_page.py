"""The page that checks bundles in a browser, put together from its sources in ``page``.

It is one file for a browser, and runs nothing else: its policy names the hashes of its
script and its style, which are computed here.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from phaseledger.domain.events import EVENTS, Secret
from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.words import LANGUAGES, Language, PageText, message, spoken, texts
from phaseledger.replay.pages.look import STYLE
from phaseledger.replay.pages.page import bar
from phaseledger.replay.referee.citations import CITATIONS
from phaseledger.replay.referee.sheets import ORDINARY, SHEETS, STYLES, USUAL
from phaseledger.replay.verify.grades import GRADES, VALUES, grade_meaning

SOURCES = Path(__file__).parent / "page"
RULES = (
    "cards.js",
    "groups.js",
    "table.js",
    "sheets.js",
    "turns.js",
    "lays.js",
    "winners.js",
    "rounds.js",
    "board.js",
    "referee.js",
)
"""The referee's files, in a scope of their own: `replay.referee` once more, in JavaScript."""
BESIDE = (
    "shapes.js",
    "decisions.js",
    "game.js",
    "receipts.js",
    "policy.js",
    "sightings.js",
    "grade.js",
    "words.js",
    "view.js",
)
"""Files in the scope of the page itself."""
STATUSES = ("verdict.finished", "verdict.voided", "verdict.unfinished")
"""Messages of a verdict that the page has as well."""


@cache
def verifier_page() -> bytes:
    """The page, as UTF-8."""
    html = (SOURCES / "verifier.html").read_text(encoding="utf-8")
    html = html.replace("/*page.css*/", STYLE).replace("<!--bar-->", bar())
    html = _in_english(html.replace("<!--languages-->", _choices()))
    rules = [(SOURCES / name).read_text(encoding="utf-8") for name in RULES]
    html = html.replace("/*rules*/", "\n".join([_catalogue(), *rules]))
    html = html.replace("/*shapes*/", f"const SHAPES = {_script(_shapes())};\n{_grades()}\n")
    for name in BESIDE:
        html = html.replace(f"/*{name}*/", (SOURCES / name).read_text(encoding="utf-8"))
    html = html.replace("/*words*/", f"const WORDS = {_script(_words(html))};")
    return pinned(html).encode()


def pinned(html: str) -> str:
    """The page with the hashes of its script and its style in its policy; nothing else may run."""
    for tag in ("script", "style"):
        (source,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        html = re.sub(f"{tag}-src '[^']*'", f"{tag}-src 'sha256-{digest}'", html, count=1)
    return html


def verifier_words(lang: Language) -> dict[str, PageText]:
    """All that the page may say in the language, by code.

    Findings have the codes of the catalogue without their prefix, as what is the page's own has;
    headlines have theirs after ``headline.``, the meanings of grades after ``meaning.grade.``, the
    texts of rules their IDs after ``rule.``.
    """
    rules = {rule for citation in CITATIONS.values() for rule in citation.split()}
    return {
        **texts(lang, "evidence."),
        **{f"headline.{code}": text for code, text in texts(lang, "headline.").items()},
        **texts(lang, "verifier."),
        **{f"meaning.grade.{grade}": spoken(grade_meaning(grade), lang) for grade in GRADES},
        "meaning.grade.none": spoken(grade_meaning("none"), lang),
        **{f"rule.{rule}": text for rule in sorted(rules) if (text := rule_text(rule, lang))},
        **{code: message(lang, code) for code in STATUSES},
    }


def _words(html: str) -> dict[str, dict[str, PageText]]:
    """The words of each language, without findings that the page's own checks do not make."""
    others = {code for code in texts("en", "evidence.") if not _is_used(code, html)}
    return {
        lang: {code: text for code, text in verifier_words(lang).items() if code not in others}
        for lang in LANGUAGES
    }


def _is_used(code: str, html: str) -> bool:
    return f'"{code}"' in html or code.startswith(_PREFIXES)


_PREFIXES = ("kind.", "end.", "parity.", "step.", "turn.skip_", "policy.")
"""Codes that the script puts together."""


def _in_english(html: str) -> str:
    """The page with English words where its elements name them, for readers without script."""
    words = verifier_words("en")

    def filled(match: re.Match[str]) -> str:
        text = re.sub("`([^`]*)`", r"<code>\1</code>", escape(str(words[match[2]]), quote=False))
        return f"{match[1]}{text}"

    html = re.sub(r'(<\w+[^>]* data-words="([\w.]+)"[^>]*>)', filled, html)
    html = re.sub(
        r'data-label="([\w.]+)"',
        lambda match: f'{match[0]} aria-label="{escape(str(words[match[1]]))}"',
        html,
    )
    lines = (
        f'<p lang="{lang}">{escape(message(lang, "verifier.page.no_script"))}</p>'
        for lang in LANGUAGES
    )
    return html.replace("<!--no script-->", "".join(lines))


def _choices() -> str:
    """The languages, to choose from."""
    return "".join(
        f'<option value="{lang}" lang="{lang}">{message(lang, "language.name")}</option>'
        for lang in LANGUAGES
    )


def _grades() -> str:
    """The tables of grades and facets, and what a policy's fields are, as `verify` has them."""
    tables: Mapping[str, object] = {
        "GRADES": {grade: asdict(weakest) for grade, weakest in GRADES.items()},
        "FACETS": VALUES,
    }
    return "\n".join(f"const {name} = {_script(value)};" for name, value in tables.items())


def _catalogue() -> str:
    """What the catalogue says in data: both referees read the same tables."""
    sheets = [sheet._asdict() for sheet in SHEETS]
    presets = {name: _preset(game.rules) for name, game in GAMES.items()}
    tables: Mapping[str, object] = {
        "CITATIONS": CITATIONS,
        "SHEETS": sheets,
        "ORDINARY": ORDINARY,
        "PRESETS": presets,
        "STYLES": STYLES,
        "USUAL": USUAL,
    }
    lines = (f"const {name} = {_script(value)};" for name, value in tables.items())
    return "\n".join(lines)


def _preset(rules: RuleSet) -> dict[str, str]:
    """What a game's rule set says whatever the house rules are, and no sheet has."""
    return {"id": rules.id, "title": rules.title, "notation": rules.deck.notation}


def _shapes() -> dict[str, Any]:
    """The JSON Schema of every event and of what is hidden, by which the log is read as well."""
    _, shapes = msgspec.json.schema_components([*EVENTS.values(), Secret], ref_template="{name}")
    return {name: _bare(shape) for name, shape in shapes.items()}


_WORDS = ("description", "title", "default", "discriminator")


def _bare(shape: Any) -> Any:  # noqa: ANN401 - a schema is an object, a list or a value
    """A schema without what is written for people."""
    if isinstance(shape, list):
        return [_bare(item) for item in shape]
    if not isinstance(shape, dict):
        return shape
    return {
        key: {name: _bare(fact) for name, fact in value.items()}
        if key == "properties"
        else _bare(value)
        for key, value in shape.items()
        if key not in _WORDS
    }


def _script(value: object) -> str:
    """A value as JSON that ends no script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
