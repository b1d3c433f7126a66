"""Positions laid out by hand: what is best where it is plain."""

import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import Discard, Draw, Hit, Lay
from phaseledger.domain.evidence.codec import decode_event
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import State, cards_in_play
from phaseledger.domain.view import view
from phaseledger.replay.cli.main import app
from phaseledger.replay.laboratory.account.account import Appraiser
from phaseledger.replay.laboratory.account.analysis import AnalysisPlan, analyse_position
from phaseledger.replay.laboratory.account.errors import Drawback, Judge, Reasons
from phaseledger.replay.laboratory.account.laid_out import ImpossiblePosition
from phaseledger.replay.laboratory.account.moments import DecidedStep, moments
from phaseledger.replay.laboratory.account.position import position_state
from phaseledger.replay.laboratory.columns.rows import by_topic
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped
from tests.support.positions import ALL_LAID, ANN_LAID, laid_out, on_the_board, state_of

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "docs/how-to/analyse-a-game.md").read_text()
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


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


def decisions(plan: SimulationPlan) -> list[DecidedStep]:
    """The decisions of a game from the first turn on."""
    events = [decode_event(*stored) for stored in by_topic(play(plan, 1).lines)]
    return [moment for moment in moments(events) if moment.before.stage == "playing"]


def retyped(state: State, seat: int, options: dict[str, Any]) -> State:
    """The position that the seat's own view of the table is."""
    table = {**msgspec.to_builtins(view(state, seat)), "options": options}
    typed = position_state(msgspec.json.encode({"seq": 5, "table": table}))
    assert cards_in_play(typed) == cards_in_play(state)
    return typed


@looped(
    "plan",
    [
        SimulationPlan("table", "standard-deck", 3, ("expert",)),
        SimulationPlan("table", "standard-deck", 3, ("greedy",), {"style": "complete_free"}),
    ],
)
def test_a_table_of_the_service_is_a_position(plan: SimulationPlan) -> None:
    """The seat's own view of a table says all that its judgement rests on."""
    for moment in islice(decisions(plan), 60, 400, 60):
        state = moment.before
        typed = retyped(state, state.active, plan.options)
        assert (typed.groups, typed.discard) == (state.groups, state.discard)
        assert public(typed) == public(state)
        if not plan.options:
            judge = Judge(Appraiser(state), "table", 20)
            assert judge.candidates(typed, state.active) == judge.candidates(state, state.active)


QUESTIONS = {"move", "draw", "play", "search", "swap", "ask", "choose", "give", "keep"}
OPEN_TABLE = {"joker_memory": "owner_sees_always", "keep_choice": "seat_order_open"}


@looped(
    "plan",
    [
        SimulationPlan("table", "board", 3, ("expert",)),
        SimulationPlan("table", "board", 4, ("greedy",), OPEN_TABLE),
        SimulationPlan("table", "board", 2, ("expert",), {"max_turns_per_round": 12}),
    ],
)
def test_a_table_of_the_board_is_a_position_whatever_the_seat_is_asked(
    plan: SimulationPlan,
) -> None:
    """The view of the position is the view that it was made of, and each move is judged alike."""
    times = Counter[str]()
    for moment in decisions(plan):
        state, seat = moment.before, moment.act.seat
        assert seat is not None
        (question,) = [question for question in state.waits if question.seat == seat]
        typed = retyped(state, seat, plan.options)
        bots = [replace(typed.seat(n), bot=state.seat(n).bot) for n in range(plan.players)]
        named = replace(typed, game=state.game, turn=state.turn, seats=tuple(bots))
        assert (typed.waits, typed.out) == ((question,), state.out)
        assert [seat.phase for seat in bots] == [state.seat(n).phase for n in range(plan.players)]
        assert view(named, seat) == replace(view(state, seat), waits=(question,))
        times[question.kind] += 1
        if not plan.options and times[question.kind] % 20 == 1:
            judge = Judge(Appraiser(state), "table", 20)
            assert judge.candidates(typed, seat) == judge.candidates(state, seat)
    assert times.keys() == QUESTIONS


def test_options_beside_a_table_of_the_service_are_read() -> None:
    answer = {"options": {"run_wrap": True}, "table": laid_out()}
    assert state_of(answer).ruleset.options.run_wrap
    with pytest.raises(ImpossiblePosition, match="'nonsense' is no option"):
        state_of(answer | {"options": {"nonsense": 1}})


def test_an_answer_of_the_service_names_each_option_that_holds() -> None:
    """Of the house rules and of the game alike, but for those that hold in most games."""
    game = GAMES["board"]
    rules = resolve(game.rules, {"wild_on_full_run": False, "run_wrap": True}, game.settings)
    options = msgspec.to_builtins(rules.options)
    answer = {"version": 9, "options": options, "table": on_the_board()}
    assert state_of(answer).ruleset == rules


def analysed(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        app(["analyse", "--worlds", "40", *arguments])
    captured = capsys.readouterr()
    return int(str(ended.value.code)), captured.out, captured.err


def test_the_documented_position_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EXAMPLES[0])
    code, printed, _ = analysed("--position", str(file), capsys=capsys)
    assert code == 0
    assert "Best: lay" in printed
    assert re.search(r"\bAnn \d+\.\d \(\d+\), Bob \d+\.\d \(\d+\)\.\n", printed)
    assert analysed("--position", str(file), capsys=capsys)[1] == printed
    for lang, best in (("de", "Am besten:"), ("fr", "Le meilleur coup")):
        assert best in analysed("--position", str(file), "--lang", lang, capsys=capsys)[1]
    code, printed, _ = analysed("--position", str(file), "--json", capsys=capsys)
    answer = msgspec.json.decode(printed)
    assert (answer["format"], answer["seat"]) == ("phaseledger-position/1", 0)
    assert answer["candidates"][0]["command"]["type"] == "lay"
    assert sum(row["chance"] for row in answer["seats"]) == pytest.approx(1, abs=1e-5)
    points = [row["points"] for row in answer["seats"]]
    assert all(expected > so_far for expected, so_far in zip(points, (20, 35, 0), strict=True))


def test_the_documented_throw_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(EXAMPLES[1])
    for lang, best in (("en", "Best: move"), ("de", "Felder ziehen"), ("fr", "avancer de")):
        code, printed, _ = analysed("--position", str(file), "--lang", lang, capsys=capsys)
        assert code == 0
        assert best in printed
        assert re.search(r"\bAnn \d+[.,]\d, Bob \d+[.,]\d\.\n", printed)


def test_a_text_that_is_no_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.toml"
    for text, code, sentence in (
        (None, 5, "cannot be read"),
        ("hand = R5", 2, "The position cannot be read"),
        ("{", 2, "The position cannot be read"),
    ):
        if text is not None:
            file.write_text(text)
        refused = analysed("--position", str(file), capsys=capsys)
        assert refused[:2] == (code, "")
        assert sentence in refused[2]
