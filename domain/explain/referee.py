"""A rule set as a referee would read it out: sentences for its data, policies and house rules.

Nothing here knows a game. A sentence belongs to a value of a field or of an option, and the rule
IDs beside it are the ones that the game cites for it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from phaseledger.domain.explain.holdings import has_jokers
from phaseledger.domain.explain.sentences import ACTION_SAYS, OPTION_SAYS
from phaseledger.domain.options import OptionValue
from phaseledger.domain.ruleset import GameDefinition, Kind, RuleSet
from phaseledger.domain.rulesets import cite


class Line(Struct, frozen=True, gc=False):
    """A sentence, and the rules of the catalogue behind it."""

    text: str
    rules: tuple[str, ...] = ()


class Section(Struct, frozen=True, gc=False):
    """Sentences on one matter."""

    title: str
    lines: tuple[Line, ...]


class Clause(NamedTuple):
    """A sentence for the rule sets that ``when`` accepts, and the refusals or events that it cites.

    In the text, ``{rules}`` is the rule set.
    """

    text: str
    cites: tuple[str, ...] = ()
    when: Callable[[RuleSet], Any] = lambda _: True


def _is(field: str, value: object) -> Callable[[RuleSet], bool]:
    return lambda ruleset: getattr(ruleset, field) == value


def _asks_for(kind: Kind) -> Callable[[RuleSet], bool]:
    return lambda ruleset: any(
        need.kind == kind for phase in ruleset.phases for need in phase.needs
    )


def _skips(ruleset: RuleSet) -> bool:
    return ruleset.deck.skips > 0


def _stand_ins(ruleset: RuleSet) -> bool:
    return ruleset.deck.wilds > 0 or has_jokers(ruleset)


def _served(end: str) -> Callable[[RuleSet], bool]:
    return lambda ruleset: _skips(ruleset) and ruleset.skip_after_served == end


SECTIONS: tuple[tuple[str, tuple[Clause | str, ...]], ...] = (
    (
        "The deal",
        (
            Clause("{rules.seats_min} to {rules.seats_max} players.", ("seats_out_of_range",)),
            Clause("Each player holds {rules.hand} cards at the start.", ("RoundDealt",)),
            Clause("The next card is turned up: the discard pile.", (), _is("initial_discards", 1)),
            Clause(
                "{rules.initial_discards} more are laid face up as the discard pile, so that only "
                "the top one is seen.",
                (),
                lambda ruleset: ruleset.initial_discards > 1,
            ),
            Clause("The rest is the stock."),
            "initial_skip",
            "initial_wild",
            "board_first_starter",
            "first_player",
            Clause(
                "After that, the player left of whoever ended the round starts the next one.",
                (),
                _is("succession", "ender"),
            ),
            "dealer_rotation",
        ),
    ),
    (
        "The turn",
        (
            Clause(
                "First, draw one card: the top of the stock or of the discard pile.",
                ("CardDrawn",),
                _is("acquire", "draw"),
            ),
            "skip_drawable",
            Clause(
                "First, the dice are thrown. Move your pawn clockwise by one of them or, after a "
                "double, by one or by both; spaces with other pawns on them do not count.",
                ("DiceRolled", "PawnMoved"),
                _is("acquire", "actions"),
            ),
            Clause(
                "Carry out the action of the space that the pawn reaches.",
                ("action_due",),
                _is("acquire", "actions"),
            ),
            "choose_take_by",
            "ask_giver_chooses",
            "stock_exhausted",
            "no_card_to_draw",
            "short_supply",
            Clause(
                "Then you may lay your phase, whole, and only one in a round.",
                ("incomplete_phase", "already_laid"),
            ),
            "lay_oversize",
            Clause(
                "Once you have laid it, you may add cards to any group on the table, your own or "
                "another's, in this turn and in later ones.",
                ("phase_not_laid", "does_not_fit"),
            ),
            Clause("No further group is ever laid.", ("wrong_group_count",)),
            Clause("At last, discard one card.", ("must_discard",)),
            "discard_taken_card",
            Clause(
                "When every group on the table is full, who has laid may discard "
                "{rules.discards_when_full} cards.",
                ("one_card",),
                lambda ruleset: ruleset.discards_when_full > 1,
            ),
            "full_color_group",
        ),
    ),
    (
        "Phases and groups",
        (
            Clause(
                "Everybody makes the phases in order, each as often as it takes.",
                ("wrong_phase",),
                _is("progress", "in_order"),
            ),
            Clause(
                "In each round everybody attempts its phase, and goes on, made or not.",
                ("wrong_phase",),
                _is("progress", "by_round"),
            ),
            Clause(
                "Whoever lays may lay any phase that is not made yet.",
                ("wrong_phase",),
                _is("progress", "free"),
            ),
            Clause(
                "The marker shows your phase: it goes two phases on for who ended the round, one "
                "for others who have laid, and stays for the rest.",
                ("RoundEnded",),
                _is("progress", "marker"),
            ),
            "free_phase_named",
            "color_is_suit",
            "run_wrap",
            "pairrun_hit",
        ),
    ),
    (
        "Wilds and jokers",
        (
            Clause(
                "A wild stands for any number card.", (), lambda ruleset: ruleset.deck.wilds > 0
            ),
            Clause("A joker stands for any number card.", (), has_jokers),
            Clause(
                "In a run it has the rank of its place; once laid, it stays there and stands for "
                "nothing else.",
                ("value_mismatch",),
                _stand_ins,
            ),
            "wild_placement",
            "wild_min_scope",
            "wild_on_full_run",
            "wild_on_full_set",
            "natural_on_full_set",
            "joker_memory",
            "joker_discard",
        ),
    ),
    (
        "Skips",
        (
            Clause("A skip never lies in a group.", ("skip_in_group",), _skips),
            Clause(
                "A skip is played as the discard: name another player, who loses the next turn.",
                ("target_needed", "target_self"),
                lambda ruleset: _skips(ruleset) and ruleset.skip_placement == "discard_pile",
            ),
            Clause(
                "A skip is played instead of a discard: lay it in front of another player, whose "
                "next turn is lost.",
                ("SkipPlaced", "target_self"),
                lambda ruleset: _skips(ruleset) and ruleset.skip_placement == "in_front",
            ),
            Clause(
                "That turn is only to put the skip on top of the discard pile.",
                ("SkipServed",),
                _served("top"),
            ),
            Clause(
                "That turn is only to put the skip under the discard pile.",
                ("SkipServed",),
                _served("bottom"),
            ),
            "skip_plain_discard",
            "skip_repeat",
            "skip_as_last_card",
            "skip_survives_round",
        ),
    ),
    (
        "The end of a round",
        (
            Clause(
                "The round ends at once for everybody when a hand is empty.",
                (),
                lambda ruleset: ruleset.options.going_out == "any",
            ),
            Clause(
                "The round ends at once for everybody when somebody discards the last card.",
                (),
                lambda ruleset: ruleset.options.going_out == "discard_required",
            ),
            "going_out",
            Clause(
                "Everybody else scores the cards left in hand; low is good.",
                ("RoundEnded",),
                _is("scoring", "points"),
            ),
            Clause("Cards left in hand cost nothing.", (), _is("scoring", "none")),
            Clause(
                "Whoever has not laid may keep up to {rules.keep} cards and is dealt the rest.",
                ("CardsKept",),
                lambda ruleset: ruleset.keep > 0,
            ),
            "keep_choice",
            "kept_joker",
            "max_turns_per_round",
        ),
    ),
    (
        "The end of the game",
        (
            Clause(
                "The game ends with the round in which somebody completes the last phase; of "
                "those who do, the one with the fewest points wins.",
                ("GameEnded",),
                _is("finish", "last_phase"),
            ),
            Clause(
                "The game ends after {rules.rounds} rounds; the fewest points win.",
                ("GameEnded",),
                _is("finish", "rounds"),
            ),
            Clause(
                "The first marker past the last phase wins at once, counted from who ended the "
                "round and on clockwise.",
                ("GameEnded",),
                _is("finish", "laurel"),
            ),
            "final_tie",
            "final_tie_replay",
            "final_tie_10rounds",
        ),
    ),
)
"""What a referee reads out, in order; a text alone is the name of an option."""

_ONLY_WHERE: Mapping[str, Callable[[RuleSet], Any]] = {
    "final_tie": _is("finish", "last_phase"),
    "final_tie_10rounds": _is("finish", "rounds"),
    "final_tie_replay": lambda ruleset: (
        ruleset.finish == "last_phase" and ruleset.options.final_tie == "replay"
    ),
    "free_phase_named": _is("progress", "free"),
    "initial_skip": _skips,
    "initial_wild": lambda ruleset: ruleset.deck.wilds > 0,
    "full_color_group": _asks_for("color"),
    "color_is_suit": _asks_for("color"),
    "pairrun_hit": _asks_for("pairrun"),
    **dict.fromkeys(
        ("wild_placement", "wild_min_scope", "wild_on_full_run", "wild_on_full_set"), _stand_ins
    ),
    **dict.fromkeys(
        ("natural_on_full_set", "joker_memory", "joker_discard", "kept_joker"), has_jokers
    ),
}
"""Options that are read out only where the condition holds, by name."""


def read_out(game: GameDefinition, ruleset: RuleSet) -> tuple[Section, ...]:
    """The rule set in words, under its house rules; sections with nothing to say are left out."""
    sections = []
    for title, rows in SECTIONS:
        lines = [_line(game, ruleset, row) for row in rows]
        stated = tuple(line for line in lines if line is not None)
        if stated:
            sections.append(Section(title, stated))
    return (*sections, *_ring(ruleset))


def _line(game: GameDefinition, ruleset: RuleSet, row: Clause | str) -> Line | None:
    if isinstance(row, Clause):
        if not row.when(ruleset):
            return None
        policies = (ruleset.finish, ruleset.progress)
        cited = [cite(ruleset.name, code, *policies) for code in row.cites]
        return Line(row.text.format(rules=ruleset), tuple(dict.fromkeys(filter(None, cited))))
    if row not in game.settings or not _ONLY_WHERE.get(row, _always)(ruleset):
        return None
    value: OptionValue = getattr(ruleset.options, row)
    text = OPTION_SAYS[row].get(value, f"The round is broken off after {value} turns.")
    return Line(text, tuple(game.settings[row].rules.split())) if text else None


def _always(_: RuleSet) -> bool:
    return True


def _ring(ruleset: RuleSet) -> tuple[Section, ...]:
    """The ring of spaces, and what its actions are."""
    if not ruleset.track:
        return ()
    spaces = [f"{n} {action}" for n, action in enumerate(ruleset.track)]
    rows = [Line("  ".join(spaces[n : n + 8])) for n in range(0, len(spaces), 8)]
    actions = [
        Line(
            f"{action}: {meaning}.", tuple(filter(None, [cite(ruleset.name, "PawnMoved", action)]))
        )
        for action, meaning in ACTION_SAYS.items()
        if action in ruleset.track
    ]
    return (Section("The ring, clockwise from the start", (*rows, *actions)),)
