"""Token buckets that several processes fill and empty together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.quotas.token_buckets import RateLimitPolicy


class Ledger:
    """The buckets as the database has them, by when they are full again."""

    def __init__(self) -> None:
        self.full_at: dict[bytes, float] = {}

    def exchange(self, policy: RateLimitPolicy, now: float, most: int = 100) -> None:
        for key, seconds in policy.drain(most):
            self.full_at[key] = max(self.full_at.get(key, now), now) + seconds
            policy.adopt(key, self.full_at[key] - now, now)


def process(rate: float = 1, burst: int = 10, capacity: int = 100) -> RateLimitPolicy:
    policy = RateLimitPolicy("p", rate, burst, capacity)
    policy.drain(0)  # it is shared from the start
    return policy


def test_what_others_have_charged_counts_here() -> None:
    ledger, processes = Ledger(), [process(), process()]
    for policy in processes:
        assert all(policy.take(b"a", 0.0).wait == 0 for _ in range(5))
    for policy in processes:
        ledger.exchange(policy, 0.0)
    assert processes[1].take(b"a", 0.0).wait > 0, "ten were taken together"
    assert processes[0].take(b"a", 0.0).wait == 0, "which the first does not know yet"
    ledger.exchange(processes[0], 0.0)
    assert processes[0].take(b"a", 0.0).wait > 0
    assert processes[1].take(b"b", 0.0).wait == 0, "each key has its own"


def test_what_is_charged_meanwhile_is_not_lost() -> None:
    policy = process()
    policy.charge(b"a", 4, 0.0)
    ((key, seconds),) = policy.drain(10)
    policy.charge(b"a", 3, 0.0)
    policy.adopt(key, seconds + 2, 0.0)  # somebody else's
    assert policy.look(b"a", 0.0).remaining == 10 - (4 + 3 + 2)
    assert policy.drain(10) == [(b"a", 3.0)]


def test_charges_that_reached_nobody_are_told_again() -> None:
    policy = process()
    policy.charge(b"a", 4, 0.0)
    charges = policy.drain(10)
    policy.charge(b"a", 1, 0.0)
    policy.restore(charges)
    assert policy.drain(10) == [(b"a", 5.0)]
    assert policy.drain(10) == []


def test_what_was_given_back_is_not_told() -> None:
    policy = process()
    policy.charge(b"a", 1, 0.0)
    policy.charge(b"a", -1, 0.0)
    assert policy.drain(10) == []


def test_the_others_wait_for_the_next_exchange() -> None:
    policy = process()
    for number in range(5):
        policy.charge(b"%d" % number, 1, 0.0)
    assert [len(policy.drain(2)) for _ in range(4)] == [2, 2, 1, 0]


def test_the_memory_of_charges_is_bounded() -> None:
    policy = process(capacity=10)
    for number in range(1_000):
        policy.charge(b"%d" % number, 1, 0.0)
    assert len(policy.drain(1_000)) == 10


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0, 3), st.booleans()), min_size=1, max_size=120)
)
def test_processes_together_give_little_more_than_one(
    requests: list[tuple[int, float, bool]],
) -> None:
    """Law: burst, what has filled up, and what each process gives between two of its exchanges."""
    ledger, processes = Ledger(), [process(burst=5) for _ in range(3)]
    now, taken, unshared, late = 0.0, 0, [0, 0, 0], 0
    for number, pause, shares in requests:
        now += pause
        if processes[number].take(b"a", now).wait == 0:
            taken += 1
            unshared[number] += 1
        if shares:
            ledger.exchange(processes[number], now)
            unshared[number] = 0
        late = max(late, sum(unshared))
        assert taken <= 5 + now + late + 5 * 2, "two processes may not have heard of anything"


@pytest.mark.parametrize("use", ["take", "charge"])
def test_an_idle_key_saves_nothing_up(use: str) -> None:
    """However long ago it was used last, its bucket holds a burst and no more."""
    policy = process(burst=10)
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


def test_no_exchange_fills_a_bucket() -> None:
    policy = process()
    policy.charge(b"a", 8, 0.0)
    policy.adopt(b"a", 0.0, 0.0)  # the database has lost it
    assert policy.look(b"a", 0.0).remaining == pytest.approx(2)
