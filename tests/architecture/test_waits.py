"""Waits go by progress: a slow machine makes a slow run, and what hangs is found nevertheless."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import children, polling, progress
from tests.support.cases import looped
from tests.support.children import run
from tests.support.fake_clock import Clock
from tests.support.polling import eventually
from tests.support.progress import Stillness, unhurried

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


@looped(
    ("line", "count"),
    [
        ("subprocess.run(command, timeout=60)", 1),
        ("process.communicate(timeout=LONG)", 1),
        ("httpx2.Client(base_url=url, timeout=20)", 1),
        ("asyncio.wait_for(task, 30)", 1),
        ("asyncio.timeout(30)", 1),
        ("httpx2.Client(base_url=url, timeout=None)", 0),
        ("subprocess.run(command)", 0),
    ],
)
def test_a_wait_by_the_clock_is_found(line: str, count: int) -> None:
    assert len(limits(line)) == count


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_wait_goes_on_while_what_is_seen_changes(clock: Clock) -> None:
    assert eventually(lambda: int(clock.now / 50), lambda value: value == 20) == 20
    assert clock.now >= 1000


def test_a_wait_goes_on_while_a_process_works(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second of its time in fifty is little, but it is on its way."""
    used = lambda _: {1: clock.now / 50}  # noqa: E731
    monkeypatch.setattr(Stillness, "_processor_times", used)
    assert eventually(lambda: clock.now > 1000)


def test_a_wait_for_what_stands_still_ends(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The looks themselves cost time as well, and so do others' poll loops: a second in 100."""
    used = lambda _: {1: clock.now / 100}  # noqa: E731
    monkeypatch.setattr(Stillness, "_processor_times", used)
    with pytest.raises(AssertionError, match="as it was"):
        eventually(lambda: "as it was", lambda _: False)
    assert polling.LONG < clock.now < 2 * polling.LONG


def test_a_process_that_stands_still_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in ((children, "SAMPLE", 0.05), (progress, "SAMPLE", 0.05)):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(children, "STILL", 1.0)
    program = "import time; print('so far', flush=True); time.sleep(3600)"
    with pytest.raises(AssertionError, match=r"stood still after .*so far"):
        run([sys.executable, "-c", program])


@pytest.mark.system
def test_a_test_that_hangs_fails_and_one_that_works_does_not(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.support import progress, watchdog\n"
        "progress.SAMPLE = watchdog.SAMPLE = 0.2\n"
        "progress.STEP = 0.02\n"
        "def pytest_timeout_set_timer(item, settings):\n"
        "    return watchdog.watch(item, settings)\n"
    )
    (tmp_path / "test_two.py").write_text(
        "import time\n"
        "def test_that_works():\n"
        "    end = time.monotonic() + 2\n"
        "    while time.monotonic() < end: pass\n"
        "def test_in_which_time_flies(monkeypatch):\n"
        "    monkeypatch.setattr(time, 'monotonic', lambda: 1000 * time.perf_counter())\n"
        "    time.sleep(0.6)\n"
        "def test_that_hangs():\n"
        "    time.sleep(3600)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=1.5", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 2 passed" in ended.stdout, ended.stdout + ended.stderr
    assert "Timeout (>1.5s)" in ended.stdout
    assert "test_that_hangs" in ended.stdout.rpartition("FAILED")[2]


def test_the_unhurried_clock_stands_while_somebody_waits_for_a_processor(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pressure = tmp_path / "cpu"
    monkeypatch.setattr(progress, "PRESSURE", pressure)
    assert unhurried() == 0
    clock.now = 10
    assert unhurried() == 10
    pressure.write_text("some avg10=1.00 avg60=1.00 avg300=1.00 total=4000000\nfull total=0\n")
    assert unhurried() == 6
