"""The benchmarks' common parts, and a smoke run of the core's figures through the one command."""

import sys
from pathlib import Path

import pytest

from benchmarks import all as every
from benchmarks import core, peers
from benchmarks.results import Goal, Results, Row, interleaved, read, row, write


def test_a_ratio_is_the_median_of_the_rounds_ratios() -> None:
    """A slow round slows both sides, so rounds are compared one by one."""
    made = row("play", "x/s", [10, 100, 30], baseline="other", beside=[5, 40, 10])
    assert made == Row("play", 30, "x/s", 10, 100, "other", 10, 2.5)


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (Goal(2), True),
        (Goal(2.1), False),
        (Goal(30, of="figure"), True),
        (Goal(31, of="figure"), False),
        (Goal(2, at_most=True), True),
        (Goal(29, of="figure", at_most=True), False),
    ],
)
def test_a_goal_is_held_against_ratio_or_figure(goal: Goal, *, met: bool) -> None:
    made = row("play", "x/s", [30], baseline="other", beside=[15], goal=goal)
    assert made.met is met


def test_everything_takes_turns_and_the_first_round_only_warms_up() -> None:
    calls: list[str] = []

    def work(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    measured = interleaved({"a": lambda: work("a"), "b": lambda: work("b")}, 2)
    assert calls == ["a", "b"] * 3
    assert measured == {"a": [3, 5], "b": [4, 6]}


def test_results_come_back_from_their_file(tmp_path: Path) -> None:
    results = Results("core", [row("play", "x/s", [3], goal=Goal(2, "figure"))], {"a": "1"}, ["b"])
    write(results, tmp_path / "core.json")
    assert read(tmp_path / "core.json") == results


def test_the_page_has_the_goals_and_why_they_are_missed() -> None:
    goal = Goal(5, obstacle="Each decision makes immutable events.")
    missed = row("play", "x/s", [8], baseline="other", beside=[2], goal=goal)
    kept = row("wait", "ms", [40], goal=Goal(50, of="figure", at_most=True))
    text = every.page([Results("core", [missed, kept])], ["service"], 5, ("1", "2"))
    assert "| play | ratio ≥ 5 | 8 x/s | other: 2 (x4) | Each decision makes " in text
    assert "| wait | figure ≤ 50 | 40 ms |  |  |" in text
    assert "Not measured, since the script failed: service." in text


@pytest.mark.system
def test_all_runs_the_core(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In processes of their own, as by hand; no network."""
    monkeypatch.setattr(sys, "argv", ["all.py", "--quick", "--only", "core"])
    assert every.main() == 0
    printed = capfd.readouterr().out
    for what, _, _ in core.LINES:
        assert f"classic: {what}" in printed


def test_a_script_that_fails_is_named(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["all.py", "--quick", "--only", "nothing"])
    assert every.main() == 1
    assert "the script failed: nothing." in capfd.readouterr().out


def test_every_baseline_is_measured() -> None:
    """Each name beside a figure is a peer's loop, or work of our own."""
    assert {loop for _, _, beside in core.LINES for loop in beside} - {core.HASHED} == set(
        peers.LOOPS
    )
    assert {what for what, _ in core.GOALS} <= {f"classic: {what}" for what, _, _ in core.LINES}
