"""Where a variant leaves out phases, their numbers have the catalogue's IDs beside them (O-42)."""

from phaseledger.domain import commands as c
from phaseledger.domain.explain.catalogue import info
from phaseledger.domain.explain.check import LayQuestion, check
from phaseledger.domain.explain.shortfall import find
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import phase_number
from phaseledger.domain.rulesets import find_game, preset
from tests.support.cases import looped
from tests.support.table import CLASSIC, refused, table

EVEN = resolve(CLASSIC, {"variant": "even_phases"})


@looped(
    ("ruleset", "variant", "texts"),
    [
        ("classic", "even_phases", ["1 [C-P02]", "2 [C-P04]", "3 [C-P06]", "4 [C-P08]"]),
        ("classic", "n_phases(3)", ["1 [C-P01]", "2 [C-P02]", "3 [C-P03]", "4"]),
        ("express", "n_phases(1)", ["1 [X-P01]", "2"]),
        ("express", "ten_rounds", ["1", "2"]),
        ("classic", "none", ["1", "2"]),
    ],
)
def test_a_number_has_the_catalogues_id(ruleset: str, variant: str, texts: list[str]) -> None:
    rules = resolve(preset(ruleset), {"variant": variant})
    assert [phase_number(rules, number) for number in range(1, len(texts) + 1)] == texts


@looped(("variant", "label"), [("even_phases", "2 [C-P04]"), ("none", "2")])
def test_pages_are_given_the_number_as_texts_write_it(variant: str, label: str) -> None:
    rules = resolve(CLASSIC, {"variant": variant})
    game = find_game("classic")
    assert game
    phase = info(game, rules).phases[1]
    assert (phase.number, phase.label) == (2, label)


def test_no_phase_has_no_id() -> None:
    assert [phase_number(EVEN, number) for number in (0, 5, 6)] == ["0", "5 [C-P10]", "6"]


def test_a_refusal_names_the_phase_by_its_id() -> None:
    state = table(["R1 R2 R3", "B1"], variant="even_phases", phases=[2, 1])
    lay = c.Lay((c.GroupToLay("R1 R2 R3"),), phase=1)
    assert refused(state, 0, lay)[::2] == ("wrong_phase", "1 [C-P02]")


def test_the_referee_names_the_phase_by_its_id() -> None:
    question = LayQuestion(2, (c.GroupToLay("R1 B2 G3 Y4 R5 B6 G7"),))
    assert check(EVEN, question).sentence.startswith("Phase 2 [C-P04] can be laid")
    assert find(EVEN, "R1 B2", 2).phase == "Phase 2 [C-P04] (a run of 7)"
