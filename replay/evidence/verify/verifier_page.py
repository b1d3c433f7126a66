"""The page that checks bundles in a browser: sources of `replay.web`, and tables of `verify`."""

import re
from collections.abc import Iterable
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
from phaseledger.replay.evidence.referee.citations import CITATIONS
from phaseledger.replay.evidence.referee.sheets import ORDINARY, SHEETS, USUAL
from phaseledger.replay.evidence.referee.sheets import STYLES as RULE_STYLES
from phaseledger.replay.evidence.verify.grades import GRADES, VALUES, grade_meaning
from phaseledger.replay.pages.page import bar
from phaseledger.replay.web.joiner import WEB, named_words, page, script, styles

SOURCES = WEB / "verifier"
STYLES = ("tokens.css", "text.css", "cards.css", "verifier.css")
REPLAY_STYLES = ("base.css", "cards.css", "parts.css", "replay.css")
"""Style sheets of the replay, which is a shadow tree."""
STATUSES = ("verdict.finished", "verdict.voided", "verdict.unfinished")
"""Messages of a verdict that the page has as well."""


@cache
def verifier_page() -> bytes:
    """The page, as UTF-8."""
    return page_of(SOURCES / "main.js")


def page_of(entry: Path) -> bytes:
    """The page whose script begins with the module ``entry``, in its folder or in any other."""
    shell = (SOURCES / "verifier.html").read_text(encoding="utf-8")
    tables = {**_referee_tables(), "SHAPES": _shapes(), "WORDS": _words(shell)}
    tables |= {"GRADES": {grade: asdict(weakest) for grade, weakest in GRADES.items()}}
    tables |= {"FACETS": VALUES}
    code = script(entry, [entry.parent])
    tables |= {"REPLAY_WORDS": _replay_words(code), "REPLAY_STYLE": styles(*REPLAY_STYLES)}
    code = script(entry, [entry.parent], tables)
    parts = {"bar": bar(), "languages": _choices(), "no_script": _without_script()}
    return page(_in_english(shell), code, styles(*STYLES), images="data:", **parts).encode()


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


def _words(shell: str) -> dict[str, dict[str, PageText]]:
    """The words of each language, without findings that the page's own checks do not make."""
    sources = [shell, *(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.js"))]
    others = {code for code in texts("en", "evidence.") if not _is_used(code, sources)}
    return {
        lang: {code: text for code, text in verifier_words(lang).items() if code not in others}
        for lang in LANGUAGES
    }


def _replay_words(code: str) -> dict[str, dict[str, PageText]]:
    """What the replay says in each language: its own words, and those of groups and phases."""
    kinds = ("need.", "needs.", "group.", "colour", "suit")
    return {
        lang: named_words(code, texts(lang, "viewer.", "play."))
        | {f"{kind}{key}": text for kind in kinds for key, text in texts(lang, kind).items()}
        for lang in LANGUAGES
    }


def _is_used(code: str, sources: Iterable[str]) -> bool:
    return code.startswith(_PREFIXES) or any(f'"{code}"' in source for source in sources)


_PREFIXES = ("kind.", "end.", "parity.", "step.", "turn.skip_", "policy.")
"""Codes that the script puts together."""


def _in_english(html: str) -> str:
    """The shell with the English words where its elements name them, for want of a script."""
    words = verifier_words("en")

    def filled(match: re.Match[str]) -> str:
        text = re.sub("`([^`]*)`", r"<code>\1</code>", escape(str(words[match[2]]), quote=False))
        return f"{match[1]}{text}"

    html = re.sub(r'(<\w+[^>]* data-words="([\w.]+)"[^>]*>)', filled, html)
    return re.sub(
        r'data-label="([\w.]+)"',
        lambda match: f'{match[0]} aria-label="{escape(str(words[match[1]]))}"',
        html,
    )


def _without_script() -> str:
    """What a reader without JavaScript is told, in each language."""
    return "".join(
        f'<p lang="{lang}">{escape(message(lang, "verifier.page.no_script"))}</p>'
        for lang in LANGUAGES
    )


def _choices() -> str:
    """The languages, to choose from."""
    return "".join(
        f'<option value="{lang}" lang="{lang}">{message(lang, "language.name")}</option>'
        for lang in LANGUAGES
    )


def _referee_tables() -> dict[str, object]:
    """The rules as data: both referees read the same tables."""
    return {
        "CITATIONS": CITATIONS,
        "SHEETS": [sheet._asdict() for sheet in SHEETS],
        "ORDINARY": ORDINARY,
        "PRESETS": {name: _preset(game.rules) for name, game in GAMES.items()},
        "STYLES": RULE_STYLES,
        "USUAL": USUAL,
    }


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
