"""The adaptation to two 54-card decks, in four styles (docs/reference/catalogue.md, D)."""

from collections.abc import Mapping

from phaseledger.domain.options import Options
from phaseledger.domain.rejections.codes import RejectCode, citations
from phaseledger.domain.ruleset import (
    Deck,
    Edition,
    GameDefinition,
    Need,
    Phase,
    Points,
    RuleSet,
    Setting,
)

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

CITATIONS: Mapping[str, str] = {
    # The rules behind automatic events.
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
    # The rules behind refusals.
    **citations("D"),
    f"{RejectCode.WRONG_PHASE}/by_round": "D-60",
    f"{RejectCode.WRONG_PHASE}/free": "D-62",
}

EDITIONS = (
    Edition("box", {}, (37, 45, 56)),
    Edition("free", {"style": "complete_free"}, (29, 37, 44)),
    Edition("ten_rounds", {"style": "ten_rounds_ordered"}, (31, 33, 36)),
)

GAME = GameDefinition(RULES, SETTINGS, CITATIONS, EDITIONS)
