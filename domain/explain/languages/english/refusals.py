"""Why the rules refuse a command."""

from collections.abc import Mapping

from phaseledger.domain.rejections import RejectCode
from phaseledger.domain.wording import CARDS_WRITTEN, JOKERS_WRITTEN

REFUSALS: Mapping[str, str] = {
    **{f"refused.{code}": code.sentence for code in RejectCode},
    "refused.with_detail": "{title}: {detail}.",
    # --- details, as the rules write them: from these forms they are read for other languages ---
    "detail.seat": "seat {seat}",
    "detail.dealer": "dealer {seat}",
    "detail.gift": "seat {seat} has to give a card first",
    "detail.seats": "{least} to {most} seats, not {count}",
    "detail.at_most": "{count}, at most {most}",
    "detail.no_open_phase": "the cards make none of the open ones",
    "detail.one_discarded": "one card is discarded",
    "detail.one_taken": "one card is taken",
    "detail.one_given": "one card is given",
    "detail.jokers_written": "{card}; " + JOKERS_WRITTEN,
    "detail.written": "{card}; " + CARDS_WRITTEN.format(examples="{examples} or {last}"),
    "detail.version": "it is at {version}",
}
