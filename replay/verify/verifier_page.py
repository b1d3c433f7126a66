"""The page that checks bundles in a browser, put together from its sources in ``page``.

It is one file for whoever opens it, and runs nothing else: its policy names the hashes of its
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
from phaseledger.domain.explain.languages import LANGUAGES, MESSAGES, Language
from phaseledger.domain.explain.languages.french import spaced
from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.pages.look import STYLE
from phaseledger.replay.pages.page import bar
from phaseledger.replay.referee.citations import CITATIONS
from phaseledger.replay.referee.sheets import ORDINARY, SHEETS, STYLES, USUAL
from phaseledger.replay.verify.grades import GRADES, MEANINGS, VALUES
from phaseledger.replay.verify.headline import ENGLISH
from phaseledger.replay.words import english, french, german
from phaseledger.replay.words.english.verifier import VERIFIER as ENGLISH_WORDS
from phaseledger.replay.words.french.explanations import GRADES as FRENCH_MEANINGS
from phaseledger.replay.words.french.headlines import HEADLINES as FRENCH_HEADLINES
from phaseledger.replay.words.french.verifier import VERIFIER as FRENCH_WORDS
from phaseledger.replay.words.german.explanations import GRADES as GERMAN_MEANINGS
from phaseledger.replay.words.german.headlines import HEADLINES as GERMAN_HEADLINES
from phaseledger.replay.words.german.verifier import VERIFIER as GERMAN_WORDS

_MEANINGS: Mapping[Language, Mapping[Any, str]] = {
    "en": MEANINGS,
    "de": GERMAN_MEANINGS,
    "fr": FRENCH_MEANINGS,
}
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
LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""Each language as it calls itself."""
TABLES: Mapping[Language, tuple[Mapping[str, str], ...]] = {
    "en": (english.FORMS, ENGLISH, ENGLISH_WORDS),
    "de": (german.FORMS, GERMAN_HEADLINES, GERMAN_WORDS),
    "fr": (french.FORMS, FRENCH_HEADLINES, FRENCH_WORDS),
}
"""Of each language: what `verify` says in findings and in headlines, and what the page adds."""
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


def verifier_words(lang: Language) -> dict[str, str]:
    """All that the page may say in the language, by code.

    Headlines have the codes of `headline` after ``headline.``, the meanings of grades theirs after
    ``meaning.grade.``, the texts of rules their IDs after ``rule.``; templates are as `message`
    takes them.
    """
    findings, headlines, page = TABLES[lang]
    own = {**findings, **{f"headline.{code}": text for code, text in headlines.items()}, **page}
    own |= {f"meaning.grade.{grade}": text for grade, text in _MEANINGS[lang].items()}
    if lang == "fr":
        own = {code: spaced(text) for code, text in own.items()}
    rules = {rule for citation in CITATIONS.values() for rule in citation.split()}
    texts = {f"rule.{rule}": text for rule in sorted(rules) if (text := rule_text(rule, lang))}
    return {**own, **texts, **{code: MESSAGES[lang][code] for code in STATUSES}}


def _words(html: str) -> dict[str, dict[str, str]]:
    """The words of each language, without findings that the page's own checks do not make."""
    codes = {code for lang in LANGUAGES for code in TABLES[lang][0]}
    others = {code for code in codes if not _is_used(code.removesuffix("@one"), html)}
    words = {lang: verifier_words(lang) for lang in LANGUAGES}
    return {
        lang: {code: text for code, text in table.items() if code not in others}
        for lang, table in words.items()
    }


def _is_used(code: str, html: str) -> bool:
    return f'"{code}"' in html or code.startswith(_PREFIXES)


_PREFIXES = ("kind.", "end.", "parity.", "step.", "turn.skip_", "policy.")
"""Codes that the script puts together."""


def _in_english(html: str) -> str:
    """The page with the English words where its elements name them, for whoever runs no script."""
    words = verifier_words("en")

    def filled(match: re.Match[str]) -> str:
        text = re.sub("`([^`]*)`", r"<code>\1</code>", escape(words[match[2]], quote=False))
        return f"{match[1]}{text}"

    html = re.sub(r'(<\w+[^>]* data-words="([\w.]+)"[^>]*>)', filled, html)
    html = re.sub(
        r'data-label="([\w.]+)"',
        lambda match: f'{match[0]} aria-label="{escape(words[match[1]])}"',
        html,
    )
    lines = (
        f'<p lang="{lang}">{escape(verifier_words(lang)["page.no_script"])}</p>'
        for lang in LANGUAGES
    )
    return html.replace("<!--no script-->", "".join(lines))


def _choices() -> str:
    """The languages, to choose from."""
    return "".join(
        f'<option value="{lang}" lang="{lang}">{name}</option>'
        for lang, name in LANGUAGE_NAMES.items()
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
