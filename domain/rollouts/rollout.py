"""Rollouts: games played on by bots from worlds that fit what a seat knows, repeatable by a seed.

The value of a position is the mean over its rollouts: points, the seat that goes out, the winner.
Bots see what their seats see in the world, not what the others hold there.
"""

from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from phaseledger.domain.bots.registry import decision
from phaseledger.domain.commands import Act
from phaseledger.domain.decide import step
from phaseledger.domain.events import Result, RoundEnded
from phaseledger.domain.hashing import hmac_sha256
from phaseledger.domain.rollouts.worlds import world
from phaseledger.domain.state import State

MOST_DECISIONS = 20_000
"""Decisions after which a rollout is broken off: a game of bots takes some hundreds."""


class RolloutPlan(Struct, frozen=True):
    """A position of a game that is played, and how to play it on.

    ``bots`` are names of `bots.registry.BOTS`, one for each seat, the knowing ``seat`` too.
    """

    state: State
    seat: int
    bots: tuple[str, ...]
    seed: str
    until: Literal["round", "game"] = "round"
    most: int = MOST_DECISIONS


class Rollout(Struct, frozen=True):
    """One world, played on. ``results`` and ``out`` describe the last round that ended."""

    number: int
    decisions: int
    ended: bool
    """Whether the round or the game came to its end within the most decisions."""
    results: tuple[Result, ...]
    """The result of each seat; empty where no round ended."""
    out: int | None
    winners: tuple[int, ...]


def rollout(plan: RolloutPlan, number: int) -> Rollout:
    """Play on the world of that number, from 0.

    Raises:
        NoWorld: nothing fits what the seat knows.

    """
    key = sha256(b"p10-rollout/v1\n" + plan.seed.encode()).digest()
    state = world(plan.state, plan.seat, key, number)
    # Bots sign nothing.
    state = replace(
        state, seats=tuple([seat and replace(seat, key="", stand_in="") for seat in state.seats])
    )
    chance = hmac_sha256(key, b"bots %d" % number)
    last: RoundEnded | None = None
    decisions = 0
    while state.stage == "playing" and not (last and plan.until == "round"):
        if decisions == plan.most:
            break
        seat = state.waits[0].seat
        command = decision(plan.bots[seat], state, seat, chance, decisions)
        state, events = step(state, Act(command, seat))
        decisions += 1
        for event in events:
            if type(event) is RoundEnded:
                last = event
    return Rollout(
        number=number,
        decisions=decisions,
        ended=state.stage == "ended" or (plan.until == "round" and last is not None),
        results=last.results if last else (),
        out=last.out if last else None,
        winners=state.winners,
    )
