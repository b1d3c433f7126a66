"""A game that was voided because its ledger goes on from a backup: what is lost convicts nobody.

The operator says so in the game's last event, under a newer key. Whatever else contradicts the game
is an equivocation as before.
"""

from collections.abc import Callable, Sequence
from functools import cache

import msgspec
from msgspec.structs import replace

from phaseledger.domain.commands import VoidRestored
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing import receipts
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.browser import Verifier
from tests.support.cases import looped
from tests.support.replay.bundles import PLANS
from tests.support.replay.judgements import code_of
from tests.support.replay.operator_games import (
    CLOCK,
    OPERATOR,
    ORIGIN,
    WITNESS,
    Table,
    leaves_of,
    proofs,
    secret,
)
from tests.support.replay.page_grades import agree, written
from tests.support.replay.policy_cases import judged_with

NEWER = SigningKey("example.org/games-2", secret("the key after the restore"))
POLICY = Policy("club.toml", (OPERATOR.public, NEWER.public))
KEPT, LOST = 10, 6
"""Decisions after the start that the backup has, and others that came after it."""


def begun(decisions: int, server: str = "", delay: int = 0) -> Table:
    """The game after so many decisions; those after the backup come so much later."""
    table = Table(replace(PLANS["classic"], server=server))
    table.open()
    for number in range(decisions):
        assert table.state is not None
        table.count += delay if number == KEPT else 0
        seat = table.state.waits[0].seat
        table.decide(table.answer(seat), seat)
    return table


def stored(table: Table) -> tuple[bytes, ...]:
    return tuple(entry.stored for entry in table.entries)


@cache
def restored(published: int = 10_000, delay: int = 1_000, log: str = ORIGIN) -> tuple[bytes, ...]:
    """The events of the game that goes on from the backup, only to be broken off."""
    table = begun(KEPT)
    table.count += delay  # of two seconds each
    table.decide(VoidRestored(1, log, published))
    return stored(table)


@cache
def played_on() -> tuple[bytes, ...]:
    return stored(begun(KEPT + LOST))


@cache
def finished() -> tuple[bytes, ...]:
    """The game as it was played to its end, before the restore."""
    table = begun(0)
    while table.state and table.state.waits:
        seat = table.state.waits[0].seat
        table.decide(table.answer(seat), seat)
    return stored(table)


def bundle(
    events: Sequence[bytes], key: SigningKey, *, checkpoint: bool = False, origin: str = ORIGIN
) -> list[bytes]:
    given = proofs(leaves_of(events), "log", key, WITNESS, origin=origin) if checkpoint else None
    keys = [key.public, WITNESS.public]
    return list(bundle_lines(events, keys=keys, signer=key, proofs=given))


def receipt(key: SigningKey, at: int = CLOCK) -> Receipt:
    """The last receipt of what was lost."""
    last = parse_bundle(bundle(played_on(), OPERATOR), "file").receipts[-1][1]
    entry = receipts.Receipted(last.game, last.seq, last.leaf, last.command, at)
    return receipts.issue(entry, key)


def pair(
    after: Sequence[bytes], before: Sequence[bytes], policy: Policy = POLICY
) -> list[Judgement]:
    bundles = [parse_bundle(after, "after"), parse_bundle(before, "before")]
    return [examined.judgement for examined in verify(bundles, policy)]


def test_the_game_is_sound_and_names_nobody_who_owes() -> None:
    judgement = judged_with(bundle(restored(), NEWER), [], POLICY)
    assert (judgement.conclusion, judgement.status, judgement.owing) == ("sound", "voided", ())


@looped(
    ("key", "at", "code"),
    [
        (OPERATOR, CLOCK, ""),
        (NEWER, CLOCK, "cut_off"),  # the new key knows of the restore
        (OPERATOR, CLOCK + 10_000_000, "cut_off"),  # the old log went on beside the new one
    ],
)
def test_a_receipt_of_what_was_lost(key: SigningKey, at: int, code: str) -> None:
    judgement = judged_with(bundle(restored(), NEWER), [receipt(key, at)], POLICY)
    assert [problem.code for problem in judgement.problems] == ([code] if code else [])
    assert any("lost" in note for note in judgement.notes) is not bool(code)


@looped("key", [OPERATOR, NEWER])
@looped("at", [CLOCK, CLOCK + 10_000_000])
@looped("log", ["", ORIGIN, "example.org/ended"])
def test_the_page_says_the_same_of_a_receipt(
    page: Verifier, key: SigningKey, at: int, log: str
) -> None:
    """The old key has signed nothing in the bundle, the log that has ended, or another one."""
    events = restored(log=log or ORIGIN)
    point = proofs(leaves_of(events), "log", OPERATOR) if log else None
    keys = [NEWER.public, OPERATOR.public]
    lines = list(bundle_lines(events, keys=keys, signer=NEWER, proofs=point))
    kept = receipt(key, at)
    judgement = judged_with(lines, [kept])
    answer = page.verify(b"".join(lines), msgspec.json.encode(kept).decode())
    agree(answer, judgement)
    # Of a later time it is no lost one; but without a policy the old key, which has signed no
    # receipt in the bundle, speaks for nobody (F4).
    is_excused = (key, log) == (OPERATOR, "example.org/ended")
    assert (judgement.problems == ()) == is_excused


