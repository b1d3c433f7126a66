"""The commands of dev.py: the tests that each of them runs, and the kernel that it compiles."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import dev
from tests.support.longest_files import LISTED, TESTS, longest_first

ROOT = Path(__file__).parents[2]


def test_each_command_runs_its_part_of_the_tests() -> None:
    """Only the whole is judged by its coverage; a part goes on to pytest as it is asked for."""
    domain, others = dev.runs_of_pytest()
    assert domain[-4:] == ["tests/domain", "-m", "not untraced and not campaign", "--cov"]
    assert others[-2:] == ["-m", "(untraced or not domain) and not system and not campaign"]
    assert not any(argument.startswith("tests") for argument in others)
    for options, last in (
        ({"arguments": ["-k", "laws"]}, ["-k", "laws"]),
        ({"system": True}, ["-m", "system and not campaign"]),
        ({"campaign": True}, ["-m", "campaign"]),
        (
            {"fast": True, "arguments": ["-x"]},
            ["-m", "not postgres and not system and not campaign", "-x"],
        ),
    ):
        (run,) = dev.runs_of_pytest(**options)
        assert run[-len(last) :] == last
        assert "--cov" not in run
        assert all((ROOT / argument).exists() for argument in run if argument.startswith("tests"))


def test_the_files_that_take_longest_come_first() -> None:
    names = LISTED.read_text().split()
    assert all((TESTS / name).is_file() for name in names)
    files = [SimpleNamespace(path=TESTS / name) for name in ("a/b.py", "b/a.py", *names[2::-1])]
    assert longest_first(files) == [*files[:1:-1], files[1], files[0]]


def test_the_first_check_that_fails_ends_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "VENV", Path("/usr"))
    failing = (("true",), ("sh", "-c", "echo what is wrong; exit 3"), ("sleep", "3600"))
    with pytest.raises(SystemExit) as ended:
        dev.run_checks({"PATH": "/usr/bin:/bin"}, failing)
    assert ended.value.code == 3
    printed = capsys.readouterr().err
    assert "what is wrong\nsh failed: the checks stop here." in printed
    assert "sleep" not in printed


def test_the_kernel_is_compiled_anew_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it cannot be, the command ends each time."""
    names = {"KERNEL": "", "COMPILER": "compiler", "KERNEL_STAMP": "kernel.stamp"}
    for name, file in names.items():
        monkeypatch.setattr(dev, name, tmp_path / file)
    monkeypatch.setattr(dev, "PYTHON", "sh")
    calls, moves = tmp_path / "calls", tmp_path / "moves.py"
    (tmp_path / "compiler").write_text(f"test -s {moves} || exit 3\necho compiled >> {calls}\n")
    for source in ("1", "1", "2", "2"):
        moves.write_text(source)
        dev.compile_kernel()
    assert calls.read_text() == "compiled\n" * 2
    moves.write_text("")
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            dev.compile_kernel()
        assert ended.value.code == 3
