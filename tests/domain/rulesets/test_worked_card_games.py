"""RULES.md section 8: every worked case of the three card games, by its ID."""

from typing import Any

from msgspec.structs import replace

from phaseledger.domain.cards import parse
from phaseledger.domain.commands import Discard
from phaseledger.domain.events import CardDrawn, StockShuffled
from phaseledger.domain.rulesets import preset
from tests.support.cases import looped
from tests.support.move_texts import CARD_GAMES, after, check, fact, move, seated
from tests.support.table import events_of, play, refusal
from tests.support.worked_cases import WORKED

REFUSED = dict(
    line.split(": ")
    for line in """\
HC-003: wrong_group_count C-32
HC-008: incomplete_phase C-29
HC-011: run_wraps C-26
HC-012: off_the_end C-39
HC-017: off_the_end C-39
HC-020: off_the_end C-39
HC-021: not_consecutive C-25
HC-024: not_one_colour C-27
HC-030: incomplete_phase C-29
HC-048: off_the_end D-43
HC-055: not_one_parity X-23
HC-063: not_consecutive X-P04
HC-064: not_consecutive X-P04
HC-065: run_wraps X-24
HC-068: whole_rows_only X-55
HC-071: off_the_end X-36
HC-074: not_one_colour X-P07
HC-077: not_consecutive X-P08
HC-080: not_consecutive X-P08
HC-085: skip_in_group X-42
HC-100: does_not_fit C-59
HC-104: full_run C-42
HC-106: off_the_end C-39
HC-109: does_not_fit C-59
HC-113: run_wraps D-32
HC-114: off_the_end D-43
HC-124: does_not_fit X-50
HC-128: whole_rows_only X-55
HC-129: whole_rows_only X-55
HC-133: full_run X-37
HC-139: does_not_fit X-50""".splitlines()
)
"""Why a case of sections 8.1 and 8.2 is illegal."""
MORE = [
    line.split(" | ")
    for line in """\
lay | HC-020 with a wild in front | C | 4 | [W R7 W W W W W] | legal
lay | C-24 | C | 1 | [R5 B5 G6] [B7 Y7 W] | not_one_rank C-24
lay | C-38 | C | 1 | [R5 B5 G5] [W W W] | needs_natural C-38
lay | C-48 | C | 8 | [G1 G3 G3 G7 G9 G12 S] | skip_in_group C-48
lay | D-25 | D | 8 | [2H 2H 5H 9H JH QH *] | skip_in_group D-25
lay | D-30 | D | 1 | [JS JS QD] [4H 4C AS] | not_one_rank D-30
lay | D-31 | D | 2 | [5H 5S 5C] [10H JS QD QC] | not_consecutive D-31
lay | D-32 | D | 2 | [5H 5S 5C] [QH KS 2D 3C] | run_wraps D-32
lay | D-33 | D | 8 | [2H 2H 5H 9H JH QH 3D] | not_one_colour D-33
lay | D-34 | D | 1 | [JS JS JD] | incomplete_phase D-34
lay | D-34 | D | 1 | [JS JS JD] [4H 4C AS] [5H 5S 5D] | wrong_group_count D-34
lay | D-42 | D | 1 | [JS JS JD] [AH AS AD] | needs_natural D-42
lay | HC-059 without the number | X | 2 | [R7 B7] [W W] | value_needed X-34
lay | HC-060 without the number | X | 2 | [R7 W] [W W] | value_needed X-34
lay | X-34 | X | 2 | [R7 W=8] [W W=7] | value_mismatch X-34
lay | X-P03 | X | 3 | [R2 B2 G8 Y9] | not_one_parity X-23
lay | X-19 | X | 5 | [R4 B4 G5] | not_one_rank X-19
lay | X-24 | X | 8 | [R9 B11 G1 Y3] | run_wraps X-24
lay | X-36 | X | 8 | [R2 B4 G6 Y8] | not_one_parity X-23
lay | X-P10 | X | 10 | [G1 G4 G9 R2] | not_one_colour X-P10
lay | X-27 | X | 2 | [R7 B7] | incomplete_phase X-27
lay | X-31 | X | 2 | [R7 B7] [G10 Y10] [R1 B1] | wrong_group_count X-31
lay | X-33 | X | 1 | [W W W R2] | not_one_parity X-23
hit | C-48 | C | set | R4 B4 G4 | S | skip_in_group C-48
hit | HC-116: 9 is the Ace's | D | run | 10H JS QD KC | AS low, 9H low | does_not_fit D-50
hit | D-32 | D | run | 2H 3D 4C 5S | KH low | run_wraps D-32
hit | D-50 | D | run | 10H JS QD KC | 7H high | does_not_fit D-50
hit | D-25 | D | set | 4H 4S 4D | * | skip_in_group D-25
hit | X-37 | X | parityrun even | R2 B4 G6 Y8 R10 B12 | W low | full_run X-37
hit | X-52 | X | parityrun odd | R1 B3 G5 Y7 | R9 high | legal
hit | X-52 | X | parityrun odd | R1 B3 G5 Y7 | R8 high | does_not_fit X-50
hit | X-36 | X | parityrun odd | R1 B3 G5 Y7 | W low | off_the_end X-36
hit | X-24 | X | parityrun odd | R5 B7 G9 Y11 | B1 high | run_wraps X-24
hit | X-24 | X | pairrun | R11 B11 R12 B12 | B1+W high | run_wraps X-24
hit | X-53 | X | colorrun | G3 G4 G5 | R6 high | does_not_fit X-50
hit | HC-137: W = green 6 | X | colorrun | G3 G4 G5 | W high, G7 high | legal
hit | X-54 | X | parity even | R2 B2 G8 Y10 | R6 | legal
hit | X-42 | X | set | R4 B4 G4 | S | skip_in_group X-42""".splitlines()
]
OTHERS = {"C": ("Y12", "R2"), "D": ("Y5", "B2"), "X": ("Y1", "Y2")}
"""A card that the player of a case holds besides, and one of the other seat."""


