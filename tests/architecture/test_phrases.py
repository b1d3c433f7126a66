"""English that is read once: no worn phrase in docstrings, comments and documents."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORN = re.compile(
    r"\b(?:nobody|somebody|anybody|everybody|whoever|so many|as they say|as it says"
    r"|however that|that of|those that)\b",
    re.IGNORECASE,
)
"""Words that stand for a noun which the sentence does not name."""
OPENING = re.compile(r"(?:That|Those|Such|They|It|The same (?:of|in|as|at)) ")
"""First words of a docstring that has its noun elsewhere."""
QUOTED = re.compile(r"```.*?```|``?[^`]*``?", re.DOTALL)


def prose(file: Path) -> Iterator[str]:
    """The docstrings, comments or paragraphs of a file, quoted code left out."""
    text = file.read_text()
    if file.suffix == ".md":
        yield from QUOTED.sub("", text).split("\n\n")
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str(docstring))):
                yield QUOTED.sub("", docstring)


def worn(text: str) -> list[str]:
    words = " ".join(text.split())
    return [*WORN.findall(words), *([words[:60]] if OPENING.match(words) else [])]


def files() -> Iterator[Path]:
    for folder in ("domain", "projections", "replay", "service", "phaseledger"):
        yield from (ROOT / folder).rglob("*.py")
    yield from (ROOT / "docs").rglob("*.md")
    yield ROOT / "README.md"


def is_suspect(text: str) -> bool:
    """Whether the text has such words at all, perhaps in code: most files need no parsing."""
    words = " ".join(text.replace("#", " ").split())
    return bool(WORN.search(words) or re.search('"""' + OPENING.pattern, words))


def test_no_worn_phrase_is_anywhere() -> None:
    phrases = {
        file.relative_to(ROOT).as_posix(): [phrase for text in prose(file) for phrase in worn(text)]
        for file in files()
        if is_suspect(file.read_text())
    }
    assert {file: worn for file, worn in phrases.items() if worn} == {}


def test_a_worn_phrase_is_found(tmp_path: Path) -> None:
    page, code = tmp_path / "a.md", tmp_path / "a.py"
    page.write_text("`nobody` knows.\n\n```\nsomebody\n```\n\nThe text, and that\nof another.\n")
    code.write_text('"""Those that were kept."""\nwhoever = "so many"  # as they say\n')
    assert [phrase for text in prose(page) for phrase in worn(text)] == ["that of"]
    assert [*map(worn, prose(code))] == [["as they say"], ["Those that", "Those that were kept."]]
