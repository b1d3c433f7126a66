"""Section 5: the known answers of the deal, and that nothing but the key steers it."""

import hashlib
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shuffle import check_below, check_permutation
from phaseledger.domain import deal
from tests.support.cases import looped

VECTORS = msgspec.json.decode((Path(__file__).parent / "deal-v1.json").read_bytes())


@looped("case", VECTORS["cases"], ids=lambda case: case["game"][:8])
def test_known_answers(case: dict) -> None:
    """Commitments, transcript, every permutation and every die of the vectors."""
    secret = bytes.fromhex(case["server_secret"])
    seats = list(zip(case["seat_commits"], case["seat_secrets"], strict=True))
    text = deal.transcript(
        case["game"], case["ruleset"], case["ruleset_sha256"], case["server_commit"], seats
    )
    digest = hashlib.sha256(text.encode())

    assert case["server_commit"] == deal.server_commit(case["game"], secret)
    for number, (commit, opened) in enumerate(seats):
        assert commit == deal.seat_commit(case["game"], number, bytes.fromhex(opened))
    assert case["transcript"] == text
    assert case["transcript_sha256"] == digest.hexdigest()
    key = deal.deal_key(secret, digest.digest())
    for row in case["shuffles"]:
        assert row["permutation"] == deal.permutation(key, row["hand"], row["shuffle"], row["n"])
    for row in case["dice"]:
        assert row["values"] == deal.dice(key, row["turn"], row["roll"])


@given(st.binary(min_size=32, max_size=32), st.permutations(list(range(20))))
def test_the_order_of_the_pile_steers_nothing(key: bytes, order: list[int]) -> None:
    """Cards are sorted before they are shuffled."""
    assert deal.shuffled(key, 1, 1, bytes(range(20))) == deal.shuffled(key, 1, 1, bytes(order))


def test_no_bias_in_the_remainder() -> None:
    """For every bound up to 432 each remainder has exactly as many accepted words."""
    for bound in range(1, 433):
        accepted = 65536 - 65536 % bound
        assert accepted % bound == 0
        stream = iter([accepted, 0] if accepted < 65536 else [0])
        assert deal.uniform_below(stream, bound) == 0
        assert next(stream, None) is None, "the first biased word was taken"
        assert (accepted - 1) % bound == deal.uniform_below(iter([accepted - 1]), bound)


def test_biased_words_are_passed_over() -> None:
    """65,535 is rejected for 108 cards; running out of words is an error and no loop."""
    assert deal.uniform_below(iter([65535, 7]), 108) == 7
    with pytest.raises(ArithmeticError, match=r"^8,160 words in a row were rejected$"):
        deal.uniform_below(iter([]), 108)
    assert sum(1 for _ in deal.words(b"k" * 32, "x")) == 255 * 16


@pytest.mark.untraced
@looped("bound", [1, 6, 108, 431])
def test_every_word_below_a_bound(bound: int) -> None:
    """Each remainder comes from equally many words, and those at the end are passed over."""
    check_below(bound)


def test_a_shuffle_draws_without_bias() -> None:
    """The words that are passed over below any bound up to 432, and some of the others.

    `benchmarks/shuffle.py` has them all.
    """
    for word in chain(range(65536 - 432, 65536), range(0, 65536, 4_999)):
        check_permutation(word, 432)


def test_each_shuffle_is_one_of_its_own() -> None:
    """The round and the number of the shuffle steer it, as the vectors say."""
    case = VECTORS["cases"][0]
    key = deal.deal_key(
        bytes.fromhex(case["server_secret"]), bytes.fromhex(case["transcript_sha256"])
    )
    for row in case["shuffles"]:
        if row["n"] < 256:
            cards = deal.shuffled(key, row["hand"], row["shuffle"], bytes(range(row["n"])))
            assert list(cards) == row["permutation"]


def test_the_first_player_is_any() -> None:
    """`first_player=random` reaches every place."""
    places = {deal.starter(b"k" * 32, hand, 5) for hand in range(200)}
    assert set(range(5)) == places
