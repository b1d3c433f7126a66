"""Who is blamed by a finding."""

from phaseledger.replay.verify.blame import _BLAMED, blamed
from phaseledger.replay.verify.codes import ANYBODY, CODES, OPERATOR, TOO_LITTLE


def test_each_finding_blames_somebody_or_nobody_in_a_sentence() -> None:
    for code, meaning in CODES.items():
        sentence = blamed(code)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert meaning.proves != "Nothing against anybody." or sentence == "Nobody."


def test_nobody_is_blamed_for_what_is_only_too_little() -> None:
    asked = {blamed(code) for code, meaning in CODES.items() if meaning.exit_code == TOO_LITTLE}
    assert asked == {"Nobody."}


def test_no_blame_is_stated_twice() -> None:
    """What follows from the proof of a code has no row of its own."""
    general = {code for code, meaning in CODES.items() if meaning.proves in (ANYBODY, OPERATOR)}
    assert not general & {*_BLAMED}
