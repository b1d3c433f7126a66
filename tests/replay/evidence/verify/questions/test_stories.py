"""Two stories of one game: where they part, who is behind which, and the file that holds both."""

from collections.abc import Sequence
from io import BytesIO

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.evidence import StoryParting
from phaseledger.replay.evidence.verify.files import dispute
from phaseledger.replay.evidence.verify.files.dispute import (
    DisputePart,
    dispute_bytes,
    parse_dispute,
    part_names,
)
from phaseledger.replay.evidence.verify.files.receipts import parse_receipts
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.questions.answer_text import parting_lines
from phaseledger.replay.evidence.verify.questions.stories import story_partings
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import DamagedSource
from tests.support.cases import looped
from tests.support.replay.bundles import good
from tests.support.replay.graded_games import POLICY
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import STRANGER, bundled
from tests.support.replay.two_stories import PARTING, kept_receipts, story, story_bundle

HERS, HIS = story_bundle(other_move=False), story_bundle(other_move=True)
FORGED = story_bundle(other_move=True, key=STRANGER)


def dated_ahead(seq: int, field: str = "at") -> bytes:
    """Her story, in which the command of one event is said to be a millisecond later, or has
    another id.
    """
    trees = [msgspec.json.decode(stored) for stored in story(other_move=False)]
    before = trees[seq - 1]["cmd"]
    for tree in trees:
        if tree["cmd"] == before:
            tree[field] = tree["at"] + 1 if field == "at" else "0" * 64
    return b"".join(bundled(tuple(map(encode, rechained(trees)))))


def partings(
    *bundles: bytes, policy: Policy | None = POLICY, receipts: Sequence[KeptReceipt] = ()
) -> list[StoryParting]:
    read = [
        parse_bundle(content.splitlines(keepends=True), f"{number}.bundle")
        for number, content in enumerate(bundles, 1)
    ]
    examined = verify(read, policy, receipts)
    cases = [examination.case for examination in examined]
    seats = [examination.judgement.seats for examination in examined]
    return [*story_partings(cases, seats, receipts)]


def receipts_of(bundle: bytes, source: str) -> list[KeptReceipt]:
    return [*parse_receipts(kept_receipts(bundle), source)]


@pytest.mark.parametrize(
    ("field", "starts"), [("at", ("at 2026-", "at 2026-")), ("cmd", ("cmd = ", 'cmd = "000'))]
)
def test_events_that_read_alike_are_told_apart_by_a_field(
    field: str, starts: tuple[str, str]
) -> None:
    (parting,) = partings(HERS, dated_ahead(PARTING, field))
    assert parting.sides[0].event == parting.sides[1].event
    for side, start in zip(parting.sides, starts, strict=True):
        assert side.differs.startswith(start)
    assert parting.sides[0].differs != parting.sides[1].differs
    assert sum("reads alike" in line for line in parting_lines(parting)) == 2


def test_the_stories_part_at_the_first_event_that_differs() -> None:
    (parting,) = partings(HERS, HIS)
    assert parting.seq == PARTING
    first, second = parting.sides
    assert (first.source, second.source) == ("1.bundle", "2.bundle")
    assert first.event.endswith("in turn 1")
    assert first.differs == second.differs == "", "they read otherwise"
    assert first.attestation is not None
    assert second.attestation is not None
    assert first.attestation.events != second.attestation.events
    assert {voucher.by for voucher in first.attestation.vouchers} >= {"player", "operator"}


@looped(
    ("other", "policy", "conclusion"),
    [
        (HIS, POLICY, "The operator has signed both: it has told two stories"),
        (FORGED, POLICY, "The operator has signed the story of 1.bundle, and not the other one."),
        (HIS, None, "Nobody vouches for the keys without --policy"),
        (
            HIS,
            replace(POLICY, keys=(STRANGER.public,), witnesses=()),
            "The operator has signed neither, as far as these files show.",
        ),
    ],
    ids=["both are signed", "one is by a stranger", "no policy", "another operator's policy"],
)
def test_who_is_behind_which_story(other: bytes, policy: Policy | None, conclusion: str) -> None:
    (parting,) = partings(HERS, other, policy=policy)
    assert parting.conclusion.startswith(conclusion)


def test_receipts_back_the_story_that_they_are_of() -> None:
    receipts = [
        *receipts_of(HERS, "hers"),
        *receipts_of(HIS, "his"),
        *receipts_of(FORGED, "forged"),
    ]
    (parting,) = partings(HERS, HIS, receipts=receipts)
    hers, his, forged = parting.receipts
    assert (hers.first > 10, hers.second, hers.both, hers.neither) == (True, 0, his.both, 0)
    assert (his.first, his.second > 10, his.neither) == (0, True, 0)
    assert hers.both == sum(kept.receipt.seq < PARTING for kept in receipts_of(HERS, "hers"))
    assert (forged.first, forged.second, forged.both) == (0, 0, 0)
    assert forged.neither == len(receipts_of(FORGED, "forged"))


def test_a_receipt_alone_shows_that_the_operator_signed_a_story() -> None:
    """The file itself may have been stripped of what its operator signed."""
    (parting,) = partings(FORGED, HERS, receipts=receipts_of(HIS, "his"))
    assert parting.conclusion.startswith("The operator has signed both")


@looped(
    "bundles", [(HERS,), (HERS, HERS), (HERS, b"".join(good()))], ids=["one", "same", "two games"]
)
def test_one_story_does_not_part(bundles: tuple[bytes, ...]) -> None:
    assert partings(*bundles) == []


def test_three_bundles_are_compared_two_by_two() -> None:
    assert [
        tuple(side.source for side in parting.sides) for parting in partings(HERS, HIS, HERS)
    ] == [
        ("1.bundle", "2.bundle"),
        ("2.bundle", "3.bundle"),
    ]


