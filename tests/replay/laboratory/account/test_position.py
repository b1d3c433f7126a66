"""Positions laid out by hand: what is best where it is plain, and what cannot lie so."""

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

ROOT = Path(__file__).parents[4]
EXAMPLES = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/account.md").read_text(), re.DOTALL)
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


def on_the_board(**fields: Any) -> dict[str, Any]:
    """A table of three at the board, where the first seat has thrown 3 and 5."""
    hand = "R3 B3 G3 R8 B8 J Y12 G12 B11 Y1"
    seats = [{"pawn": 13}, {"name": "Ann", "pawn": 16}, {"name": "Bob", "pawn": 30}]
    thrown = {"dice": [3, 5], "discard": "R9", "seats": seats}
    return {"ruleset": "board", "hand": hand} | thrown | fields


def asked_on(space: int, ask: str, **fields: Any) -> dict[str, Any]:
    """The first seat has reached a space, and is asked there; 10 lies before no pawn of others."""
    seats = [{"pawn": space}, {"name": "Ann", "pawn": 26}, {"name": "Bob", "pawn": 30}]
    return on_the_board(**{"ask": ask, "dice": [], "seats": seats} | fields)


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


WRONG = [
    (laid_out(hand="R3 R3 R3 R8 B8 W R1 Y12 G12 B11"), "R3 lies 3 times in the position; the deck"),
    (laid_out(hand="R3 B3 Q3 R8 B8 W R1 Y12 G12 B11"), "hand: Q3 is no card of this game"),
    (laid_out(hand="R3 B3 J1 R8 B8 W R1 Y12 G12 B11"), "is no card of this game"),
    (laid_out(hand="R3 B3 G3"), "seat 0 has 3 in hand; before its phase is laid it holds 10 cards"),
    (laid_out(seats=[{}, {"phase": 11}]), "has phases 1 to 10, not 11"),
    (laid_out(seats=[{}, {"cards": 7}]), "seat 1 has 7 in hand"),
    (laid_out(seats=[{}]), "is played by 2 to 6; the position has 1 seat."),
    (
        laid_out(seats=[{}, {"taken": "R1 R1 W W W W W W W W W"}]),
        "seat 1 cannot have taken R1 R1 W",
    ),
    (laid_out(seats=[{}, {"taken": "R1 R1"}]), "R1 lies 3 times"),
    (laid_out(seats=[{}, {"pahse": 3}]), "pahse"),
    (
        {name: laid_out()[name] for name in ("ruleset", "hand", "seats")},
        "Name the top card of the discard pile",
    ),
    (laid_out(stock=90), "The stock has 90 cards, but 77 lie nowhere else"),
    (laid_out(ruleset="chess"), "There is no rule set 'chess'"),
    (laid_out(options={"run_warp": True}), "'run_warp' is no option"),
    (laid_out(active=1), "It is Ann who decides"),
    (laid_out(you="Eve"), "Eve is no seat"),
    (laid_out(seats=[{"name": "A"}, {"name": "A"}], you="A"), "Two seats are called A"),
    (laid_out(seats=[{"playing": False}, {}]), "seat 0 is on turn, so it is playing"),
    (laid_out(pile="R9 B1"), "discard is R9, but the last card of pile is B1"),
    (laid_out(taken="Y1"), "seat 0 cannot have taken Y1."),
    (laid_out(taken="R3 B3"), "seat 0 cannot have taken R3 B3."),
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
    (laid_out(**ALL_LAID, hand="Y5 B9"), 'Say what seat 0 is asked, as ask = "play": draw, play.'),
    (laid_out(**ALL_LAID, hand="", ask="play"), "cannot hold 0 cards"),
    (laid_out(**ALL_LAID, hand=" ".join(["R3"] * 20), ask="play"), "cannot hold 20 cards"),
    ([1], "cannot be read"),
    (laid_out(hand="R3 B3 G3 R8 B8 W R1 Y12 G12 J"), "hand: J is no card of this game"),
    (laid_out(ask="search"), 'as ask = "play": draw, play.'),
    (laid_out(dice=[1, 2]), "classic has no dice"),
    (laid_out(action="ASK"), "classic has no action"),
    (laid_out(seats=[{}, {"pawn": 3}]), "classic has no pawn"),
    (laid_out(seats=[{}, {"jokers": "R5"}]), "classic has no jokers"),
    (laid_out(number=2), 'number is 2; with ask = "draw" it is 0 to 0'),
]
PAIRS = [
    {"owner": 0, "kind": "set", "cards": "R5 B5"},
    {"owner": 0, "kind": "set", "cards": "R6 J"},
    {"owner": 0, "kind": "set", "cards": "R7 B7"},
    {"owner": 0, "kind": "set", "cards": "R9 B9"},
]
WRONG_AT_THE_BOARD = [
    (on_the_board(dice=[]), "Say what seat 0 is asked"),
    (on_the_board(dice=[3]), "seat 0 is to move: say what was thrown"),
    (on_the_board(dice=[3, 7]), "$.dice["),
    (on_the_board(seats=[{"pawn": 32}, {}]), "seat 0 stands on space 32; the ring has spaces 0 to"),
    (
        on_the_board(seats=[{}, {"name": "Ann", "pawn": 7}, {"pawn": 7}]),
        "Ann and seat 2 both stand on space 7; only the start",
    ),
    (on_the_board(action="TAKE1", ask="move"), 'on space 13; with ask = "move" its action is not'),
    (asked_on(1, "play", action="SWAP"), "its action is not SWAP"),
    (asked_on(1, "search"), 'stands on space 1, TAKE1, which does not lead to ask = "search"'),
    (asked_on(0, "draw"), "stands on space 0, JOKER, which does not lead"),
    (asked_on(3, "draw", number=3), 'number is 3; with ask = "draw" it is 1 to 2'),
    (asked_on(3, "draw", taken="R3", number=2), "it is 1 to 1"),
    (asked_on(1, "draw", taken="R3"), "seat 0 cannot have taken R3."),
    (asked_on(0, "play", taken="R3"), "seat 0 cannot have taken R3."),
    (asked_on(3, "play", taken="R4"), "seat 0 cannot have taken R4."),
    (asked_on(4, "give", number=3), "seat 0 is asked in the turn of another seat"),
    (asked_on(4, "give", number=3, active="Ann"), "Ann stands on space 26, SWAP"),
    (asked_on(4, "give", active="Bob"), "Bob stands on space 30"),
    (asked_on(4, "give", options={"ask_giver_chooses": False}), "search, swap, ask, choose, keep."),
    (asked_on(4, "keep"), "say whose (active)"),
    (asked_on(4, "keep", active=1, number=6), 'number is 6; with ask = "keep" it is 5 to 5'),
    (on_the_board(active="Ann"), "It is Ann who decides"),
    (on_the_board(waits=[{"seat": 2, "kind": "move"}]), "It is Bob who decides"),
    (asked_on(2, "search"), "seat 0 searches the discard pile and sees it all"),
    (asked_on(2, "search", discard=""), "seat 0 searches the discard pile and sees it all"),
    (asked_on(1, "draw", dice=[3]), "say what was thrown"),
    (on_the_board(pile="R1 R9"), "pile: R1 R9. Its top is seen and nothing below"),
    (on_the_board(discard="R1 R9"), "discard is R1 R9, but the last card of pile is R9"),
    (on_the_board(pile="? ? R9", discards=4), "discards is 4, but the discard pile named has 3"),
    (on_the_board(discard="", discards=4), "discards is 4, but the discard pile named has 0"),
    (on_the_board(discards=100), "pile holds 99 cards that are not named"),
    (on_the_board(hand="R3 J2"), "hand: R3 J2. Jokers are J1, J2"),
    (on_the_board(seats=[{"jokers": "? ?"}, {}]), "seat 0 has 1 in hand, but jokers names 2"),
    (on_the_board(seats=[{"jokers": "R5"}, {}]), "seat 0 does not see the faces of its own"),
    (
        on_the_board(options={"joker_memory": "owner_sees_always"}),
        "jokers of seat 0: name the face of each",
    ),
    (on_the_board(seats=[{}, {"jokers": "R5 ?"}]), "jokers of seat 1: name the face"),
    (on_the_board(seats=[{}, {"cards": 1, "jokers": "R5 R6"}]), "seat 1 has 1 in hand, but jokers"),
    (on_the_board(seats=[{}, {"jokers": "J(R5)"}]), "jokers: J(R5) is no card of this game"),
    (on_the_board(seats=[{}, {"jokers": "R3 R3"}]), "R3 lies 3 times in the position"),
    (on_the_board(seats=[{}, {"cards": 96}]), "seat 1 cannot hold 96 cards"),
    (on_the_board(seats=[{}, {"cards": 90}]), "seat 1 holds 90 cards that are not named"),
    (on_the_board(seats=[{"points": 5}, {}]), "board has no points"),
    (on_the_board(seats=[{}, {"skips": 1}]), "board has no skips"),
    (on_the_board(seats=[{}, {"taken": "R5"}]), "board has no taken"),
    (on_the_board(seats=[{}, {"playing": False}]), "board has no playing"),
    (on_the_board(replay=True), "board has no replay"),
    (asked_on(4, "keep", seats=[{"phase": 2}, {}], groups=PAIRS), "seat 0 has laid its phase and"),
    (asked_on(4, "keep", seats=[{}, {"phase": 9}]), "seat 1 has reached the end of the phases"),
    (
        asked_on(4, "give", seats=[{}, {"pawn": 4}], number=4),
        "seat 0 has no card of value 4 to give",
    ),
    (
        asked_on(4, "give", seats=[{}, {"pawn": 4}]),
        'number is 0; with ask = "give" it is 1 to 12',
    ),
]


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


@looped(("document", "sentence"), [*WRONG, *WRONG_AT_THE_BOARD])
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
