"""What a message says of a round, where a variant leaves out phases and where none does (O-42)."""

from typing import Any

import pytest

from phaseledger.domain.events import Result
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import preset
from phaseledger.service.webhooks.messages import _result


@pytest.mark.parametrize(
    ("variant", "laid", "rules"),
    [
        ("even_phases", 2, {"laid_rule": "C-P04", "phase_rule": "C-P06"}),
        ("even_phases", 0, {"phase_rule": "C-P06"}),
        ("n_phases(2)", 2, {"laid_rule": "C-P02"}),
        ("none", 2, {}),
    ],
)
def test_a_result_has_the_catalogues_ids(variant: str, laid: int, rules: dict[str, Any]) -> None:
    ruleset = resolve(preset("classic"), {"variant": variant})
    numbers = {"points": 5, "total": 20, "laid": laid, "phase": 3}
    assert _result(ruleset, Result(5, 20, laid, 3, hand="R5")) == numbers | rules
