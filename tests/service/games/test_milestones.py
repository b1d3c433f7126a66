"""Milestones are near wherever one asks, and few."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.games.milestones import LATELY, SPACING, Milestones

LONGEST = 20  # events of a command


class Version(NamedTuple):
    version: int


@given(
    st.lists(st.integers(1, LONGEST), min_size=1, max_size=200),
    st.integers(0, 200),
    st.floats(0, 1),
)
def test_a_milestone_is_near_on_both_sides(commands: list[int], loaded: int, where: float) -> None:
    """Whether the commands were read at once, which ends with the last of them, or came later."""
    milestones, version = Milestones[Version](), 0
    loaded = min(loaded, len(commands))
    for number, events in enumerate(commands, 1):
        version += events
        passes = number < loaded
        (milestones.pass_by if passes else milestones.reach)(Version(version))

    asked = round(where * version)
    before, after = milestones.at_most(asked), milestones.at_least(asked)

    assert (before.version if before else 0) <= asked <= after.version
    assert after.version - (before.version if before else 0) < SPACING + LONGEST
    assert milestones.at_least(version).version == version


@given(st.integers(1, 400))
def test_the_last_commands_all_have_one(commands: int) -> None:
    milestones = Milestones[Version]()
    for version in range(1, commands + 1):
        milestones.reach(Version(version))

    for version in range(max(1, commands - LATELY), commands + 1):
        assert milestones.at_most(version) == milestones.at_least(version) == Version(version)


def test_a_game_that_is_forgotten_has_none() -> None:
    milestones = Milestones[Version]()
    milestones.reach(Version(SPACING))
    milestones.clear()

    assert milestones.at_most(SPACING) is None