@looped("case", [case for case in [*WORKED, *MORE] if case[2] != "B"], ids=lambda case: case[1])
def test_laying_and_hitting(case: list[str]) -> None:
    """Sections 8.1, 8.2, C-35, C-36, D-30 to D-43, X-19 to X-36: a lay of the own phase with all
    the cards that it names; hits, one after the other, by a seat that has laid.
    """
    kind, name, game, what, cards, *hits, verdict = case
    if verdict == "illegal":
        verdict = REFUSED[name]
    own, other = OTHERS[game]
    if kind == "lay":
        held = " ".join(part.split("=")[0] for part in cards.replace("[", "").split("]"))
        rows, moves = {"phases": [int(what), 1]}, [f"lay {cards}"]
    else:
        moves = [f"hit 0 {hit}" for hit in hits[0].replace("+", " ").split(", ")]
        held = " ".join(text.split(" ", 2)[2] for text in moves)
        held = held.replace("low", "").replace("high", "")
        rows = {"laid": {0: 1}, "groups": [(1, what, cards)]}
    state = seated(CARD_GAMES[game], f"{held} {own} | {other}", discard="", stock="", **rows)
    if verdict != "legal":
        before = state if name == "HC-124" else after(state, "; ".join(moves[:-1]))
        refused = moves[0] if name == "HC-124" else moves[-1]
        assert " ".join(refusal(before, *move(refused, before))) == verdict
        return
    done = after(state, "; ".join(moves))
    if kind == "lay":
        assert done.seat(0).laid == int(what)
    assert done.seat(0).hand == parse(own)
    assert sum(map(len, (group.cards for group in done.groups))) == len(
        parse(held if kind == "lay" else f"{held} {cards}")
    )


