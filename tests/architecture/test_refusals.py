"""Refusals are classes, declared in the ``errors.py`` of the room that raises them."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

from phaseledger import service
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.words import LANGUAGES, texts
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.games.errors import BY_RULES
from phaseledger.service.refusals import Refusal
from tests.support.cases import looped
from tests.support.service.refusal_words import missing_words

ROOT = Path(__file__).parents[2]
SERVICE = sorted((ROOT / "service").rglob("*.py"))


def raised_codes(source: str) -> list[str]:
    """Codes that are passed to a ``raise`` as text."""
    return [
        node.value
        for raised in ast.walk(ast.parse(source))
        if isinstance(raised, ast.Raise) and raised.exc
        for call in ast.walk(raised.exc)
        if isinstance(call, ast.Call)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for node in ast.walk(argument)
        if isinstance(node, ast.Constant) and node.value in REFUSALS
    ]


def test_no_code_is_raised_as_text() -> None:
    assert [(path, codes) for path in SERVICE if (codes := raised_codes(path.read_text()))] == []


@looped(
    "source",
    [
        'raise Refusal("not_found")',
        'raise Denied("seat_reserved", "wait") from None',
        'raise Denied("bad_join_code" if code else "join_code_needed")',
        'def f():\n    raise Rejected("game_over") if over else TableFull',
    ],
)
def test_a_code_raised_as_text_is_found(source: str) -> None:
    assert raised_codes(source)
    assert raised_codes('raise NotFound("there are 3 pages")\nx = "not_found"') == []


def below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    """All subclasses, of subclasses too."""
    for subclass in kind.__subclasses__():
        yield subclass
        yield from below(subclass)


def test_every_refusal_is_declared_once_in_the_errors_of_a_room() -> None:
    for module in walk_packages(service.__path__, f"{service.__name__}."):
        import_module(module.name)
    ours = [kind for kind in below(Refusal) if kind.__module__.startswith(service.__name__)]
    declaring = {kind for kind in ours if "code" in vars(kind)}
    assert {REFUSALS[kind.code] for kind in declaring} == declaring == {*REFUSALS.values()}
    assert {kind.__module__.rpartition(".")[2] for kind in declaring} == {"errors"}
    for kind in {*ours} - declaring:
        assert hasattr(kind, "code") or [*below(kind)], f"nobody can raise {kind.__name__}"


def test_the_table_is_complete_once_the_problems_are_imported() -> None:
    script = (
        "from phaseledger.service.api.problems.details import REFUSALS; "
        "print(*sorted(REFUSALS), sep='\\n')"
    )
    listed = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert listed.stdout.split() == sorted(REFUSALS)


def test_the_rules_refuse_by_their_own_codes() -> None:
    assert BY_RULES.keys() == {*RejectCode}
    for code, refusal in BY_RULES.items():
        assert refusal.code == code.value
        assert {occasion.value for occasion in refusal.met} == {*code.met}


def test_every_refusal_has_its_words() -> None:
    assert missing_words() == []


def test_no_text_is_of_a_refusal_that_nobody_declares() -> None:
    explained = {key.partition(".")[0] for key in texts("en", "problems.")}
    assert explained | texts("en", "refused.").keys() - {"with_detail"} <= REFUSALS.keys()


# --- a new code of the rules ----------------------------------------------------------------------

DECLARATION = """\
    MIXED_PARITIES = Declaration("mixed_parities", RULES, "X-23")
"""
RAISED = ('"parity": Code.NOT_ONE_PARITY', '"parity": Code.MIXED_PARITIES')
WORDS = {
    "en": ("The parities of the cards are mixed.", "{card} is of the other parity"),
    "de": ("Gemischt.", "{card} ist von der anderen Art"),
    "fr": ("C'est mélangé.", "{card} est de l'autre parité"),
}
PARTS = ("cause", "cure", "rule")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A copy of the project with a further code: its declaration, and where it is raised."""
    package = tmp_path / "phaseledger"
    shutil.copytree(ROOT / "phaseledger", package)  # with what is compiled
    first = "    UNKNOWN_RULESET = "
    edit(package / "domain/rejections/codes.py", first, DECLARATION + first)
    edit(package / "domain/groups/melds.py", *RAISED)
    return package


def edit(path: Path, before: str, after: str) -> None:
    source = path.read_text()
    assert source.count(before) == 1
    path.write_text(source.replace(before, after))


def written(package: Path) -> None:
    """Write the words of the code in each language."""
    for lang, (title, reason) in WORDS.items():
        texts = {"refused.mixed_parities": title, "reason.mixed_parities": reason}
        texts |= {f"problems.mixed_parities.{part}": f"{part}, {lang}." for part in PARTS}
        with (package / f"domain/words/{lang}.po").open("a") as catalogue:
            for key, text in texts.items():
                catalogue.write(f'\nmsgid "{key}"\nmsgstr "{text}"\n')


def printed(package: Path) -> Any:
    program = [sys.executable, "-m", "tests.support.service.refusal_words"]
    ended = subprocess.run(
        [*program, "mixed_parities", "1", "R2 B3 G5 Y7"],
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_a_new_code_takes_its_declaration_and_its_words(planted: Path) -> None:
    """What it lacks is listed."""
    keys = ["refused.mixed_parities", *(f"problems.mixed_parities.{part}" for part in PARTS)]
    lacks = [f"mixed_parities: {key}, {lang}" for lang in LANGUAGES for key in keys]
    assert sorted(printed(planted)["missing"]) == sorted(lacks)
    written(planted)
    shown = printed(planted)
    assert shown == {
        "status": "422",
        "rule": "X-23",
        "is described": True,
        "citations": [["express", "X-23"]],
        "sentences": shown["sentences"],
        "pages": [
            [title, *(f"{part}, {lang}." for part in PARTS)] for lang, (title, _) in WORDS.items()
        ],
    }
    for sentence, (_, reason) in zip(shown["sentences"], WORDS.values(), strict=True):
        assert reason.partition("} ")[2] in sentence
