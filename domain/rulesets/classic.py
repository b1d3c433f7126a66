"""Classic Phase 10 (docs/reference/catalogue.md, C)."""

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
    id="classic@1",
    title="Phase 10",
    seats_min=2,  # C-01
    seats_max=6,  # C-01
    deck=Deck(notation="coloured", copies=2, wilds=8, skips=4),  # C-02
    hand=10,  # C-05
    phases=(
        Phase("C-P01", (Need("set", 3), Need("set", 3))),
        Phase("C-P02", (Need("set", 3), Need("run", 4))),
        Phase("C-P03", (Need("set", 4), Need("run", 4))),
        Phase("C-P04", (Need("run", 7),)),
        Phase("C-P05", (Need("run", 8),)),
        Phase("C-P06", (Need("run", 9),)),
        Phase("C-P07", (Need("set", 4), Need("set", 4))),
        Phase("C-P08", (Need("color", 7),)),
        Phase("C-P09", (Need("set", 5), Need("set", 2))),
        Phase("C-P10", (Need("set", 5), Need("set", 3))),
    ),
    points=Points(ranks=(5,) * 9 + (10,) * 3, wild=25, skip=15),  # C-64
    options=Options(),
)

SETTINGS = {
    "stock_exhausted": Setting("C-19"),
    "no_card_to_draw": Setting("C-20"),
    "wild_min_scope": Setting("C-38"),
    "wild_on_full_run": Setting("C-39 C-42"),
    "wild_on_full_set": Setting("C-43"),
    "run_wrap": Setting("C-26"),
    "wild_placement": Setting("C-39 C-40"),
    "going_out": Setting("C-62"),
    "skip_as_last_card": Setting("C-54"),
    "skip_repeat": Setting("C-49 C-52"),
    "initial_skip": Setting("C-10 C-11 T-01 T-02 T-03"),
    "initial_wild": Setting("C-12"),
    "skip_drawable": Setting("C-15"),
    "skip_plain_discard": Setting("C-44"),
    "skip_survives_round": Setting("C-55"),
    "dealer_rotation": Setting("C-08"),
    "first_player": Setting("C-09"),
    "lay_oversize": Setting("C-31"),
    "final_tie": Setting("C-71"),
    "final_tie_10rounds": Setting("C-73"),
    "final_tie_replay": Setting("C-72"),
    "discard_taken_card": Setting("C-17"),
    "max_turns_per_round": Setting("O-39"),
    "twist_phases": Setting("T-08"),
    "variant": Setting("C-73 C-74 C-75"),
}

CITATIONS: Mapping[str, str] = {
    # The rules behind automatic events.
    "RoundDealt": "C-05",
    "TurnBegan": "C-09",
    "CardDrawn": "C-14",
    "StockShuffled": "C-19",
    "SkipPlaced": "C-44",
    "SkipServed": "C-50",
    "RoundEnded": "C-64",
    "GameEnded": "C-69",
    "GameEnded/rounds": "C-73",
    # The rules behind refusals.
    **citations("C"),
    f"{RejectCode.WRONG_PHASE}/by_round": "C-73",
}

EDITIONS = (
    Edition("box", {}, (30, 39, 48, 57, 69)),
    Edition("quick", {"variant": "even_phases"}, (13, 16, 20, 25, 28)),
    Edition("ten_rounds", {"variant": "ten_rounds"}, (27, 30, 35, 35, 39)),
    Edition("twist", {"initial_skip": "cover"}, (29, 39, 46, 57, 74)),
)

GAME = GameDefinition(RULES, SETTINGS, CITATIONS, EDITIONS)
