"""Positions laid out by hand: what is best where it is plain, and what cannot lie so."""

import re
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from phaseledger.domain.commands import Discard, Draw, Hit, Lay
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.view import view
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan, analyse_position
from phaseledger.replay.laboratory.account.errors import Drawback, Judge, Reasons
from phaseledger.replay.laboratory.account.moments import moments
from phaseledger.replay.laboratory.account.position import ImpossiblePosition, position_state
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped

ROOT = Path(__file__).parents[4]
(EXAMPLE,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/account.md").read_text(), re.DOTALL)

BOARD = """
ruleset = "board"
hand = "R1 R1 R2 R2 R3 R3 R4 R4 R5 R5"
discard = ""
seats = [{}, {}]
"""
THREE: list[dict[str, Any]] = [{}, {"name": "Ann"}, {"name": "Bob"}]
ANN_LAID: dict[str, Any] = {
    "seats": [{}, {"name": "Ann", "cards": 1}, {"name": "Bob"}],
    "groups": [
        {"owner": "Ann", "kind": "set", "cards": "R5 B5 W"},
        {"owner": "Ann", "kind": "set", "cards": "R8 G8 Y8"},
    ],
}
ALL_LAID: dict[str, Any] = {
    "seats": [{"cards": 2}, {"name": "Ann", "cards": 2}],
    "groups": [
        {"owner": 0, "kind": "set", "cards": "R5 B5 G5"},
        {"owner": 0, "kind": "set", "cards": "R2 B2 G2"},
        {"owner": 1, "kind": "set", "cards": "R8 G8 Y8"},
        {"owner": 1, "kind": "set", "cards": "R7 G7 Y7"},
    ],
}


def laid_out(**fields: Any) -> dict[str, Any]:
    """A table of three before anything is laid, but for the fields."""
    hand = "R3 B3 G3 R8 B8 W R1 Y12 G12 B11"
    return {"ruleset": "classic", "hand": hand, "discard": "R9", "seats": THREE} | fields


def state_of(document: dict[str, Any]) -> State:
    return position_state(msgspec.json.encode(document))


@looped(
    ("document", "best"),
    [
        (laid_out(**ANN_LAID, hand="R3 B3 G3 R9 B9 W R1 Y12 G12 B11 B10"), Lay),
        (laid_out(discard="W"), Draw("discard")),
        (laid_out(**ALL_LAID, hand="Y5 B9", ask="play"), Hit(0, "Y5")),
        (laid_out(**ALL_LAID, hand="Y5 B9", discard="G11", ask="draw"), Draw("stock")),
        (laid_out(**ALL_LAID, hand="B9", ask="play"), Discard("B9")),
    ],
)
def test_what_is_plainly_best(document: dict[str, Any], best: Any) -> None:
    answer = analyse_position(state_of(document), AnalysisPlan(worlds=60))
    command = answer.candidates[0].command
    assert command == best if not isinstance(best, type) else isinstance(command, best)
    assert all(row.is_worse for row in answer.candidates[1:] if row.worlds < 60)


def test_a_draw_is_judged_by_how_near_the_phase_is_then() -> None:
    """One card is missing, and it lies on top: from the stock it would take some turns more."""
    state = state_of(laid_out(hand="R3 B3 G3 R8 B8 R1 Y12 G12 B11 S", discard="Y8"))
    take, draw = analyse_position(state, AnalysisPlan(worlds=60)).candidates
    assert (take.command, draw.command) == (Draw("discard"), Draw("stock"))
    assert take.reasons == Reasons()
    assert draw.reasons is not None
    assert draw.reasons.wait > 2
    assert draw.drawbacks == (Drawback("wait", draw.reasons.wait),)
    (draw, *_) = analyse_position(
        state_of(laid_out(**ALL_LAID, hand="Y5 B9", ask="draw")), AnalysisPlan(worlds=20)
    ).candidates
    assert draw.reasons is None


def public(state: State) -> list[tuple[object, ...]]:
    names = ("phase", "made", "laid", "points", "skips", "front", "taken", "spurned")
    return [tuple([getattr(state.seat(n), name) for name in names]) for n in state.players]


@looped(
    "plan",
    [
        SimulationPlan("table", "standard-deck", 3, ("expert",)),
        SimulationPlan("table", "standard-deck", 3, ("greedy",), {"style": "complete_free"}),
    ],
)
def test_a_table_of_the_service_is_a_position(plan: SimulationPlan) -> None:
    """The seat's own view of a table says all that its judgement rests on."""
    events = [decode_event(*stored) for stored in by_topic(play(plan, 1).lines)]
    decided = [moment for moment in moments(events) if moment.before.stage == "playing"]
    for moment in islice(decided, 60, 400, 60):
        state = moment.before
        table = {**msgspec.to_builtins(view(state, state.active)), "options": plan.options}
        typed = position_state(msgspec.json.encode({"seq": 5, "table": table}))
        assert cards_in_play(typed) == cards_in_play(state)
        assert (typed.groups, typed.discard) == (state.groups, state.discard)
        assert public(typed) == public(state)
        if not plan.options:
            judge = Judge(Appraiser(state), "table", 20)
            assert judge.candidates(typed) == judge.candidates(state)


WRONG = [
    (laid_out(hand="R3 R3 R3 R8 B8 W R1 Y12 G12 B11"), "R3 lies 3 times in the position; the deck"),
    (laid_out(hand="R3 B3 Q3 R8 B8 W R1 Y12 G12 B11"), "hand: Q3 is no card of this game"),
    (laid_out(hand="R3 B3 J1 R8 B8 W R1 Y12 G12 B11"), "is no card of this game"),
    (laid_out(hand="R3 B3 G3"), "seat 0 has 3 in hand; before its phase is laid it holds 10 cards"),
    (laid_out(seats=[{}, {"phase": 11}]), "has phases 1 to 10, not 11"),
    (laid_out(seats=[{}, {"cards": 7}]), "seat 1 has 7 in hand"),
    (laid_out(seats=[{}]), "is played by 2 to 6; the position has 1 seat."),
    (laid_out(seats=[{}, {"taken": "R1 R1 W W W W W W W W W"}]), "seat 1 took"),
    (laid_out(seats=[{}, {"taken": "R1 R1"}]), "R1 lies 3 times"),
    (laid_out(seats=[{}, {"pahse": 3}]), "pahse"),
    (
        {name: laid_out()[name] for name in ("ruleset", "hand", "seats")},
        "Name the top card of the discard pile",
    ),
    (laid_out(stock=90), "The stock has 90 cards, but 77 lie nowhere else"),
    (laid_out(ruleset="chess"), "There is no rule set 'chess'"),
    (laid_out(options={"run_warp": True}), "'run_warp' is no option"),
    (laid_out(active=1), "It is the turn of Ann"),
    (laid_out(you="Eve"), "Eve is no seat"),
    (laid_out(seats=[{"name": "A"}, {"name": "A"}], you="A"), "Two seats are called A"),
    (laid_out(seats=[{"playing": False}, {}]), "seat 0 is on turn, so it is playing"),
    (laid_out(pile="R9 B1"), "discard is R9, but the last card of pile is B1"),
    (laid_out(taken="Y1"), "seat 0 took Y1, which its hand cannot hold"),
    (laid_out(taken="R3 B3"), "seat 0 took R3 B3, which its hand cannot hold"),
    (laid_out(seats=[{"made": [77]}, {}]), "has phases 1 to 10, not 77"),
    (laid_out(seats=[{"made": [-4]}, {}]), "cannot be read"),
    (laid_out(ruleset="classic", options={"variant": "ten_rounds"}), "which of the 10 rounds"),
    (laid_out(**ANN_LAID | {"seats": [{}, {"name": "Ann"}, {}]}), "Ann has laid: say how many"),
    (laid_out(seats=[{}, {"name": "Ann", "laid": True}]), "Ann: laid and the groups"),
    (laid_out(**ANN_LAID | {"groups": ANN_LAID["groups"][:1]}), "its phase is set(3) + set(3)"),
    (
        laid_out(
            **ANN_LAID
            | {"groups": [ANN_LAID["groups"][0], {"owner": 1, "kind": "set", "cards": "R8 G8"}]}
        ),
        "Ann, groups: set (red 8, green 8): it takes a set of 3",
    ),
    (laid_out(**ALL_LAID, hand="Y5 B9"), 'Say ask = "draw" or ask = "play"'),
    (laid_out(**ALL_LAID, hand="", ask="play"), "cannot hold 0 cards"),
    ([1], "cannot be read"),
]


def test_options_beside_a_table_of_the_service_are_read() -> None:
    answer = {"options": {"run_wrap": True}, "table": laid_out()}
    assert state_of(answer).ruleset.options.run_wrap
    with pytest.raises(ImpossiblePosition, match="'nonsense' is no option"):
        state_of(answer | {"options": {"nonsense": 1}})


@looped(("document", "sentence"), WRONG)
def test_what_cannot_lie_so(document: Any, sentence: str) -> None:
    with pytest.raises(ImpossiblePosition, match=re.escape(sentence)):
        state_of(document)


def analysed(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        app(["analyse", "--worlds", "40", *arguments])
    captured = capsys.readouterr()
    return int(str(ended.value.code)), captured.out, captured.err


def test_the_documented_position_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EXAMPLE)
    code, printed, _ = analysed("--position", str(file), capsys=capsys)
    assert code == 0
    assert "Best: lay" in printed
    assert analysed("--position", str(file), capsys=capsys)[1] == printed
    for lang, best in (("de", "Am besten:"), ("fr", "Le meilleur coup")):
        assert best in analysed("--position", str(file), "--lang", lang, capsys=capsys)[1]
    code, printed, _ = analysed("--position", str(file), "--json", capsys=capsys)
    answer = msgspec.json.decode(printed)
    assert (answer["format"], answer["seat"]) == ("phaseledger-position/1", 0)
    assert answer["candidates"][0]["command"]["type"] == "lay"


def test_a_text_that_is_no_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    for text, code, sentence in (
        (None, 5, "cannot be read"),
        ("hand = R5", 2, "The position cannot be read"),
        ("{", 2, "The position cannot be read"),
        (BOARD, 2, "of board cannot be typed in"),
    ):
        if text is not None:
            file.write_text(text)
        refused = analysed("--position", str(file), capsys=capsys)
        assert refused[:2] == (code, "")
        assert sentence in refused[2]
