"""A small part of the campaigns of benchmarks/tamper.py: mutations once each, some bytes, some
good games, and what an operator can do who lacks nothing but the receipts of others.
"""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.cases import looped
from tests.support.chance import Pick, chooser
from tests.support.replay.bundle_lines import Made, kind, made, tree_of
from tests.support.replay.bundle_mutations import (
    NAMES,
    POLICY,
    STORIES,
    Tampered,
    changed_bytes,
    dealt_anew,
    fault,
    judged,
    played_anew,
)
from tests.support.replay.forgery_corpus import game, mutated
from tests.support.replay.hostile_files import good
from tests.support.replay.html_outline import outline, report
from tests.support.replay.line_mutation_table import DAMAGED
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import OPERATOR, STRANGER, Plan, bundled, plan

BY_STRANGERS = [name for name in NAMES if name.endswith(" / stranger")]
"""An operator's forgeries, under another key; test_forgery_corpus.py has each of them."""


@looped("name", [name for name in NAMES if name not in BY_STRANGERS[::3] + BY_STRANGERS[1::3]])
def test_every_mutation_is_found_for_what_it_is(name: str) -> None:
    tried = mutated(name)
    assert fault(tried, judged(tried.lines, tried.held)) == ""


@looped("name", NAMES[::9])
def test_a_bundle_that_was_tampered_with_has_a_report(name: str) -> None:
    """A whole page, which says that the bundle is not sound."""
    lines = mutated(name).lines
    verdict = judged(lines)
    if verdict.codes[:1] != (DAMAGED,):
        page = report(lines)
        assert outline(page)
        assert ('<p class="verdict bad">' in page) == bool(verdict.exit_code)


def test_no_byte_of_a_bundle_can_be_changed() -> None:
    whole = b"".join(good())
    accepted = [
        place
        for place in range(0, len(whole), 131)
        for lines in changed_bytes(whole, place, 1)
        if not judged(lines).exit_code
    ]

    assert accepted == []


@looped("number", range(0, 18, 2))
def test_good_bundles_of_every_kind_are_accepted(number: int) -> None:
    made_ = made(plan(number, "good", longest=60))
    assert judged(made_.lines).codes == ()


# --- an operator with all its secrets and keys ---------------------------------------------------


def receipt_of(lines: tuple[bytes, ...], topic: str) -> Receipt:
    """The receipt of the command that led to an event of that type."""
    seq = next(t["seq"] for t in map(tree_of, lines) if t.get("type") == topic)
    receipts = [tree_of(line) for line in lines if kind(line) == "receipt"]
    return Receipt(**next(receipt for receipt in receipts if receipt["seq"] >= seq))


@pytest.mark.parametrize("story", [dealt_anew, played_anew])
def test_another_story_is_as_good_as_the_first_if_nobody_holds_anything(
    story: Callable[[Made, Pick], Tampered],
) -> None:
    """What stays possible: whoever kept no receipt and no checkpoint has nothing to hold up."""
    unsigned = game(next(number for number in range(36) if not plan(number, "tampered").signing))
    anew = story(unsigned, chooser(b"", 0))

    assert anew.lines != list(unsigned.lines)
    assert judged(anew.lines).codes == ()


def test_one_receipt_of_the_sealed_table_is_enough_against_a_new_deal() -> None:
    first = game(1)
    anew = dealt_anew(first, chooser(b"", 0))
    held = receipt_of(first.lines, "TableSealed/1")

    assert judged(first.lines, [held]).codes == ()
    assert judged(anew.lines, [held]).codes == ("equivocation",)


@pytest.mark.parametrize("story", [dealt_anew, played_anew])
def test_two_bundles_of_one_game_must_tell_one_story(
    story: Callable[[Made, Pick], Tampered],
) -> None:
    first = game(1)
    anew = story(first, chooser(b"", 0))
    mine, theirs = verify([parse_bundle(first.lines), parse_bundle(anew.lines)], POLICY)

    for judgement in (mine.judgement, theirs.judgement):
        (problem,) = (
            candidate for candidate in judgement.problems if candidate.code == "equivocation"
        )
        assert problem.expected == "one leaf in both files"


def test_a_signing_seat_cannot_be_made_to_play_otherwise() -> None:
    """Without its key the operator has no signature for a move that the seat did not send."""
    signed = Plan("classic", 2, "signing", bots=("greedy",), signing=(0, 1), void_after=9)
    first, other = made(signed), made(replace(signed, moves="others"))
    trees, meant = (
        [msgspec.json.decode(record) for record in variant.stored] for variant in (other, first)
    )
    place = next(n for n, tree in enumerate(trees) if tree != meant[n])
    trees[place]["data"]["act"]["sig"] = meant[place]["data"]["act"]["sig"]
    lines = bundled([encode(tree) for tree in rechained(trees)])

    assert judged(other.lines).codes == ()
    assert judged(lines).codes[0] == "bad_signature"


def test_without_a_policy_anybody_can_sign() -> None:
    """What stays possible: a key that nobody vouches for is as good as any other."""
    lines = STORIES[0](game(1), chooser(b"", 0)).lines

    assert judged(lines, policy=None).codes == ()
    assert judged(lines).codes[0] == "unknown_key"


def test_a_policy_may_know_an_old_key_or_a_new_one() -> None:
    both = Policy("both", (STRANGER.public, OPERATOR.public))

    assert judged(game(1).lines, policy=both).codes == ()
    assert judged(game(1).lines, policy=Policy("other", (STRANGER.public,))).codes[0] == (
        "unknown_key"
    )
