"""The commands `rules list`, `show`, `check` and `find`: the rules without a game."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from cyclopts import App, Parameter

from phaseledger.domain.cards import COLOURS
from phaseledger.domain.explain.catalogue import info
from phaseledger.domain.explain.check import HitQuestion, LayQuestion, Senseless, check, find_phase
from phaseledger.domain.explain.referee import read_out
from phaseledger.domain.explain.shortfall import find
from phaseledger.domain.explain.wording import colour_names, title
from phaseledger.domain.groups.melds import PARITIES
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import GameDefinition, Kind, RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.rulesets import find_game as find_game
from phaseledger.domain.wording import rank_name
from phaseledger.domain.words import Language, message, reason_of
from phaseledger.replay.batch.inputs import HouseRuleOptions, Json, LangOption, house_rule, optional
from phaseledger.replay.cli.rule_sheets import result_lines, sheet_lines, verdict_lines
from phaseledger.replay.terminal import (
    FINDINGS,
    SOUND,
    UsageError,
    answer,
    guarded,
    print_json,
    say,
)

RULES_EXIT_CODES = "Exit codes: 0 legal or found, 1 illegal or not found, 2 usage."

rules = App(
    name="rules",
    help="Read the rules, and check cards against them without a game.",
    help_epilogue=RULES_EXIT_CODES,
    help_format="markdown",
)

RulesetArgument = Annotated[str, Parameter(name="RULESET", help=f"One of {', '.join(GAMES)}.")]
PhaseArgument = Annotated[
    str, optional('Number of a phase, or one described as in "set(3) + run(4)".')
]


def resolved_game(
    name: str, options: Sequence[str], lang: Language = "en"
) -> tuple[GameDefinition, RuleSet]:
    """The game of that name, and its rules under the house rules given with --option."""
    game = find_game(name)
    if game is None:
        names = ", ".join(GAMES)
        raise UsageError(message(lang, "sheet.no_ruleset", name=repr(name), names=names))
    try:
        return game, resolve(game.rules, dict(map(house_rule, options)), game.settings)
    except Unplayable as error:
        raise UsageError(message(lang, "sheet.no_game", reason=reason_of(error))) from None


# --- list, show ---------------------------------------------------------------------------------


@rules.command(name="list")
@guarded
def list_rules(*, lang: LangOption = "en", json: Json = False) -> int:
    """Name the rule sets.

    With --json: {rulesets: [{name, id, title, seats_min, seats_max}]}.
    """
    if json:
        fields = ("name", "id", "title", "seats_min", "seats_max")
        rows = [{field: getattr(game.rules, field) for field in fields} for game in GAMES.values()]
        titles = ({"title": title(game.rules, lang)} for game in GAMES.values())
        print_json({"rulesets": [row | titled for row, titled in zip(rows, titles, strict=True)]})
        return SOUND
    for game in GAMES.values():
        preset = game.rules
        least, most = preset.seats_min, preset.seats_max
        players = message(lang, "sheet.players", least=least, most=most).rstrip(".")
        say(f"{preset.name:<14} {players:<15}  {title(preset, lang)}")
    return SOUND


@rules.command
@guarded
def show(
    ruleset: RulesetArgument,
    /,
    *,
    option: HouseRuleOptions = (),
    lang: LangOption = "en",
    json: Json = False,
) -> int:
    """Read out a rule set: cards, course of a turn, phases, wilds, skips, end, house rules.

    In brackets are the IDs of the rules. A house rule that is not as usual is marked by a star.

    With --json: {ruleset, chosen, sections: [{title, lines: [{text, rules}]}]}.

    For example: phaseledger rules show express

    Or: phaseledger rules show classic --option variant=even_phases --lang fr
    """
    game, house_ruleset = resolved_game(ruleset, option, lang)
    ruleset_info = info(game, house_ruleset, lang)
    sections = read_out(game, house_ruleset, lang)
    chosen = dict(map(house_rule, option))
    tree = {"ruleset": ruleset_info, "chosen": chosen, "sections": sections}
    answer(tree, sheet_lines(ruleset_info, sections, chosen, lang), json=json)
    return SOUND


# --- check --------------------------------------------------------------------------------------


@rules.command(name="check")
@guarded
def check_command(
    ruleset: RulesetArgument,
    /,
    *groups: Annotated[
        str,
        Parameter(
            name="GROUP", help="Cards of a group to lay, a run's in run order, as in 'R8 B9 W Y11'."
        ),
    ],
    phase: PhaseArgument = "",
    on: Annotated[
        str,
        optional(
            "A group on the table instead: its kind, then its cards, as in 'run R3 B4 G5 Y6'."
        ),
    ] = "",
    hit: Annotated[
        tuple[str, ...],
        optional(
            "Cards to add to it at once, with the end where it is a run, as in 'R2 low'; "
            "further hits after a comma, or repeated."
        ),
    ] = (),
    end: Annotated[
        Literal["low", "high"] | None,
        Parameter(help="The end for hits that name none."),
    ] = None,
    option: HouseRuleOptions = (),
    lang: LangOption = "en",
    json: Json = False,
) -> int:
    """Say whether cards may be laid as a phase, or added to a group, and by which rule.

    The answer comes from the code that plays: it is what a game would say to a player who is on
    turn and holds the cards. Kinds of groups are set, run, color, parity odd, parity even,
    pairrun, parityrun odd, parityrun even and colorrun. What a group of wilds alone stands for is
    said after an equals sign: 'W W = 7'. A joker of the board game is J.

    With --json: {legal, code, rule, sentence, at, groups: [{kind, cards, low, high, stands_for:
    [{card, place, meaning}]}], ends}.

    For example: phaseledger rules check classic --phase 2 "R5 B5 G5" "R8 B9 G10 Y11"

    Or: phaseledger rules check classic --on "run R3 B4 G5 Y6" --hit "R2 low, B1 low"

    Or: phaseledger rules check classic --phase "run(4)" "R11 B12 G1 Y2" --option run_wrap=true
    """
    _, house_ruleset = resolved_game(ruleset, option, lang)
    if bool(on) == bool(phase) or bool(on) != bool(hit) or bool(phase) != bool(groups):
        raise UsageError("Ask either --phase N with groups of cards, or --on GROUP with --hit.")
    if end and phase:
        raise UsageError("--end is for hits; a phase is laid without.")
    try:
        if phase:
            phase_id = phase_named(phase)
            find_phase(house_ruleset, phase_id)  # tells in words what is no phase
            laid = [_group(text, house_ruleset) for text in groups]
            question = _question({"phase": phase_id, "groups": laid}, LayQuestion, lang)
        else:
            hits = [_hit(part, end or "") for text in hit for part in text.split(",")]
            tree = {"group": _laid(on, house_ruleset), "hits": hits}
            question = _question(tree, HitQuestion, lang)
        verdict = check(house_ruleset, question, lang)
    except Senseless as senseless:
        raise _unanswerable(senseless, lang) from None
    answer(verdict, verdict_lines(verdict, lang), json=json)
    return SOUND if verdict.legal else FINDINGS


def _question(tree: dict[str, Any], kind: Any, lang: Language) -> Any:  # noqa: ANN401 - either question
    """The question as a struct, within the limits of the API; raises UsageError."""
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        raise _unanswerable(error, lang) from None


def _unanswerable(error: Exception, lang: Language) -> UsageError:
    return UsageError(message(lang, "sheet.senseless", reason=reason_of(error)))


def phase_named(text: str) -> int | str:
    """The phase option's value: a number, or else the text that describes a phase."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 4 else text


