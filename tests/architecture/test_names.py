"""Names: a value is called by what it is, and a class, alias or type variable has its name for
itself.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("domain", "projections", "replay", "service")
PRONOUNS = frozenset({"again", "each", "found", "known", "one", "said", "seen", "told"})
"""They stand for anything: responses, rows, partitions, headers."""
BOUND = re.compile(
    rf"\b_*({'|'.join(sorted(PRONOUNS))})\s*([=:,)\]#(;|]|[-+*/&^%@]=|in\b|if\b|$)", re.MULTILINE
)
"""A source without this binds none of them: most are not read further."""
DEFINED = re.compile(
    r"^(?:class (?=[^\W_])|(?=[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?: =|:)))(\w+)", re.MULTILINE
)
"""A public class, or a module's name that is written like one; a single letter is none."""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A program that a document shows."""
PUBLISHED = {
    ("domain/events.py", "said"),  # a stored field
    ("domain/explain/shortfall.py", "found"),  # printed as JSON by `phaseledger rules`
    ("service/client/client.py", "known"),  # a keyword of the client's methods
    ("service/client/operations.py", "again"),
    ("service/client/operations.py", "known"),
    ("service/client/stream.py", "known"),
    ("service/transparency/witness.py", "found"),  # printed as JSON by `phaseledger witness`
}
"""Names that users of the project have in their programs and files, with where they stand."""


def sources(*folders: str) -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def shown() -> dict[str, str]:
    """The programs in the documents, by where they stand."""
    return {
        f"{path.name}:{text.count(chr(10), 0, block.start()) + 1}": block[1]
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        for text in [path.read_text()]
        for block in BLOCK.finditer(text)
    }


def pronouns(source: str) -> Iterator[str]:
    """Variables, parameters, fields and imported names that are pronouns or participles."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(name, ast.Store()) | ast.Attribute(_, name, ast.Store()):
                yield from PRONOUNS & {name.lstrip("_")}
            case ast.arg(name) | ast.alias(_, str(name)) | ast.ExceptHandler(_, str(name)):
                yield from PRONOUNS & {name.lstrip("_")}
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.MatchAs(_, str(name)):
                yield from PRONOUNS & {name.lstrip("_")}


def homes(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The files in which each public class, type alias or type variable is defined, by its name."""
    places: dict[str, list[str]] = {}
    for file, source in files.items():
        for name in DEFINED.findall(source):
            places.setdefault(name, []).append(file)
    return places


def test_values_are_called_by_what_they_are() -> None:
    programs = sources(*PARTS, "benchmarks", "examples", "tests") | shown()
    used = {
        (file, name)
        for file, source in programs.items()
        if BOUND.search(source)
        for name in pronouns(source)
    }
    assert used == PUBLISHED
    assert {place.partition(":")[0] for place in shown()} >= {"bot.md"}
    planted = "from a import b as seen\ndef one(known): self._found = [each for each in rows]"
    assert {*pronouns(planted)} == {"seen", "one", "known", "found", "each"}


def test_a_public_class_alias_or_type_variable_has_its_name_for_itself() -> None:
    shared = {name: files for name, files in homes(sources(*PARTS)).items() if len(files) > 1}
    assert shared == {}
