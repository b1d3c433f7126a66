"""The page that checks bundles in a browser, put together from its sources in ``page``.

It is one file for whoever opens it, and runs nothing else: its policy names the hashes of its
script and its style, which are computed here.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from phaseledger.domain.events import EVENTS, Secret
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.pages.look import STYLE
from phaseledger.replay.pages.page import bar
from phaseledger.replay.referee.citations import CITATIONS
from phaseledger.replay.referee.sheets import ORDINARY, SHEETS, STYLES, USUAL
from phaseledger.replay.verify.grades import GRADES, VALUES
from phaseledger.replay.verify.policy import SHAPES

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
)
"""Files in the scope of the page itself."""


@cache
def verifier_page() -> bytes:
    """The page, as UTF-8."""
    html = (SOURCES / "verifier.html").read_text(encoding="utf-8")
    html = html.replace("/*page.css*/", STYLE).replace("<!--bar-->", bar())
    rules = [(SOURCES / name).read_text(encoding="utf-8") for name in RULES]
    html = html.replace("/*rules*/", "\n".join([_catalogue(), *rules]))
    html = html.replace("/*shapes*/", f"const SHAPES = {_script(_shapes())};\n{_grades()}\n")
    for name in BESIDE:
        html = html.replace(f"/*{name}*/", (SOURCES / name).read_text(encoding="utf-8"))
    return pinned(html).encode()


def pinned(html: str) -> str:
    """The page with the hashes of its script and its style in its policy; nothing else may run."""
    for tag in ("script", "style"):
        (source,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        html = re.sub(f"{tag}-src '[^']*'", f"{tag}-src 'sha256-{digest}'", html, count=1)
    return html


def _grades() -> str:
    """The tables of grades and facets, and what a policy's fields are, as `verify` has them."""
    tables: Mapping[str, object] = {
        "GRADES": {grade: asdict(weakest) for grade, weakest in GRADES.items()},
        "FACETS": VALUES,
        "POLICY_SHAPES": SHAPES,
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
