"""Places in the scratch memory of an outlook: ``work`` for ints, ``weights`` for floats."""

from typing import Final

from phaseledger.domain.kernel.policies.hits import HITS_WORK

CLASSES: Final = 128
"""Classes of cards that can replace one another: a rank from 0 on, a colour from TOP, a parity from
TOP + 4, and one card alone, by its code, from 64.
"""
CARD_CLASS: Final = 64
HAVE_AT: Final = HITS_WORK
"""The cards in hand of each class."""
LIVE_AT: Final = HAVE_AT + CLASSES
"""The cards of each class that may still come."""
LESS_AT: Final = LIVE_AT + CLASSES
"""For each class of the card that is rated, the cards in hand with it or without, whichever is
less; else MANY.
"""
WANTED_AT: Final = LESS_AT + CLASSES
"""The most cards of each class that one of the plans wants."""
UNSEEN_AT: Final = WANTED_AT + CLASSES
"""The cards of each code that may still come; 64."""
SHORT_AT: Final = UNSEEN_AT + 64
"""For each class that a plan is short of, sorted: 64 times the cards that may still come, and the
number missing; 32.
"""
SHORTS: Final = SHORT_AT + 32
"""The number of these classes."""
MISSING: Final = SHORTS + 1
"""The cards that the plan misses."""
WILDS_HELD: Final = SHORTS + 2
CARDS_UNSEEN: Final = SHORTS + 3
"""The number of cards that may still come, 1 at least."""
FOLLOWED: Final = SHORTS + 4
"""The number of the plans worth following."""
BEST_PLAN: Final = SHORTS + 5
"""The place in the rules of the plan that is nearest."""
BEST_NEEDS: Final = SHORTS + 6
"""The number of its groups."""
RATED: Final = SHORTS + 7
"""The number of cards of which each touches other classes, rated by now."""
RATED_AT: Final = SHORTS + 8
"""The classes that each of them touches; 64."""
FOLLOWED_AT: Final = RATED_AT + 64
"""For each of the plans worth following: 16 times its place in the rules, and its groups."""
MOST_PLANS: Final = 16_384
"""The most plans of all phases together."""
OUTLOOK_WORK: Final = FOLLOWED_AT + MOST_PLANS
"""Ints of ``work`` that an outlook takes."""
MANY: Final = 99
TURNS: Final = 0
"""Turns until one of the plans is filled."""
RATING_AT: Final = 1
"""The ratings of the cards of RATED_AT; 64."""
SINGLE_AT: Final = RATING_AT + 64
"""By the cards that a seat took: the likelihood of a plan for one card of a class."""
SEVERAL_AT: Final = SINGLE_AT + CLASSES
"""By the cards that it took and spurned: the likelihood of a plan for several of a class."""
AGAIN_AT: Final = SEVERAL_AT + CLASSES
"""By the cards that it spurned: the wish for one more card of a class."""
WISH_AT: Final = AGAIN_AT + CLASSES
"""The sum of the likelihoods of the plans for which the seat takes a card of the class."""
LIKELIHOOD: Final = WISH_AT + CLASSES
"""The sum of the likelihoods of all its plans."""
WEIGHT_AT: Final = LIKELIHOOD + 1
"""The weights of the plans worth following."""
OUTLOOK_WEIGHTS: Final = WEIGHT_AT + MOST_PLANS
"""Floats of ``weights`` that an outlook takes."""
