"""The two commands of dev.py: what they run, and with which arguments."""

import argparse
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import dev
from tests.support.longest_files import LISTED, TESTS, longest_first

ROOT = Path(__file__).parents[2]


def handed_on(line: str, monkeypatch: pytest.MonkeyPatch) -> tuple[argparse.Namespace, list[str]]:
    """What the command is given, and the arguments that go on to what it runs."""
    calls: list[tuple[argparse.Namespace, list[str]]] = []
    for name in ("run_demo", "run_tests"):
        monkeypatch.setattr(dev, name, lambda *given: calls.append(given))
    monkeypatch.setattr(sys, "argv", ["dev.py", *line.split()])
    dev.main()
    (call,) = calls
    return call


@pytest.mark.parametrize(
    ("line", "fast", "arguments"),
    [
        ("test", False, ""),
        ("test --fast", True, ""),
        ("test -x tests/domain -k laws", False, "-x tests/domain -k laws"),
        ("test --fast --durations=5 -x", True, "--durations=5 -x"),
        ("test -x --fast", True, "-x"),
        ("test --fa", False, "--fa"),
    ],
)
def test_other_arguments_go_to_pytest(
    line: str, fast: bool, arguments: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, rest = handed_on(line, monkeypatch)
    assert (given.fast, rest) == (fast, arguments.split())


def test_other_arguments_go_to_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    assert handed_on("demo --help --fast", monkeypatch)[1] == ["--help", "--fast"]


@pytest.mark.parametrize("arguments", [[], ["--fast"]])
def test_a_run_without_a_command_is_refused(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["dev.py", *arguments])
    with pytest.raises(SystemExit):
        dev.main()


def test_the_help_explains_the_inner_loop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dev.py", "test", "--help"])
    with pytest.raises(SystemExit):
        dev.main()
    assert "no database, no browser, no built wheel" in " ".join(capsys.readouterr().out.split())


def test_the_whole_leaves_two_tiers_out_and_judges_the_coverage() -> None:
    domain, others = dev.runs_of_pytest()
    assert domain[-4:] == ["tests/domain", "-m", "not untraced and not campaign", "--cov"]
    assert others[-2:] == ["-m", "(untraced or not domain) and not system and not campaign"]
    assert not any(argument.startswith("tests") for argument in others)


def test_the_files_that_take_longest_come_first() -> None:
    names = LISTED.read_text().split()
    assert all((TESTS / name).is_file() for name in names)
    files = [SimpleNamespace(path=TESTS / name) for name in ("a/b.py", "b/a.py", *names[2::-1])]
    assert longest_first(files) == [*files[:1:-1], files[1], files[0]]


def test_a_part_is_run_at_once_and_not_judged_by_its_coverage() -> None:
    (run,) = dev.runs_of_pytest(arguments=["-k", "laws"])
    assert run[-2:] == ["-k", "laws"]
    assert "--cov" not in run


@pytest.mark.parametrize(
    ("tier", "marks"), [("system", "system and not campaign"), ("campaign", "campaign")]
)
def test_a_tier_is_what_the_whole_leaves_out(tier: str, marks: str) -> None:
    (run,) = dev.runs_of_pytest(**{tier: True})
    assert run[-2:] == ["-m", marks]


def test_the_inner_loop_has_its_own_places() -> None:
    (run,) = dev.runs_of_pytest(fast=True, arguments=["-x"])
    assert run[-3:] == ["-m", "not postgres and not system and not campaign", "-x"]
    assert all((ROOT / argument).exists() for argument in run if argument.startswith("tests"))


FAILING = (("true",), ("sh", "-c", "echo what is wrong; exit 3"), ("sleep", "3600"))


def test_the_first_check_that_fails_ends_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "VENV", Path("/usr"))
    with pytest.raises(SystemExit) as ended:
        dev.run_checks({"PATH": "/usr/bin:/bin"}, FAILING)
    assert ended.value.code == 3
    printed = capsys.readouterr().err
    assert "what is wrong\nsh failed: the checks stop here." in printed
    assert "sleep" not in printed


@pytest.mark.parametrize(
    ("free", "flags", "fits"), [(1.0, 0, True), (0.9, 0, False), (2.0, os.ST_NOEXEC, False)]
)
def test_the_tests_files_are_in_memory_where_that_has_room(
    free: float, flags: int, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Volume:
        f_bavail, f_frsize, f_flag = int(free * dev.ROOM), 1, flags

    monkeypatch.setattr(os, "statvfs", lambda _: Volume)
    assert dev.fits_in_memory() is fits


def test_no_memory_to_put_files_in_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "MEMORY", Path("/nowhere"))
    assert not dev.fits_in_memory()


@pytest.fixture
def kernel_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kernel whose compiler notes that it was called; ends with 3 where the kernel is empty."""
    monkeypatch.setattr(dev, "KERNEL", tmp_path)
    monkeypatch.setattr(dev, "COMPILER", tmp_path / "compiler")
    monkeypatch.setattr(dev, "KERNEL_STAMP", tmp_path / "kernel.stamp")
    monkeypatch.setattr(dev, "PYTHON", "sh")
    (tmp_path / "compiler").write_text(
        f"test -s {tmp_path}/moves.py || exit 3\necho compiled >> {tmp_path}/calls\n"
    )
    (tmp_path / "moves.py").write_text("1")
    return tmp_path


def test_the_kernel_is_compiled_anew_when_it_has_changed(kernel_of_one_file: Path) -> None:
    for source in ("1", "1", "2", "2"):
        (kernel_of_one_file / "moves.py").write_text(source)
        dev.compile_kernel()
    assert (kernel_of_one_file / "calls").read_text() == "compiled\n" * 2


def test_a_kernel_that_cannot_be_compiled_ends_it_each_time(kernel_of_one_file: Path) -> None:
    (kernel_of_one_file / "moves.py").write_text("")
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            dev.compile_kernel()
        assert ended.value.code == 3
