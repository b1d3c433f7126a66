"""A policy's demands on the deck, the moves and the bots: each met, and each seen to fail."""

from pathlib import Path

from msgspec.structs import replace

from phaseledger.replay.evidence.verify.codes import CODES, TOO_LITTLE, AnyCode
from phaseledger.replay.evidence.verify.policy import Policy
from tests.support.cases import looped
from tests.support.replay.graded_games import POLICY, graded
from tests.support.replay.judgements import code_of, judged
from tests.support.replay.operator_games import bundled, whole_commands
from tests.support.replay.processes import run

UNKNOWN = replace(POLICY, players=frozenset({"d7" * 32}))
"""The policy of somebody who knows other players."""
ALL = replace(POLICY, secrets="players", moves="signed", bots="re-decided")
DEMANDS: dict[str, tuple[Policy, AnyCode]] = {
    "secrets": (replace(POLICY, secrets="players"), "player_secret_missing"),
    "secrets of seats": (replace(POLICY, secrets="seats"), "player_secret_missing"),
    "moves": (replace(POLICY, moves="signed"), "moves_unsigned"),
    "bots": (replace(POLICY, bots="re-decided"), "bots_unproven"),
}
UNMET = {
    "signed": {},
    "a bot": {},
    "a bot played by somebody": {"bots": 'bots: unproven (seat "Seat 1")'},
    "secrets of the server": {
        "secrets": "secrets: server",
        "secrets of seats": "secrets: server",
    },
    "one seat signs": {"moves": 'moves: unsigned (seat "Seat 1")'},
    "nobody signs": {
        "secrets": 'secrets: seats (seats "Seat 0", "Seat 1")',
        "moves": 'moves: unsigned (seats "Seat 0", "Seat 1")',
    },
    "bots only": {"secrets": "secrets: server", "secrets of seats": "secrets: server"},
    "timed out": {},
    "never there": {"moves": 'moves: unsigned (seat "Seat 1")'},
    "only sat down": {},
    "broken off": {},
    "broken off before the deal": {"moves": 'moves: unsigned (seats "Seat 0", "Seat 1")'},
}


@looped("demand", DEMANDS)
@looped("name", UNMET)
def test_a_demand(name: str, demand: str) -> None:
    policy, code = DEMANDS[demand]
    judgement = judged(bundled(graded(name)), policy)
    expected = [(code, UNMET[name][demand])] if demand in UNMET[name] else []

    assert [(problem.code, problem.recorded) for problem in judgement.problems] == expected
    assert judgement.conclusion == ("too_little" if expected else "sound")
    assert code_of(judgement) == (TOO_LITTLE if expected else 0)
    # The verdict still says whose word it is.
    assert (judgement.grade != "none", judgement.facets is not None) == (True, True)
    if expected:
        words = f"TOO LITTLE, grade {judgement.grade}: nothing is wrong, but the policy asks for"
        assert judgement.headline.startswith(words)


def test_keys_that_the_policy_does_not_name_meet_no_demand() -> None:
    for name in ("secrets", "moves"):
        policy, code = DEMANDS[name]
        judgement = judged(
            bundled(graded("signed")), replace(policy, players=frozenset({"d7" * 32}))
        )
        assert [problem.code for problem in judgement.problems] == [code]


def test_a_game_that_is_not_over_meets_no_demand_on_its_deck_and_bots() -> None:
    stored = graded("a bot")
    judgement = judged(bundled(whole_commands(stored, len(stored) - 1), viewer=0), ALL)
    assert {problem.code for problem in judgement.problems} >= {
        "player_secret_missing",
        "bots_unproven",
    }
    assert "the game is not over" in judgement.headline


def test_of_what_is_wrong_nothing_is_demanded() -> None:
    lines = list(bundled(graded("one seat signs")))
    lines[0] = lines[0].replace(b'"finished"', b'"voided"')
    assert [problem.code for problem in judged(lines, ALL).problems] == ["header_differs"]


def test_everything_that_can_be_demanded(tmp_path: Path) -> None:
    """As a referee does: a policy in a file, exit codes, and a sentence on each code."""
    (key, other) = sorted(POLICY.players)
    operator, witness = str(POLICY.keys[0]), str(POLICY.witnesses[0])
    policy = tmp_path / "club.toml"
    policy.write_text(
        f"""
        origin = "{POLICY.origin}"
        keys = ["{operator}"]
        witnesses = ["{witness}"]
        players = ["{key}", "{other}"]
        secrets = "players"
        moves = "signed"
        times = "witnessed"
        bots = "re-decided"
        """
    )
    for name, code in (("a bot", 0), ("a bot played by somebody", TOO_LITTLE)):
        bundle = tmp_path / "game.bundle"
        bundle.write_bytes(b"".join(bundled(graded(name))))
        done = run("verify", bundle, "--policy", policy)
        first = done.stdout.decode().splitlines()[0]
        assert done.returncode == code
        assert first.startswith("TOO LITTLE, grade recorded" if code else "SOUND, grade proven")


def test_each_demand_is_explained() -> None:
    for _, code in DEMANDS.values():
        assert CODES[code].exit_code == TOO_LITTLE
        assert "policy asks" in CODES[code].means
