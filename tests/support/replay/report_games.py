"""Small games for the report, and the report of them."""

import json
from functools import cache

from phaseledger.replay.formats.records.findings import SourceRow
from phaseledger.replay.laboratory.report.games import Cohort, Sorter, Study, study
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play

SMALL = SimulationPlan("report", "classic", 3, ("expert", "greedy"), {"variant": "n_phases(3)"})


PLANS = {
    "classic": SMALL,
    "standard-deck": SimulationPlan(
        "r", "standard-deck", 3, ("greedy",), {"style": "ten_rounds_free"}
    ),
    "express": SimulationPlan("r", "express", 2, ("greedy", "random"), {"max_turns_per_round": 20}),
    "board": SimulationPlan("r", "board", 3, ("expert", "random"), {"max_turns_per_round": 20}),
}


@cache
def nth_game(name: str, index: int) -> tuple[bytes, ...]:
    return play(PLANS[name], index).lines


def games(name: str, count: int) -> tuple[tuple[bytes, ...], ...]:
    return tuple(nth_game(name, index) for index in range(1, count + 1))


def rows(lines: tuple[bytes, ...] | list[bytes]) -> list[SourceRow]:
    trees = [json.loads(line) for line in lines]
    return [
        SourceRow(tree["game"], tree["type"], line, n)
        for n, (tree, line) in enumerate(zip(trees, lines, strict=True), 1)
    ]


def studied(*logs: tuple[bytes, ...] | list[bytes]) -> Study:
    whole = Study()
    sorter = Sorter(whole.left_out)
    for game, raw in sorter.games(row for lines in logs for row in rows(lines)):
        whole.add(study(game, raw), 1)
    sorter.close()
    return whole


def only(study: Study) -> Cohort:
    assert not +study.left_out, study.first_faults
    (chapter,) = study.chapters.values()
    return chapter
