"""RULES.md section 8: worked cases of the board game on groups, by their ID.

The others are named where the rule that they show is tested.
"""

from phaseledger.domain import commands as c
from phaseledger.domain.cards import show
from phaseledger.domain.events import RoundEnded
from tests.support.cases import looped
from tests.support.table import board, events_of, play, refusal
from tests.support.worked_cases import WORKED, lay


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


REFUSED = {
    "HC-087": "incomplete_phase B-50",
    "HC-089": "needs_natural B-58",
    "HC-151": "off_the_end B-59",
}
"""Why a case of sections 8.1 and 8.2 is illegal."""
MORE = [
    line.split(" | ")
    for line in """\
lay | B-45: one colour | B | 1 | [G1 G3 G3 G7 B2] | not_one_colour B-45
lay | B-46: a run | B | 3 | [R5 B5 G5] [R3 B4 G6] | not_consecutive B-46
lay | B-47: no link | B | 3 | [R5 B5 G5] [R11 B12 G1] | run_wraps B-47
lay | B-48: a set | B | 4 | [R5 B5 G6] [B7 Y7 G7] | not_one_rank B-48
lay | B-49: one value twice | B | 4 | [R5 B5 G5] [Y5 R5 B5] | legal
lay | B-50: a part | B | 4 | [R5 B5 G5] | incomplete_phase B-50
lay | B-55: a third group | B | 4 | [R5 B5 G5] [R7 B7 G7] [R9 B9 G9] | wrong_group_count B-55
lay | B-56: any number | B | 1 | [R1 R3 J R9 R12] | legal
lay | B-56: any number | B | 2 | [R3 J] [G4 Y4] [R7 J] [R9 B9] | legal
lay | B-56: any number | B | 3 | [R3 J G3] [J B5 G6] | legal
lay | B-56: any number | B | 4 | [R3 J J] [R4 B4 J] | legal
lay | B-56: any colour | B | 5 | [G1 G3 J G7 J G12] | legal
lay | B-56: any number | B | 6 | [J B4 G5 Y6 R7 B8 G9 J] | legal
lay | B-56: any number | B | 7 | [R3 J J Y3 J] [R4 B5 J] | legal
lay | B-56: any number | B | 8 | [J J J R3] [J B4 G4 Y4] | legal
lay | B-58: one real card | B | 9 | [J J R5 J J J J J J] | legal
lay | B-56: any number | B | 10 | [R3 B3 G3 J R3 B3] [R4 J] | legal
lay | B-58: a group of jokers | B | 4 | [R5 B5 G5] [J J J] | needs_natural B-58
lay | B-59: past the end | B | 3 | [R5 B5 G5] [R11 B12 J] | off_the_end B-59
lay | B-60: a full run and more | B | 9 | [J R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 J] | legal
hit | B-46: any colours | B | run | R3 B4 G5 | B6 R7 high | legal
hit | B-55: no 9 | B | set | R8 B8 G8 Y8 | R9 | does_not_fit B-55
hit | B-55: a gap | B | run | R3 J J | R8 high | does_not_fit B-55
hit | B-59: not below 2 | B | run | J R3 J | R2 low | does_not_fit B-55
hit | B-59: 11 and 12 | B | run | R10 J J | R9 low | legal
hit | B-60: on jokers | B | run | J B2 G3 Y4 R5 B6 G7 Y8 Y9 B10 G11 J | J low, J high | legal
hit | B-60: on jokers | B | set | R9 B9 G9 Y9 R9 B9 J J | J J | legal
hit | B-61: a real card | B | run | R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 | R1 high | full_run B-61
hit | B-61: jokers fill | B | run | J B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 J | G1 low | full_run B-61
hit | B-62: by jokers | B | set | R9 B9 G9 Y9 R9 B9 J J | G9 | legal""".splitlines()
]
CASES = [case for case in [*WORKED, *MORE] if case[2] == "B"]


@looped("case", [case for case in CASES if case[0] == "lay"], ids=lambda case: case[1])
def test_laying(case: list[str]) -> None:
    """Section 8.1: the player holds the cards shown and one other."""
    _, name, _, phase, cards, verdict = case
    held = cards.replace("[", " ").replace("]", " ")
    state = board([f"{turned(held)} Y11", "R2"], phases=[int(phase), 1], discard="B10", stock="")
    if verdict != "legal":
        assert " ".join(refusal(state, 0, lay(named(cards)))) == REFUSED.get(name, verdict)
    else:
        after = play(state, (0, lay(named(cards))))
        assert (after.seat(0).laid, show(after.seat(0).hand)) == (int(phase), "Y11")
        assert show(b"".join(group.cards for group in after.groups)) == turned(held)


def test_hc_096_the_jokers_are_4_and_5() -> None:
    """HC-096 (B-59): R3 J J is a run from 3 to 5."""
    state = board(["R5 B5 G5 R3 J(Y1) J(Y2) Y11", "R2"], phases=[3, 1])
    after = play(state, (0, lay("[R5 B5 G5] [R3 J1 J2]")))
    assert (after.groups[1].low, after.groups[1].high) == (3, 5)


@looped("case", [case for case in CASES if case[0] == "hit"], ids=lambda case: case[1])
def test_hitting(case: list[str]) -> None:
    """Section 8.2: the hitter has laid; an end of the run is said. Its ends move by what is added
    there, and no further than 1 and 12.
    """
    _, name, _, kind, lying, added, verdict = case
    hits = [hit.split() for hit in added.split(", ")]
    ends = [hit.pop() if kind == "run" else "" for hit in hits]
    texts = [" ".join(hit) for hit in hits]
    state = board(
        [f"{turned(' '.join(texts), 5)} Y11", "R2"],
        laid={0: 1},
        groups=[(1, kind, turned(lying))],
        discard="B3",
        stock="",
    )
    before = state.groups[0]
    # The first joker of what is left is always J1.
    commands = [c.Hit(0, named(text), end) for text, end in zip(texts, ends, strict=True)]
    for command in commands[:-1]:
        state = play(state, (0, command))
    if verdict != "legal":
        assert " ".join(refusal(state, 0, commands[-1])) == REFUSED.get(name, verdict)
        return
    after = play(state, (0, commands[-1])).groups[0]
    put = dict.fromkeys(("low", "high", ""), 0)
    for hit, end in zip(hits, ends, strict=True):
        put[end] += len(hit)
    assert after.low == max(before.low - put["low"], 1)
    assert after.high == min(before.high + put["high"], 12)
    assert len(after.cards) == len(lying.split()) + sum(map(len, hits))


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