def test_to_leave_out_the_last_receipt_convicts_nobody() -> None:
    """A player may cut it out of the bundle; the others are by the same key."""
    *lines, _, _ = bundle(restored(), NEWER)
    lines.append(b'{"end":{"lines":%d}}\n' % len(lines))
    judgement = judged_with(lines, [receipt(OPERATOR)], POLICY)

    assert judgement.problems == ()
    assert any("lost" in note for note in judgement.notes)


def test_a_receipt_of_what_the_backup_has_must_fit_as_ever() -> None:
    kept = parse_bundle(bundle(restored(), OPERATOR), "file").receipts[3][1]
    entry = receipts.Receipted(kept.game, kept.seq, "ab" * 32, kept.command, kept.at)
    changed = receipts.issue(entry, OPERATOR)
    assert judged_with(bundle(restored(), NEWER), [kept], POLICY).problems == ()
    (problem,) = judged_with(bundle(restored(), NEWER), [changed], POLICY).problems
    assert problem.code == "equivocation"


def test_a_bundle_of_what_was_lost_convicts_nobody() -> None:
    judgements = pair(bundle(restored(), NEWER), bundle(played_on(), OPERATOR))
    assert [judgement.problems for judgement in judgements] == [(), ()]
    for judgement in judgements:
        assert any("went on from a backup" in note for note in judgement.notes)
        assert "Of the two files after counts." in judgement.notes
        assert code_of(judgement) == 0


WATCHED = replace(POLICY, witnesses=(WITNESS.public,))


@looped("published", [0, 10_000])
@looped(
    ("before", "policy", "checkpoint"),
    [
        (finished, POLICY, False),
        (played_on, WATCHED, True),
        (played_on, replace(WATCHED, require=("finished",)), True),
    ],
)
def test_no_restore_undoes_an_end_or_what_a_witness_has_seen(
    before: Callable[[], Sequence[bytes]], policy: Policy, published: int, *, checkpoint: bool
) -> None:
    """F2: whatever the operator says of how much was published."""
    lines = bundle(before(), OPERATOR, checkpoint=checkpoint)
    broken_off, ended = pair(bundle(restored(published), NEWER), lines, policy)
    assert "annulled" in [problem.code for problem in broken_off.problems]
    assert code_of(broken_off) == 6
    assert {problem.code for problem in ended.problems} <= {"not_finished"}
    for judgement in (broken_off, ended):
        assert "Of the two files before counts." in judgement.notes


def test_who_has_seen_the_end_after_a_restore_has_not_seen_what_was_lost(page: Verifier) -> None:
    lines = bundle(restored(), NEWER, checkpoint=True, origin="example.org/new")
    policy = replace(WATCHED, origin="example.org/new")
    judgement = judged_with(lines, [], policy)
    assert judgement.facets
    assert (judgement.conclusion, judgement.facets.story) == ("sound", "operator")
    agree(page.verify(b"".join(lines), policy=written(policy)), judgement)


def test_an_operator_who_lost_its_last_checkpoint_too_is_not_convicted() -> None:
    after, before = restored(published=0), bundle(played_on(), OPERATOR, checkpoint=True)
    judgements = pair(bundle(after, NEWER), before)
    assert [judgement.problems for judgement in judgements] == [(), ()]


def test_a_log_that_is_said_to_have_ended_does_not_go_on() -> None:
    """An event is replaced by the end, and the other games of the same log are played on."""
    (problem,) = judged_with(bundle(restored(), NEWER, checkpoint=True), [], POLICY).problems
    assert (problem.code, "which ended" in problem.expected) == ("log_goes_on", True)


NO_LOST_END = {
    "another log is said to have ended": (restored(log="example.org/ended"), played_on()),
    "more was published than it says": (restored(published=1), played_on()),
    "what is lost came later, by its own times": (restored(delay=0), played_on()),
    "an earlier event differs": (restored(), stored(begun(KEPT + LOST, server="another"))),
    "it was not broken off": (stored(begun(KEPT + LOST, delay=7)), played_on()),
}


@looped("case", NO_LOST_END)
def test_a_bundle_that_is_no_lost_end_still_convicts(case: str) -> None:
    after, before = NO_LOST_END[case]
    judgements = pair(bundle(after, NEWER), bundle(before, OPERATOR, checkpoint=True))
    for judgement in judgements:
        assert [problem.code for problem in judgement.problems] == ["equivocation"]
