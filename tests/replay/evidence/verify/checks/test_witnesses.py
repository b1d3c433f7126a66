"""What the time of a witness says against the operator's times."""

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.codes import BROKEN_WORD
from phaseledger.replay.evidence.verify.policy import CLOCK_SKEW, Policy
from phaseledger.replay.text import utc_time
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.bundles import game
from tests.support.replay.judgements import code_of, judged
from tests.support.replay.operator_games import OPERATOR, ORIGIN, WITNESS, bundled
from tests.support.replay.page_grades import written

POLICY = Policy("club.toml", (OPERATOR.public,), ORIGIN, (WITNESS.public,), 1)
LAST = msgspec.json.decode(game("classic")[-1])["at"]
assert LAST % 1_000 == 0
EARLIEST = LAST // 1_000 - CLOCK_SKEW


@pytest.mark.parametrize("seen_at", [1, EARLIEST - 1])
def test_an_event_that_was_seen_before_it_happened(seen_at: int) -> None:
    judgement = judged(bundled(game("classic"), cosigned_at=seen_at), POLICY)
    (problem,) = judgement.problems
    assert (problem.code, code_of(judgement)) == ("cosigned_before", BROKEN_WORD)
    assert problem.expected == f"{utc_time(LAST)} or later, the time of event 81"
    assert problem.recorded == f"seen at {utc_time(1_000 * seen_at)} by {WITNESS.public.id}"


@pytest.mark.parametrize("policy", [POLICY, None])
def test_clocks_may_differ(policy: Policy | None) -> None:
    lines = bundled(game("classic"), cosigned_at=EARLIEST)
    assert judged(lines, policy).problems == ()


@looped(("skew", "sound"), [(CLOCK_SKEW - 1, False), (0, False), (3_600, True)])
def test_by_how_much_they_may_is_for_the_policy_to_say(*, skew: int, sound: bool) -> None:
    lines = bundled(game("classic"), cosigned_at=EARLIEST)
    assert (judged(lines, replace(POLICY, clock_skew=skew)).problems == ()) is sound


def test_a_witness_whom_the_policy_does_not_know_says_nothing() -> None:
    lines = bundled(game("classic"), cosigned_at=1)
    assert judged(lines, replace(POLICY, witnesses=(), witnesses_needed=0)).problems == ()


def test_of_a_running_game_the_last_event_under_the_checkpoint_counts() -> None:
    lines = bundled(game("classic")[:40], cosigned_at=1)
    (problem,) = judged(lines, POLICY).problems
    assert (problem.code, problem.expected.split()[-1]) == ("cosigned_before", "40")


def test_without_a_policy_a_cosignature_convicts_nobody(page: Verifier) -> None:
    """F4: anybody can put one under a good checkpoint, with a key and a date of their own."""
    lines = bundled(game("classic"), cosigned_at=1)
    judgement = judged(lines)
    assert judgement.problems == ()
    assert any(WITNESS.public.id in note for note in judgement.notes)
    answer = page.verify(b"".join(lines))
    assert (answer["ok"], answer["grade"]) == (True, judgement.grade)
    assert any("has an earlier time" in check["text"] for check in answer["checks"])


@pytest.mark.parametrize(("seen_at", "expected"), [(EARLIEST - 1, ["times"]), (EARLIEST, [])])
def test_the_page_compares_them_too(page: Verifier, seen_at: int, expected: list[str]) -> None:
    lines = bundled(game("classic"), cosigned_at=seen_at)
    assert codes(page.verify(b"".join(lines), policy=written(POLICY))) == expected
