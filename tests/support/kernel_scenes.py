"""Scenes for the kernel: games under house rules, and positions that random games seldom reach.

The positions are laid out by hand.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from phaseledger.domain.cards import parse
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from tests.support.board_positions import FULL_RUN, NINES
from tests.support.lockstep import Scene
from tests.support.replay.option_pairs import plans
from tests.support.table import board, landing, table

CARD_GAMES = ("classic", "standard-deck", "express")
GAMES = (*CARD_GAMES, "board")
EXPRESS = preset("express")
_RUN = "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12"


def tied(
    *, made: int = 10, points: int = 50, replay: bool = False, **options: OptionValue
) -> State:
    """Seat 0 lays the last phase and goes out; seat 1 has laid it, with equal points so far."""
    state = table(
        ["R2", "W W", "B9"],
        phases=[10, 10, 10],
        laid={0: 10, 1: 10, 2: 10},
        points=[points, points - (0 if replay else 50), points + 10],
        groups=[(0, "set", "R1 B1 G1 Y1 R1")],
        discard="R3",
        **options,
    )
    seats = tuple([replace(state.seat(n), made=(1 << made) - 1) for n in range(3)])
    return replace(state, seats=seats, replay=replay)


def last_of_ten(*, made: tuple[int, int, int] = (3, 1, 3), **options: OptionValue) -> State:
    """Seat 0 goes out in the last of ten rounds; seats 0 and 1 come to equal totals."""
    state = table(
        ["R2", "R3", "B9 B9 Y9"],
        phases=[10, 10, 10],
        laid={0: 10},
        points=[25, 20, 25],
        groups=[(0, "set", "R1 B1 G1 Y1 R1")],
        discard="R3",
        variant="ten_rounds",
        **options,
    )
    seats = tuple([replace(state.seat(n), made=bits) for n, bits in enumerate(made)])
    return replace(state, seats=seats, round=10)


def with_full_run(**options: OptionValue) -> State:
    """A run of all ranks, and wilds and naturals to hit on it."""
    return table(
        ["W W R1 B12 R12", "B1 B2", "B3 B4"],
        phases=[4, 4, 4],
        laid={0: 4},
        groups=[(0, "run", _RUN)],
        discard="R3",
        **options,
    )


def with_full_set(**options: OptionValue) -> State:
    """Sets as large as all cards of a rank, and a wild and a natural to hit on them."""
    return table(
        ["W W R1 Y5", "B1 B2", "B3 B4"],
        laid={0: 1},
        groups=[(0, "set", "R7 B7 G7 Y7 R7 B7 G7 Y7"), (0, "set", "R5 B5 G5 R5 W W W W")],
        discard="R3",
        **options,
    )


def nothing_to_draw(**options: OptionValue) -> State:
    """The stock is empty, and a skip that goes in front of its target leaves the pile so."""
    hands = ["S R1", "B1 B2", "B3 B4"]
    return table(hands, ruleset=EXPRESS, discard="", stock="", **options)


def empty_stock(**options: OptionValue) -> State:
    """The stock is empty, and the pile has some cards."""
    return table(["R1 R2", "B1 B2", "B3 B4"], discard="R3 R4 R5 R6", stock="", **options)


def with_run_of_pairs(**options: OptionValue) -> State:
    """A run of pairs in the middle, and cards for both of its ends."""
    return table(
        ["R3 B3 R6 B6 W", "B1 B2", "Y3 G4"],
        ruleset=EXPRESS,
        phases=[4, 4, 4],
        laid={0: 4},
        groups=[(0, "pairrun", "R4 B4 R5 B5")],
        discard="R1",
        **options,
    )


def with_small_full_set(**options: OptionValue) -> State:
    """A set of all cards of a rank in the single deck of Express, and wilds to hit on it."""
    return table(
        ["W W R1", "B1 B2", "B3 B4"],
        ruleset=EXPRESS,
        phases=[5, 5, 5],
        laid={0: 5},
        groups=[(0, "set", "R7 B7 G7 Y7")],
        discard="R3",
        **options,
    )


def with_run_to_lay(**options: OptionValue) -> State:
    """Cards for a run whose wilds may stand at either end."""
    return table(
        ["R4 B5 G6 Y7 W W W R1", "B1 B2", "B3 B4"], phases=[4, 4, 4], discard="R3", **options
    )


def one_card_each(**options: OptionValue) -> State:
    """A skip and its target's last cards."""
    return table(["S", "B1", "B3"], laid={0: 1}, discard="R3", **options)