def _group(text: str, ruleset: RuleSet) -> dict[str, Any]:
    cards, equals, value = text.partition("=")
    return {"cards": cards.strip(), "value": _value(value.strip(), ruleset) if equals else None}


def _value(text: str, ruleset: RuleSet) -> int:
    """The number for what wilds alone stand for: a rank or colour as on the cards, odd or even."""
    notation = ruleset.deck.notation
    values = {rank_name(notation, rank): rank for rank in range(1, 13)}
    values |= {letter: n for n, letter in enumerate(COLOURS[notation], 1)}
    values |= {colour: n for n, colour in enumerate(colour_names(ruleset), 1)}
    values |= {parity: n for n, parity in enumerate(PARITIES) if parity}
    if text not in values:
        raise UsageError(f"{text!r} is nothing that a wild stands for in this game.")
    return values[text]


_LAID = re.compile(
    r"\s*([a-z]+)\s*(?:\(\s*([0-9]{1,2})?\s*,?\s*(odd|even)?\s*\))?\s*(odd|even)?(.*)"
)


def _laid(text: str, ruleset: RuleSet) -> dict[str, Any]:
    """``run R3 B4``, ``run(4) R3 B4``, ``parity even R2 B4`` or ``parity(4, even) R2 B4``."""
    match = _LAID.fullmatch(text)
    if match is None or match[1] not in get_args(Kind):
        raise UsageError(f"--on {text!r}: begin with one of {', '.join(get_args(Kind))}.")
    fields = {"kind": match[1], "size": int(match[2]) if match[2] else None}
    return {**fields, "parity": match[3] or match[4] or "", **_group(match[5], ruleset)}


def _hit(text: str, default_end: str) -> dict[str, str]:
    cards, _, word = text.strip().rpartition(" ")
    if word in ("low", "high"):
        return {"cards": cards, "end": word}
    return {"cards": text.strip(), "end": default_end}


# --- find ---------------------------------------------------------------------------------------


@rules.command(name="find")
@guarded
def find_command(
    ruleset: RulesetArgument,
    hand: Annotated[str, Parameter(name="HAND", help="Cards, as in 'R5 B5 W S'.")],
    /,
    *,
    phase: PhaseArgument,
    option: HouseRuleOptions = (),
    lang: LangOption = "en",
    json: Json = False,
) -> int:
    """Lay a phase out of a hand as well as possible, or say what is missing for it.

    Best is what takes the fewest wilds, then the most points out of the hand. Where nothing can
    be laid, the number of missing cards is the least possible, and so are the cards named only an
    example.

    With --json: {found, phase, rule, sentence, groups: [{kind, cards, low, high, stands_for}],
    left, ways, missing, lacks: [{need, has, missing, example}]}.

    For example: phaseledger rules find classic "R5 B5 W R8 B9 G10 Y11 S R1 G12" --phase 2

    Or: phaseledger rules find board "R5 B5 J R8 B9 G10 Y11" --phase "set(3) + run(4)"
    """
    _, house_ruleset = resolved_game(ruleset, option, lang)
    try:
        result = find(house_ruleset, hand, phase_named(phase), lang)
    except Senseless as senseless:
        raise _unanswerable(senseless, lang) from None
    answer(result, result_lines(result, lang), json=json)
    return SOUND if result.found else FINDINGS
