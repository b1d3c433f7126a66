"""The long campaigns of `benchmarks/`, a few games each through the same code."""

from pathlib import Path

import pytest

from benchmarks.campaign import KINDS, Terms, campaign, one_game, plan, recorded, table
from benchmarks.garbage import bombard
from phaseledger.domain.rulesets import preset

TERMS = Terms("ci", ("random", "greedy"), 2_000, 100_000)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_game_ends_and_is_sound(kind: str) -> None:
    """Each kind at every seat count."""
    rules = preset(KINDS[kind][0])
    counts = range(rules.seats_min, rules.seats_max + 1)
    outcomes = campaign(TERMS, [kind], len(counts))
    assert [outcome.fault for outcome in outcomes] == [""] * len(counts)
    assert {outcome.seats for outcome in outcomes} == set(counts)


def test_a_game_without_an_end_is_a_fault() -> None:
    """A game past the bound is no success, although its audit is sound."""
    outcome = one_game(Terms("ci", ("random",), 0, 40), ("classic", 1))
    assert outcome.fault == "stopped after 40 decisions"


def test_mixed_bots_take_turns() -> None:
    """At every seat count every bot begins in some game."""
    plans = [plan(TERMS, "classic", index) for index in range(10)]
    assert {(planned.players, planned.bots[0]) for planned in plans} == {
        (seats, bot) for seats in range(2, 7) for bot in TERMS.bots
    }


def test_an_interrupted_campaign_goes_on(tmp_path: Path) -> None:
    """What the file has is not played again; a line cut short is."""
    file = tmp_path / "results.ndjson"
    campaign(TERMS, ["express"], 2, results=file)
    file.write_bytes(file.read_bytes() + b'{"kind":"exp')
    before = recorded(file)
    outcomes = campaign(TERMS, ["express"], 3, results=file)
    assert [outcome.index for outcome in outcomes] == [1, 2, 3]
    assert outcomes[:2] == before
    assert recorded(file) == outcomes
    assert len(list(table(outcomes))) == 2


def test_garbage_in_every_game() -> None:
    """Each rule set gets its share; nothing but refusals and lawful answers."""
    tallies = bombard(800, at_each=8, every=97, first_run=0)
    assert set(tallies) == {"classic", "standard-deck", "express", "board"}
    for tally in tallies.values():
        assert tally.tried == tally.accepted + tally.refused.total() >= 200
        assert tally.accepted > 0
