"""Checks of what witnesses say: that they have seen the checkpoint, and when.

Theirs are the only times in a bundle that are not the operator's.
"""

from phaseledger.domain.words import Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.policy import CLOCK_SKEW
from phaseledger.replay.formats.signing.notes import COSIGNATURE, cosigning_times, signed_by
from phaseledger.replay.text import utc_time


def check_witnesses(case: Case) -> None:
    """Check that enough of the policy's witnesses have cosigned the checkpoint, and when."""
    _check_times(case)
    policy = case.policy
    if policy is None or not policy.witnesses:
        return
    good = len(case.cosigners)
    enough = good >= policy.witnesses_needed
    text = Phrase("evidence.policy.cosigned", count=good, total=len(policy.witnesses))
    case.check("witnesses", "passed" if enough else "failed", text)
    if not enough:
        expected = Phrase("evidence.policy.witnesses", count=policy.witnesses_needed)
        case.find("witnesses_missing", expected, f"{good}")


def _check_times(case: Case) -> None:
    """Check that no event is later, by its own time, than a witness saw it in the log.

    Without a policy that is a note: a cosignature may be by any key. At a table for tests the clock
    may have been turned on.
    """
    note, policy = case.note, case.policy
    if note is None or case.bundle.checkpoint is None or not case.vouching or case.is_test:
        return
    skew = policy.clock_skew if policy else CLOCK_SKEW
    witnesses = policy.witnesses if policy else case.keys.values()
    newest = case.bundle.events[case.bundle.inclusions[-1].value.seq - 1]
    for key in witnesses:
        if key.kind != COSIGNATURE or not signed_by(note, key):
            continue
        seen_at = min(cosigning_times(note, key))
        if 1_000 * (seen_at + skew) >= newest.form.at:
            continue
        if policy is None:
            case.notes.append(Phrase("evidence.note.early", key=key.id))
        else:
            expected = Phrase(
                "evidence.time.of_event", time=utc_time(newest.form.at), seq=newest.form.seq
            )
            recorded = Phrase("evidence.time.by", time=utc_time(1_000 * seen_at), key=key.id)
            line = case.bundle.checkpoint.line
            case.find("cosigned_before", expected, recorded, event=newest, line=line)
