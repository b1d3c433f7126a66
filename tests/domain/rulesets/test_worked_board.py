"""RULES.md section 8: every worked case of the board game (and of all games), by its ID."""

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.events import CardDrawn, RoundEnded, StockShuffled
from tests.support.board_positions import FULL_RUN, NINES
from tests.support.cases import looped
from tests.support.table import board, events_of, landing, play, refusal
from tests.support.worked_cases import lay


def turned(text: str, first: int = 1) -> str:
    """The cards of a case as they lie: each J a joker, the faces Y1, Y2 ... one after the other."""
    words = text.split()
    jokers = [i for i, word in enumerate(words) if word == "J"]
    for n, i in enumerate(jokers, first):
        words[i] = f"J(Y{n})"
    return " ".join(words)


def named(text: str) -> str:
    """The cards of a case as their owner names them: J1, J2 ... one after the other."""
    for n in range(1, text.count("J") + 1):
        text = text.replace("J", f"\0{n}", 1)
    return text.replace("\0", "J")


LAYS = [
    ("HC-086", 2, "[R4 B4] [R8 B8] [G8 Y8] [R11 B11]", None),
    ("HC-087", 2, "[R4 B4] [R8 B8] [G8] [R11 B11]", ("incomplete_phase", "B-50")),
    ("HC-088", 2, "[R3 B3] [G3 Y3] [R7 B7] [G7 Y7]", None),
    ("HC-089", 2, "[R3 J] [G3 J] [R7 B7] [J J]", ("needs_natural", "B-58")),
    ("HC-090", 2, "[R3 J] [G4 J] [R7 J] [B9 J]", None),
    ("HC-091", 6, "[R1 B2 G3 Y4 R5 B6 G7 Y8]", None),
    ("HC-092", 6, "[R4 B5 G6 Y7 R8 B9 G10 Y11]", None),
    ("HC-093", 9, "[R3 B4 G5 Y6 R7 B8 G9 Y10 R11]", None),
    ("HC-094", 9, "[R3 B4 G5 Y6 R7 B8 G9 Y10 R11 B12]", None),
    ("HC-095", 8, "[R8 B8 G8 Y8] [R11 B11 G11 Y11]", None),
    ("HC-096", 3, "[R5 B5 G5] [R3 J J]", None),
    ("B-45: one colour", 1, "[G1 G3 G3 G7 B2]", ("not_one_colour", "B-45")),
    ("B-46: a run", 3, "[R5 B5 G5] [R3 B4 G6]", ("not_consecutive", "B-46")),
    ("B-47: no link", 3, "[R5 B5 G5] [R11 B12 G1]", ("run_wraps", "B-47")),
    ("B-48: a set", 4, "[R5 B5 G6] [B7 Y7 G7]", ("not_one_rank", "B-48")),
    ("B-49: one value twice", 4, "[R5 B5 G5] [Y5 R5 B5]", None),
    ("B-50: a part", 4, "[R5 B5 G5]", ("incomplete_phase", "B-50")),
    ("B-55: a third group", 4, "[R5 B5 G5] [R7 B7 G7] [R9 B9 G9]", ("wrong_group_count", "B-55")),
    ("B-56: any colour", 5, "[G1 G3 J G7 J G12]", None),
    ("B-58: a group of jokers", 4, "[R5 B5 G5] [J J J]", ("needs_natural", "B-58")),
    ("B-59: past the end", 3, "[R5 B5 G5] [R11 B12 J]", ("off_the_end", "B-59")),
    ("B-60: a full run and more", 9, f"[J {FULL_RUN} J]", None),
]


@looped(("case", "phase", "cards", "verdict"), LAYS, ids=[row[0] for row in LAYS])
def test_laying(case: str, phase: int, cards: str, verdict: tuple[str, str] | None) -> None:
    """Section 8.1: the player holds the cards shown and one other."""
    held = cards.replace("[", " ").replace("]", " ")
    state = board([f"{turned(held)} Y11", "R2"], phases=[phase, 1], discard="B10", stock="")

    if verdict:
        assert refusal(state, 0, lay(named(cards))) == verdict
    else:
        after = play(state, (0, lay(named(cards))))
        assert (after.seat(0).laid, show(after.seat(0).hand)) == (phase, "Y11")
        assert show(b"".join(group.cards for group in after.groups)) == turned(held)


