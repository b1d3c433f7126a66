"""The catalogue of finding codes, of audits and verifications: what each means, what it proves
against whom, and what to do. `phaseledger explain` prints it. Released codes never change their
meaning.
"""

from typing import Literal, NamedTuple

from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.records.findings import FindingCode, meaning

EvidenceCode = Literal[
    "header_differs",
    "ruleset_differs",
    "secret_differs",
    "told_too_early",
    "proofs_disagree",
    "bad_receipt",
    "receipt_differs",
    "bad_checkpoint",
    "wrong_origin",
    "bad_cosignature",
    "cosigned_before",
    "bad_inclusion",
    "bad_consistency",
    "unknown_key",
    "equivocation",
    "cut_off",
    "time_contradicted",
    "two_roots",
    "forked_log",
    "log_goes_on",
    "annulled",
    "time_backwards",
    "seat_key_differs",
    "worthless_receipt",
    "receipts_missing",
    "checkpoint_missing",
    "checkpoint_behind",
    "witnesses_missing",
    "times_unwitnessed",
    "not_finished",
    "signatures_missing",
    "player_secret_missing",
    "test_table",
    "moves_unsigned",
    "seat_unsigned",
    "bots_unproven",
]
"""Codes that only a verification has, besides those of the audit."""

AnyCode = FindingCode | EvidenceCode

SOUND, WRONG, DAMAGED, BROKEN_WORD, TOO_LITTLE = 0, 1, 5, 6, 7
"""Exit codes of `phaseledger verify`, by class of finding."""


class Explanation(NamedTuple):
    """One code: its class, and where its words stand in the catalogue beside its own."""

    code: AnyCode
    exit_code: int
    proof: str
    advised: str
    blamed: str

    @property
    def means(self) -> Phrase:
        """What it means."""
        return meaning(self.code)

    @property
    def proves(self) -> Phrase:
        """What it proves against whom."""
        return Phrase(f"code.{self.proof or self.code}.proves")

    @property
    def advice(self) -> Phrase:
        """What to do."""
        return Phrase(f"code.{self.advised or self.code}.advice")

    @property
    def blame(self) -> Phrase:
        """Whom it blames."""
        return Phrase(f"code.{self.blamed or self.code}.blame")


BY_THE_CLOCK: frozenset[AnyCode] = frozenset({"timed_out_early", "against_terms", "closed_early"})
"""Findings about the operator's word that a seat's time was over."""

_ROWS: tuple[tuple[AnyCode, int, str, str, str], ...] = (  # as `Explanation` has its fields
    ("gap", WRONG, "anybody", "ask_again", "writer"),
    ("reordered", WRONG, "anybody", "ask_again", "writer"),
    ("repeated", WRONG, "anybody", "ask_again", "writer"),
    ("wrong_game", WRONG, "anybody", "ask_again", "writer"),
    ("unknown_topic", DAMAGED, "nothing", "", "nobody"),
    ("unreadable", DAMAGED, "nothing", "ask_again", "nobody"),
    ("sealed", DAMAGED, "nothing", "", "nobody"),
    ("broken_seal", WRONG, "", "ask_again", "either"),
    ("not_canonical", WRONG, "anybody", "ask_again", "writer"),
    ("broken_chain", WRONG, "anybody", "ask_again", "writer"),
    ("truncated", WRONG, "anybody", "ask_again", "writer"),
    ("after_end", WRONG, "anybody", "ask_again", "writer"),
    ("no_decision", WRONG, "operator", "keep", "server"),
    ("illegal_decision", WRONG, "", "keep", ""),
    ("bad_signature", WRONG, "", "keep", ""),
    ("outcome_differs", WRONG, "operator", "keep", "server"),
    ("state_differs", WRONG, "operator", "keep", "server"),
    ("cards_lost", WRONG, "operator", "keep", "server"),
    ("broken_promise", WRONG, "", "keep", ""),
    ("against_rules", WRONG, "", "", ""),
    ("command_repeated", WRONG, "", "keep", "server"),
    ("timed_out_early", BROKEN_WORD, "", "keep", "own_clock"),
    ("against_terms", BROKEN_WORD, "", "keep", "server"),
    ("closed_early", BROKEN_WORD, "", "keep", "own_clock"),
    ("header_differs", WRONG, "anybody", "ask_again", "writer"),
    ("ruleset_differs", WRONG, "anybody", "ask_again", "writer"),
    ("secret_differs", WRONG, "anybody", "ask_again", "writer"),
    ("told_too_early", WRONG, "", "", "either"),
    ("proofs_disagree", WRONG, "", "keep", "server"),
    ("bad_receipt", BROKEN_WORD, "", "", ""),
    ("receipt_differs", BROKEN_WORD, "", "keep", "either"),
    ("bad_checkpoint", BROKEN_WORD, "", "ask_again", ""),
    ("wrong_origin", BROKEN_WORD, "", "", ""),
    ("bad_cosignature", BROKEN_WORD, "", "ask_again", ""),
    ("cosigned_before", BROKEN_WORD, "", "", ""),
    ("bad_inclusion", BROKEN_WORD, "", "ask_again", "either"),
    ("bad_consistency", BROKEN_WORD, "", "ask_again", "either"),
    ("unknown_key", BROKEN_WORD, "", "", ""),
    ("equivocation", BROKEN_WORD, "", "keep", ""),
    ("cut_off", BROKEN_WORD, "", "", "either"),
    ("two_roots", BROKEN_WORD, "two_logs", "keep", "two_logs"),
    ("forked_log", BROKEN_WORD, "two_logs", "keep", "two_logs"),
    ("log_goes_on", BROKEN_WORD, "", "keep", ""),
    ("annulled", BROKEN_WORD, "", "keep", ""),
    ("time_backwards", BROKEN_WORD, "", "keep", "server"),
    ("time_contradicted", BROKEN_WORD, "", "keep", ""),
    ("seat_key_differs", BROKEN_WORD, "", "", ""),
    ("worthless_receipt", TOO_LITTLE, "nothing", "bad_receipt", "nobody"),
    ("receipts_missing", TOO_LITTLE, "nothing", "", "nobody"),
    ("checkpoint_missing", TOO_LITTLE, "nothing", "later", "nobody"),
    ("checkpoint_behind", TOO_LITTLE, "nothing", "later", "nobody"),
    ("witnesses_missing", TOO_LITTLE, "nothing", "", "nobody"),
    ("times_unwitnessed", TOO_LITTLE, "nothing", "", "nobody"),
    ("not_finished", TOO_LITTLE, "nothing", "", "nobody"),
    ("signatures_missing", TOO_LITTLE, "nothing", "", "nobody"),
    ("player_secret_missing", TOO_LITTLE, "nothing", "", "nobody"),
    ("test_table", TOO_LITTLE, "nothing", "", "nobody"),
    ("moves_unsigned", TOO_LITTLE, "nothing", "", "nobody"),
    ("seat_unsigned", TOO_LITTLE, "nothing", "", "nobody"),
    ("bots_unproven", TOO_LITTLE, "nothing", "", "nobody"),
)
CODES: dict[AnyCode, Explanation] = {row[0]: Explanation(*row) for row in _ROWS}
"""All codes."""