def open_replay(revision: int = 1, **options: OptionValue) -> State:
    """A seat that is not tied ends the replay between the two others (O-24)."""
    state = table(
        ["R2", "R3 B3", "B9"],
        phases=[10, 10, 10],
        laid={0: 10},
        points=[90, 20, 20],
        groups=[(0, "set", "R1 B1 G1 Y1 R1")],
        discard="R3",
        final_tie_replay="everybody",
        **options,
    )
    bits = (1 << 10) - 1
    made = (bits >> 1, bits, bits)
    seats = tuple([replace(state.seat(n), made=made[n]) for n in range(3)])
    return replace(
        state, seats=seats, replay=True, ruleset=replace(state.ruleset, revision=revision)
    )


_JOKERS = ("becomes_normal", "forbidden")
_GREENS = " ".join([f"G{rank} G{rank}" for rank in range(1, 13)])


def all_full(colours: str = "", taken: str = "", **options: OptionValue) -> State:
    """Every laid group is full, so that two cards may be discarded, and jokers are among them."""
    groups = (
        [(0, "set", NINES), (1, "run", FULL_RUN.replace("R9", "J(Y1)"))]
        if not colours
        else [(0, "color", colours)]
    )
    state = board(
        ["R2 B3 R2 J(Y6) J(Y5)", "B1 B4 B3", "B4 B5 R6"],
        phases=[8, 1, 8],
        laid={0: 8},
        groups=groups,
        discard="R3",
        **options,
    )
    return replace(state, taken=parse(taken))


def end_of_round(*phases: int, **options: OptionValue) -> State:
    """Seat 0 goes out; seat 1 has laid, seats 2 and 3 may keep cards, jokers among them."""
    return board(
        ["R1", "R2 R3", "J(G7) R4 R5 R6 R7 R8 R10 R11", "B1 B2 Y3 J(G3)"],
        phases=list(phases),
        laid={0: phases[0], 1: phases[1]},
        groups=[(0, "set", NINES)],
        discard="Y1",
        **options,
    )


def own_jokers() -> list[State]:
    """Seat 0 searches for a third 3 or a third 5; a joker of its own is one more 3 gone."""
    return [
        board(
            ["R3 B3 R5 B5 J(G3)", "B1 B2", "B7 B8"],
            question="search",
            phases=[4, 4, 4],
            discard="Y3 Y5",
            joker_memory=memory,
        )
        for memory in ("owner_sees_once", "owner_sees_always")
    ]


def arrival(action: str, **laid_out: Any) -> State:
    """Seat 0 reaches a space of the action."""
    return landing(action, ["R2 B5 J(G6) Y7 Y8 J(R4)", "B1 J(R5) B3", "R12 B12 J(G12)"], **laid_out)