def test_hc_096_the_jokers_are_4_and_5() -> None:
    """HC-096 (B-59): R3 J J is a run from 3 to 5."""
    state = board(["R5 B5 G5 R3 J(Y1) J(Y2) Y11", "R2"], phases=[3, 1])
    after = play(state, (0, lay("[R5 B5 G5] [R3 J1 J2]")))
    assert (after.groups[1].low, after.groups[1].high) == (3, 5)


HITS = [
    ("HC-140", "set", "R8 B8 G8 Y8", ["R8"], (8, 8)),
    ("HC-141", "run", "R3 B4 G5 Y6 R7 B8 G9 Y10 R11", ["B2 low", "G1 low", "Y12 high"], (1, 12)),
    ("HC-142", "run", FULL_RUN, ["J high", "J high", "J high"], (1, 12)),
    ("HC-143", "set", NINES, ["J", "J"], (9, 9)),
    ("HC-144", "run", "R3 J J", ["R2 low"], (2, 5)),
    ("HC-145", "run", "R3 J J", ["R6 high"], (3, 6)),
    ("HC-148", "run", "J R3 J", ["R1 low"], (1, 4)),
    ("HC-149", "run", "J R3 J", ["R5 high"], (2, 5)),
    ("HC-150", "run", "R1 J B3", ["R4 high"], (1, 4)),
    ("HC-151", "run", "R1 J B3", ["J low"], ("off_the_end", "B-59")),
    ("HC-153", "run", "R4 B5 G6 Y7 R8 B9 G10 Y11 R12", ["J low"], (3, 12)),
    ("B-55: no 9", "set", "R8 B8 G8 Y8", ["R9"], ("does_not_fit", "B-55")),
    ("B-55: a gap", "run", "R3 J J", ["R8 high"], ("does_not_fit", "B-55")),
    ("B-59: not below 2", "run", "J R3 J", ["R2 low"], ("does_not_fit", "B-55")),
    ("B-61: a real card", "run", FULL_RUN, ["R1 high"], ("full_run", "B-61")),
    ("B-62: by jokers", "set", "R9 B9 G9 Y9 R9 B9 J J", ["G9"], (9, 9)),
    ("several at once", "run", "R3 B4 G5", ["B6 R7 high"], (3, 7)),
]


@looped(("case", "kind", "group", "hits", "verdict"), HITS, ids=[row[0] for row in HITS])
def test_hitting(
    case: str, kind: str, group: str, hits: list[str], verdict: tuple[int | str, int | str]
) -> None:
    """Section 8.2: the hitter has laid; an end of the run is said. What is legal gives new ends."""
    ends = [hit.rpartition(" ")[2] if kind == "run" else "" for hit in hits]
    texts = [hit.removesuffix(f" {end}") for hit, end in zip(hits, ends, strict=True)]
    state = board(
        [f"{turned(' '.join(texts), 5)} Y11", "R2"],
        laid={0: 1},
        groups=[(1, kind, turned(group))],
        discard="B3",
        stock="",
    )
    # The first joker of what is left is always J1.
    commands = [c.Hit(0, named(text), end) for text, end in zip(texts, ends, strict=True)]
    for command in commands[:-1]:
        state = play(state, (0, command))
    if isinstance(verdict[0], str):
        assert refusal(state, 0, commands[-1]) == verdict
    else:
        after = play(state, (0, commands[-1])).groups[0]
        assert (after.low, after.high) == verdict
        assert len(after.cards) == len(group.split()) + sum(len(text.split()) for text in texts)


