"""A rule set as data for those who show it: its cards, phases and house rules."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from phaseledger.domain.explain.wording import deck_colours, list_of, need_words, needs_words, title
from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.options import PARAMETERS, Options, OptionValue
from phaseledger.domain.resolve import phase_text, track_text, usual_value, values
from phaseledger.domain.ruleset import (
    Deck,
    GameDefinition,
    Need,
    Points,
    RuleSet,
    Setting,
    fingerprint,
    phase_number,
)
from phaseledger.domain.wording import rank_name
from phaseledger.domain.words import Language, message, spoken


class CardRow(Struct, frozen=True, gc=False):
    """Cards of one kind in the deck; ``points`` is what each costs in hand at a round's end."""

    cards: str
    copies: int
    total: int
    points: int


class NeededGroup(Struct, frozen=True, gc=False):
    """One group of a phase in words, and how many cards it has at least."""

    words: str
    cards: int


class PhaseInfo(Struct, frozen=True, gc=False):
    """A phase by its place in the list, as text that a house rule could hold, and in words.

    ``label`` is the number as texts write it: with the catalogue's ID where a variant leaves
    phases out (O-42); empty where an older service left it out.
    """

    number: int
    rule: str
    text: str
    words: str
    needs: tuple[Need, ...]
    groups: tuple[NeededGroup, ...]
    label: str = ""


class OptionInfo(Struct, frozen=True, gc=False):
    """A house rule: its usual value in this rule set, the values it takes, and what it decides.

    ``choices`` holds every value, where they can be counted. ``number`` is the catalogue's.
    """

    name: str
    number: str
    default: OptionValue
    values: str
    choices: tuple[bool | int | str, ...]
    choice_meanings: Annotated[
        tuple[str, ...],
        Meta(description="What each of `choices` means, in a sentence and in their order."),
    ]
    meaning: str
    rules: Annotated[tuple[str, ...], Meta(description="IDs of the rule book.")]


class RulesetInfo(Struct, frozen=True, gc=False):
    """A rule set in full. ``sha256`` is what deal transcripts commit to without house rules."""

    name: str
    id: str
    title: str
    seats_min: int
    seats_max: int
    hand: int
    initial_discards: int
    deck: Deck
    cards: tuple[CardRow, ...]
    phases: tuple[PhaseInfo, ...]
    points: Points
    track: Annotated[
        tuple[str, ...],
        Meta(
            description="The ring of action spaces, clockwise from the start, which a star marks; "
            "empty where there is none."
        ),
    ]
    options: tuple[OptionInfo, ...]
    sha256: str


class EditionInfo(Struct, frozen=True, gc=False):
    """House rules that are often played together, under one name, for `options` of a new table."""

    name: str
    title: str
    about: Annotated[str, Meta(description="What they change, in sentences.")]
    options: Mapping[str, OptionValue]
    minutes: Annotated[
        tuple[int, ...],
        Meta(description="About how long a game takes, by the number of seats from the fewest on."),
    ]


def editions(game: GameDefinition, lang: Language = "en") -> tuple[EditionInfo, ...]:
    """The editions of a game; the first one is as the rule book has it."""
    return tuple(
        EditionInfo(
            name=edition.name,
            title=message(lang, f"edition.{edition.name}"),
            about=" ".join(
                choice_words(name, value, game.rules, lang)
                for name, value in edition.options.items()
            )
            or message(lang, "edition.usual"),
            options=edition.options,
            minutes=edition.minutes,
        )
        for edition in game.editions
    )