RING: dict[str, State] = {
    **{f"all full, {yes}": all_full(discard_taken_card=yes, taken="R2") for yes in (True, False)},
    **{f"full, {jokers}": all_full(joker_discard=jokers) for jokers in _JOKERS},
    **{f"greens, {full}": all_full(_GREENS, full_color_group=full) for full in (24, "ignore")},
    "laurel": end_of_round(9, 10, 8, 7),
    **{
        f"the end of a round, {jokers}, {how}": end_of_round(
            3, 4, 5, 6, kept_joker=jokers, keep_choice=how
        )
        for jokers in ("stays_joker", "becomes_normal")
        for how in ("simultaneous_secret", "seat_order_open")
    },
    **{
        f"{action} of few cards, {how}": arrival(
            action, stock="Y1", discard="Y2", short_supply=how, joker_discard=jokers
        )
        for action in ("TAKE3", "EVERY", "SWAP", "ASK", "SEARCH", "JOKER", "AGAIN")
        for how, jokers in (("as_many_as_possible", "forbidden"), ("cancel", "becomes_normal"))
    },
    **{
        f"{action} of no cards, {how}": arrival(
            action, stock="", discard="", short_supply=how, stock_exhausted=end
        )
        for action in ("TAKE2", "EVERY", "ASK", "SEARCH", "JOKER")
        for how, end in (("as_many_as_possible", "end_round"), ("cancel", "reshuffle_all"))
    },
    **{f"asked, {yes}": arrival("ASK", ask_giver_chooses=yes) for yes in (True, False)},
    **{f"choice, {how}": arrival("CHOOSE", choose_take_by=how) for how in ("number", "type")},
}
_TIES = ("replay", "shared", "went_out")
_YES_NO = (True, False)
DIRECTED: dict[str, State] = {
    **{f"a tie, {tie}": tied(final_tie=tie) for tie in _TIES},
    **{f"a tie replayed, {who}": tied(final_tie_replay=who) for who in ("tied_only", "everybody")},
    "a replay that a tied seat ends": tied(replay=True),
    "a replay that an untied seat ends": open_replay(),
    "a replay that an untied seat ends, as first released": open_replay(revision=0),
    "ten rounds, more phases": last_of_ten(),
    "ten rounds, equal phases": last_of_ten(made=(3, 3, 3)),
    "ten rounds, shared": last_of_ten(final_tie_10rounds="shared"),
    **{f"a full run, {yes}": with_full_run(wild_on_full_run=yes) for yes in _YES_NO},
    "a full run that wraps": with_full_run(run_wrap=True),
    **{f"a full set, {yes}": with_full_set(wild_on_full_set=yes) for yes in _YES_NO},
    **{f"four of a kind, {yes}": with_small_full_set(wild_on_full_set=yes) for yes in _YES_NO},
    **{
        f"a run of pairs, {how}": with_run_of_pairs(pairrun_hit=how)
        for how in ("whole_pairs", "single_cards", "none")
    },
    **{
        f"wilds to place, {how}": with_run_to_lay(wild_placement=how)
        for how in ("explicit", "high_then_low")
    },
    **{
        f"nothing to draw, {how}": nothing_to_draw(no_card_to_draw=how)
        for how in ("continue_without_draw", "end_round")
    },
    **{
        f"an empty stock, {how}": empty_stock(stock_exhausted=how)
        for how in ("reshuffle_all_but_top", "reshuffle_all", "end_round")
    },
    **{f"a skip as the last card, {yes}": one_card_each(skip_as_last_card=yes) for yes in _YES_NO},
}


_CROWDS = (
    *("color(2) + color(2) + color(2) + color(2) + color(2)", "set(2) + set(2) + set(2) + set(2)"),
    *(
        "parity(2, odd) + parity(2, even) + set(2) + color(2) + parity(2, odd)",
        "pairrun(2) + set(3)",
    ),
    *("color(2) + parity(2, even) + parity(3, odd) + color(3)", "parityrun(3, odd) + colorrun(3)"),
    *(
        "set(2) + set(2) + color(2) + parity(2, odd) + parity(2, odd)",
        "color(3) + color(3) + color(4)",
    ),
    *("set(2) + set(2) + run(3) + run(3)", "colorrun(4) + set(2) + set(2)"),
)
CROWDED = [
    Scene("board", seats, {"board_phases": (*_CROWDS[n:], *_CROWDS[:n])}, f"crowded {n}")
    for n, seats in enumerate((2, 3, 6, 4, 5, 2, 3, 6, 4, 2))
]
"""Games with phases of up to five groups, or of thousands of ways to fill them."""


def scenes(ruleset: str, first: int = 0) -> Iterator[Scene]:
    """Games under pairwise house rules, at every number of seats."""
    for number, plan in plans(ruleset, "lockstep", first):
        yield Scene(ruleset, plan.players, plan.options, f"lockstep {number}")
