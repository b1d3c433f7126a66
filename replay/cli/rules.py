"""The commands `rules list`, `show`, `check` and `find`: the rules without a game."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from cyclopts import App, Parameter

from phaseledger.domain.cards import COLOURS
from phaseledger.domain.explain.catalogue import RulesetInfo, info
from phaseledger.domain.explain.check import (
    HitQuestion,
    LayQuestion,
    Senseless,
    Verdict,
    check,
    find_phase,
)
from phaseledger.domain.explain.referee import Section, read_out
from phaseledger.domain.explain.shortfall import MOST_WAYS, BestLay, find
from phaseledger.domain.explain.wording import colour_names
from phaseledger.domain.melds import PARITIES
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.ruleset import GameDefinition, Kind, RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.rulesets import find_game as find_game
from phaseledger.domain.wording import rank_name
from phaseledger.replay.batch.inputs import HouseRuleOptions, Json, house_rule
from phaseledger.replay.terminal import FINDINGS, SOUND, UsageError, guarded, print_json, say

RULES_EXIT_CODES = "Exit codes: 0 legal or found, 1 illegal or not found, 2 usage."

rules = App(
    name="rules",
    help="Read the rules, and check cards against them without a game.",
    help_epilogue=RULES_EXIT_CODES,
    help_format="markdown",
)

RulesetArgument = Annotated[str, Parameter(name="RULESET", help=f"One of {', '.join(GAMES)}.")]
PhaseArgument = Annotated[
    str,
    Parameter(
        help='Number of a phase, or one described as in "set(3) + run(4)".', show_default=False
    ),
]


def resolved_game(name: str, options: Sequence[str]) -> tuple[GameDefinition, RuleSet]:
    """The game of that name, and its rules under the house rules given with --option."""
    game = find_game(name)
    if game is None:
        raise UsageError(f"There is no rule set {name!r}; there are {', '.join(GAMES)}.")
    try:
        return game, resolve(game.rules, dict(map(house_rule, options)), game.settings)
    except Unplayable as error:
        raise UsageError(f"The house rules make no game: {error}.") from None


# --- list, show ---------------------------------------------------------------------------------


@rules.command(name="list")
@guarded
def list_rules(*, json: Json = False) -> int:
    """Name the rule sets.

    With --json: {rulesets: [{name, id, title, seats_min, seats_max}]}.
    """
    if json:
        fields = ("name", "id", "title", "seats_min", "seats_max")
        rows = [{field: getattr(game.rules, field) for field in fields} for game in GAMES.values()]
        print_json({"rulesets": rows})
        return SOUND
    for game in GAMES.values():
        preset = game.rules
        players = f"{preset.seats_min} to {preset.seats_max} players"
        say(f"{preset.name:<14} {players:<15}  {preset.title}")
    return SOUND


@rules.command
@guarded
def show(ruleset: RulesetArgument, /, *, option: HouseRuleOptions = (), json: Json = False) -> int:
    """Read out a rule set: cards, course of a turn, phases, wilds, skips, end, house rules.

    In brackets are the IDs of the rules. A house rule that is not as usual is marked by a star.

    With --json: {ruleset, chosen, sections: [{title, lines: [{text, rules}]}]}.

    For example: phaseledger rules show express

    Or: phaseledger rules show classic --option variant=even_phases
    """
    game, house_ruleset = resolved_game(ruleset, option)
    ruleset_info, sections = info(game, house_ruleset), read_out(game, house_ruleset)
    chosen = dict(map(house_rule, option))
    if json:
        print_json({"ruleset": ruleset_info, "chosen": chosen, "sections": sections})
        return SOUND
    for line in _sheet(ruleset_info, sections, chosen):
        say(line)
    return SOUND


def _sheet(
    ruleset_info: RulesetInfo, sections: Sequence[Section], chosen: dict[str, OptionValue]
) -> Iterator[str]:
    yield f"{ruleset_info.title} ({ruleset_info.id})"
    yield from ("", f"Cards: {sum(row.total for row in ruleset_info.cards)}")
    width = max(len(row.cards) for row in ruleset_info.cards)
    counted = any(row.points for row in ruleset_info.cards)
    for row in ruleset_info.cards:
        points = f"{row.points:>2} points" if counted else ""
        copies = f"{row.copies} of each" if row.copies < row.total else ""
        yield f"  {row.cards:<{width}}  {row.total:>3} cards  {copies:<9}  {points}".rstrip()
    yield from ("", f"Phases: {len(ruleset_info.phases)}")
    width = max(len(phase.words) for phase in ruleset_info.phases)
    for phase in ruleset_info.phases:
        yield f"  {phase.number:>2}  {phase.words:<{width}}  {_cited((phase.rule,))}".rstrip()
    for section in sections:
        yield from ("", section.title)
        for line in section.lines:
            yield f"  {line.text}  {_cited(line.rules)}".rstrip()
    yield from ("", "House rules (--option name=value)")
    for option in ruleset_info.options:
        value = chosen.get(option.name, option.default)
        star = "*" if value != option.default else " "
        text = msgspec.json.encode(value).decode() if isinstance(value, tuple) else _plain(value)
        yield f"{star} {option.name}={text}  {_cited((option.number, *option.rules))}"
        yield f"      {option.meaning} It takes {option.values}."


def _plain(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cited(ids: Sequence[str]) -> str:
    cited = " ".join(dict.fromkeys(filter(None, ids)))
    return f"[{cited}]" if cited else ""


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
        Parameter(
            help="A group on the table instead: its kind, then its cards, as in 'run R3 B4 G5 Y6'.",
            show_default=False,
        ),
    ] = "",
    hit: Annotated[
        tuple[str, ...],
        Parameter(
            help="Cards to add to it at once, with the end where it is a run, as in 'R2 low'; "
            "further hits after a comma, or repeated.",
            negative="",
            show_default=False,
        ),
    ] = (),
    end: Annotated[
        Literal["low", "high"] | None,
        Parameter(help="The end for hits that name none."),
    ] = None,
    option: HouseRuleOptions = (),
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
    _, house_ruleset = resolved_game(ruleset, option)
    if bool(on) == bool(phase) or bool(on) != bool(hit) or bool(phase) != bool(groups):
        raise UsageError("Ask either --phase N with groups of cards, or --on GROUP with --hit.")
    if end and phase:
        raise UsageError("--end is for hits; a phase is laid without.")
    try:
        if phase:
            phase_id = phase_named(phase)
            find_phase(house_ruleset, phase_id)  # tells in words what is no phase
            laid = [_group(text, house_ruleset) for text in groups]
            question = _question({"phase": phase_id, "groups": laid}, LayQuestion)
        else:
            hits = [_hit(part, end or "") for text in hit for part in text.split(",")]
            question = _question({"group": _laid(on, house_ruleset), "hits": hits}, HitQuestion)
        verdict = check(house_ruleset, question)
    except Senseless as senseless:
        raise UsageError(f"That cannot be asked: {senseless}.") from None
    if json:
        print_json(verdict)
    else:
        _print_verdict(verdict)
    return SOUND if verdict.legal else FINDINGS


def _question(tree: dict[str, Any], kind: Any) -> Any:  # noqa: ANN401 - either question
    """The question as a struct, within the limits of the API; raises UsageError."""
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"That cannot be asked: {error}.") from None


def _print_verdict(verdict: Verdict) -> None:
    code = f"  {verdict.code}" if verdict.code else ""
    say(f"{'legal' if verdict.legal else 'illegal'}{code}  {_cited((verdict.rule,))}".rstrip())
    say(verdict.sentence)
    for group in verdict.groups:
        for wild in group.stands_for:
            say(f"  {wild.card} -> {wild.meaning}")


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
    _, house_ruleset = resolved_game(ruleset, option)
    try:
        result = find(house_ruleset, hand, phase_named(phase))
    except Senseless as senseless:
        raise UsageError(f"That cannot be asked: {senseless}.") from None
    if json:
        print_json(result)
    else:
        for line in _result_lines(result):
            say(line)
    return SOUND if result.found else FINDINGS


def _result_lines(result: BestLay) -> Iterator[str]:
    yield f"{result.sentence}  {_cited((result.rule,))}".rstrip()
    for group in result.groups:
        yield f"  {group.kind:<9}  {group.cards}"
    if result.found:
        yield f"  in hand    {result.left or 'nothing'}"
        more = " or more" if result.ways == MOST_WAYS else ""
        yield f"  ways to lay it: {result.ways}{more}"
    for lack in result.lacks:
        has = f"has {lack.has}" if lack.has else "has nothing"
        lacks = f"lacks {lack.missing}, such as {lack.example}" if lack.missing else "is complete"
        yield f"  {lack.need}: {has}, {lacks}"