def info(game: GameDefinition, ruleset: RuleSet, lang: Language = "en") -> RulesetInfo:
    """The game as data, under the house rules that the rule set was resolved with."""
    notation = ruleset.deck.notation
    return RulesetInfo(
        name=ruleset.name,
        id=ruleset.id,
        title=title(ruleset, lang),
        seats_min=ruleset.seats_min,
        seats_max=ruleset.seats_max,
        hand=ruleset.hand,
        initial_discards=ruleset.initial_discards,
        deck=ruleset.deck,
        cards=deck_rows(ruleset, lang),
        phases=tuple(
            PhaseInfo(
                number=n,
                label=phase_number(ruleset, n),
                rule=phase.rule,
                text=phase_text(phase),
                words=needs_words(phase.needs, ruleset, lang),
                needs=phase.needs,
                groups=tuple(
                    NeededGroup(
                        spoken(need_words(need, ruleset), lang), need.size * FORMS[need.kind].copies
                    )
                    for need in phase.needs
                ),
            )
            for n, phase in enumerate(ruleset.phases, 1)
        ),
        points=ruleset.points,
        track=track_text(ruleset),
        options=tuple(
            OptionInfo(
                name=name,
                number=PARAMETERS[name].number,
                default=usual_value(game.rules, name),
                values=spoken(values(name, setting.without), lang),
                choices=choices(name, setting),
                choice_meanings=tuple(
                    choice_words(name, choice, ruleset, lang) for choice in choices(name, setting)
                ),
                meaning=message(lang, f"option.{name}", notation),
                rules=tuple(setting.rules.split()),
            )
            for name, setting in game.settings.items()
        ),
        sha256=fingerprint(ruleset),
    )


def deck_rows(ruleset: RuleSet, lang: Language) -> tuple[CardRow, ...]:
    """The deck, number cards of the same points in one row."""
    deck, points = ruleset.deck, ruleset.points
    rows, first = [], 1
    colours = list_of(deck_colours(deck, lang), lang)
    for rank, next_points in enumerate((*points.ranks[1:], None), 1):
        if next_points != points.ranks[rank - 1]:
            names = [rank_name(deck.notation, edge) for edge in (first, rank)]
            ranks = f" {message(lang, 'to')} ".join(dict.fromkeys(names))
            code = "row.turned" if "JOKER" in ruleset.track else "row"
            cards = message(lang, code, ranks=ranks, colours=colours)
            total = (rank - first + 1) * 4 * deck.copies
            rows.append(CardRow(cards, deck.copies, total, points.ranks[rank - 1]))
            first = rank + 1
    for kind, count, cost in (("wild", deck.wilds, points.wild), ("skip", deck.skips, points.skip)):
        if count:
            rows.append(CardRow(message(lang, f"row.{kind}.{deck.notation}"), count, count, cost))
    return tuple(rows)


def option_words(name: str, ruleset: RuleSet, lang: Language) -> str:
    """What the option's value in the rule set means, in a sentence."""
    value: OptionValue = getattr(ruleset.options, name)
    match name:
        case "players":
            return message(lang, "sheet.players", least=ruleset.seats_min, most=ruleset.seats_max)
        case "board_phases":
            phases = (needs_words(phase.needs, ruleset, lang) for phase in ruleset.phases)
            return message(lang, "says.phases", phases="; ".join(phases))
        case "board_track":
            return track_words(ruleset, lang)
        case "max_turns_per_round" if isinstance(value, int):
            return message(lang, "sheet.max_turns", count=value)
    return choice_words(name, value, ruleset, lang)


def track_words(ruleset: RuleSet, lang: Language) -> str:
    """The spaces of the ring in their order."""
    spaces = (message(lang, f"viewer.action.{action}") for action in ruleset.track)
    return message(lang, "says.track", spaces="; ".join(spaces))


def choice_words(name: str, choice: OptionValue, ruleset: RuleSet, lang: Language) -> str:
    """What the option means with that value."""
    value, count = str(choice).lower(), ""
    if name == "variant" and "(" in value:
        value, count = value.rstrip(")").split("(")
    return message(lang, f"says.{name}.{value}", ruleset.deck.notation, count=count)


@cache
def _hints() -> Mapping[str, Any]:
    """The types of all options; to find them takes longer than all else that is said of a game."""
    return get_type_hints(Options)


def choices(name: str, setting: Setting) -> tuple[bool | int | str, ...]:
    """Every value that the option takes in the game; empty where they cannot be listed."""
    hint = _hints()[name]
    kinds = (hint,) if hint is bool or get_origin(hint) is Literal else get_args(hint)
    literals: list[bool | int | str] = []
    for kind in kinds:
        if kind is not bool and get_origin(kind) is not Literal:
            return ()
        literals += (True, False) if kind is bool else get_args(kind)
    return tuple(value for value in literals if value not in setting.without)
