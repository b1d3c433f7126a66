"""Finished games in which everything happens that the page for bundles has to follow."""

from functools import cache

from phaseledger.domain.script import ScriptedDeal
from phaseledger.domain.terms import Terms
from tests.support.replay.operator_games import Plan, bundled, played

BOTH = ("random", "greedy")
GAMES = {
    "small": Plan("classic", 2, "a", {"variant": "n_phases(2)"}, ("greedy",)),
    "reshuffled": Plan("classic", 6, "reshuffle 10", {"variant": "n_phases(1)"}),
    "covered": Plan(
        "classic",
        6,
        "t1",
        {
            "initial_skip": "cover",
            "initial_wild": "return_and_redraw",
            "first_player": "random",
            "max_turns_per_round": 12,
            "variant": "ten_rounds",
        },
        bringing=(0, 3),
    ),
    "returned": Plan(
        "classic",
        4,
        "t2",
        {
            "initial_skip": "return_and_redraw",
            "initial_wild": "return_and_redraw",
            "first_player": "dealer",
            "dealer_rotation": "fixed",
            "max_turns_per_round": 8,
            "variant": "ten_rounds",
        },
    ),
    "replayed": Plan(
        "classic", 6, "replay 116", {"variant": "n_phases(1)", "max_turns_per_round": 14}, BOTH[1:]
    ),
    "standard-deck": Plan(
        "standard-deck", 3, "c", {"style": "ten_rounds_free", "max_turns_per_round": 12}
    ),
    "express": Plan("express", 2, "e", {"variant": "ten_rounds"}, BOTH[1:]),
    "board": Plan("board", 6, "joker 3", {"max_turns_per_round": 24}, BOTH),
    "board-open": Plan(
        "board",
        3,
        "o",
        {
            "keep_choice": "seat_order_open",
            "kept_joker": "becomes_normal",
            "joker_memory": "owner_sees_always",
            "board_first_starter": "random",
            "max_turns_per_round": 20,
        },
        BOTH,
    ),
    "signed": Plan("board", 3, "d", {"max_turns_per_round": 12}, BOTH, (1,), (1, 2)),
    "scripted": Plan(
        "classic",
        3,
        "s",
        {"initial_skip": "return_and_redraw", "max_turns_per_round": 8, "variant": "ten_rounds"},
        table=Terms(test=True),
        script=(
            ScriptedDeal(hands=("R1 R1 B1 W", "", "Y12 Y12 Y11"), discard="W", stock="S R2"),
            ScriptedDeal(),
            ScriptedDeal(stock=" ".join(f"G{n}" for n in range(1, 13)), discard="Y7"),
        ),
    ),
    "scripted-board": Plan(
        "board",
        4,
        "sb",
        {"max_turns_per_round": 16},
        BOTH,
        table=Terms(test=True),
        script=(
            ScriptedDeal(dice=((1, 1), (2, 5), (6, 6)), discard="R1 R2 R3"),
            ScriptedDeal(hands=("R1 R1 R2", "B3", "", "B3 Y4"), stock="R3 G9", dice=((3, 4),)),
        ),
    ),
    "voided": Plan("classic", 3, "v", bringing=(0, 1, 2), void_after=40),
    "voided-early": Plan("classic", 2, "v", void_after=1),
}


@cache
def stored(name: str) -> list[bytes]:
    return played(GAMES[name])


@cache
def bundle(name: str) -> bytes:
    return b"".join(bundled(stored(name)))
