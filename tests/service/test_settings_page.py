"""docs/how-to/run-it-for-others.md names every setting, with its default and what it means."""

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from phaseledger.service import settings
from phaseledger.service.settings import PREFIX, Settings

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "run-it-for-others.md"


def meanings() -> dict[str, str]:
    """What the source says below each field."""
    (fields,) = (
        node.body
        for node in ast.parse(inspect.getsource(settings)).body
        if isinstance(node, ast.ClassDef) and node.name == "Settings"
    )
    texts: dict[str, str] = {}
    for field, text in pairwise(fields):
        match field, text:
            case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(meaning))):
                texts[name] = " ".join(meaning.replace("``", "`").split())
    return texts


def table() -> Iterator[str]:
    """The table's lines, a setting each, in the order of the source."""
    texts = meanings()
    yield "| variable | default | value | what it means |"
    yield "|---|---|---|---|"
    for field in msgspec.structs.fields(Settings):
        if field.name not in settings.NAMES:
            continue
        default = msgspec.json.encode(field.default).decode()
        shown = f"`{default.strip(chr(34))}`" if field.default != "" else ""
        words = settings.kinds()[field.name].words
        yield f"| `{PREFIX}{field.name.upper()}` | {shown} | {words} | {texts[field.name]} |"


def test_every_setting_is_explained() -> None:
    (printed,) = re.findall(r"<!-- settings:[^\n]*-->\n\n?((?:\|[^\n]*\n)+)", PAGE.read_text())
    assert printed.splitlines() == [*table()]
