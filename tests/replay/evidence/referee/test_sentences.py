"""Each sentence that `rules show` reads out is tied to changes of games that it forbids.

That the changes are found is seen in test_referee.py, and what a house rule's values mean in
test_meanings.py: so a sentence without an example, or a rule without a judge, fails here.
"""

from typing import get_args

from phaseledger.domain.explain.referee import SECTIONS, Clause
from phaseledger.domain.options import PARAMETERS
from phaseledger.domain.ruleset import Action
from tests.support.replay.event_mutations import MUTATIONS

FORBIDDEN: dict[str, tuple[str, ...]] = {
    "players": ("dealer",),
    "hand": ("short hand",),
    "turned_up": ("doubled card",),
    "laid_open": ("doubled card",),
    "stock": ("doubled card", "other card drawn"),
    "ender_s_left": ("dealer", "first player"),
    "draw": ("drawn twice", "not drawn", "other card drawn"),
    "dice": ("dice", "third throw", "steps", "space"),
    "action": ("action", "no joker", "not given"),
    "lay": ("lay that is none", "group left out", "laid twice"),
    "hit": ("hit before the phase", "hit that is none"),
    "no_further_group": ("laid twice",),
    "discard": ("two discards", "no discard", "discard left out"),
    "discards_when_full": ("two discards",),
    "in_order": ("other phase", "next phase"),
    "by_round": ("other phase", "phase attempted"),
    "free": ("other phase",),
    "marker": ("next phase", "phase attempted"),
    "wild": ("lay that is none",),
    "joker": ("joker seen",),
    "wild_in_run": ("group moved", "end of a group"),
    "skip_in_group": ("lay that is none",),
    "skip_discarded": ("skips itself", "skip not served"),
    "skip_in_front": ("skip before oneself", "skip not served"),
    "skip_to_top": ("skip to the other end",),
    "skip_to_bottom": ("skip to the other end",),
    "ends_empty": ("round goes on", "who went out"),
    "ends_discarded": ("round goes on", "who went out"),
    "points": ("points", "total", "hands exchanged"),
    "no_points": ("points",),
    "keep": ("six kept",),
    "last_phase": ("winner", "all win"),
    "rounds": ("winner", "all win"),
    "laurel": ("winner", "all win"),
}
"""The code of a sentence to the kinds of change that it forbids."""

ACTIONS = {
    "JOKER": ("joker seen", "no joker"),
    "TAKE1": ("drawn twice", "not drawn"),
    "TAKE2": ("drawn twice", "not drawn"),
    "TAKE3": ("drawn twice", "not drawn"),
    "SEARCH": ("place in the pile",),
    "SWAP": ("swapped",),
    "AGAIN": ("third throw",),
    "EVERY": ("drawn by another", "not drawn"),
    "ASK": ("asked", "giver", "not given"),
    "CHOOSE": ("space", "action"),
}
"""The actions of the ring, likewise."""


def test_each_sentence_has_examples() -> None:
    codes = [row.code for _, rows in SECTIONS for row in rows if isinstance(row, Clause)]
    assert sorted(codes) == sorted(FORBIDDEN)


def test_the_examples_are_there() -> None:
    kinds = {mutation.name for mutation in MUTATIONS}
    named = {name for names in (*FORBIDDEN.values(), *ACTIONS.values()) for name in names}
    assert named <= kinds
    assert set(ACTIONS) == {*get_args(Action)}


def test_every_other_sentence_is_a_house_rule() -> None:
    """Of which test_meanings.py has one for each."""
    options = {row for _, rows in SECTIONS for row in rows if isinstance(row, str)}
    assert options <= set(PARAMETERS)
