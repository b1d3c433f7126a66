"""Who vouches for a move, and what that proves: no more than the keys and the checks bear out."""

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from phaseledger.domain.terms import Clock
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.evidence import Attestation, Judgement
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.questions.answer_text import answer_lines
from phaseledger.replay.evidence.verify.questions.question import parse_question
from phaseledger.replay.evidence.verify.text import judgement_lines
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.formats.signing.notes import COSIGNATURE, SigningKey
from phaseledger.replay.formats.signing.presences import SLACK
from phaseledger.replay.terminal import UsageError
from tests.support.cases import looped
from tests.support.replay import presences
from tests.support.replay.bundle_lines import places, rewrite, tree_of
from tests.support.replay.bundles import PLANS, game, good
from tests.support.replay.clocked_games import timed_out
from tests.support.replay.graded_games import POLICY, graded
from tests.support.replay.operator_games import STRANGER, WITNESS, bundled, played

DENIED = "the seat signed nothing, so the operator could have written it"
MADE_UP = "whoever wrote this file could have made it up"


def about(
    question: str,
    lines: Sequence[bytes],
    policy: Policy | None = POLICY,
    receipts: Sequence[KeptReceipt] = (),
) -> Judgement:
    bundle = parse_bundle(lines, "file")
    (examined,) = verify([bundle], policy, receipts, question=parse_question(question))
    return examined.judgement


def vouching(attestation: Attestation) -> list[tuple[str, bool]]:
    return [(voucher.by, voucher.trusted) for voucher in attestation.vouchers]


def sentences(attestation: Attestation) -> str:
    return "\n".join((*attestation.proves, *attestation.leaves_open))


def test_a_move_that_everybody_signed_leaves_nothing_open() -> None:
    (move,) = about("event 12", bundled(graded("signed"))).answers
    assert vouching(move) == [
        ("player", True),
        ("operator", True),
        ("operator", True),
        ("witness", True),
        ("later_player", True),
    ]
    assert (move.seat, move.name, move.decided_by, move.leaves_open) == (0, "Seat 0", "seat", ())
    assert move.events[0].event == """"Seat 0"'s draw from the discard pile in turn 2"""
    assert move.events[0].text == '"Seat 0" draws yellow 6 from the discard pile'
    assert "that player cannot deny the move" in sentences(move)


def test_without_a_policy_nobody_is_believed() -> None:
    (move,) = about("event 12", bundled(graded("signed")), None).answers
    assert {trusted for _, trusted in vouching(move)} == {False}
    assert not any("cannot" in sentence for sentence in move.proves)
    assert len(move.leaves_open) == 2
    assert "That the operator is held to it: no policy names that key" in move.leaves_open[0]
    assert "may be the operator's own" in move.leaves_open[1]


def test_another_operators_key_is_not_believed() -> None:
    strangers = replace(POLICY, keys=POLICY.witnesses, witnesses=())
    (move,) = about("event 12", bundled(graded("signed")), strangers).answers
    assert ("operator", True) not in vouching(move)
    assert "The operator has signed" not in sentences(move)


def test_a_witness_vouches_for_what_it_has_cosigned_alone() -> None:
    absent = SigningKey("example.org/witness", bytes(32), COSIGNATURE).public
    policy = replace(POLICY, witnesses=(*POLICY.witnesses, absent))
    (move,) = about("event 12", bundled(graded("signed")), policy).answers
    witnesses = [voucher.key for voucher in move.vouchers if voucher.by == "witness"]
    assert witnesses == [WITNESS.public.id]


def test_a_move_without_a_signature_may_be_denied() -> None:
    moves = about("turn 3", bundled(graded("nobody signs"))).answers
    assert len(moves) > 1
    for move in moves:
        assert "player" not in dict(vouching(move))
        assert DENIED in sentences(move)
        assert "cannot deny" not in sentences(move)


