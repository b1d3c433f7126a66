"""Games opened before a house rule was read as the catalogue says are decided again as they were.

``first-readings.ndjson`` was written before there was a second reading: with
`wild_placement=high_then_low` a run lies in it with a wild in front, though there is room behind.
"""

from pathlib import Path

from phaseledger.domain.cards import parse, show
from phaseledger.domain.commands import OpenGame
from phaseledger.domain.events import GameOpened, PhaseLaid
from phaseledger.domain.evidence.codec import events_of
from phaseledger.domain.groups.melds import arrange
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import preset
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.laboratory.simulate.game import SimulationPlan, play
from tests.support.cases import looped
from tests.support.replay.log_edits import rows

STORED = (Path(__file__).parent / "first-readings.ndjson").read_bytes().splitlines()


def opened(stored: list[bytes]) -> tuple[OpenGame, GameOpened]:
    (event,) = events_of(GameOpened, stored)
    assert event.act
    assert isinstance(event.act.command, OpenGame)
    return event.act.command, event


def test_an_old_game_is_decided_again_as_it_was() -> None:
    (verdict,) = audit(rows(STORED))
    assert (verdict.sound, verdict.status, verdict.events) == (True, "finished", len(STORED))
    command, event = opened(STORED)
    assert (command.revision, event.ruleset.revision) == (0, 0)


def test_the_second_reading_would_decide_otherwise() -> None:
    """So the old game shows what it is kept for: a run of it would lie in another order today."""
    command, event = opened(STORED)
    latest = resolve(preset("express"), command.options)
    assert latest.revision == 1
    moved = []
    for laid in events_of(PhaseLaid, STORED):
        needs = event.ruleset.phases[laid.phase - 1].needs
        for need, group in zip(needs, laid.groups, strict=True):
            if need.kind == "run":
                placed = arrange(need, parse(group.cards), None, latest).cards
                moved.append(show(placed) != group.cards)
    assert any(moved)


@looped(
    ("options", "revision"),
    [
        ({}, 0),
        ({"wild_placement": "explicit", "final_tie_replay": "tied_only"}, 0),
        ({"wild_placement": "high_then_low"}, 1),
        ({"final_tie_replay": "everybody"}, 1),
    ],
)
def test_a_new_game_says_which_reading_it_has(options: dict[str, str], revision: int) -> None:
    """Where there is but one reading the bytes are what they always were."""
    plan = SimulationPlan("readings", "express", 2, options={"variant": "n_phases(1)", **options})
    played = play(plan, 1)
    command, event = opened(list(played.lines))
    assert (command.revision, event.ruleset.revision) == (revision, revision)
    assert (b"revision" in b"".join(played.lines)) is bool(revision)
    (verdict,) = audit(rows(list(played.lines)))
    assert verdict.sound
