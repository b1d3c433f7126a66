"""Checkpoints of one log against one another: what forks it, and what accuses nobody."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from tests.support.cases import looped
from tests.support.replay.bundles import game
from tests.support.replay.logged_bundles import OTHERS, logged, other_game
from tests.support.replay.operator_games import (
    OPERATOR,
    STRANGER,
    leaves_of,
    secret,
)

POLICY = Policy("club.toml", (OPERATOR.public,))


def codes(*lines: Sequence[bytes], policy: Policy | None = None) -> list[list[str]]:
    return [
        [problem.code for problem in judgement.problems]
        for judgement in judgements(*lines, policy=policy)
    ]


def judgements(*lines: Sequence[bytes], policy: Policy | None = None) -> list[Judgement]:
    read = [parse_bundle(bundle, f"file {n}") for n, bundle in enumerate(lines, 1)]
    return [examination.judgement for examination in verify(read, policy)]


def test_one_log_that_grows_is_one_log() -> None:
    mine, its = leaves_of(game("classic")), leaves_of(other_game())
    small, large = [*OTHERS, *mine], [*OTHERS, *mine, *its]
    bundles = (
        logged(game("classic"), small),
        logged(game("classic"), large),
        logged(other_game(), large),
    )
    assert codes(*bundles) == codes(*bundles, policy=POLICY) == [[], [], []]


@pytest.mark.parametrize("policy", [None, POLICY])
def test_a_game_that_moves_within_the_log(policy: Policy | None) -> None:
    """Two forks of other sizes: no root is to be compared, the places are."""
    leaves = leaves_of(game("classic"))
    shorter, longer = [*OTHERS[:3], *leaves], [*OTHERS, *leaves]
    first, second = judgements(
        logged(game("classic"), shorter), logged(game("classic"), longer), policy=policy
    )
    for judgement in (first, second):
        (problem,) = judgement.problems
        assert (problem.code, judgement.conclusion) == ("forked_log", "operator")
        assert problem.expected.startswith("one place for event 1, signed by ")
        assert problem.recorded == "leaf 3 and leaf 7, in file 1 and file 2"


@pytest.mark.parametrize("policy", [None, POLICY])
def test_two_games_in_one_place(policy: Policy | None) -> None:
    mine, its = leaves_of(game("classic")), leaves_of(other_game())
    bundles = (logged(game("classic"), [*OTHERS, *mine]), logged(other_game(), [*OTHERS, *its]))
    assert codes(*bundles, policy=policy) == [["forked_log"], ["forked_log"]]


@pytest.mark.parametrize("policy", [None, POLICY])
def test_two_histories_beside_games_that_are_in_both(policy: Policy | None) -> None:
    """Forks of other sizes in which each game has one place: the rest differs."""
    mine, its = leaves_of(game("classic")), leaves_of(other_game())
    others = [secret("another game's leaf", n) for n in range(1024)]
    small, large = [*others, *mine], [*reversed(others), *mine, *its]
    for bundles in (
        (logged(game("classic"), small), logged(game("classic"), large)),
        (
            logged(other_game(), [*others, *its]),
            logged(other_game(), [*reversed(others), *its, *mine]),
        ),
        (logged(game("classic"), small), logged(other_game(), large)),
    ):
        for judgement in judgements(*bundles, policy=policy):
            (problem,) = judgement.problems
            assert (problem.code, judgement.conclusion) == ("forked_log", "operator")
            assert problem.expected.startswith("one hash over leaves 0 to 1,023, signed by ")
            assert problem.recorded.endswith(", in file 1 and file 2")


def test_logs_of_other_names_have_nothing_to_do_with_one_another() -> None:
    leaves = leaves_of(game("classic"))
    bundles = (
        logged(game("classic"), [*OTHERS, *leaves]),
        logged(game("classic"), leaves, origin="example.org/before"),
    )
    assert codes(*bundles) == [[], []]


def test_a_stranger_cannot_accuse_the_operator() -> None:
    """Anybody can sign another root under the log's name, by a key of one's own."""
    leaves = leaves_of(game("classic"))
    genuine = logged(game("classic"), [*OTHERS, *leaves])
    made_up = logged(game("classic"), [*reversed(OTHERS), *leaves], STRANGER)
    smaller = logged(game("classic"), leaves, STRANGER)
    for other in (made_up, smaller):
        assert codes(genuine, other) == [[], []]
        first, second = codes(genuine, other, policy=POLICY)
        assert first == []
        assert set(second) == {"unknown_key"}


def test_a_checkpoint_that_does_not_hold_accuses_nobody() -> None:
    """A good signature of the operator, copied under a root of somebody's own."""
    leaves = leaves_of(game("classic"))
    genuine = logged(game("classic"), [*OTHERS, *leaves])
    other = logged(game("classic"), [*reversed(OTHERS), *leaves])
    place = next(n for n, line in enumerate(other) if line.startswith(b'{"checkpoint"'))
    sig = next(line for line in genuine if line.startswith(b'{"checkpoint"')).rpartition(b" ")[2]
    other[place] = other[place].rpartition(b" ")[0] + b" " + sig
    first, second = codes(genuine, other, policy=POLICY)
    assert (first, second) == ([], ["bad_checkpoint"])


