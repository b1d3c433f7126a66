"""Verdicts on cards: whether they can be laid or added, and why not."""

from collections.abc import Mapping

from phaseledger.domain.wording import CARDS_WRITTEN, JOKERS_WRITTEN

CHECKS: Mapping[str, str] = {
    "check.phase": "Phase {number}",
    "check.the_phase": "The phase",
    "check.phase_words": "{phase} ({needs})",
    "check.lay": "{phase} can be laid: {groups}.",
    "check.no_lay": "{phase} cannot be laid like this: {reason}.",
    "check.no_lay_at": "{phase} cannot be laid like this: in group {number}{cards}, {reason}.",
    "check.hit": "It fits, and makes {group}.",
    "check.no_hit": "Hit {number}{cards} cannot be made on {group}: {reason}.",
    "check.copies": "the deck has only {count} of them",
    "check.no_copy": "the deck has no such card",
    "check.one_joker": "a joker is one card",
    "check.no_jokers": "this game has no jokers",
    "check.written": CARDS_WRITTEN,
    "check.jokers_written": JOKERS_WRITTEN,
    "check.whole_hand": "{phase} takes the whole hand, and a card must be left to discard.",
    "check.short": "{phase} cannot be laid: at least {count} cards short.",
    "check.short@1": "{phase} cannot be laid: at least {count} card short.",
}
