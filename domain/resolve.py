"""The resolution of house rules: from a preset and the chosen options to the rule set played."""

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from phaseledger.domain.groups.forms import FORMS
from phaseledger.domain.groups.melds import TOP, full_set
from phaseledger.domain.options import PARAMETERS, Options, OptionValue
from phaseledger.domain.ruleset import Action, Deck, Need, Phase, RuleSet, Setting, phase_number
from phaseledger.domain.wording import word_list
from phaseledger.domain.words import Phrase, refused

REREAD: Mapping[str, tuple[OptionValue, ...]] = {
    "wild_placement": ("high_then_low",),  # O-07: as first released, an order that fits was kept
    "final_tie_replay": ("everybody",),  # O-24: as first released, only a tied seat could end it
}
"""Option values that mean something else from revision 1 on; all others keep their meaning."""


def revision_of(chosen: Mapping[str, object]) -> int:
    """The revision that a game with these options is opened by; 0 where both read the same."""
    return int(any(chosen.get(name) in values for name, values in REREAD.items()))


class Unplayable(ValueError):
    """The options make no game: one is unknown or of a wrong value, or they do not go together."""


def resolve(
    preset: RuleSet,
    chosen: Mapping[str, object],
    settings: Mapping[str, Setting] | None = None,
    revision: int | None = None,
) -> RuleSet:
    """The preset under the chosen options, applied to phases, rounds, track and policies.

    ``settings`` are the options that the game has; without them, all. ``revision`` is the reading
    of the options under which a recorded game was opened; without it, the latest.

    Raises:
        Unplayable: with a sentence that names the option and its values.

    """
    available = PARAMETERS if settings is None else settings
    excluded = {name: setting.without for name, setting in (settings or {}).items()}
    for name, value in chosen.items():
        if name not in available:
            raise Unplayable(
                Phrase("detail.option.none", value=repr(name), keys=", ".join(available))
            )
        if value in excluded.get(name, ()):
            raise Unplayable(
                Phrase(
                    "detail.option.senseless",
                    field=name,
                    value=value,
                    values=values(name, excluded[name]),
                )
            )
        if name in _DERIVED and not value:
            raise Unplayable(Phrase("detail.option.empty", field=name, values=values(name)))
    base = msgspec.to_builtins(preset.options)
    try:
        options = msgspec.convert({**base, **chosen}, Options)
    except msgspec.ValidationError as error:
        raise Unplayable(_explain(str(error), excluded)) from None
    if options.skip_repeat == "until_normal_turn" and options.skip_plain_discard is False:
        raise Unplayable(Phrase("detail.option.pair"))
    latest = revision_of(chosen)
    ruleset = replace(
        preset, options=options, revision=latest if revision is None else min(revision, latest)
    )
    for name, effect in _EFFECTS.items():
        value = getattr(options, name)
        if value != getattr(preset.options, name):
            ruleset = effect(ruleset, value)
    _require_layable(ruleset)
    return ruleset


def values(name: str, without: tuple[str, ...] = ()) -> str:
    """The values that the option takes, in words, without the values that the game excludes."""
    if not (taken := PARAMETERS[name].values):
        return Phrase(f"values.{name}")
    listed = re.split(", | or ", taken)
    *others, last = [value for value in listed if value not in without]
    first, separator, end = last.partition(" to ")
    last = Phrase("list.to", first=first, last=end) if separator else last
    return Phrase("list.or", first=", ".join(others), last=last) if others else last


def _explain(message: str, excluded: Mapping[str, tuple[str, ...]]) -> str:
    """The message of msgspec with the option's name and its values in front."""
    text, _, path = message.partition(" - at `$.")
    name = path.rstrip("`").partition("[")[0]
    return _faulty(name, refused(text), excluded.get(name, ()))


def _faulty(name: str, fault: str, without: tuple[str, ...] = ()) -> str:
    return Phrase("detail.option.fault", field=name, fault=fault, values=values(name, without))


def _require_layable(ruleset: RuleSet) -> None:
    for number, phase in enumerate(ruleset.phases, 1):
        name = {"id": phase_number(ruleset, number), "path": phase_text(phase)}
        cards = sum(need.size * FORMS[need.kind].copies for need in phase.needs)
        if cards > ruleset.hand:
            raise Unplayable(
                Phrase("detail.option.phase_cards", **name, count=cards, n=ruleset.hand)
            )
        largest = max((need.size for need in phase.needs if need.kind == "set"), default=0)
        if largest > full_set(ruleset) and not ruleset.options.wild_on_full_set:
            raise Unplayable(Phrase("detail.option.phase_wilds", **name, n=full_set(ruleset)))


# --- what single options change -----------------------------------------------------------------


def _variant(ruleset: RuleSet, value: str) -> RuleSet:
    if value == "ten_rounds":
        return replace(ruleset, rounds=10, progress="by_round", finish="rounds")
    if value == "even_phases":
        return replace(ruleset, phases=ruleset.phases[1::2])
    count = int(value.removeprefix("n_phases(").removesuffix(")"))
    return replace(ruleset, phases=ruleset.phases[:count])


_STYLES: dict[str, dict[str, Any]] = {
    "complete_ordered": {"rounds": 0, "progress": "in_order", "finish": "last_phase"},
    "ten_rounds_ordered": {"rounds": 10, "progress": "by_round", "finish": "rounds"},
    "complete_free": {"rounds": 0, "progress": "free", "finish": "last_phase"},
    "ten_rounds_free": {"rounds": 10, "progress": "free", "finish": "rounds"},
}
"""The four styles (D-57..D-64) as rows of policies."""


