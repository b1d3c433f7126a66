"""The campaign that holds `examples/verifier.py` against `verify`, small, and that it can fail."""

import pytest

from benchmarks import stranger


def test_both_come_to_the_same_verdicts() -> None:
    tally = stranger.run(4, first=0, forgeries=3)
    assert tally.differences == []
    assert tally.counted["whole, both accept"] == 4
    assert tally.counted["running, both accept"] == 4
    assert tally.counted["forged, both refuse"] > 4


@pytest.mark.parametrize("verdict", [True, False])
def test_a_verifier_that_always_says_the_same_differs(
    verdict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranger.Tally, "accepted", lambda *_: verdict)
    tally = stranger.run(1, first=1, forgeries=3)
    assert tally.differences
    assert all(("only verify" in difference) is not verdict for difference in tally.differences)
