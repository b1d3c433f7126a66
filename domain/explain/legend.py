"""What the laid groups of a table mean: their words, their wilds, and what goes on at the ends.

All of it is public: it follows from the positions of the cards, never from the face of a joker.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from phaseledger.domain.cards import NAMES, TURNED, WILD
from phaseledger.domain.explain.wording import common_words, stand_ins
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import TOP, GroupEnd, rank_at
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.state import Group, State
from phaseledger.domain.wording import rank_name
from phaseledger.domain.words import Language


class WildMeaning(Struct, frozen=True, gc=False):
    """What a wild or a face-down joker of a laid group stands for."""

    at: Annotated[int, Meta(description="Its place among the group's cards, counted from 0.")]
    stands_for: Annotated[str, Meta(description="In words: ``5``, ``red 5``, ``any red card``.")]


class RunEnds(Struct, frozen=True, gc=False, omit_defaults=True):
    """What continues a run at either end; left out where nothing does.

    It is a rank as it stands on cards, or the wild's own name where a full run takes wilds only.
    """

    low: str = ""
    high: str = ""


class GroupLegend(Struct, frozen=True, gc=False):
    """What a laid group is, as words and labels. ``ends`` are those of a run."""

    group: int
    words: str
    wilds: tuple[WildMeaning, ...]
    ends: RunEnds | UnsetType = UNSET


class Legend(Struct, frozen=True, gc=False):
    """What the laid groups mean, one row for each group of the view."""

    groups: tuple[GroupLegend, ...]


def legend(state: State, lang: Language = "en") -> Legend:
    """What the laid groups of the table mean, the same for every viewer (law 7, B-30)."""
    return Legend(
        tuple(
            GroupLegend(
                group=number,
                words=common_words(group, state.ruleset, lang),
                wilds=tuple(
                    WildMeaning(wild.place, wild.meaning)
                    for wild in stand_ins(group, state.ruleset, lang)
                ),
                ends=_ends(group, state.ruleset),
            )
            for number, group in enumerate(state.groups)
        )
    )


def _ends(group: Group, ruleset: RuleSet) -> RunEnds | UnsetType:
    if FORMS[group.need.kind].alike:
        return UNSET
    return RunEnds(_end(group, "low", ruleset), _end(group, "high", ruleset))


def _end(group: Group, end: GroupEnd, ruleset: RuleSet) -> str:
    """What `melds.extend` takes next at that end of a run; empty where it takes nothing."""
    form, options, notation = FORMS[group.need.kind], ruleset.options, ruleset.deck.notation
    if form.copies > 1 and options.pairrun_hit == "none":  # X-55, O-21
        return ""
    edge, half, step = (
        (group.high, group.half & 2, form.step)
        if end == "high"
        else (group.low, group.half & 1, -form.step)
    )
    if half:
        return rank_name(notation, rank_at(edge))
    if (group.high - group.low) // form.step + 1 >= TOP // form.step:  # B-60
        wild = WILD if ruleset.deck.wilds else TURNED
        return NAMES[notation][wild] if options.wild_on_full_run else ""
    if not options.run_wrap and not 1 <= edge + step <= TOP:  # O-06
        return ""
    return rank_name(notation, rank_at(edge + step))