@pytest.mark.parametrize("policy", [None, POLICY])
def test_one_key_over_two_roots(policy: Policy | None) -> None:
    leaves = leaves_of(game("classic"))
    bundles = (
        logged(game("classic"), [*OTHERS, *leaves]),
        logged(game("classic"), [*reversed(OTHERS), *leaves]),
    )
    assert codes(*bundles, policy=policy) == [["two_roots"], ["two_roots"]]


def test_two_keys_that_the_policy_knows() -> None:
    """An operator that has changed its key answers for both."""
    leaves = leaves_of(game("classic"))
    both = replace(POLICY, keys=(OPERATOR.public, STRANGER.public))
    bundles = (
        logged(game("classic"), [*OTHERS, *leaves]),
        logged(game("classic"), [*reversed(OTHERS), *leaves], STRANGER),
    )
    for judgement in judgements(*bundles, policy=both):
        (problem,) = judgement.problems
        assert problem.code == "two_roots"
        assert problem.expected.endswith(" leaves, signed by keys of the policy")
    assert codes(*bundles) == [[], []]


def test_a_bundle_without_a_checkpoint_contradicts_none() -> None:
    stored = game("classic")
    without = list(bundle_lines(stored, keys=[OPERATOR.public], signer=OPERATOR))
    assert codes(logged(stored, leaves_of(stored)), without) == [[], []]


@looped(
    "log",
    [
        lambda leaves: [leaves[-1], OTHERS[0], leaves[0]],
        lambda leaves: [leaves[0], leaves[-1]],
        lambda leaves: [leaves[0], *leaves[2:]],
    ],
    ids=["last before first", "first and last alone", "one left out"],
)
def test_a_log_that_cannot_have_the_whole_game(log: object) -> None:
    """Between the first event and the last one there must be room for all others."""
    assert callable(log)
    leaves = leaves_of(game("classic"))
    (judgement,) = judgements(logged(game("classic"), log(leaves)))
    assert [problem.code for problem in judgement.problems] == ["bad_inclusion"]
    assert judgement.problems[0].expected.endswith("or a later one")


def test_the_log_of_a_policy_bears_the_name_of_its_keys() -> None:
    leaves = leaves_of(game("classic"))
    mine = logged(game("classic"), leaves)
    other = logged(game("classic"), leaves, origin="example.org/other")
    assert codes(mine, policy=POLICY) == [[]]
    assert codes(other, policy=POLICY) == [["wrong_origin"]]
    assert codes(other, policy=replace(POLICY, origin="example.org/other")) == [[]]