def test_the_words() -> None:
    (parting,) = partings(HERS, HIS, receipts=receipts_of(HERS, "hers"))
    first, *lines, conclusion = parting_lines(parting)
    assert first.startswith("TWO STORIES of game ")
    assert first.endswith(": 1.bundle and 2.bundle, the same up to event 9")
    assert sum(line.startswith("  receipts of hers: ") for line in lines) == 1
    assert sum("has there: " in line for line in lines) == 2
    assert conclusion == f"  {parting.conclusion}"


PARTS = [
    DisputePart("bundle", "mine.bundle", b"".join(good())),
    DisputePart("receipts", "mine.ndjson", b"no line end"),
    DisputePart("bundle", "torn", b""),
]


def written(parts: list[DisputePart]) -> bytes:
    return b"".join(dispute_bytes(parts))


def parsed(content: bytes) -> list[DisputePart]:
    return parse_dispute(BytesIO(content), "d")


@given(
    st.lists(
        st.builds(
            DisputePart,
            st.sampled_from(["bundle", "receipts"]),
            st.from_regex("[A-Za-z0-9._-]{1,64}", fullmatch=True),
            st.binary(max_size=200) | st.sampled_from([part.content for part in PARTS]),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda part: part.name,
    )
)
def test_what_is_put_in_comes_out(parts: list[DisputePart]) -> None:
    assert parsed(written(parts)) == parts
    assert written(parsed(written(parts))) == written(parts)


def test_its_parts_can_be_cut_out_by_hand() -> None:
    """Each stands there as it is, behind a line that says how long it is."""
    content = written(PARTS)
    assert content.startswith(b'{"dispute":{"parts":3,"v":"p10-dispute/v1"}}\n{"part":{"bytes":')
    assert PARTS[0].content in content


@looped("cut", [1, 30, 44, 60, 5_000, -1])
def test_a_file_that_is_cut_is_damaged(cut: int) -> None:
    whole = written(PARTS[:2])
    with pytest.raises(DamagedSource, match=r"^d: the dispute file is damaged: "):
        parsed(whole[:cut])


@looped(
    ("before", "after", "reason"),
    [
        (b"Seat 1", b"Seat 7", "mine.bundle is not what was written: its SHA-256 is another"),
        (b'"parts":3', b'"parts":2', "something follows its 2 parts"),
        (b'"parts":3', b'"parts":4', "a line that says what follows is none"),
        (b'"parts":3', b'"parts": 3', "not canonical JSON"),
        (b'"parts":3', b'"parts":65', "is none: Expected `int` <= 64"),
        (b"dispute/v1", b"dispute/v2", "is none: Invalid enum value"),
        (b'"name":"torn"', b'"name":"mine.bundle"', "part 3 has the name of another one"),
        (b'"name":"torn"', b'"name":"a b"', "is none: Expected `str` matching regex"),
        (b'"kind":"receipts"', b'"kind":"policies"', "is none: Invalid enum value"),
        (b'"bytes":0', b'"bytes":99999999999', "is none: Expected `int` <= "),
    ],
)
def test_a_file_that_was_changed_is_damaged(before: bytes, after: bytes, reason: str) -> None:
    whole = written(PARTS)
    assert before in whole
    with pytest.raises(DamagedSource) as damage:
        parsed(whole.replace(before, after, 1))
    assert reason in str(damage.value)


def test_a_file_that_never_ends_is_not_read_to_its_end() -> None:
    endless = BytesIO(b'{"dispute":' + b"[" * (1 << 20))
    with pytest.raises(DamagedSource):
        parse_dispute(endless, "d")
    assert endless.tell() == dispute.LONGEST_LINE


@looped(
    ("paths", "names"),
    [
        (["a/game.bundle", "b/game.bundle"], ["game.bundle", "game.bundle-2"]),
        (["SOUND, grade\n.bundle"], ["SOUND__grade_.bundle"]),
        (["/", "x" * 200], ["file", "x" * 56]),
        (["ä" * 9], ["_" * 9]),
    ],
)
def test_a_file_is_named_without_its_folder(paths: list[str], names: list[str]) -> None:
    assert part_names(paths) == names


def edited(content: bytes, seq: int) -> bytes:
    """The bundle with one digit of an event's time changed, and nothing else."""
    start = content.index(b'{"event":', content.index(b'"seq":%d,' % (seq - 1)))
    place = content.index(b'"at":', start) + len(b'"at":17900000')
    return (
        content[:place]
        + (b"1" if content[place : place + 1] != b"1" else b"2")
        + content[place + 1 :]
    )


def test_two_edits_of_one_story_convict_nobody() -> None:
    """The receipts are of events that do not follow on the edited ones."""
    kept = receipts_of(HERS, "mine")
    (parting,) = partings(edited(HERS, PARTING), edited(HERS, PARTING + 20), receipts=kept)
    assert parting.seq == PARTING
    assert "it has told two stories" not in parting.conclusion


def test_a_receipt_that_is_left_out_clears_nobody() -> None:
    """Later receipts in the same bundle bind the event as well."""
    lines = HIS.splitlines(keepends=True)
    seqs = sorted(kept.receipt.seq for kept in receipts_of(HIS, "his"))
    dropped = next(seq for seq in seqs if seq >= PARTING)
    left = [
        line
        for line in lines
        if not (line.startswith(b'{"receipt"') and b'"seq":%d,' % dropped in line)
        and not line.startswith((b'{"checkpoint"', b'{"inclusion"', b'{"end"'))
    ]
    left.append(b'{"end":{"lines":%d}}\n' % len(left))
    (parting,) = partings(HERS, b"".join(left))
    assert "it has told two stories" in parting.conclusion
