"""The campaigns behind docs/evidence.md, small, and that each of them can fail."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from benchmarks import interference, mutants, shuffle
from benchmarks.shuffle import (
    Biased,
    Goodness,
    check_below,
    check_permutation,
    over_decks,
    over_throws,
)
from phaseledger.domain import deal
from phaseledger.domain.view import view
from tests.support.scenario import TABLES
from tests.support.twin_services import Difference, Tally, compare, masked

# --- non-interference -----------------------------------------------------------------------------


GAMES = {name: number for number, (name, *_) in reversed(list(enumerate(TABLES)))}
"""The first table of each game."""


async def compared(runs: int, tables: Iterable[int], states: int) -> Tally:
    """A few states of some games."""
    tally = Tally()
    with interference.services(tally) as pair:
        for run in range(runs):
            for number in tables:
                await interference.one_game(pair, number, run, "ci", every=1_000, most=states)
    return tally


def test_nothing_hidden_interferes() -> None:
    """A state or two of each game, every request, no difference; in the second run seats sign."""
    tally = asyncio.run(compared(2, GAMES.values(), 2))
    assert tally.hashed["GET events, lines"] > 0, "the twins were the same"
    assert tally.same["POST commands, refused"] > 0
    assert tally.triples > 1_000


def test_a_leak_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that shows one bit of the top of the stock."""

    def leaking(state: Any, viewer: int | None) -> Any:
        shown = view(state, viewer)
        return msgspec.structs.replace(shown, turn=shown.turn * 2 + sum(state.stock[:1]) % 2)

    monkeypatch.setattr("phaseledger.service.games.view.view", leaking)
    with pytest.raises(Difference, match=r"table 0, run 0, decision \d+: GET"):
        asyncio.run(compared(1, [0], 8))


ANSWERS: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({"content": b"{}"}, {"content": b"{}"}, True),
    (
        {"content": b'{"head":"%s"}' % (b"a" * 64)},
        {"content": b'{"head":"%s"}' % (b"b" * 64)},
        False,
    ),
]
DIFFERENT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"content": b'{"card":"R1"}'}, {"content": b'{"card":"R2"}'}),
    ({"content": b'{"a":1}'}, {"content": b'{"a":10}'}),
    ({"content": b'{"head":"R1"}'}, {"content": b'{"head":"R2"}'}),
    ({"content": b'{"sealed":{"1":"R1"}}'}, {"content": b'{"sealed":{"1":"R2"}}'}),
    (
        {"content": b"{}", "headers": {"etag": '"1"'}},
        {"content": b"{}", "headers": {"etag": '"2"'}},
    ),
    ({"status_code": 304}, {"status_code": 304, "headers": {"etag": '"2"'}}),
    ({"content": b"{}"}, {"content": b"{}", "status_code": 409}),
]


def answer(made: dict[str, Any]) -> httpx2.Response:
    headers = {"content-type": "application/json", **made.get("headers", {})}
    return httpx2.Response(**{"status_code": 200, **made, "headers": headers})


@pytest.mark.parametrize(("first", "second", "same"), ANSWERS)
def test_answers_alike(first: dict[str, Any], second: dict[str, Any], *, same: bool) -> None:
    assert compare(answer(first), answer(second)) is same


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_answers_that_differ(first: dict[str, Any], second: dict[str, Any]) -> None:
    """In the status, a header, the length, or anything that is no hash."""
    with pytest.raises(Difference):
        compare(answer(first), answer(second))


def test_a_signature_is_masked_in_a_receipt_alone() -> None:
    """A signed command's may not differ."""
    sig = "A" * 86 + "=="
    assert masked({"act": {"sig": sig}, "receipt": {"leaf": "0" * 64, "sig": sig}}) == {
        "act": {"sig": sig},
        "receipt": {"leaf": "#", "sig": "#"},
    }


# --- shuffle quality ------------------------------------------------------------------------------


def test_small_decks_are_fair() -> None:
    """Every statistic of the campaign, over decks of 12 cards, and the dice."""
    tests = [*over_decks(12, 10_000, "ci"), *over_throws(10_000, "ci")]
    assert len(tests) == 9
    assert [test for test in tests if not test.fair] == []


