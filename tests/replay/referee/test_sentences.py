"""Each sentence that `rules show` reads out is tied to changes of games that it forbids.

That the changes are found is seen in test_referee.py, and what a house rule's values mean in
test_meanings.py: so a sentence without an example, or a rule without a judge, fails here.
"""

from phaseledger.domain.explain.referee import SECTIONS, Clause
from phaseledger.domain.explain.sentences import ACTION_SAYS, OPTION_SAYS
from phaseledger.domain.options import PARAMETERS
from tests.support.replay.event_mutations import MUTATIONS

FORBIDDEN: dict[str, tuple[str, ...]] = {
    "{rules.seats_min} to {rules.seats_max} players.": ("dealer",),
    "Each player holds {rules.hand} cards": ("short hand",),
    "The next card is turned up": ("doubled card",),
    "{rules.initial_discards} more are laid face up": ("doubled card",),
    "The rest is the stock.": ("doubled card", "other card drawn"),
    "After that, the player left of whoever ended": ("dealer", "first player"),
    "First, draw one card": ("drawn twice", "not drawn", "other card drawn"),
    "First, the dice are thrown.": ("dice", "third throw", "steps", "space"),
    "Carry out the action of the space": ("action", "no joker", "not given"),
    "Then you may lay your phase": ("lay that is none", "group left out", "laid twice"),
    "Once you have laid it": ("hit before the phase", "hit that is none"),
    "No further group is ever laid.": ("laid twice",),
    "At last, discard one card.": ("two discards", "no discard", "discard left out"),
    "When every group on the table is full": ("two discards",),
    "Everybody makes the phases in order": ("other phase", "next phase"),
    "In each round everybody attempts": ("other phase", "phase attempted"),
    "Whoever lays may lay any phase": ("other phase",),
    "The marker shows your phase": ("next phase", "phase attempted"),
    "A wild stands for any number card.": ("lay that is none",),
    "A joker stands for any number card.": ("joker seen",),
    "In a run it has the rank of its place": ("group moved", "end of a group"),
    "A skip never lies in a group.": ("lay that is none",),
    "A skip is played as the discard": ("skips itself", "skip not served"),
    "A skip is played instead of a discard": ("skip before oneself", "skip not served"),
    "That turn is only to put the skip on top": ("skip to the other end",),
    "That turn is only to put the skip under": ("skip to the other end",),
    "The round ends at once for everybody when a hand": ("round goes on", "who went out"),
    "The round ends at once for everybody when somebody": ("round goes on", "who went out"),
    "Everybody else scores the cards left in hand": ("points", "total", "hands exchanged"),
    "Cards left in hand cost nothing.": ("points",),
    "Whoever has not laid may keep": ("six kept",),
    "The game ends with the round in which somebody": ("winner", "all win"),
    "The game ends after {rules.rounds} rounds": ("winner", "all win"),
    "The first marker past the last phase wins": ("winner", "all win"),
}
"""The beginning of a sentence to the kinds of change that it forbids."""

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
    sentences = [row.text for _, rows in SECTIONS for row in rows if isinstance(row, Clause)]
    tied = {
        sentence: [start for start in FORBIDDEN if sentence.startswith(start)]
        for sentence in sentences
    }
    assert {sentence: starts for sentence, starts in tied.items() if len(starts) != 1} == {}
    assert len(sentences) == len(FORBIDDEN)


def test_the_examples_are_there() -> None:
    kinds = {mutation.name for mutation in MUTATIONS}
    named = {name for names in (*FORBIDDEN.values(), *ACTIONS.values()) for name in names}
    assert named <= kinds
    assert set(ACTIONS) == set(ACTION_SAYS)


def test_every_other_sentence_is_a_house_rule() -> None:
    """Of which test_meanings.py has one for each."""
    options = {row for _, rows in SECTIONS for row in rows if isinstance(row, str)}
    assert options == set(OPTION_SAYS)
    assert options <= set(PARAMETERS)
