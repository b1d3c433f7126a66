"""The rule sheets of the catalogue's games: what a rule set contains under house rules."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from phaseledger.domain.commands import OpenGame
from phaseledger.domain.ruleset import RuleSet


class Sheet(NamedTuple):
    """One game: its numbers, its ten phases, its policies and its own house rules."""

    name: str
    letter: str
    """The first letter of the game's rules in the catalogue."""
    seats: tuple[int, int]
    deck: tuple[int, int, int]
    """Copies of each number card, wilds, skips."""
    hand: int
    phases: tuple[str, ...]
    points: tuple[int, int, int, int]
    """Points of ranks 1 to 9, of ranks 10 to 12, of a skip, of a wild."""
    fields: Mapping[str, object] = {}
    options: Mapping[str, object] = {}


_CLASSIC_PHASES = (
    "set(3) + set(3)",
    "set(3) + run(4)",
    "set(4) + run(4)",
    "run(7)",
    "run(8)",
    "run(9)",
    "set(4) + set(4)",
    "color(7)",
    "set(5) + set(2)",
    "set(5) + set(3)",
)
_RING = (
    "JOKER TAKE1 SEARCH TAKE2 ASK TAKE1 SWAP TAKE3 AGAIN TAKE2 EVERY JOKER TAKE1 CHOOSE TAKE2 "
    "SEARCH SWAP TAKE1 ASK TAKE3 AGAIN JOKER TAKE2 SEARCH EVERY TAKE1 SWAP TAKE3 ASK TAKE2 CHOOSE "
    "AGAIN"
)

SHEETS = (
    Sheet(
        name="classic",
        letter="C",
        seats=(2, 6),
        deck=(2, 8, 4),
        hand=10,
        phases=_CLASSIC_PHASES,
        points=(5, 10, 15, 25),
    ),
    Sheet(
        name="standard-deck",
        letter="D",
        seats=(3, 5),
        deck=(2, 8, 4),
        hand=10,
        phases=_CLASSIC_PHASES,
        points=(5, 10, 15, 20),
        fields={"skip_placement": "in_front", "skip_after_served": "bottom"},
        options={
            "initial_skip": "keep",
            "skip_drawable": True,
            "skip_plain_discard": True,
            "final_tie": "shared",
        },
    ),
    Sheet(
        name="express",
        letter="X",
        seats=(2, 6),
        deck=(1, 3, 3),
        hand=5,
        phases=(
            "parity(4, odd)",
            "set(2) + set(2)",
            "parity(4, even)",
            "pairrun(2)",
            "set(3)",
            "run(4)",
            "colorrun(3)",
            "parityrun(4, odd)",
            "parityrun(4, even)",
            "color(4)",
        ),
        points=(5, 10, 15, 25),
        fields={"skip_placement": "in_front", "skip_after_served": "top"},
        options={"wild_min_scope": "phase"},
    ),
    Sheet(
        name="board",
        letter="B",
        seats=(2, 6),
        deck=(2, 0, 0),
        hand=10,
        phases=(
            "color(5)",
            "set(2) + set(2) + set(2) + set(2)",
            "set(3) + run(3)",
            "set(3) + set(3)",
            "color(6)",
            "run(8)",
            "set(5) + run(3)",
            "set(4) + set(4)",
            "run(9)",
            "set(6) + set(2)",
        ),
        points=(0, 0, 0, 0),
        fields={
            "initial_discards": 5,
            "acquire": "actions",
            "progress": "marker",
            "scoring": "none",
            "finish": "laurel",
            "pile": "covered",
            "succession": "ender",
            "keep": 5,
            "discards_when_full": 2,
            "track": _RING.split(),
        },
        options={
            "wild_on_full_run": True,
            "going_out": "discard_required",
            "first_player": "dealer",
        },
    ),
)
"""The games of the catalogue, with the defaults of its house rules."""

ORDINARY: dict[str, object] = {
    "initial_discards": 1,
    "rounds": 0,
    "skip_placement": "discard_pile",
    "skip_after_served": "",
    "acquire": "draw",
    "progress": "in_order",
    "scoring": "points",
    "finish": "last_phase",
    "pile": "seen",
    "succession": "dealer",
    "keep": 0,
    "discards_when_full": 1,
    "track": [],
}
"""The values of a rule set where its game's sheet has none."""


def sheet_of(command: OpenGame) -> Sheet | None:
    """The sheet of the game that a table was opened for; None where the catalogue has none."""
    name = command.ruleset.partition("@")[0]
    return next((sheet for sheet in SHEETS if sheet.name == name), None)


SheetFault = tuple[str, str, str, str]
"""Whether a field or an option is at fault, its name, the value there, and the one due."""


def sheet_fault(sheet: Sheet, chosen: Mapping[str, object], rules: RuleSet) -> SheetFault | None:
    """What a rule set says otherwise than the sheet of its game under the chosen house rules.

    None where all is as it has to be.
    """
    recorded, due = _stated(rules), _due(sheet, chosen)
    for field, value in due.items():
        if recorded[field] != value:
            return "field", field, _shown(recorded[field]), _shown(value)
    return _option_fault(sheet, chosen, rules)


