"""A rule set as a referee would read it out: sentences for its data, policies and house rules.

Nothing here knows a game. A sentence belongs to a value of a field or of an option, and the rule
IDs beside it are the ones that the game cites for it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct

from phaseledger.domain.explain.catalogue import option_words, track_words
from phaseledger.domain.explain.holdings import has_jokers
from phaseledger.domain.ruleset import Action, GameDefinition, Kind, RuleSet
from phaseledger.domain.rulesets import cite
from phaseledger.domain.words import Language, message


class Line(Struct, frozen=True, gc=False):
    """A sentence, and the rules of the catalogue behind it.

    ``kind`` tells what every player needs to know from what few do (``detail``), and from a house
    rule that is not the game's usual one. ``action`` is the action of the ring that it is about.
    """

    text: str
    rules: tuple[str, ...] = ()
    kind: Literal["rule", "detail", "house"] = "rule"
    action: str = ""


class Section(Struct, frozen=True, gc=False):
    """Sentences on one matter."""

    title: str
    lines: tuple[Line, ...]
    name: str


class Clause(NamedTuple):
    """A sentence for the rule sets that ``when`` accepts, and the refusals or events that it cites.

    ``code`` is the key of the message ``sheet.*``.
    """

    code: str
    cites: tuple[str, ...] = ()
    when: Callable[[RuleSet], Any] = lambda _: True
    kind: Literal["rule", "detail"] = "rule"


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
        "deal",
        (
            Clause("players", ("seats_out_of_range",)),
            Clause("hand", ("RoundDealt",)),
            Clause("turned_up", (), _is("initial_discards", 1)),
            Clause("laid_open", (), lambda ruleset: ruleset.initial_discards > 1),
            Clause("stock"),
            "initial_skip",
            "initial_wild",
            "board_first_starter",
            "first_player",
            Clause("ender_s_left", (), _is("succession", "ender"), "detail"),
            "dealer_rotation",
        ),
    ),
    (
        "turn",
        (
            Clause("draw", ("CardDrawn",), _is("acquire", "draw")),
            "skip_drawable",
            Clause("dice", ("DiceRolled", "PawnMoved"), _is("acquire", "actions")),
            Clause("action", ("action_due",), _is("acquire", "actions")),
            "choose_take_by",
            "ask_giver_chooses",
            "stock_exhausted",
            "no_card_to_draw",
            "short_supply",
            Clause("lay", ("incomplete_phase", "already_laid")),
            "lay_oversize",
            Clause("hit", ("phase_not_laid", "does_not_fit")),
            Clause("no_further_group", ("wrong_group_count",), kind="detail"),
            Clause("discard", ("must_discard",)),
            "discard_taken_card",
            Clause(
                "discards_when_full",
                ("one_card",),
                lambda ruleset: ruleset.discards_when_full > 1,
                "detail",
            ),
            "full_color_group",
        ),
    ),
    (
        "groups",
        (
            Clause("in_order", ("wrong_phase",), _is("progress", "in_order")),
            Clause("by_round", ("wrong_phase",), _is("progress", "by_round")),
            Clause("free", ("wrong_phase",), _is("progress", "free")),
            Clause("marker", ("RoundEnded",), _is("progress", "marker")),
            "free_phase_named",
            "color_is_suit",
            "run_wrap",
            "pairrun_hit",
        ),
    ),
    (
        "wilds",
        (
            Clause("wild", (), lambda ruleset: ruleset.deck.wilds > 0),
            Clause("joker", (), has_jokers),
            Clause("wild_in_run", ("value_mismatch",), _stand_ins),
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
        "skips",
        (
            Clause("skip_in_group", ("skip_in_group",), _skips),
            Clause(
                "skip_discarded",
                ("target_needed", "target_self"),
                lambda ruleset: _skips(ruleset) and ruleset.skip_placement == "discard_pile",
            ),
            Clause(
                "skip_in_front",
                ("SkipPlaced", "target_self"),
                lambda ruleset: _skips(ruleset) and ruleset.skip_placement == "in_front",
            ),
            Clause("skip_to_top", ("SkipServed",), _served("top")),
            Clause("skip_to_bottom", ("SkipServed",), _served("bottom")),
            "skip_plain_discard",
            "skip_repeat",
            "skip_as_last_card",
            "skip_survives_round",
        ),
    ),
    (
        "round_end",
        (
            Clause("ends_empty", (), lambda ruleset: ruleset.options.going_out == "any"),
            Clause(
                "ends_discarded",
                (),
                lambda ruleset: ruleset.options.going_out == "discard_required",
            ),
            "going_out",
            Clause("points", ("RoundEnded",), _is("scoring", "points")),
            Clause("no_points", (), _is("scoring", "none")),
            Clause("keep", ("CardsKept",), lambda ruleset: ruleset.keep > 0),
            "keep_choice",
            "kept_joker",
            "max_turns_per_round",
        ),
    ),
    (
        "game_end",
        (
            Clause("last_phase", ("GameEnded",), _is("finish", "last_phase")),
            Clause("rounds", ("GameEnded",), _is("finish", "rounds")),
            Clause("laurel", ("GameEnded",), _is("finish", "laurel")),
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


def read_out(game: GameDefinition, ruleset: RuleSet, lang: Language = "en") -> tuple[Section, ...]:
    """The rule set in words, under its house rules; sections with nothing to say are left out."""
    sections = []
    for title, rows in SECTIONS:
        lines = [_line(game, ruleset, row, lang) for row in rows]
        stated = tuple(line for line in lines if line is not None)
        if stated:
            sections.append(Section(_words(f"title.{title}", ruleset, lang), stated, title))
    return (*sections, *_ring(ruleset, lang))


def _line(game: GameDefinition, ruleset: RuleSet, row: Clause | str, lang: Language) -> Line | None:
    if isinstance(row, Clause):
        if not row.when(ruleset):
            return None
        policies = (ruleset.finish, ruleset.progress)
        cited = [cite(ruleset.name, code, *policies) for code in row.cites]
        text = _words(row.code, ruleset, lang)
        return Line(text, tuple(dict.fromkeys(filter(None, cited))), row.kind)
    if row not in game.settings or (row in _ONLY_WHERE and not _ONLY_WHERE[row](ruleset)):
        return None
    return option_line(game, ruleset, row, lang)


def option_line(game: GameDefinition, ruleset: RuleSet, name: str, lang: Language) -> Line:
    """What the option's value means, and whether it is the game's usual one."""
    usual = getattr(game.rules.options, name) == getattr(ruleset.options, name)
    return Line(
        option_words(name, ruleset, lang),
        tuple(game.settings[name].rules.split()),
        "detail" if usual else "house",
    )


def _words(code: str, ruleset: RuleSet, lang: Language) -> str:
    return message(
        lang,
        f"sheet.{code}",
        ruleset.deck.notation,
        least=ruleset.seats_min,
        most=ruleset.seats_max,
        hand=ruleset.hand,
        laid=ruleset.initial_discards,
        discards=ruleset.discards_when_full,
        kept=ruleset.keep,
        rounds=ruleset.rounds,
    )


def _ring(ruleset: RuleSet, lang: Language) -> tuple[Section, ...]:
    """The ring of spaces, and what its actions are."""
    if not ruleset.track:
        return ()
    actions = [
        Line(
            message(
                lang,
                "sheet.space",
                action=message(lang, f"viewer.action.{action}"),
                says=message(lang, f"action_says.{action}"),
            ),
            tuple(filter(None, [cite(ruleset.name, "PawnMoved", action)])),
            action=action,
        )
        for action in get_args(Action)
        if action in ruleset.track
    ]
    lines = (Line(track_words(ruleset, lang), kind="detail"), *actions)
    return (Section(_words("title.ring", ruleset, lang), lines, "ring"),)
