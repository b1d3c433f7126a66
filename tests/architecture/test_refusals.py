"""Refusals are classes, declared in the ``errors.py`` of the room that raises them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from phaseledger import service
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.explain.languages import LANGUAGES, Language
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.problems.texts import TEXTS
from phaseledger.service.games.errors import BY_RULES
from phaseledger.service.refusals import Refusal

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


@pytest.mark.parametrize("path", SERVICE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_is_raised_as_text(path: Path) -> None:
    assert raised_codes(path.read_text()) == []


@pytest.mark.parametrize(
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
    assert raised_codes('raise NotFound("there are 3 partitions")\nx = "not_found"') == []


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
        assert (refusal.code, refusal.title) == (code.value, code.sentence)
        assert {occasion.value for occasion in refusal.met} == {*code.met}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_refusal_has_its_text(lang: Language) -> None:
    assert TEXTS[lang].keys() == REFUSALS.keys()