def test_nobody_vouches_for_a_file_with_no_key() -> None:
    lines = [*bundle_lines(graded("nobody signs"))]
    (move,) = about("event 12", lines).answers
    assert move.vouchers == ()
    assert MADE_UP in sentences(move)
    assert "    vouched for by nobody" in judgement_lines(about("event 12", lines))


def test_a_bot_is_vouched_for_by_its_program() -> None:
    moves = about("seat 1", bundled(graded("a bot"))).answers[1:]
    programs = [move for move in moves if move.decided_by == "seat" and move.seat == 1]
    assert programs
    assert all(("program", False) in vouching(move) for move in programs)
    played_by_hand = about("seat 1", bundled(graded("a bot played by somebody"))).answers[1:]
    assert not any(("program", False) in vouching(move) for move in played_by_hand)
    assert any("its program was not seen to make" in sentences(move) for move in played_by_hand)


def test_a_time_out_says_how_long_the_seat_had() -> None:
    (move,) = about("time-outs", bundled(graded("timed out"))).answers
    assert (move.decided_by, move.seat) == ("service", None)
    assert (
        'By the operator\'s clock seat "Seat 1" had been asked '
        "for 40.000 seconds (since event 9); the "
        "table gives 40, grace included."
    ) in move.proves
    assert "that no answer was lost on its way" in sentences(move)


def test_a_receipt_that_is_wrong_says_nothing_of_the_time_out_itself() -> None:
    lines = [*bundled(graded("timed out"))]
    (move,) = about("time-outs", lines).answers
    (place,) = (
        n for n in places(lines, "receipt") if tree_of(lines[n])["seq"] == move.events[0].seq
    )
    rewrite(lines, place, lambda receipt: receipt.update(sig="00" * 64))
    judgement = about("time-outs", lines)
    assert [problem.code for problem in judgement.problems] == ["bad_receipt"]
    assert "had been asked for 40.000 seconds" in sentences(judgement.answers[0])


def test_a_time_out_before_its_time_proves_nothing_against_the_player() -> None:
    early = [entry.stored for entry in timed_out(Clock(30, 10), 39_999).entries]
    judgement = about("time-outs", bundled(early))
    assert "timed_out_early" in [problem.code for problem in judgement.problems]
    (move, *_) = judgement.answers
    assert "timed_out_early: " in sentences(move)
    assert "had been asked for" not in sentences(move)
    late = [entry.stored for entry in timed_out(Clock(30, 10), 40_000).entries]
    assert "had been asked for 40.000 seconds" in sentences(
        about("time-outs", bundled(late)).answers[0]
    )


def test_a_presence_is_held_against_a_time_out() -> None:
    """Where it fits, the seat was there; where it does not, the operator made up the times."""
    there = KeptReceipt("mine", 1, presences.present())
    (move,) = about("time-outs", presences.LINES, receipts=[there]).answers
    assert "20.000 seconds after event 9, it signed the operator" in sentences(move)
    late = presences.present(at=presences.LATE["at"] + SLACK + 1)
    judgement = about("time-outs", presences.LINES, receipts=[KeptReceipt("mine", 1, late)])
    assert [problem.code for problem in judgement.problems] == ["time_contradicted"]
    assert (
        'The operator contradicts itself: it signed (mine:1) that seat "Seat 1" was there at'
        in (sentences(judgement.answers[0]))
    )
    others = [presences.present(key=STRANGER), replace(presences.present(), seat=0)]
    kept = [KeptReceipt("mine", number, other) for number, other in enumerate(others, 1)]
    (move,) = about("time-outs", presences.LINES, receipts=kept).answers
    assert "was there" not in sentences(move)


