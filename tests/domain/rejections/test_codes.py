"""Reject codes are text like any other, and say themselves what is said of them."""

import copy
import pickle
from collections import Counter
from typing import get_args

import msgspec

from phaseledger.domain.commands import RejectCode, Rejected
from phaseledger.domain.explain.refusals import title_of
from phaseledger.domain.rejections.codes import Asked, Ground


def test_a_code_is_its_text() -> None:
    for code in RejectCode:
        text = code.name.lower()
        assert {code, code.value, str(code), f"{code}"} == {text}
        assert hash(code) == hash(text)
        assert RejectCode(text) is code
        assert {text: 1}[code] == 1
        assert msgspec.json.encode({code: [code]}) == b'{"%b":["%b"]}' % (2 * (text.encode(),))
        assert msgspec.json.decode(f'"{text}"', type=RejectCode) is code
        assert pickle.loads(pickle.dumps(code)) is code is copy.deepcopy(code)


def test_every_code_has_a_ground_and_says_who_may_meet_it() -> None:
    assert {code.ground for code in RejectCode} == {*get_args(Ground)}
    met = Counter(asked for code in RejectCode for asked in code.met)
    assert met.keys() == {*get_args(Asked)}
    assert met["playing"] > len(RejectCode) / 2
    inner = {code for code in RejectCode if not code.met}
    assert inner == {"bad_secret", "bad_game_id", "game_exists", "bot_seat"}


def test_what_is_refused_says_why() -> None:
    refusal = Rejected(RejectCode.NOT_IN_HAND, "C-13", "R7")
    assert str(refusal) == "not_in_hand (C-13) R7"
    assert str(Rejected(RejectCode.GAME_OVER)) == "game_over "
    assert RejectCode.GAME_OVER.sentence == title_of(RejectCode.GAME_OVER, "en")