def _stated(rules: RuleSet) -> dict[str, Any]:
    """The rule set's data in the words of a sheet."""
    deck, points = rules.deck, rules.points
    return {
        **{field: getattr(rules, field) for field in ORDINARY},
        "track": list(rules.track),
        "seats": (rules.seats_min, rules.seats_max),
        "deck": (deck.copies, deck.wilds, deck.skips),
        "hand": rules.hand,
        "points": (*points.ranks, points.skip, points.wild),
        "phases": [
            " + ".join(
                f"{need.kind}({need.size}{f', {need.parity}' if need.parity else ''})"
                for need in phase.needs
            )
            for phase in rules.phases
        ],
    }


def _due(sheet: Sheet, chosen: Mapping[str, Any]) -> dict[str, Any]:
    low, high, skip, wild = sheet.points
    due: dict[str, Any] = {
        **ORDINARY,
        **sheet.fields,
        "seats": sheet.seats,
        "deck": sheet.deck,
        "hand": sheet.hand,
        "points": (*(low,) * 9, *(high,) * 3, skip, wild),
        "phases": list(sheet.phases),
    }
    if chosen.get("players"):  # O-19
        fewest, most = str(chosen["players"]).split("-")
        due["seats"] = (int(fewest), int(most))
    if chosen.get("express_white_cards") == "none":  # O-20
        due["deck"] = (sheet.deck[0], 0, sheet.deck[2])
    if chosen.get("board_phases"):  # O-25
        due["phases"] = [re.sub(r",\s*", ", ", text) for text in chosen["board_phases"]]
    if chosen.get("board_track"):  # O-26
        spaces = list(chosen["board_track"])
        start = next(place for place, space in enumerate(spaces) if space.endswith("*"))
        due["track"] = [space.rstrip("*") for space in spaces[start:] + spaces[:start]]
    due.update(STYLES.get(chosen.get("style", ""), {}))
    variant = str(chosen.get("variant", "none"))
    if variant == "ten_rounds":  # C-73, X-67
        due.update(rounds=10, progress="by_round", finish="rounds")
    elif variant == "even_phases":  # C-75
        due["phases"] = due["phases"][1::2]
    elif variant.startswith("n_phases("):  # C-74, X-69
        due["phases"] = due["phases"][: int(variant[9:-1])]
    return due


STYLES: dict[str, dict[str, object]] = {
    "ten_rounds_ordered": {"rounds": 10, "progress": "by_round", "finish": "rounds"},
    "complete_free": {"progress": "free"},
    "ten_rounds_free": {"rounds": 10, "progress": "free", "finish": "rounds"},
}
"""The styles of D-57..D-64 except the first, which is the sheet's own."""

USUAL: dict[str, object] = {
    "stock_exhausted": "reshuffle_all_but_top",
    "no_card_to_draw": "continue_without_draw",
    "wild_min_scope": "group",
    "wild_on_full_run": False,
    "wild_on_full_set": True,
    "run_wrap": False,
    "wild_placement": "explicit",
    "going_out": "any",
    "skip_as_last_card": True,
    "skip_repeat": "until_served",
    "initial_skip": "skip_first_player",
    "initial_wild": "drawable",
    "skip_drawable": False,
    "skip_plain_discard": False,
    "skip_survives_round": False,
    "dealer_rotation": "left",
    "first_player": "left_of_dealer",
    "color_is_suit": True,
    "lay_oversize": True,
    "players": "",
    "express_white_cards": "wild",
    "pairrun_hit": "whole_pairs",
    "final_tie": "replay",
    "final_tie_10rounds": "more_phases_then_shared",
    "final_tie_replay": "tied_only",
    "board_phases": [],
    "board_track": [],
    "choose_take_by": "number",
    "kept_joker": "stays_joker",
    "joker_discard": "becomes_normal",
    "full_color_group": 24,
    "natural_on_full_set": True,
    "board_first_starter": "host",
    "keep_choice": "simultaneous_secret",
    "short_supply": "as_many_as_possible",
    "ask_giver_chooses": True,
    "discard_taken_card": True,
    "free_phase_named": True,
    "joker_memory": "owner_sees_once",
    "max_turns_per_round": "none",
    "twist_phases": "classic",
    "style": "complete_ordered",
    "variant": "none",
}
"""The defaults of the house rules, where a game's own sheet says nothing else."""


def _option_fault(sheet: Sheet, chosen: Mapping[str, object], rules: RuleSet) -> SheetFault | None:
    """The first house rule that is neither the one chosen nor the sheet's own."""
    due = {**USUAL, **sheet.options, **msgspec.to_builtins(chosen)}
    for name, value in due.items():
        recorded = msgspec.to_builtins(getattr(rules.options, name))
        if recorded != value and [*_as_list(recorded)] != [*_as_list(value)]:
            return "option", name, _shown(recorded), _shown(value)
    return None


def _shown(value: object) -> str:
    """A value as JSON, a text as it is."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _as_list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]
