"""House rules for games by pairwise coverage: any two values of two options meet in some game."""

from collections.abc import Iterator
from functools import cache

from allpairspy import AllPairs

from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import Unplayable, resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.laboratory.simulate.game import SimulationPlan

MIXED_PHASES = (
    *("color(4)", "set(2) + run(3)", "pairrun(3)", "parity(5, odd)", "colorrun(3) + set(3)"),
    *("run(6)", "parityrun(4, even) + set(3)", "set(4) + set(3)", "run(9)", "color(6) + set(2)"),
)
"""All seven kinds of group for the board."""
OTHER_RING = (
    *("TAKE2", "EVERY", "JOKER*", "AGAIN", "ASK", "JOKER", "SWAP", "TAKE3"),
    *("SEARCH", "TAKE1", "ASK", "CHOOSE", "SWAP", "JOKER", "TAKE2", "SEARCH"),
    *("AGAIN", "TAKE1", "JOKER", "TAKE3", "SWAP", "ASK", "TAKE2", "SEARCH"),
    *("EVERY", "TAKE1", "SWAP", "TAKE3", "CHOOSE", "TAKE2", "JOKER", "SEARCH"),
)
VALUES: dict[str, tuple[OptionValue, ...]] = {
    "stock_exhausted": ("reshuffle_all_but_top", "reshuffle_all", "end_round"),
    "no_card_to_draw": ("continue_without_draw", "end_round"),
    "wild_min_scope": ("group", "phase", "none"),
    "wild_on_full_run": (False, True),
    "wild_on_full_set": (True, False),
    "run_wrap": (False, True),
    "wild_placement": ("explicit", "high_then_low"),
    "going_out": ("any", "discard_required"),
    "skip_as_last_card": (True, False),
    "skip_repeat": ("until_served", "until_normal_turn"),
    "initial_skip": ("skip_first_player", "cover", "return_and_redraw", "keep"),
    "initial_wild": ("drawable", "return_and_redraw"),
    "skip_drawable": (False, True),
    "skip_plain_discard": (False, True, "only_if_no_target"),
    "skip_survives_round": (False, True),
    "dealer_rotation": ("left", "fixed"),
    "first_player": ("left_of_dealer", "dealer", "random"),
    "color_is_suit": (True, False),
    "lay_oversize": (True, False),
    "players": ("2-6", "2-7"),
    "express_white_cards": ("wild", "none"),
    "pairrun_hit": ("whole_pairs", "single_cards", "none"),
    "final_tie": ("replay", "shared", "went_out"),
    "final_tie_10rounds": ("more_phases_then_shared", "shared"),
    "final_tie_replay": ("tied_only", "everybody"),
    "board_phases": ((), MIXED_PHASES),
    "board_track": ((), OTHER_RING),
    "choose_take_by": ("number", "type"),
    "kept_joker": ("stays_joker", "becomes_normal"),
    "joker_discard": ("becomes_normal", "forbidden"),
    "full_color_group": (24, "ignore"),
    "natural_on_full_set": (True, False),
    "board_first_starter": ("youngest", "host", "random"),
    "keep_choice": ("simultaneous_secret", "seat_order_open"),
    "short_supply": ("as_many_as_possible", "cancel"),
    "ask_giver_chooses": (True, False),
    "discard_taken_card": (True, False),
    "free_phase_named": (True, "auto_lowest"),
    "joker_memory": ("owner_sees_once", "owner_sees_always"),
    "max_turns_per_round": ("none", 60, 9),
    "twist_phases": ("classic",),
    "style": ("complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free"),
    "variant": ("none", "ten_rounds", "even_phases", "n_phases(1)", "n_phases(4)"),
}
"""Every option (a test compares) with values that differ in meaning."""


@cache
def option_rows(ruleset: str) -> tuple[dict[str, OptionValue], ...]:
    """Choices of a game's options in which any two values meet that go together at all."""
    game = GAMES[ruleset]
    names = [name for name in VALUES if name in game.settings]
    values = [
        [value for value in VALUES[name] if value not in game.settings[name].without]
        for name in names
    ]

    def is_playable(row: list[OptionValue]) -> bool:
        chosen = {name: value for name, value in zip(names, row, strict=False) if value != ()}
        if {"skip_repeat", "skip_plain_discard"} & {*names[len(row) :]}:
            chosen.pop("skip_repeat", None)
        try:
            resolve(game.rules, chosen, game.settings)
        except Unplayable:
            return False
        return True

    rows = AllPairs(values, filter_func=is_playable)
    return tuple(
        {name: value for name, value in zip(names, row, strict=True) if value != ()} for row in rows
    )


BOTS = (("random", "greedy"), ("greedy", "random", "random"), ("greedy",), ("random",))
"""Who plays: bots that try everything, and bots that finish."""


def plans(ruleset: str, seed: str, first: int = 0) -> Iterator[tuple[int, SimulationPlan]]:
    """Numbered games without end: the rows of options in turn, for every number of players."""
    rows = option_rows(ruleset)
    number = first
    while True:
        row = rows[number % len(rows)]
        rules = resolve(GAMES[ruleset].rules, row, GAMES[ruleset].settings)
        seats = rules.seats_min + number // len(rows) % (rules.seats_max - rules.seats_min + 1)
        bots = BOTS[(number + number // len(rows)) % len(BOTS)]
        yield number, SimulationPlan(seed, ruleset, seats, bots, row, cap=4_000)
        number += 1