DRAWING: dict[str, Any] = {"question": "draw"}
NINES: dict[str, Any] = {"groups": [(1, "set", "R9 B9 G9")]}
LAID: dict[str, Any] = {"laid": {0: 1}, **NINES}
BARE: dict[str, Any] = {"discard": "", "stock": "", "skip_drawable": False}
FREE = {"style": "complete_free"}
HEARTS = "[R1 R2 R4 R6 R8 R10 R11]"
EIGHT = "[R8 B8 G8 Y8] [R8 B8 G8 Y8]"
HELD = "R8 B8 G8 Y8 R8 B8 G8 Y8 Y5 | B2"
ROUND_4 = {"style": "ten_rounds_ordered", "phases": [4, 4], "changed": {"round": 4}}
RUN_OF_7 = "[R1 G2 Y3 B4 R5 G6 Y7]"
KEPT = (
    "draw; throw R2; draw; throw B2; draw; throw R3; draw; throw B3; draw; throw R4; draw; throw B4"
)
SIXES, LAY_SIXES = (
    "R6 B6 G6 Y6 R6 B6 R1 R2 | G6 W G7",
    "lay [R6 B6 G6] [Y6 R6 B6]; throw R1; draw",
)
IN_TURN = "R7 B7 G7 R5 B5 G5 Y9 R1 | R4"
CASES: list[tuple[str, str, str, str, object, dict[str, Any]]] = [
    # case, rules, hands, moves, what is then so or why the last is refused, rest of the table
    ("HC-059", "X-33", "R7 B7 W W Y1 | Y2", "lay [R7 B7] [W W=9]", "!needs_natural",
     {"phases": [2, 1], "wild_min_scope": "group"}),
    ("HC-067", "X-30 X-57", "R6 B6 G7 Y7 R8 B8 | Y2", "lay [R6 B6 G7 Y7 R8 B8]", {"round": 2},
     {"phases": [4, 1]}),
    ("HC-103", "C-59", "Y8 R7 Y12 | R2", "hit 0 R7 high", "!does_not_fit",
     {**LAID, "groups": [(1, "run", "R4 B5 G6 W")]}),
    ("HC-154", "C-15 X-14", "R2 | R3", "take", "!skip_not_drawable",
     {**DRAWING, "discard": "R1 S"}),
    ("HC-154", "C-16 X-15", "R2 | R3", "", {"legal": "draw"}, {**DRAWING, "discard": "R1 S"}),
    ("HC-159", "D-09 D-22", "R2 | R3", "take", {"hands": "R2 S | R3"}, {**DRAWING, "discard": "S"}),
    ("HC-161", "X-43 X-40 X-15", "R2 | S R3 | R4", "take; throw S>2", {"active": 0, "pile": "S"},
     {**DRAWING, "active": 1, "discard": "B7"}),
    ("HC-161", "X-14", "R2 | S R3 | R4", "take; throw S>2; take", "!skip_not_drawable",
     {**DRAWING, "active": 1, "discard": "B7"}),
    ("HC-162", "D-18 D-20", "S R1 | R2 | R3", "throw S>1", {"pile": "S B9 R6"},
     {"discard": "B9 R6"}),
    ("HC-162", "D-20", "S R1 | R2 | R3", "throw S>1; take", {"hands": "R1 | R2 | R3 R6"},
     {"discard": "B9 R6"}),
    ("HC-166", "C-17", "R2 R3 | R4", "take; throw R9", {"active": 1},
     {**DRAWING, "discard": "R1 R9"}),
    ("HC-167", "C-17 C-18", "R2 W | R4 R5", "throw W; take", {"hands": "R2 | R4 R5 W"}, {}),
    ("HC-170", "C-20 D-28", "R2 R3 S | R5 R6 | G1 G2", "throw S>2", {"asked": (1, "play")}, BARE),
    ("HC-170", "C-13", "R2 R3 S | R5 R6 | G1 G2", "throw S>2; draw", "!already_drawn", BARE),
    ("HC-170", "C-13", "R2 R3 S | R5 R6 | G1 G2", "throw S>2; pass", "!must_discard", BARE),
    ("HC-170", "C-20 D-28", "R2 R3 S | R5 R6 | G1 G2", "throw S>2; throw R5", {"active": 0}, BARE),
    ("HC-172", "C-13 D-15 X-12", "R2 R3 | R4", "pass", "!must_draw", DRAWING),
    ("HC-172", "C-13 D-15 X-12", "R2 R3 | R4", "throw R2", "!must_draw", DRAWING),
    ("HC-172", "C-13 D-15 X-16", "R2 R3 | R4", "draw; pass", "!must_discard", DRAWING),
    ("HC-174", "C-22", "R2 B2 G2 Y2 R3 B3 G3 Y3 R9 | R4", "lay [R2 B2 G2 Y2] [R3 B3 G3 Y3]",
     "!already_laid", {"phases": [4, 1], "laid": {0: 4}}),
    ("HC-175", "D-62", f"{HEARTS[1:-1]} Y5 | B2", f"lay {HEARTS}",
     {"laid": [8, 0], "made": [1 << 7, 0]}, FREE),
    ("HC-177", "D-66", HELD, f"lay {EIGHT}", "!phase_needed", FREE),
    ("HC-177", "D-66 D-39", HELD, f"lay 1 {EIGHT}", {"laid": [1, 0], "made": [1, 0]}, FREE),
    ("HC-177", "D-66 D-39", HELD, f"lay 7 {EIGHT}", {"laid": [7, 0], "made": [1 << 6, 0]}, FREE),
    ("HC-178", "D-60", f"{RUN_OF_7[1:-1]} R10 | B2", f"lay {RUN_OF_7}", {"laid": [4, 0]}, ROUND_4),
    ("HC-179", "D-60", "R9 B9 G9 R3 B3 G3 Y1 | B2", "lay 1 [R9 B9 G9] [R3 B3 G3]", "!wrong_phase",
     ROUND_4),
    ("HC-180 HC-181 HC-182", "C-49 D-16 X-41", "S R1 | S R2 | R3 R4", "throw S>2; draw; throw S>2",
     "!target_already_skipped", {}),
    ("HC-181", "D-16", "S R1 | S R2 | R3 R4", "throw S>2; draw; throw S>0",
     {"active": 1, "pile": "S S Y12"}, {}),
    ("HC-184", "C-45", "S R1 | S R2 | R3 R4", "throw S>0", "!target_self", {}),
    ("HC-186", "X-44", "S S R2 | R3", "throw S>1; draw; throw S>1", {"active": 0}, {}),
    ("HC-188", "X-39", "S R3 R4 | R5 | R6", "throw S R3>1", "!one_card", {}),
    ("HC-188", "X-08", "S R3 R4 | R5 | R6", "throw S>1; 0 throw R3", "!not_your_turn", {}),
    ("HC-189", "X-40", "S R3 | R5 | R6", "throw S>1", {"pile": "Y12 S", "active": 2}, {}),
    ("HC-189", "X-08", "S R3 | R5 | R6", "throw S>1; 1 draw", "!not_your_turn", {}),
    ("HC-190", "D-19", "S R1 | Y9 R2 | R3", "throw S>1", {"active": 2}, {**LAID}),
    ("HC-190", "D-12", "S R1 | Y9 R2 | R3", "throw S>1; 1 hit 0 Y9", "!not_your_turn", LAID),
    ("HC-192 HC-193 HC-194", "C-54 D-26 X-46", "S | R4 R5 | R6", "throw S>2",
     {"round": 2, "skips": [0, 0, 0]}, LAID),
    ("HC-196", "D-23", "S R1 | R2 | R3", "throw S", {"active": 1, "pile": "Y12 S"}, {}),
    ("HC-197", "C-55 D-29 X-63", "S R1 | R4 | R6 R7", "throw S>2", {"skips": [0, 0, 1]}, {}),
    ("HC-197", "C-55 D-29 X-63", "S R1 | R4 | R6 R7", "throw S>2; draw; hit 0 Y9; throw R4",
     {"round": 2, "skips": [0, 0, 0]}, {**LAID, "laid": {1: 1}, "stock": "Y9 Y1"}),
    ("HC-198", "C-47", "R2 R3 R4 R5 | B2 B3 B4 B5", f"{KEPT}; take; throw S>1", {"active": 0},
     {**DRAWING, "stock": "S G1 G2 G3 G4 G5 G6"}),
    ("HC-201", "C-56 D-48", IN_TURN, "lay [R5 B5 G5] [R7 B7 G7]; hit 0 Y9", {"sizes": [4, 3, 3]},
     NINES),
    ("HC-201", "X-47", IN_TURN, "lay [R7 B5 G5 R5]; hit 0 Y9", {"sizes": [4, 4]}, NINES),
    ("HC-203", "C-22 D-40 X-26", "R4 B4 G4 Y4 R1 | R2", "lay [R4 B4 G4 Y4]", "!already_laid", LAID),
    ("HC-203", "C-60 D-35 X-31", "R4 B4 G4 Y4 R1 | R2", "hit 1 R4", "!no_such_group", LAID),
    ("HC-208", "X-57", "Y4 W | R2 R3", "hit 0 Y4 W", {"round": 2, "points": [0, 10]},
     {**LAID, "groups": [(1, "set", "R4 B4 G4")]}),
    ("HC-210", "C-31 C-62", "R4 B4 G4 Y4 R4 R5 B6 G7 Y8 R9 B10 | R2 W",
     "lay [R4 B4 G4 Y4 R4] [R5 B6 G7 Y8 R9 B10]", {"round": 2, "points": [0, 30]},
     {"phases": [3, 1]}),
    ("HC-212", "C-61", "R1 | R2 | R3", "throw R1", {"round": 2, "points": [0, 5, 5]}, LAID),
    ("HC-213", "X-28", "R5 B5 G7 R1 R3 | R2",
     "draw; lay [R5 B5] [G7 Y7]; throw R1; draw; hit 0 B8; throw R2",
     {"round": 2, "phases": [3, 2]}, {**DRAWING, "phases": [2, 1], "laid": {1: 1},
      "stock": "Y7 B8", "groups": [(1, "set", "R8 G8 Y8")]}),
    ("HC-216", "D-36", SIXES, f"{LAY_SIXES}; hit 0 G6; hit 1 W", {"sizes": [4, 4]},
     {"laid": {1: 1}}),
    ("HC-216", "D-50", SIXES, f"{LAY_SIXES}; hit 0 G7", "!does_not_fit", {"laid": {1: 1}}),
    ("HC-217", "X-35 X-50", "G4 R1 | R2", "hit 0 G4", {"groups": ["R4 B4 W G4"]},
     {"laid": {0: 5}, "phases": [5, 1], "groups": [(0, "set", "R4 B4 W")]}),
    ("HC-228", "D-67", "R1 | R2 R3 | R12", "throw R1", {"winners": (0, 1), "points": [60, 60, 10]},
     {"phases": [10, 10, 9], "laid": {0: 10, 1: 10}, "points": [60, 50, 0]}),
    ("HC-231", "X-67", "R2 | B2", "throw R2", {"round": 4, "phases": [4, 4]},
     {"phases": [3, 3], "laid": {0: 3}, "variant": "ten_rounds", "changed": {"round": 3}}),
    ("HC-232", "X-69", "R2 | B2", "throw R2", {"stage": "ended", "winners": (0,)},
     {"phases": [5, 3], "laid": {0: 5}, "variant": "n_phases(5)"}),
]  # fmt: skip


