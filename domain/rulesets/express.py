"""Phase 10 Express (RULES.md section 4)."""

from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Deck, GameDefinition, Need, Phase, Points, RuleSet, Setting

RULES = RuleSet(
    id="express@1",
    title="Phase 10 Express",
    seats_min=2,
    seats_max=6,
    deck=Deck(notation="coloured", copies=1, wilds=3, skips=3),
    hand=5,
    phases=(
        Phase("X-P01", (Need("parity", 4, "odd"),)),
        Phase("X-P02", (Need("set", 2), Need("set", 2))),
        Phase("X-P03", (Need("parity", 4, "even"),)),
        Phase("X-P04", (Need("pairrun", 2),)),
        Phase("X-P05", (Need("set", 3),)),
        Phase("X-P06", (Need("run", 4),)),
        Phase("X-P07", (Need("colorrun", 3),)),
        Phase("X-P08", (Need("parityrun", 4, "odd"),)),
        Phase("X-P09", (Need("parityrun", 4, "even"),)),
        Phase("X-P10", (Need("color", 4),)),
    ),
    points=Points(ranks=(5,) * 9 + (10,) * 3, wild=25, skip=15),
    options=Options(wild_min_scope="phase"),
    skip_placement="in_front",
    skip_after_served="top",
)

SETTINGS = {
    "stock_exhausted": Setting("X-17"),
    "no_card_to_draw": Setting("X-18"),
    "wild_min_scope": Setting("X-33 X-34"),
    "wild_on_full_run": Setting("X-36 X-37"),
    "wild_on_full_set": Setting("X-51"),
    "run_wrap": Setting("X-24"),
    "wild_placement": Setting("X-36"),
    "going_out": Setting("X-57"),
    "skip_as_last_card": Setting("X-46"),
    "skip_repeat": Setting("X-41 X-44"),
    "initial_skip": Setting("X-11"),
    "initial_wild": Setting("X-10"),
    "skip_drawable": Setting("X-14"),
    "skip_plain_discard": Setting("X-45"),
    "skip_survives_round": Setting("X-63"),
    "dealer_rotation": Setting("X-09"),
    "first_player": Setting("X-08"),
    "lay_oversize": Setting("X-30"),
    "players": Setting("X-01"),
    "express_white_cards": Setting("X-03"),
    "pairrun_hit": Setting("X-55"),
    "final_tie": Setting("X-66"),
    "final_tie_10rounds": Setting("X-68"),
    "final_tie_replay": Setting("X-66"),
    "discard_taken_card": Setting("X-16"),
    "max_turns_per_round": Setting("O-39"),
    "variant": Setting("X-67 X-69", without=("even_phases",)),
}

CITATIONS = {
    # What the rule book says of events that nobody decides.
    "RoundDealt": "X-05",
    "TurnBegan": "X-08",
    "CardDrawn": "X-13",
    "StockShuffled": "X-17",
    "SkipPlaced": "X-38",
    "SkipServed": "X-40",
    "RoundEnded": "X-59",
    "GameEnded": "X-64",
    "GameEnded/rounds": "X-67",
    # Why a command is refused. For a missing number or colour it is the line of the phase itself.
    "seats_out_of_range": "X-01",
    "not_your_turn": "X-08",
    "not_asked": "X-12",
    "must_draw": "X-12",
    "already_drawn": "X-13",
    "must_discard": "X-16",
    "empty_stock": "X-18",
    "empty_discard_pile": "X-15",
    "skip_not_drawable": "X-14",
    "already_laid": "X-26",
    "wrong_phase": "X-25",
    "wrong_phase/by_round": "X-67",
    "wrong_group_count": "X-31",
    "incomplete_phase": "X-27",
    "oversize": "X-30",
    "not_in_hand": "X-27",
    "skip_in_group": "X-42",
    "needs_natural": "X-33",
    "not_one_rank": "X-19",
    "not_one_parity": "X-23",
    "run_wraps": "X-24",
    "off_the_end": "X-36",
    "value_needed": "X-34",
    "value_mismatch": "X-34",
    "full_run": "X-37",
    "full_set": "X-51",
    "end_needed": "X-50",
    "phase_not_laid": "X-47",
    "no_such_group": "X-31",
    "does_not_fit": "X-50",
    "whole_rows_only": "X-55",
    "no_pair_hits": "X-55",
    "keep_a_card": "X-57",
    "one_card": "X-39",
    "target_needed": "X-45",
    "target_not_allowed": "X-38",
    "target_self": "X-38",
    "target_not_playing": "X-38",
    "target_already_skipped": "X-41",
    "target_served_recently": "X-44",
    "skip_as_last_card": "X-46",
    "taken_card": "X-16",
}

GAME = GameDefinition(RULES, SETTINGS, CITATIONS)
