"""The scripts of `benchmarks/`, each run small, and that those which look for faults find one."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks import account, core, interference, mutants, shuffle, siege, stranger
from benchmarks import all as every
from benchmarks.campaign import KINDS, Terms, campaign, one_game
from benchmarks.endings import solved_endings
from benchmarks.garbage import bombard
from benchmarks.races import run
from benchmarks.referee import SEED, changed, judged
from benchmarks.restores import restore
from phaseledger.domain import deal
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.view import view
from phaseledger.service.app import in_postgres
from tests.support.ledgers import prepared
from tests.support.replay.option_pairs import plans
from tests.support.scenario import TABLES
from tests.support.service.server import serving
from tests.support.twin_services import Difference, Tally

TERMS = Terms("ci", ("random", "greedy"), 2_000, 100_000)
CLIENTS = 16
FIRST_TABLES = {name: number for number, (name, *_) in reversed(list(enumerate(TABLES)))}
"""The first table of each game."""


def test_every_kind_of_game_ends_and_is_sound(tmp_path: Path) -> None:
    """At every seat count, and none is played again that the results have; one cut short is."""
    for kind in KINDS:
        rules = preset(KINDS[kind][0])
        counts = range(rules.seats_min, rules.seats_max + 1)
        file = tmp_path / kind
        campaign(TERMS, [kind], 1, results=file)
        file.write_bytes(file.read_bytes() + b'{"kind":"')
        outcomes = campaign(TERMS, [kind], len(counts), results=file)
        assert [outcome.fault for outcome in outcomes] == [""] * len(counts), kind
        assert {outcome.seats for outcome in outcomes} == set(counts), kind
    endless = one_game(Terms("ci", ("random",), 0, 40), ("classic", 1))
    assert endless.fault == "stopped after 40 decisions"


def test_garbage_is_refused_or_lawful_in_every_game() -> None:
    tallies = bombard(400, at_each=8, every=97, first_run=0)
    assert set(tallies) == {"classic", "standard-deck", "express", "board"}
    for tally in tallies.values():
        assert tally.tried == tally.accepted + tally.refused.total() >= 100
        assert tally.accepted > 0


def test_the_account_of_some_games_adds_up() -> None:
    assert account.parts(4)


@pytest.mark.campaign
def test_rollouts_say_of_endings_what_enumeration_says() -> None:
    for is_best, away in islice(solved_endings(), 2):
        assert is_best
        assert 0 < away < 0.005


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


@pytest.mark.system
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
    file, text = mutants.planted(fault, tmp_path) or ("", "")
    assert (file, text.count("n - n")) == (Path("domain/moved/sums.py"), 1)
    assert mutants.failure(["tests"], tmp_path) == ""
    module.write_text(text)
    assert mutants.failure(["tests"], tmp_path) == "tests/test_sums.py::test_twice"


def test_the_list_of_mutants_is_of_known_areas() -> None:
    listed = mutants.mutants()
    assert len(listed) >= 150
    assert [mutant.number for mutant in listed] == list(range(len(listed)))
    assert {mutant.area for mutant in listed} == set(mutants.AREAS)
    assert all((mutants.ROOT / test).exists() for tests in mutants.AREAS.values() for test in tests)


def test_the_second_referee_agrees_and_finds_changes() -> None:
    for ruleset in GAMES:
        (verdict,) = judged(next(plans(ruleset, SEED, 10_000)))
        assert (verdict.number, verdict.kind, verdict.fault) == (10_000, ruleset, "")
    verdicts = changed(3)
    assert len({verdict.kind for verdict in verdicts}) > 30
    assert [verdict.fault for verdict in verdicts if verdict.fault] == []


def test_the_example_verifier_comes_to_the_same_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = stranger.run(2, first=0, forgeries=3)
    assert tally.differences == []
    assert tally.counted["whole, both accept"] == tally.counted["running, both accept"] == 2
    assert tally.counted["forged, both refuse"] > 2
    monkeypatch.setattr(stranger.Tally, "accepted", lambda *_: True)
    assert stranger.run(1, first=1, forgeries=3).differences


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


@pytest.mark.system
def test_of_16_rivals_one_wins_and_16_repeats_happen_once(
    postgres_dsn: str, empty_schema: str, tmp_path: Path
) -> None:
    settings = prepared(postgres_dsn, empty_schema, tmp_path)
    with serving(in_postgres(settings)) as first, serving(in_postgres(settings)) as second:
        ports = [int(service.url.rpartition(":")[2]) for service in (first, second)]
        tally = asyncio.run(run(ports, CLIENTS, 8))
    assert (tally.faults, len(tally.took)) == ([], 8 * 2 * CLIENTS)


@pytest.mark.system
def test_a_ledger_goes_on_from_its_backup(postgres_dsn: str) -> None:
    """A backup under play, the loss of all, and going on from it."""
    played = restore(postgres_dsn, 0, clients=2, seed="ci")
    assert played.kept > 0
    assert played.lost > 0
    assert played.voided > 0


@pytest.mark.system
@pytest.mark.parametrize(("taken_out", "is_broken"), [((), False), (("guesses",), True)])
def test_guesses_that_nobody_counts_are_found(
    taken_out: tuple[str, ...],
    is_broken: bool,
    postgres_dsn: str,
    empty_schema: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One short attack beside the victim, whose waiting is not for a test."""
    monkeypatch.setattr(siege, "SETTLE", 0.0)  # no tables are opened
    with siege.besieged(postgres_dsn, empty_schema, taken_out, bare=True) as besieged:
        besieged.listen(0.5)
        outcome = besieged.attack("guesses", 1.0)

    assert outcome.answers["404 guess"] > 0
    assert any("times 404 guess" in fault for fault in outcome.faults) is is_broken, outcome