def naive(key: bytes, hand: int, number: int, n: int) -> list[int]:
    """The shuffle that swaps each card with any card, a classic mistake."""
    stream, order = deal.words(key, f"{hand} {number}"), list(range(n))
    for i in range(n):
        j = deal.uniform_below(stream, n)
        order[i], order[j] = order[j], order[i]
    return order


def cyclic(key: bytes, hand: int, number: int, n: int) -> list[int]:
    """Another one (Sattolo): no card stays in its place."""
    stream, order = deal.words(key, f"{hand} {number}"), list(range(n))
    for i in range(n - 1, 0, -1):
        j = deal.uniform_below(stream, i)
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize("wrong", [naive, cyclic])
def test_an_unfair_shuffle_is_found(
    wrong: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deal, "permutation", wrong)
    assert [test.name for test in over_decks(12, 10_000, "ci") if not test.fair] != []


def test_a_bias_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word too many or too few, in either place."""
    monkeypatch.setattr(deal, "uniform_below", lambda stream, bound: next(stream) % bound)
    with pytest.raises(Biased, match="below 108: word 65448 was not passed over"):
        check_below(108)
    monkeypatch.undo()
    monkeypatch.setattr(deal, "permutation", naive)
    with pytest.raises(Biased):
        check_permutation(0, 12)


@pytest.mark.parametrize(
    ("degrees", "statistic", "below"),
    [(1, 3.841459, 0.95), (10, 18.307038, 0.95), (10, 3.940299, 0.05), (100, 124.342113, 0.95)],
)
def test_the_distribution_is_that_of_the_tables(
    degrees: int, statistic: float, below: float
) -> None:
    assert Goodness("", statistic, degrees).below == pytest.approx(below, abs=1e-6)


def test_the_shares_are_those_of_all_permutations() -> None:
    """Fixed points and cycles of the 24 permutations of 4 cards."""
    assert [round(24 * share) for share in shuffle.fixed_points(4)] == [9, 8, 6, 0, 1]
    assert [round(24 * share) for share in shuffle.cycle_counts(4)] == [0, 6, 11, 6, 1]
    assert shuffle.fit("", Counter({0: 20, 1: 60}), [0.25, 0.75]).statistic == 0


# --- mutants --------------------------------------------------------------------------------------


def test_a_planted_fault_is_noticed_in_whichever_module_its_line_stands(tmp_path: Path) -> None:
    (tmp_path / "domain" / "moved").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    for package in ("domain", "domain/moved"):
        (tmp_path / package / "__init__.py").touch()
    module = tmp_path / "domain" / "moved" / "sums.py"
    module.write_text("def twice(n):\n    return n + n\n\n\ndef other(n):\n    return n + n\n")
    (tmp_path / "tests" / "test_sums.py").write_text(
        "from domain.moved.sums import twice\n\n\ndef test_twice():\n    assert twice(3) == 6\n"
    )
    fault = mutants.Mutant(0, "domain", "domain/sums.py", "twice", "return n + n", "return n - n")
    text = module.read_text()
    assert mutants.planted(fault, tmp_path) == (
        Path("domain/moved/sums.py"),
        text.replace("n + n", "n - n", 1),
    )
    assert mutants.failure(["tests"], tmp_path) == ""
    module.write_text(text.replace("n + n", "n - n", 1))
    assert mutants.failure(["tests"], tmp_path) == "tests/test_sums.py::test_twice"
    gone = msgspec.structs.replace(fault, function="thrice")
    assert mutants.planted(gone, tmp_path) is None


def test_the_list_of_mutants_is_of_known_areas() -> None:
    listed = mutants.mutants()
    assert len(listed) >= 150
    assert [mutant.number for mutant in listed] == list(range(len(listed)))
    assert {mutant.area for mutant in listed} == set(mutants.AREAS)
    assert all((mutants.ROOT / test).exists() for tests in mutants.AREAS.values() for test in tests)
