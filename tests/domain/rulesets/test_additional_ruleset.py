"""A fifth game is one row of data (law 5): it opens, plays, is shown, refused and audited.

The phases are those commonly listed for Phase 10 Masters (RULES.md names the list as E27). They
are test data: the game is not released, and nothing else of it is known here.
"""

from functools import partial

import pytest

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Act, OpenGame, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameEnded, GameOpened
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.ruleset import GameDefinition, Need, Phase, RuleSet
from phaseledger.domain.rulesets import GAMES, classic, find_game, preset
from phaseledger.domain.view import view
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped
from tests.support.laws import check_laws
from tests.support.replay.log_edits import rows
from tests.support.scenario import decisions, play_random, records
from tests.support.table import GAME, refusal, table
from tests.support.table import play as played
from tests.support.worked_cases import lay

PHASES = (
    Phase("M-P01", (Need("set", 2), Need("set", 2), Need("set", 2), Need("set", 2))),
    Phase("M-P02", (Need("color", 6),)),
    Phase("M-P03", (Need("set", 4), Need("run", 4))),
    Phase("M-P04", (Need("run", 8),)),
    Phase("M-P05", (Need("color", 7),)),
    Phase("M-P06", (Need("run", 9),)),
    Phase("M-P07", (Need("set", 4), Need("set", 4))),
    Phase("M-P08", (Need("colorrun", 4), Need("set", 3))),
    Phase("M-P09", (Need("set", 5), Need("set", 3))),
    Phase("M-P10", (Need("set", 5), Need("colorrun", 3))),
)
MASTERS = RuleSet(
    id="masters@1",
    title="Phase 10 Masters",
    seats_min=2,
    seats_max=6,
    deck=classic.RULES.deck,
    hand=10,
    phases=PHASES,
    points=classic.RULES.points,
    options=classic.RULES.options,
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    citations = {code: rule.replace("C-", "M-") for code, rule in classic.CITATIONS.items()}
    settings = {name: row for name, row in classic.SETTINGS.items() if name != "twist_phases"}
    monkeypatch.setitem(GAMES, "masters", GameDefinition(MASTERS, settings, citations))


PLAYED: list[tuple[int, str, dict[str, OptionValue]]] = [
    (6, "greedy", {}),
    (3, "random,greedy", {}),
    (3, "greedy", {"variant": "even_phases", "initial_skip": "cover"}),
    (3, "greedy", {"run_wrap": True, "wild_placement": "high_then_low"}),
]


def test_it_is_found_by_name_and_by_id() -> None:
    assert find_game("masters") is find_game("masters@1")
    assert find_game("masters@2") is None
    assert preset("masters") is MASTERS


@pytest.mark.untraced
@looped(("seats", "bot", "options"), PLAYED)
def test_whole_games_keep_the_laws_and_audit_sound(
    seats: int, bot: str, options: dict[str, OptionValue]
) -> None:
    """Laws 3 and 4 on the way, then the auditor over the stored bytes."""
    before, log = None, []
    for state, events in decisions(GAME, seats, bot, options, bot, "masters"):
        check_laws(before, state, events)
        before = state
        log += events
    assert isinstance(log[0], GameOpened)
    assert log[0].ruleset.id == "masters@1"
    assert isinstance(log[-1], GameEnded)

    (verdict,) = audit(rows([entry.stored for entry in records(log)]))
    assert (verdict.sound, verdict.status, verdict.ruleset) == (True, "finished", "masters@1")


def test_a_changed_game_is_found_out() -> None:
    """A card dealt otherwise than the seed says: the finding cites the game's own rule."""
    _, log = play_random(GAME, 3, "forged", {"variant": "n_phases(1)"}, "greedy", "masters")
    stored = [entry.stored for entry in records(log)]
    dealt = next(i for i, record in enumerate(stored) if b'"type":"RoundDealt/1"' in record)
    stored[dealt] = stored[dealt].replace(b'"dealer":0', b'"dealer":2')

    (verdict,) = audit(rows(stored))
    (finding,) = verdict.findings
    assert (finding.code, finding.seq, finding.rule) == ("outcome_differs", dealt + 1, "M-05")


def test_it_can_be_simulated() -> None:
    """The command line's simulation needs no more than the row."""
    game = play(SimulationPlan(seed="masters", ruleset="masters", players=3), 1)
    assert (game.fault, game.state.stage) == ("", "ended")


def test_views_and_legal_commands() -> None:
    """Every seat sees its own hand; what is listed is accepted."""
    for count, (state, _) in enumerate(decisions(GAME, 3, "views", {}, "greedy", "masters")):
        if state.stage != "playing" or count % 7:
            continue
        shown = view(state, 0)
        assert (shown.ruleset, shown.you) == ("masters@1", 0)
        assert view(state, None).hand is None
        for seat in range(3):
            commands = list(legal(state, seat))
            assert bool(commands) == (seat == state.waits[0].seat)
            for command in commands:
                step(state, Act(command, seat))


at = partial(table, ruleset=MASTERS, discard="Y12")


def test_its_phases() -> None:
    """Kinds that the classic phases do not have work on the classic deck."""
    state = at(["G4 G5 W G7 R2 B2 G2 Y9 G8", "R4"], phases=[8, 1])
    after = played(state, (0, lay("[G4 G5 W G7] [R2 B2 G2]")), (0, c.Hit(0, "G8", "high")))
    assert (after.seat(0).laid, after.groups[0].high) == (8, 8)
    mixed = at(["G4 G5 W R7 R2 B2 G2 Y9", "R4"], phases=[8, 1])
    refused = refusal(mixed, 0, lay("[G4 G5 W R7] [R2 B2 G2]"))
    assert refused == ("not_one_colour", "M-27")
    assert phase_text(PHASES[7]) == "colorrun(4) + set(3)"


def test_without_the_row_there_is_no_such_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the row knows the game; a game once opened goes on all the same (law 2)."""
    _, log = play_random(GAME, 2, "gone", {"variant": "n_phases(1)"}, "greedy", "masters")
    monkeypatch.delitem(GAMES, "masters")
    with pytest.raises(Rejected) as refused:
        step(None, Act(OpenGame(GAME, "masters", 3, {}, secret="0" * 64)))
    assert refused.value.code == "unknown_ruleset"
    state = at(["R1 R2", "R3"])
    assert refusal(state, 0, c.Draw()) == ("already_drawn", "")
    (verdict,) = audit(rows([entry.stored for entry in records(log)]))
    assert [finding.reject for finding in verdict.findings] == ["unknown_ruleset"]
