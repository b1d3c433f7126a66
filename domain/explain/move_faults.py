"""Where a refused lay or hit is wrong: the group, the card, and a sentence that names both."""

from collections.abc import Callable
from typing import NamedTuple

from phaseledger.domain.commands import Hit, Lay, RejectCode, Rejected
from phaseledger.domain.explain.check import LayQuestion, NoSuchPhase, check, reason_words
from phaseledger.domain.explain.wording import group_words
from phaseledger.domain.state import State
from phaseledger.domain.words import Language, has_message, message


class MoveFault(NamedTuple):
    """What is wrong with a move."""

    at: int | None
    """Of a lay its group, of a hit the group on the table, from 0; None: the phase as a whole."""
    card: str
    """The card at fault, as the command has it; empty where it is no single one."""
    sentence: Callable[[Language], str]


def fault_of(state: State, seat: int, command: Lay | Hit, rejection: Rejected) -> MoveFault | None:
    """Where the seat's command is wrong; None where that is not about its cards."""
    if rejection.code is RejectCode.NOT_IN_HAND:
        return None  # the refusal says it, whatever the deck has
    if isinstance(command, Lay):
        return _fault_of_lay(state, seat, command, rejection)
    return _fault_of_hit(state, command, rejection)


def _fault_of_lay(state: State, seat: int, lay: Lay, rejection: Rejected) -> MoveFault | None:
    question = LayQuestion(lay.phase or state.seat(seat).phase, lay.groups)
    try:
        verdict = check(state.ruleset, question)
    except NoSuchPhase:
        return None
    if verdict.code != rejection.code:  # it is about the turn or the hand
        return None

    def sentence(lang: Language) -> str:
        return check(state.ruleset, question, lang).sentence

    card = _card(" ".join(group.cards for group in lay.groups), rejection)
    return MoveFault(verdict.at, card, sentence)


def _fault_of_hit(state: State, hit: Hit, rejection: Rejected) -> MoveFault | None:
    if hit.group >= len(state.groups) or not has_message(f"reason.{rejection.code}"):
        return None
    group, ruleset = state.groups[hit.group], state.ruleset

    def sentence(lang: Language) -> str:
        return message(
            lang,
            "check.no_add",
            group=group_words(group, ruleset, lang),
            reason=reason_words(ruleset, rejection, hit.cards),
        )

    return MoveFault(hit.group, _card(hit.cards, rejection), sentence)


def _card(cards: str, rejection: Rejected) -> str:
    """The card that the rules name, where it is among those of the command."""
    card = rejection.detail.partition(";")[0].partition(" ")[0]
    return card if card in cards.split() else ""