def test_hc_168_the_pile_becomes_the_stock() -> None:
    """HC-168 (B-84): all but the top card is shuffled, then the card is drawn."""
    state = landing("TAKE1", ["R2 R3", "R5"], discard="Y7 G4 B2 R9", stock="")
    state = play(state, (0, c.Move(1)))

    shuffled, drawn = events_of(state, 0, c.Draw("stock"))
    assert isinstance(shuffled, StockShuffled)
    assert isinstance(drawn, CardDrawn)
    assert sorted(shuffled.hidden["stock"].stock.split()) == ["B2", "G4", "Y7"]
    after = play(state, (0, c.Draw("stock")))
    assert (show(after.discard), len(after.stock)) == ("R9", 2)


def test_hc_201_lay_and_hit_in_one_turn() -> None:
    """HC-201 (B-53): an opponent's group, too."""
    state = board(["R5 B5 G5 R7 B7 G7 Y9 R1", "R4"], phases=[4, 4], groups=[(1, "set", "R9 B9 G9")])
    after = play(state, (0, lay("[R5 B5 G5] [R7 B7 G7]")), (0, c.Hit(0, "Y9")))
    assert show(after.groups[0].cards) == "R9 B9 G9 Y9"


def test_hc_203_no_new_group_after_the_phase() -> None:
    """HC-203 (B-55): neither a new square nor a new run."""
    state = board(["R4 B4 G4 Y4 R5 B6 R1", "R2"], laid={0: 8}, groups=[(0, "set", "R8 B8 G8 Y8")])
    assert refusal(state, 0, lay("[R4 B4 G4 Y4]")) == ("already_laid", "B-55")
    assert refusal(state, 0, lay("[R4 R5 B6]")) == ("already_laid", "B-55")
    assert refusal(state, 0, c.Hit(1, "R4")) == ("no_such_group", "B-55")


def test_hc_209_a_card_is_left_to_discard() -> None:
    """HC-209 (B-67, B-68): of two cards that fit one is added, the other ends the round."""
    state = board(["R8 B9", "R2"], laid={0: 8}, groups=[(0, "set", "B8 G8"), (0, "set", "R9 G9")])

    assert refusal(state, 0, c.Hit(0, "R8 R8")) == ("not_in_hand", "B-55")
    state = play(state, (0, c.Hit(0, "R8")))
    assert refusal(state, 0, c.Hit(1, "B9")) == ("keep_a_card", "B-67")
    _, ended, *_ = events_of(state, 0, c.Discard("B9"))
    assert isinstance(ended, RoundEnded)
    assert ended.out == 0


ENDS = [
    # case, ender, phases, who has laid, phases afterwards, winner
    ("HC-233", 0, [3, 5, 7], {0, 1}, [5, 6, 7], None),
    ("HC-234", 0, [9, 10], {0, 1}, [11, 11], 0),
    ("HC-236", 2, [1, 10, 2, 10], {1, 2, 3}, [1, 11, 4, 11], 3),
    ("B-76: surplus steps", 0, [10, 1], {0}, [11, 1], 0),
    ("B-72: nobody else", 1, [1, 1, 1], {1}, [1, 3, 1], None),
]


@looped(("case", "ender", "phases", "laid", "then", "winner"), ENDS, ids=[row[0] for row in ENDS])
def test_round_ends(
    case: str, ender: int, phases: list[int], laid: set[int], then: list[int], winner: int | None
) -> None:
    """Section 8.6: markers in the order from the ender; the first at the laurel wins."""
    hands = [f"{colour}1 {colour}2 {colour}3" for colour in "RBGY"[: len(phases)]]
    hands[ender] = "R8"
    laying = {n: phases[n] for n in laid}
    state = board(hands, active=ender, phases=phases, laid=laying, discard="Y9")
    after = play(state, (ender, c.Discard("R8")))
    assert [after.seat(n).phase for n in range(len(phases))] == then
    if winner is None:
        missed = [n for n in range(len(phases)) if n not in laid]
        assert sorted((q.seat, q.kind, q.number) for q in after.waits) == [
            (n, "keep", 5) for n in missed
        ]
    else:
        assert (after.stage, after.winners) == ("ended", (winner,))
