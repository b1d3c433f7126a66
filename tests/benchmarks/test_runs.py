"""The scripts of `benchmarks/` that look for faults which no other test sees find one."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import msgspec
import pytest

from benchmarks import all as every
from benchmarks import core, interference, mutants, shuffle
from phaseledger.domain import deal
from phaseledger.domain.view import view
from tests.support.scenario import TABLES
from tests.support.twin_services import Difference, Tally

FIRST_TABLES = {name: number for number, (name, *_) in reversed(list(enumerate(TABLES)))}
"""The first table of each game."""


async def compared(runs: int, tables: Iterable[int], states: int) -> Tally:
    tally = Tally()
    with interference.services(tally) as pair:
        for number_of_run in range(runs):
            for number in tables:
                await interference.one_game(pair, number, number_of_run, "ci", 1_000, states)
    return tally


def test_nothing_hidden_interferes() -> None:
    """A state of each game, every request, no difference; in the second run seats sign."""
    tally = asyncio.run(compared(2, FIRST_TABLES.values(), 1))
    assert tally.hashed["GET events, lines"] > 0, "the twins were the same"
    assert tally.same["POST commands, refused"] > 0
    assert tally.triples > 500


def test_a_leak_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table shows one bit of the top of the stock."""

    def leaking(state: Any, viewer: int | None) -> Any:
        shown = view(state, viewer)
        return msgspec.structs.replace(shown, turn=shown.turn * 2 + sum(state.stock[:1]) % 2)

    monkeypatch.setattr("phaseledger.service.games.view.view", leaking)
    with pytest.raises(Difference, match=r"table 0, run 0, decision \d+: GET"):
        asyncio.run(compared(1, [0], 8))


def naive(key: bytes, hand: int, number: int, n: int) -> list[int]:
    """Swap each card with any card: a classic mistake."""
    stream, order = deal.words(key, f"{hand} {number}"), list(range(n))
    for i in range(n):
        j = deal.uniform_below(stream, n)
        order[i], order[j] = order[j], order[i]
    return order


def test_shuffles_are_fair_and_an_unfair_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [*shuffle.over_decks(12, 10_000, "ci"), *shuffle.over_throws(10_000, "ci")]
    assert len(tests) == 9
    assert [test for test in tests if not test.fair] == []
    monkeypatch.setattr(deal, "permutation", naive)
    assert [test for test in shuffle.over_decks(12, 10_000, "ci") if not test.fair] != []
    with pytest.raises(shuffle.Biased):
        shuffle.check_permutation(0, 12)
    assert shuffle.Goodness("", 18.307038, 10).below == pytest.approx(0.95, abs=1e-6)
    assert shuffle.fit("", Counter({0: 20, 1: 60}), [0.25, 0.75]).statistic == 0


def test_every_script_finds_what_it_imports() -> None:
    for script in sorted((mutants.ROOT / "benchmarks").glob("*.py")):
        import_module(f"benchmarks.{script.stem}")


def test_the_list_of_mutants_is_of_known_areas() -> None:
    listed = mutants.mutants()
    assert len(listed) >= 150
    assert [mutant.number for mutant in listed] == list(range(len(listed)))
    assert {mutant.area for mutant in listed} == set(mutants.AREAS)
    assert all((mutants.ROOT / test).exists() for tests in mutants.AREAS.values() for test in tests)


@pytest.mark.system
def test_the_figures_of_the_core(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In processes of their own, as by hand; a script that fails is named."""
    for only, code in (("core", 0), ("nothing", 1)):
        monkeypatch.setattr(sys, "argv", ["all.py", "--quick", "--only", only])
        assert every.main() == code
    printed = capfd.readouterr().out
    assert all(f"classic: {what}" in printed for what, _, _ in core.LINES)
    assert "the script failed: nothing." in printed