def test_a_forged_signature_vouches_for_nothing() -> None:
    lines = bundled(graded("signed"))
    place = next(n for n, line in enumerate(lines) if b'"seq":12,' in line and b'"event"' in line)
    before = lines[place].partition(b'"sig":"')[2][:128]
    lines[place] = lines[place].replace(before, b"0" * 128)
    (move,) = about("event 12", lines).answers
    assert "player" not in dict(vouching(move))
    assert "bad_signature: " in sentences(move)
    assert "the signature is not that of the seat's key" in sentences(move)


def test_behind_a_break_in_the_chain_no_later_word_counts() -> None:
    lines = bundled(graded("signed"))
    place = next(n for n, line in enumerate(lines) if b'"seq":20,' in line and b'"event"' in line)
    lines[place] = lines[place].replace(b'"at":17', b'"at":16')
    (move,) = about("event 12", lines).answers
    assert vouching(move) == [("player", True), ("operator", True)], "its own, and its receipt"
    assert "Something else in this file is wrong" in sentences(move)
    assert "it was decided again" not in sentences(move)


def receipts_of(lines: Sequence[bytes], source: str = "mine") -> list[KeptReceipt]:
    receipts = parse_bundle(lines).receipts
    return [KeptReceipt(source, number, receipt) for number, (_, receipt) in enumerate(receipts, 1)]


def test_a_kept_receipt_vouches_for_what_it_is_of() -> None:
    lines = bundled(graded("signed"))
    (move,) = about("event 12", lines, receipts=receipts_of(lines)).answers
    kept = [voucher.text for voucher in move.vouchers if "that was kept" in voucher.text]
    assert kept == ["a receipt that was kept (mine:8)"]


def test_a_kept_receipt_of_another_story_is_held_against_the_event() -> None:
    other = bundled(played(replace(PLANS["classic"], moves="otherwise")))
    (move,) = about("event 11", good(), None, receipts_of(other)).answers
    assert "that was kept" not in str(move.vouchers)
    assert "equivocation: There are two stories of one event." in sentences(move)


def test_a_running_game_is_not_said_to_be_decided_again() -> None:
    lines = bundled(game("classic")[:29])
    (move,) = about("event 28", lines, None).answers
    assert "it was decided again" not in sentences(move)
    assert move.events[0].text == '"Seat 1" discards red 12'


@looped(
    "name",
    [
        "vouched for by the player: all",
        '\\"\\n    proves: all',
        "leaves open: SOUND",
        "\u202eSOUND",
    ],
)
def test_no_name_can_look_like_an_answer(name: str) -> None:
    """Every line is one of the answer's own, and the name stands in it as a JSON string alone."""
    lines = [line.replace(b'"Seat 1"', f'"{name}"'.encode()) for line in good()]
    judgement = about("turn 7", lines, None)
    answers = [*answer_lines(judgement)]
    for start, count in (
        ("    vouched for by ", sum(len(move.vouchers) for move in judgement.answers)),
        ("    proves: ", sum(len(move.proves) for move in judgement.answers)),
        ("    leaves open: ", sum(len(move.leaves_open) for move in judgement.answers)),
    ):
        assert sum(line.startswith(start) for line in answers) == count > 0
    assert all(line.isprintable() for line in answers)
    assert any('"' in line for line in answers[1:])
    bare = "\n".join(re.sub(r'"(?:[^"\\]|\\.)*"', "", line) for line in answers)
    assert name.strip('"\\\u202e') not in bare


def test_of_a_file_that_cannot_be_read_to_its_end_the_rest_is_answered() -> None:
    lines = bundled(graded("signed"))
    place = next(n for n, line in enumerate(lines) if b'"seq":40,' in line and b'"event"' in line)
    lines[place] = re.sub(rb'"type":"[A-Za-z]+/1"', b'"type":"Miracle/1"', lines[place])
    (move,) = about("event 12", lines).answers
    assert "player" not in dict(vouching(move)), "who sat where is read with the whole file"
    assert "Something else in this file is wrong" in sentences(move)
    with pytest.raises(UsageError, match="It has events 1 to 39"):
        about("event 41", lines)
