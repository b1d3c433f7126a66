"""The data model of a rule set: numbers, closed options and the names of policies. Data only."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from phaseledger.domain.cards import SKIP, WILD
from phaseledger.domain.options import Options, OptionValue

Kind = Literal["set", "run", "color", "parity", "pairrun", "parityrun", "colorrun"]
Action = Literal[
    "JOKER", "TAKE1", "TAKE2", "TAKE3", "SEARCH", "ASK", "SWAP", "AGAIN", "EVERY", "CHOOSE"
]
"""The action of a space of the ring, which the pawn's owner carries out (B-21..B-42)."""


class Deck(Struct, frozen=True, gc=False):
    """Number cards of ranks 1..12 in four colours, ``copies`` times, and the special cards."""

    notation: Literal["coloured", "french"]
    copies: int
    wilds: int
    skips: int

    def cards(self) -> bytes:
        """All cards of the deck, sorted by code."""
        return _cards(self.copies, self.wilds, self.skips)


@lru_cache
def _cards(copies: int, wilds: int, skips: int) -> bytes:
    numbers = [colour << 4 | rank for colour in range(4) for rank in range(1, 13)]
    return bytes(sorted(numbers * copies + [WILD] * wilds + [SKIP] * skips))


class Need(Struct, frozen=True, gc=False, omit_defaults=True):
    """One group that a phase asks for: its kind and its least size.

    The size counts cards, in a pair run pairs.
    """

    kind: Kind
    size: int
    parity: Literal["", "odd", "even"] = ""


class Phase(Struct, frozen=True, gc=False):
    """The groups to lay together, and the ID of their rule."""

    rule: str
    needs: tuple[Need, ...]


class Points(Struct, frozen=True, gc=False):
    """Penalty points of a card left in hand; ``ranks[i]`` is for rank i + 1."""

    ranks: tuple[int, ...]
    wild: int
    skip: int


class RuleSet(Struct, frozen=True, gc=False, omit_defaults=True):
    """A whole game as data, resolved: `GameOpened` carries it, so a stream explains itself."""

    id: str
    title: str
    seats_min: int
    seats_max: int
    deck: Deck
    hand: int
    phases: tuple[Phase, ...]
    points: Points
    options: Options
    initial_discards: int = 1
    rounds: Annotated[
        int, Meta(description="Fixed number of rounds; 0 where the phases decide the end.")
    ] = 0
    skip_placement: Literal["discard_pile", "in_front"] = "discard_pile"
    skip_after_served: Annotated[
        Literal["", "top", "bottom"],
        Meta(description="Which end of the discard pile a skip that lay in front goes to."),
    ] = ""
    acquire: Literal["draw", "actions"] = "draw"
    progress: Literal["in_order", "by_round", "free", "marker"] = "in_order"
    scoring: Literal["points", "none"] = "points"
    finish: Literal["last_phase", "rounds", "laurel"] = "last_phase"
    pile: Annotated[
        Literal["seen", "covered"],
        Meta(description="Whether everybody knows the cards below the top of the discard pile."),
    ] = "seen"
    succession: Annotated[
        Literal["dealer", "ender"],
        Meta(
            description="After whom the next round's dealer comes: the last one, or whoever ended "
            "the round."
        ),
    ] = "dealer"
    keep: Annotated[
        int,
        Meta(description="How many cards a seat that laid no phase may keep for the next round."),
    ] = 0
    discards_when_full: Annotated[
        int,
        Meta(
            description="How many cards may be discarded at once when every laid group is full "
            "(B-63)."
        ),
    ] = 1
    track: Annotated[
        tuple[Action, ...], Meta(description="The ring of action spaces, clockwise from the start.")
    ] = ()
    revision: Annotated[
        int,
        Meta(
            ge=0,
            le=1,
            description="Which reading of the house rules holds: 0, as first released; 1, for "
            "wild_placement=high_then_low (O-07) and final_tie_replay=everybody (O-24) what the "
            "catalogue says.",
        ),
    ] = 0

    @property
    def name(self) -> str:
        """The preset's name without its version, as the deal transcript writes it."""
        return self.id.partition("@")[0]


class Setting(Struct, frozen=True, gc=False):
    """An option of a game: the rules behind it, and the values that make no sense there."""

    rules: str
    without: tuple[str, ...] = ()


class Edition(Struct, frozen=True, gc=False):
    """House rules that are often played together, under one name, as ``edition.NAME`` says it."""

    name: str
    options: Mapping[str, OptionValue]
    """The house rules that differ from the rule book."""
    minutes: tuple[int, ...]
    """How long a game takes, by the number of seats from the fewest on: the median of 40 games of
    ``expert`` (`phaseledger simulate --seed len`) at 4 seconds a decision.
    """


class GameDefinition(Struct, frozen=True, gc=False):
    """A released game, one file of `domain.rulesets`: its rules, options and citations."""

    rules: RuleSet
    settings: Mapping[str, Setting]
    """The options that may be chosen at opening, by name."""
    citations: Mapping[str, str]
    """The rule behind each refusal and each automatic event, by ID (`rulesets.cite`)."""
    editions: tuple[Edition, ...] = ()
    """The first one is as the rule book has it."""


def phase_number(ruleset: RuleSet, number: int) -> str:
    """The phase's number, ``2``, with its ID where a variant leaves out phases of the usual list
    (O-42): ``2 [C-P04]``.
    """
    is_complete = ruleset.options.variant in ("none", "ten_rounds")
    exists = 0 < number <= len(ruleset.phases)
    rule = ruleset.phases[number - 1].rule if exists and not is_complete else ""
    return f"{number} [{rule}]" if rule else f"{number}"


def canonical(ruleset: RuleSet) -> bytes:
    """The rule set's canonical JSON (RFC 8785 on this subset)."""
    return msgspec.json.encode(ruleset, order="sorted")


def fingerprint(ruleset: RuleSet) -> str:
    """SHA-256 (hex) of the canonical JSON, to which the deal transcript commits."""
    return hashlib.sha256(canonical(ruleset)).hexdigest()
