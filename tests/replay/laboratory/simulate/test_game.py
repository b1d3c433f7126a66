"""Games without a database: the same run, the same bytes."""

import json
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseledger.domain.commands import Pass
from phaseledger.domain.options import OptionValue
from phaseledger.replay.cli.main import app
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.laboratory.simulate.game import (
    RunTally,
    SimulationPlan,
    game_id,
    outcome,
    part,
    play,
)
from tests.support.replay.log_edits import rows

PLAN = SimulationPlan(
    "cup", players=3, bots=("greedy", "random"), options={"variant": "n_phases(2)"}
)


def test_known_derivation() -> None:
    """The documented formulas: a released run must stay the same for ever."""
    assert game_id("cup", 1) == "2eb0580f-8cce-8eab-828c-362f38776e8b"
    assert part("cup", "server", 1) != part("cup", "server", 2)
    assert part("cup", "seat 1", 1) != part("cup", "bot 1", 1)
    for seed, index in (("", 1), ("\N{SNOWMAN}", 10**9)):
        game = UUID(game_id(seed, index))
        assert (game.version, game.variant) == (8, "specified in RFC 4122")


def test_same_run_same_bytes() -> None:
    once, repeated = ([play(PLAN, i).lines for i in (1, 2)] for _ in range(2))
    assert once == repeated
    assert once[0] != once[1]
    assert once[1] == play(PLAN, 2).lines


@settings(max_examples=15, deadline=None)
@given(
    seed=st.text(max_size=5),
    players=st.integers(2, 6),
    bots=st.sampled_from([("greedy",), ("random", "greedy")]),
    option=st.sampled_from(
        [{}, {"stock_exhausted": "end_round"}, {"first_player": "random"}, {"run_wrap": True},
         {"skip_drawable": True}, {"variant": "even_phases"}, {"max_turns_per_round": 9}]
    ),
)  # fmt: skip
def test_every_kind_of_game_is_sound(
    seed: str, players: int, bots: tuple[str, ...], option: dict[str, OptionValue]
) -> None:
    options = {"variant": "n_phases(2)", **option}
    played = play(SimulationPlan(seed, "classic", players, bots, options, cap=3_000), 1)
    (verdict,) = audit(rows(played.lines))
    assert verdict.sound


def test_endless_game_is_broken_off() -> None:
    plan = SimulationPlan("cup", options={}, cap=50)
    played = play(plan, 1)
    (verdict,) = audit(rows(played.lines))
    tally = RunTally("cup")
    tally.add(outcome(played))
    assert played.fault == "stopped after 50 decisions"
    assert (verdict.sound, verdict.status) == (True, "voided")
    assert (tally.stopped[0].reason, tally.wins) == ("stopped after 50 decisions", [0] * 4)


def test_bot_that_breaks_the_rules() -> None:
    played = play(SimulationPlan("cup", bots=("random",)), 1, lambda *_: Pass())
    assert played.fault.startswith("random made an illegal move: must_draw (C-13)")
    assert played.state.stage == "voided"


# --- the command ----------------------------------------------------------------------------------


def test_a_house_rule_that_is_no_list(capsys: pytest.CaptureFixture[str]) -> None:
    for option, message in (
        ("board_track=[", "--option board_track: that is no list in JSON: Input data was"),
        ("board_track=[1]", "--option board_track: that is no list in JSON: Expected `str`"),
        ('board_track=["AGAIN*"]', "option board_track: the ring has 32 spaces, not 1"),
    ):
        with pytest.raises(SystemExit) as ended:
            app(["simulate", "--ruleset", "board", "--option", option])
        assert ended.value.code == 2
        assert message in capsys.readouterr().err


def test_a_house_rule_may_be_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    ring = json.dumps(["AGAIN*", *["TAKE1"] * 30, "JOKER"])
    arguments = ["--ruleset", "board", "--players", "2", "--max-decisions", "5"]
    with pytest.raises(SystemExit) as ended:
        app(["simulate", *arguments, "--option", f"board_track={ring}", "--seed", "ring"])
    first = json.loads(capsys.readouterr().out.partition("\n")[0])
    assert ended.value.code == 1  # stopped after five decisions
    assert first["data"]["ruleset"]["track"] == ["AGAIN", *["TAKE1"] * 30, "JOKER"]
