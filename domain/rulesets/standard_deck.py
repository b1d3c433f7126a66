"""The adaptation to two 54-card decks, in four styles (RULES.md section 3)."""

from phaseledger.domain.options import Options
from phaseledger.domain.ruleset import Deck, GameDefinition, Need, Phase, Points, RuleSet, Setting

RULES = RuleSet(
    id="standard-deck@1",
    title="Phase 10 with two standard decks",
    seats_min=3,  # D-01
    seats_max=5,  # D-01
    deck=Deck(notation="french", copies=2, wilds=8, skips=4),  # D-02..D-05
    hand=10,  # D-06
    phases=(
        Phase("D-P01", (Need("set", 3), Need("set", 3))),
        Phase("D-P02", (Need("set", 3), Need("run", 4))),
        Phase("D-P03", (Need("set", 4), Need("run", 4))),
        Phase("D-P04", (Need("run", 7),)),
        Phase("D-P05", (Need("run", 8),)),
        Phase("D-P06", (Need("run", 9),)),
        Phase("D-P07", (Need("set", 4), Need("set", 4))),
        Phase("D-P08", (Need("color", 7),)),
        Phase("D-P09", (Need("set", 5), Need("set", 2))),
        Phase("D-P10", (Need("set", 5), Need("set", 3))),
    ),
    points=Points(ranks=(5,) * 9 + (10,) * 3, wild=20, skip=15),  # D-54
    options=Options(
        initial_skip="keep",  # D-09
        skip_drawable=True,  # D-22
        skip_plain_discard=True,  # D-23
        final_tie="shared",  # D-67
    ),
    skip_placement="in_front",  # D-14
    skip_after_served="bottom",  # D-18
)

SETTINGS = {
    "stock_exhausted": Setting("D-27"),
    "no_card_to_draw": Setting("D-28"),
    "wild_min_scope": Setting("D-42"),
    "wild_on_full_run": Setting("D-43 D-45"),
    "wild_on_full_set": Setting("D-46"),
    "run_wrap": Setting("D-32"),
    "wild_placement": Setting("D-43"),
    "going_out": Setting("D-52"),
    "skip_as_last_card": Setting("D-26"),
    "skip_repeat": Setting("D-16"),
    "initial_skip": Setting("D-09"),
    "initial_wild": Setting("D-10"),
    "skip_drawable": Setting("D-22"),
    "skip_plain_discard": Setting("D-23"),
    "skip_survives_round": Setting("D-29"),
    "dealer_rotation": Setting("D-11"),
    "first_player": Setting("D-12"),
    "color_is_suit": Setting("D-33"),
    "lay_oversize": Setting("D-39"),
    "final_tie": Setting("D-67"),
    "final_tie_10rounds": Setting("D-61 D-64"),
    "final_tie_replay": Setting("D-67"),
    "discard_taken_card": Setting("D-14"),
    "free_phase_named": Setting("D-66"),
    "max_turns_per_round": Setting("O-39"),
    "style": Setting("D-56 D-57 D-60 D-62 D-64"),
}

CITATIONS = {
    # What the rule book says of events that nobody decides.
    "RoundDealt": "D-06",
    "TurnBegan": "D-12",
    "CardDrawn": "D-13",
    "StockShuffled": "D-27",
    "SkipPlaced": "D-14",
    "SkipServed": "D-18",
    "RoundEnded": "D-54",
    "GameEnded": "D-58",
    "GameEnded/rounds": "D-61",
    "GameEnded/free": "D-63",
    # Why a command is refused.
    "seats_out_of_range": "D-01",
    "not_your_turn": "D-12",
    "not_asked": "D-13",
    "must_draw": "D-15",
    "already_drawn": "D-13",
    "must_discard": "D-15",
    "empty_stock": "D-28",
    "empty_discard_pile": "D-13",
    "skip_not_drawable": "D-22",
    "already_laid": "D-40",
    "wrong_phase": "D-57",
    "wrong_phase/by_round": "D-60",
    "wrong_phase/free": "D-62",
    "phase_needed": "D-66",
    "wrong_group_count": "D-34",
    "incomplete_phase": "D-34",
    "oversize": "D-39",
    "not_in_hand": "D-34",
    "skip_in_group": "D-25",
    "needs_natural": "D-42",
    "not_one_rank": "D-30",
    "not_one_colour": "D-33",
    "not_consecutive": "D-31",
    "run_wraps": "D-32",
    "off_the_end": "D-43",
    "value_needed": "D-42",
    "value_mismatch": "D-43",
    "full_run": "D-45",
    "full_set": "D-46",
    "end_needed": "D-50",
    "phase_not_laid": "D-47",
    "no_such_group": "D-35",
    "does_not_fit": "D-50",
    "keep_a_card": "D-52",
    "one_card": "D-14",
    "target_needed": "D-23",
    "target_not_allowed": "D-14",
    "target_self": "D-17",
    "target_not_playing": "D-17",
    "target_already_skipped": "D-16",
    "target_served_recently": "D-16",
    "skip_as_last_card": "D-26",
    "taken_card": "D-14",
}

GAME = GameDefinition(RULES, SETTINGS, CITATIONS)
