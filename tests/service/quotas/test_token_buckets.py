"""Token buckets: what they give, and what they have saved up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.quotas.token_buckets import RateLimitPolicy


@given(
    st.lists(st.tuples(st.sampled_from([b"a", b"b"]), st.floats(0, 3)), min_size=1, max_size=120)
)
def test_a_key_takes_a_burst_and_what_has_filled_up(asked: list[tuple[bytes, float]]) -> None:
    policy, now, taken = RateLimitPolicy("p", 1, 5), 0.0, {b"a": 0, b"b": 0}
    for key, pause in asked:
        now += pause
        taken[key] += policy.take(key, now).wait == 0
        assert taken[key] <= 5 + now + 1e-6


@pytest.mark.parametrize("use", ["take", "charge"])
def test_an_idle_key_saves_nothing_up(use: str) -> None:
    """However long ago it was used last, its bucket holds a burst and no more."""
    policy = RateLimitPolicy("p", 1, 10)
    policy.charge(b"a", 1, 0.0)
    now = 1e6
    for _ in range(10):
        if use == "take":
            assert policy.take(b"a", now).wait == 0
        else:
            policy.charge(b"a", 1, now)
    assert policy.is_empty(b"a", now)
    assert policy.take(b"a", now).wait > 0
    assert policy.used(b"a", now) == pytest.approx(10)


def test_what_is_charged_and_given_back_leaves_the_bucket_as_it_was() -> None:
    policy = RateLimitPolicy("p", 1, 10)
    policy.charge(b"a", 8, 0.0)
    assert policy.look(b"a", 0.0).remaining == 2
    policy.charge(b"a", -8, 0.0)
    assert policy.look(b"a", 0.0).remaining == 10
