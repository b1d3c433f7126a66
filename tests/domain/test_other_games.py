"""Shapes that the classic rule set leaves unused and the other games need (issue text, section 3).

The rule sets here are rows of data of this test; the engine is the released one.
"""

from msgspec.structs import replace

from domain import commands as c
from domain.bots import BOTS, chooser, collect
from domain.cards import parse, show
from domain.events import CardDiscarded, SkipPlaced, SkipServed, TurnBegan
from domain.evolve import fold
from domain.legal import legal
from domain.rules import Need, Phase
from domain.rulesets import preset
from domain.state import Question
from domain.view import view
from tests.scenario import play_random, records
from tests.table import GAME, events_of, play, refusal, table

CLASSIC = preset("classic")
BURIED = replace(CLASSIC, skip_placement="in_front", skip_after_served="bottom")
ON_TOP = replace(CLASSIC, skip_placement="in_front", skip_after_served="top")
PAIRS = replace(CLASSIC, phases=(Phase("X-P04", (Need("pairrun", 2),)),))


def test_hc_162_a_skip_in_front_goes_under_the_pile() -> None:
    """HC-162 (D-18, D-20): the top of the pile stays, the next player may draw it."""
    state = table(["S R1", "R2", "R3"], discard="G1 R7", ruleset=BURIED)
    placed, served, began = events_of(state, 0, c.Discard("S", 1))

    assert isinstance(placed, SkipPlaced)
    assert isinstance(served, SkipServed)
    assert isinstance(began, TurnBegan)
    assert (served.card, served.to) == ("S", "bottom")
    after = play(state, (0, c.Discard("S", 1)))
    assert show(after.discard) == "S G1 R7"
    assert parse("R3 R7") == play(after, (2, c.Draw("discard"))).seat(2).hand


def test_hc_161_a_skip_in_front_goes_on_top() -> None:
    """HC-161 (X-40, X-43): on an empty pile it is alone; the next draws from the stock."""
    state = table(["S R1", "R2", "R3"], discard="", ruleset=ON_TOP)
    after = play(state, (0, c.Discard("S", 1)))
    assert show(after.discard) == "S"
    assert refusal(after, 2, c.Draw("discard"))[0] == "skip_not_drawable"


def test_hc_181_the_skip_lies_in_front_until_served() -> None:
    """HC-181 (D-16): whoever has one in front gets no other; it counts among the cards (N-03)."""
    state = table(["S R1", "S R2", "R3 R4"], ruleset=BURIED)
    after = play(state, (0, c.Discard("S", 2)), (1, c.Draw()))
    assert show(after.seat(2).front) == "S"
    assert refusal(after, 1, c.Discard("S", 2))[0] == "target_already_skipped"
    other = play(after, (1, c.Discard("S", 0)))
    assert (other.active, show(other.discard[:2])) == (1, "S S")


def test_hc_193_a_skip_in_front_as_last_card() -> None:
    """HC-193 (D-26)."""
    state = table(["S", "R2", "R3"], laid={0: 1}, ruleset=BURIED)
    assert play(state, (0, c.Discard("S", 1))).round == 2


def test_pair_runs_are_hit_by_pairs() -> None:
    """X-55: legal hits of a pair run are whole pairs."""
    rows = {"laid": {0: 1}, "groups": [(1, "pairrun", "R6 B6 G7 Y7")], "ruleset": PAIRS}
    state = table(["R8 B8 W R1 R9", "R2"], **rows)
    hits = [command.cards for command in legal(state, 0) if isinstance(command, c.Hit)]
    assert sorted(hits) == ["R8 B8", "R8 W", "W B8"]
    assert len(play(state, (0, c.Hit(0, "R8 B8", "high"))).groups[0].cards) == 6
    strict = table(["R8 B8", "R2"], going_out="discard_required", **rows)
    assert not [command for command in legal(strict, 0) if isinstance(command, c.Hit)]


def test_a_seat_past_its_last_phase_lays_nothing() -> None:
    """A free or finished seat has no phase to lay, and that is no error."""
    state = table(["R1 B1 G1 R2 B2 G2", "R3"], phases=[11, 1])
    assert all(isinstance(command, c.Discard) for command in legal(state, 0))
    assert refusal(state, 0, c.Lay((c.GroupToLay("R1 B1 G1"),), 1))[0] == "wrong_phase"
    assert refusal(state, 0, c.Lay((c.GroupToLay("R1 B1 G1"),)))[0] == "wrong_phase"


def test_several_questions_at_once() -> None:
    """Questions to other seats do not disturb one's own."""
    state = table(["R1", "R2"])
    both = replace(state, waits=(Question(1, "reveal"), Question(0, "play")))
    assert [c.Discard("R1")] == list(legal(both, 0))


def test_collecting_for_other_kinds() -> None:
    """What a greedy player keeps, for kinds of other games."""
    needs = {
        "R1 G3 R5 Y7 B2": (Need("parity", 4, "odd"), "R1 G3 R5 Y7"),
        "G3 R4 G5 G12": (Need("colorrun", 3), "G3 G5"),
        "R6 B6 G7 R1": (Need("pairrun", 2), "R6 B6 G7"),
        "R2 B4 G5 Y6": (Need("parityrun", 4, "even"), "R2 B4 Y6"),
    }
    for hand, (need, kept) in needs.items():
        assert sorted(kept.split()) == sorted(show(collect(parse(hand), (need,))).split())


def test_greedy_passes_when_it_must() -> None:
    """With nothing but a pass, greedy passes; with a wild on the pile, it takes it."""
    state = table(["S", "R2"], laid={0: 1}, skip_as_last_card=False)
    choose = BOTS["greedy"]
    for seed in range(40):
        answer = choose(view(state, 0), CLASSIC, lambda: legal(state, 0), chooser(b"x", seed))
        assert c.Pass() == answer
    state = table(["R1", "R2"], question="draw", discard="W")
    assert c.Draw("discard") == choose(
        view(state, 0), CLASSIC, lambda: legal(state, 0), chooser(b"x", 1)
    )


def test_what_a_viewer_gets_can_be_folded() -> None:
    """Events without their hidden parts fold to the table as a spectator sees it."""
    state, log = play_random(GAME, 3, "fold", bot="greedy")
    public = fold(replace(event, hidden={}) for event in log)

    assert public is not None
    expected = view(state, None)
    assert expected == view(public, None)
    assert len(log) == len(records(log))


def test_a_discarded_skip_without_target_does_nothing() -> None:
    """HC-196 (D-23)."""
    state = table(["S R1", "R2"], ruleset=BURIED, skip_plain_discard=True)
    discarded, _ = events_of(state, 0, c.Discard("S"))
    assert isinstance(discarded, CardDiscarded)
    assert play(state, (0, c.Discard("S"))).active == 1
