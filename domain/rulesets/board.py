"""The Ravensburger board game no. 27228 (docs/reference/catalogue.md, B)."""

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
    id="board@1",
    title="Phase 10, the board game",
    seats_min=2,  # B-01
    seats_max=6,  # B-01
    deck=Deck(notation="coloured", copies=2, wilds=0, skips=0),  # B-02, B-03
    hand=10,  # B-08
    initial_discards=5,  # B-09
    phases=(
        Phase("B-P01", (Need("color", 5),)),
        Phase("B-P02", (Need("set", 2), Need("set", 2), Need("set", 2), Need("set", 2))),
        Phase("B-P03", (Need("set", 3), Need("run", 3))),
        Phase("B-P04", (Need("set", 3), Need("set", 3))),
        Phase("B-P05", (Need("color", 6),)),
        Phase("B-P06", (Need("run", 8),)),
        Phase("B-P07", (Need("set", 5), Need("run", 3))),
        Phase("B-P08", (Need("set", 4), Need("set", 4))),
        Phase("B-P09", (Need("run", 9),)),
        Phase("B-P10", (Need("set", 6), Need("set", 2))),
    ),
    points=Points(ranks=(0,) * 12, wild=0, skip=0),  # B-73
    options=Options(
        wild_on_full_run=True,  # B-60
        going_out="discard_required",  # B-67
        first_player="dealer",  # B-13: there is no dealer; the starting seat stands for one
    ),
    acquire="actions",  # B-43
    progress="marker",  # B-70, B-71
    scoring="none",  # B-73
    finish="laurel",  # B-75
    pile="covered",  # B-09, B-25
    succession="ender",  # B-81
    keep=5,  # B-72
    discards_when_full=2,  # B-63
    track=(  # B-20
        *("JOKER", "TAKE1", "SEARCH", "TAKE2", "ASK", "TAKE1", "SWAP", "TAKE3"),
        *("AGAIN", "TAKE2", "EVERY", "JOKER", "TAKE1", "CHOOSE", "TAKE2", "SEARCH"),
        *("SWAP", "TAKE1", "ASK", "TAKE3", "AGAIN", "JOKER", "TAKE2", "SEARCH"),
        *("EVERY", "TAKE1", "SWAP", "TAKE3", "ASK", "TAKE2", "CHOOSE", "AGAIN"),
    ),
)

SETTINGS = {
    "stock_exhausted": Setting("B-84"),
    "wild_min_scope": Setting("B-58"),
    "wild_on_full_run": Setting("B-60"),
    "wild_on_full_set": Setting("B-60 B-61"),
    "run_wrap": Setting("B-47"),
    "wild_placement": Setting("B-59"),
    "going_out": Setting("B-67"),
    "lay_oversize": Setting("B-52"),
    "board_phases": Setting("B-P01 B-P03 B-P04 B-P05 B-P07 B-P10"),
    "board_track": Setting("B-20"),
    "choose_take_by": Setting("B-42"),
    "kept_joker": Setting("B-82"),
    "joker_discard": Setting("B-65"),
    "full_color_group": Setting("B-64"),
    "natural_on_full_set": Setting("B-62"),
    "board_first_starter": Setting("B-11 B-13"),
    "keep_choice": Setting("B-83"),
    "short_supply": Setting("B-85"),
    "ask_giver_chooses": Setting("B-37"),
    "discard_taken_card": Setting("B-66"),
    "joker_memory": Setting("B-29 B-30"),
    "max_turns_per_round": Setting("O-39"),
}

CITATIONS: Mapping[str, str] = {
    # The rules behind automatic events.
    "RoundDealt": "B-78",
    "TurnBegan": "B-12",
    "DiceRolled": "B-15",
    "PawnMoved": "B-17",
    "PawnMoved/JOKER": "B-29",
    "PawnMoved/TAKE1": "B-21",
    "PawnMoved/TAKE2": "B-21",
    "PawnMoved/TAKE3": "B-21",
    "PawnMoved/SEARCH": "B-23",
    "PawnMoved/ASK": "B-32",
    "PawnMoved/SWAP": "B-25",
    "PawnMoved/AGAIN": "B-27",
    "PawnMoved/EVERY": "B-31",
    "PawnMoved/CHOOSE": "B-39",
    "CardAsked": "B-32",
    "CardDrawn": "B-43",
    "CardDrawn/pile": "B-23",
    "CardDiscarded": "B-66",
    "CardTurned": "B-29",
    "CardGiven": "B-33",
    "CardsSwapped": "B-25",
    "CardsKept": "B-72",
    "StockShuffled": "B-84",
    "RoundEnded": "B-70",
    "GameEnded": "B-75",
    # The rules behind refusals.
    **citations("B"),
    f"{RejectCode.ONE_CARD}/taken": "B-23",
    f"{RejectCode.ONE_CARD}/given": "B-33",
}

EDITIONS = (Edition("box", {}, (17, 22, 25, 30, 36)),)

GAME = GameDefinition(RULES, SETTINGS, CITATIONS, EDITIONS)
