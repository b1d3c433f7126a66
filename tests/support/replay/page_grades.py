"""The grade of the page in the browser, held against that of `phaseledger verify`."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from tests.support.replay.judgements import judged

BOTS = re.compile(r"played for the bots? of seats? [0-9]+(, [0-9]+)*( and [0-9]+)?")


def agree_on_grade(answer: dict[str, Any], lines: Sequence[bytes]) -> None:
    """The page says what `verify` says without a policy, but for bots: it makes none move again.

    Raises:
        AssertionError: one of the two says more than the other, or another deed of an operator.

    """
    judgement = judged(lines)
    assert judgement.facets
    ours, theirs = asdict(judgement.facets), answer["facets"]
    assert answer["grade"] == judgement.grade == "consistent"
    if ours["bots"] == "re-decided":
        assert theirs == {**ours, "bots": "unproven"}
        return
    assert theirs == ours
    ours, theirs = (_without_bots(line) for line in (judgement.headline, answer["headline"]))
    assert ours == theirs


def _without_bots(headline: str) -> str:
    """The verdict; where bots are unproven, for which of them is left out."""
    return BOTS.sub("played for bots", headline)