@looped(
    ("rules", "hands", "moves", "expected", "rows"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_a_worked_case(
    rules: str, hands: str, moves: str, expected: object, rows: dict[str, object]
) -> None:
    for rule in rules.split():
        check(seated(CARD_GAMES[rule[0]], hands, **rows), moves, expected, rule)


@looped("game", CARD_GAMES)
def test_hc_168_the_pile_becomes_the_stock(game: str) -> None:
    """HC-168 (C-19, D-27, X-17): all but the top card, buried skips too; then one is drawn."""
    rows = {**DRAWING, "discard": "S Y7 G4 B2 R9", "stock": ""}
    state = seated(CARD_GAMES[game], "R2 R3 | R5", **rows)
    shuffled, drawn = events_of(state, *move("draw", state))
    assert isinstance(shuffled, StockShuffled)
    assert isinstance(drawn, CardDrawn)
    assert sorted(parse(shuffled.hidden["stock"].stock)) == sorted(parse("S Y7 G4 B2"))
    assert shuffled.kept == 1
    done = after(state, "draw")
    assert (fact(done, "pile"), fact(done, "stock")) == ("R9", 3)


def test_hc_176_a_marked_phase_is_marked_once() -> None:
    """HC-176 (D-62): the cards fit no open phase."""
    state = seated(CARD_GAMES["D"], f"{HEARTS[1:-1]} Y5 | B2", **FREE)
    marked = replace(state, seats=(replace(state.seat(0), made=1 << 7), state.seat(1)))
    for moves in (f"lay {HEARTS}", f"lay 8 {HEARTS}"):
        check(marked, moves, "!wrong_phase", "D-62")


@looped("game", ["D", "X"])
def test_hc_199_a_skip_in_front_costs_nothing(game: str) -> None:
    """HC-199 (D-53, X-60)."""
    state = seated(CARD_GAMES[game], "R2 | R1 | R3", laid={0: 1})
    held = replace(state.seat(1), skips=1, front=parse("S"))
    state = replace(state, seats=(state.seat(0), held, state.seat(2)))
    check(state, "throw R2", {"points": [0, 5, 5]}, "")


@looped("game", ["C", "X"])
def test_hc_226_227_only_the_tied_replay(game: str) -> None:
    """HC-226, HC-227 (C-70 to C-72, X-65, X-66): equal points replay, more points do not."""
    state = seated(
        CARD_GAMES[game],
        "R2 | W G1 G2 | R4 R5 | Y1",
        phases=[10, 10, 10, 9],
        laid={0: 10, 1: 10, 2: 10},
        points=[80, 45, 95, 10],
    )
    tied = play(state, (0, Discard("R2")))
    hand = preset(state.ruleset.name).hand
    assert (tied.round, tied.replay, sorted(tied.players)) == (2, True, [0, 1])
    assert [len(tied.seat(n).hand) for n in range(4)] == [hand, hand, 0, 0]
    assert (fact(tied, "phases"), fact(tied, "points")) == ([10, 10, 11, 9], [80, 80, 105, 15])

    first = tied.active
    seats = [*tied.seats]
    seats[first] = replace(tied.seat(first), laid=10, hand=parse("R2"))
    last = replace(tied, waits=(replace(tied.waits[0], kind="play"),), seats=tuple(seats))
    won = play(last, (first, Discard("R2")))
    assert (won.stage, won.winners) == ("ended", (first,))
    assert fact(won, "points") == [80, 80, 105, 15]
