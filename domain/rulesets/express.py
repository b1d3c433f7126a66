"""Phase 10 Express (docs/reference/catalogue.md, X)."""

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

CITATIONS: Mapping[str, str] = {
    # The rules behind automatic events.
    "RoundDealt": "X-05",
    "TurnBegan": "X-08",
    "CardDrawn": "X-13",
    "StockShuffled": "X-17",
    "SkipPlaced": "X-38",
    "SkipServed": "X-40",
    "RoundEnded": "X-59",
    "GameEnded": "X-64",
    "GameEnded/rounds": "X-67",
    # The rules behind refusals. For a missing number or colour: the line of the phase itself.
    **citations("X"),
    f"{RejectCode.WRONG_PHASE}/by_round": "X-67",
}

EDITIONS = (
    Edition("box", {}, (19, 26, 30, 36, 43)),
    Edition("quick", {"variant": "n_phases(3)"}, (3, 4, 4, 4, 5)),
    Edition("ten_rounds", {"variant": "ten_rounds"}, (19, 21, 23, 24, 40)),
)

GAME = GameDefinition(RULES, SETTINGS, CITATIONS, EDITIONS)
