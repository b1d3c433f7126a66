"""Refusals are classes, declared in the ``errors.py`` of the room that raises them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from phaseledger import service
from phaseledger.domain.commands import RejectCode
from phaseledger.domain.words import texts
from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.games.errors import BY_RULES
from phaseledger.service.refusals import Refusal
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
