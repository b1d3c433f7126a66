"""Waits go by progress: a slow machine makes a slow run, and what hangs is found nevertheless."""

import ast
import sys
from pathlib import Path

import pytest

from tests.support import children, polling, progress
from tests.support.children import run
from tests.support.fake_clock import Clock
from tests.support.polling import eventually
from tests.support.progress import Stillness

ROOT = Path(__file__).parents[2]
WAITS = {"communicate", "run", "wait", "wait_for", "wait_procs", "timeout", "join", "call"}
CLIENTS = {"Client", "AsyncClient", "get", "post", "request", "create_connection"}
CLOCKED = {
    "tests/replay/evidence/verify/test_verifier_page.py": "the quiet in which no request comes",
    "tests/support/children.py": "a look at a child now and then",
    "tests/support/player.py": "a request without an answer is in doubt, and sent again",
    "tests/support/ports.py": "asked again, until somebody answers",
}
"""Files with a time limit of their own, and why."""
VIRTUAL = "tests/simulation/"
"""There the seconds are those of a loop with virtual time, whatever the machine."""


def limits(source: str) -> list[str]:
    """The calls that are given up after so many seconds by the clock."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [ast.unparse(call) for call in calls if _seconds(call)]


def _seconds(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "timeout"]
    if name in WAITS | CLIENTS and named:
        return not (isinstance(named[0], ast.Constant) and named[0].value is None)
    clocked = {"timeout": 0, "wait_for": 1}
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, ast.Name) and owner.id == "asyncio" and name in clocked:
        return len(call.args) > clocked[name]
    return False


def test_no_test_waits_by_the_clock() -> None:
    files = {
        path.relative_to(ROOT).as_posix(): limits(source)
        for path in (ROOT / "tests").rglob("*.py")
        if "timeout" in (source := path.read_text()) or "wait_for" in source
    }
    clocked = {file for file, calls in files.items() if calls}
    assert {file for file in clocked if not file.startswith(VIRTUAL)} <= CLOCKED.keys()
    assert len(limits("asyncio.wait_for(task, 30)\nchild.wait(timeout=LONG)\nrun()")) == 2


def test_a_process_that_stands_still_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in ((children, "SAMPLE", 0.05), (progress, "SAMPLE", 0.05)):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(children, "STILL", 1.0)
    program = "import time; print('so far', flush=True); time.sleep(3600)"
    with pytest.raises(AssertionError, match=r"stood still after .*so far"):
        run([sys.executable, "-c", program])


def test_a_wait_goes_on_while_something_moves_and_ends_when_nothing_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second of a process in fifty is progress; in a hundred, the looks themselves take it."""
    clock, per_second = Clock(monkeypatch), 0.0
    used = lambda _: {1: clock.now * per_second}  # noqa: E731
    monkeypatch.setattr(Stillness, "_processor_times", used)
    assert eventually(lambda: int(clock.now / 50), lambda value: value == 20) == 20
    began, per_second = clock.now, 1 / 50
    assert eventually(lambda: clock.now > began + 1000)
    began, per_second = clock.now, 1 / 100
    with pytest.raises(AssertionError, match="as it was"):
        eventually(lambda: "as it was", lambda _: False)
    assert polling.LONG < clock.now - began < 2 * polling.LONG