def _style(ruleset: RuleSet, value: str) -> RuleSet:
    return replace(ruleset, **_STYLES[value])


def _players(ruleset: RuleSet, value: str) -> RuleSet:
    bounds = re.fullmatch(r"([1-9][0-9]?)-([1-9][0-9]?)", value)
    low, high = (int(bound) for bound in bounds.groups()) if bounds else (0, 0)
    if not 2 <= low <= high:
        raise Unplayable(
            Phrase("detail.option.players", value=repr(value), values=values("players"))
        )
    dealt = high * ruleset.hand + ruleset.initial_discards
    if dealt >= len(ruleset.deck.cards()):
        raise Unplayable(Phrase("detail.option.players_stock", n=high, m=ruleset.hand))
    return replace(ruleset, seats_min=low, seats_max=high)


def _white_cards(ruleset: RuleSet, _: str) -> RuleSet:
    deck = ruleset.deck
    return replace(ruleset, deck=Deck(deck.notation, deck.copies, 0, deck.skips))


def _board_phases(ruleset: RuleSet, value: tuple[str, ...]) -> RuleSet:
    if len(value) != len(ruleset.phases):
        counts = {"n": len(ruleset.phases), "count": len(value)}
        fault = Phrase("detail.option.board_phases", **counts)
        raise Unplayable(_faulty("board_phases", fault))
    try:
        return replace(ruleset, phases=tuple(map(read_phase, value)))
    except Unplayable as error:
        raise Unplayable(Phrase("detail.option.text", field="board_phases", fault=error)) from None


def _board_track(ruleset: RuleSet, value: tuple[str, ...]) -> RuleSet:
    spaces = [space.removesuffix("*") for space in value]
    unknown = [space for space in spaces if space not in get_args(Action)]
    starts = [i for i, space in enumerate(value) if space.endswith("*")]
    fault = ""
    if unknown:
        fault = Phrase("detail.option.no_space", value=repr(unknown[0][:20]))
    elif len(value) != len(ruleset.track):
        fault = Phrase("detail.option.ring", n=len(ruleset.track), m=len(value))
    elif len(starts) != 1:
        key = "detail.option.starts" if starts else "detail.option.no_start"
        fault = Phrase(key, n=len(starts))
    if fault:
        raise Unplayable(_faulty("board_track", fault))
    rotated = spaces[starts[0] :] + spaces[: starts[0]]
    return replace(ruleset, track=tuple(rotated))


_EFFECTS: dict[str, Callable[[RuleSet, Any], RuleSet]] = {
    "express_white_cards": _white_cards,
    "players": _players,
    "board_phases": _board_phases,
    "board_track": _board_track,
    "style": _style,
    "variant": _variant,
}
"""Options that change other data of a rule set; applied where the value is not the usual one."""


# --- phases and options as text -----------------------------------------------------------------


_NEED = re.compile(r"([a-z]+)\(([1-9][0-9]?)(?:, ?(odd|even))?\)")


def read_phase(text: str) -> Phase:
    """The phase that a text such as ``"set(3) + run(4)"`` or ``"parity(4, odd)"`` describes.

    Raises:
        Unplayable: where it describes none.

    """
    needs = []
    for part in text.split("+"):
        match = _NEED.fullmatch(part.strip())
        form = FORMS.get(match[1]) if match else None
        if match is None or form is None:
            raise Unplayable(
                Phrase("detail.phase.unread", value=repr(text), values=word_list(FORMS))
            )
        size, parity = int(match[2]), match[3] or ""
        if (match[1] in ("parity", "parityrun")) != bool(parity):
            raise Unplayable(Phrase("detail.phase.parity", value=repr(text)))
        least = 2 if form.alike or form.copies > 1 else 3
        most = size if form.alike else TOP // form.step
        if not least <= size <= most:
            sizes = Phrase("list.more" if form.alike else "list.to", first=least, last=most)
            raise Unplayable(
                Phrase("detail.phase.size", value=repr(text), field=match[1], values=sizes, n=size)
            )
        needs.append(msgspec.convert({"kind": match[1], "size": size, "parity": parity}, Need))
    return Phase("O-25", tuple(needs))


def phase_text(phase: Phase) -> str:
    """The phase as `read_phase` reads it."""
    return " + ".join(
        f"{need.kind}({need.size}{', ' * bool(need.parity)}{need.parity})" for need in phase.needs
    )


def track_text(rules: RuleSet) -> tuple[str, ...]:
    """The ring from its start, which a star marks; empty where there is none."""
    return tuple(f"{space}{'*' * (index == 0)}" for index, space in enumerate(rules.track))


_DERIVED: dict[str, Callable[[RuleSet], OptionValue]] = {
    "players": lambda rules: f"{rules.seats_min}-{rules.seats_max}",
    "board_phases": lambda rules: tuple(map(phase_text, rules.phases)),
    "board_track": track_text,
}
"""Options whose usual value is other data of the rule set."""


def usual_value(preset: RuleSet, name: str) -> OptionValue:
    """The option's value where the opener chose none."""
    derive = _DERIVED.get(name)
    value: OptionValue = derive(preset) if derive else getattr(preset.options, name)
    return value
