"""Who is blamed by a finding, in a sentence; `codes` says what it proves."""

from collections.abc import Mapping

from phaseledger.replay.verify.codes import ANYBODY, CODES, DAMAGED, OPERATOR, TOO_LITTLE, AnyCode

_NOBODY = "Nobody."
_WRITER = (
    "Whoever wrote this file or passed it on; the operator, where its own receipt or checkpoint "
    "vouches for it."
)
_SERVER = (
    "The operator's server, or whoever changed the events since; the operator alone, where its own "
    "receipt or checkpoint vouches for them."
)
_OWN_CLOCK = "The operator, by its own clock."
_TWO_LOGS = "The operator, if the policy names the key; without a policy anybody may have made it."
_EITHER = "The operator, or whoever wrote this file: by itself it does not tell which."

_BLAMED: Mapping[AnyCode, str] = {
    "broken_seal": _EITHER,
    "illegal_decision": (
        "The operator's server, which took a move that was never allowed, or whoever changed it "
        "since; the seat as well, where its signature is good."
    ),
    "bad_signature": "Whoever wrote the event: not the seat, which did not send it there and then.",
    "against_rules": "The rules by which the operator's server plays, or the second referee.",
    "broken_promise": (
        "Whoever made the secret: the seat for one that it brought, else the operator; or whoever "
        "changed it since."
    ),
    "command_repeated": _SERVER,
    "timed_out_early": _OWN_CLOCK,
    "against_terms": _SERVER,
    "closed_early": _OWN_CLOCK,
    "told_too_early": _EITHER,
    "proofs_disagree": _SERVER,
    "bad_receipt": "Whoever made the receipt.",
    "receipt_differs": _EITHER,
    "bad_checkpoint": "Whoever made the checkpoint.",
    "wrong_origin": "Whoever took a checkpoint of another log.",
    "bad_cosignature": "Whoever made the cosignature.",
    "cosigned_before": "The operator's clock, if that of the witness was right.",
    "bad_inclusion": _EITHER,
    "bad_consistency": _EITHER,
    "unknown_key": "Nobody, as long as nobody vouches for the key.",
    "equivocation": (
        "The operator, where both stories have its genuine signature; else one of the files was "
        "changed."
    ),
    "cut_off": _EITHER,
    "two_roots": _TWO_LOGS,
    "forked_log": _TWO_LOGS,
    "log_goes_on": "The operator, which has not gone on from a restore as it says.",
    "annulled": "The operator, which has to show what was lost; nobody else.",
    "time_backwards": _SERVER,
    "time_contradicted": "The operator, by its own signature on when the seat was there.",
    "seat_key_differs": (
        "Nobody yet: the operator may have taken the seat with a key of its own, or the player has "
        "another key."
    ),
}
"""Whom findings blame that prove something of their own."""


def blamed(code: AnyCode) -> str:
    """Whom a finding of that code blames."""
    explanation = CODES[code]
    if explanation.exit_code in (DAMAGED, TOO_LITTLE):
        return _NOBODY
    by_proof = {ANYBODY: _WRITER, OPERATOR: _SERVER}
    return by_proof.get(explanation.proves) or _BLAMED[code]
