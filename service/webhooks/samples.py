"""Samples: a message of each type as a game would send it, marked as a sample.

They go the way of all messages: the same signatures, the same look at the address. A sample is sent
once and stands in no outbox, so it does not count for or against its endpoint.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from uuid import UUID, uuid4

from msgspec import Struct

from phaseledger.service.schemas.webhooks import Type
from phaseledger.service.webhooks.delivery import Deliveries
from phaseledger.service.webhooks.messages import Data, payload
from phaseledger.service.webhooks.sender import AttemptResult
from phaseledger.service.webhooks.store import DueMessage

WAIT = 4.0
"""Seconds for an endpoint's answer: the operator's listener waits for little more."""
GAME = UUID("0198c2f0-7a51-7c3e-9d52-6f1e0b7a4c11")

DATA: Mapping[Type, Data] = {
    "seat.taken": {"seat": 1, "name": "Ada", "bot": ""},
    "seat.freed": {"seat": 1, "by": "seat"},
    "seat.handed_over": {"seat": 1, "bot": "greedy", "why": "overdue"},
    "seat.named": {"seat": 1, "name": "player-k3v5x2m7q4ndpb6rw2ta"},
    "game.started": {"ruleset": "classic@1", "players": ["Ada", "Blaise"]},
    "round.started": {"round": 1, "dealer": 0},
    "turn.asked": {"seat": 1, "kind": "draw"},
    "turn.timed_out": {"seat": 1, "then": "bot"},
    "round.ended": {
        "round": 1,
        "out": 1,
        "results": [
            {"points": 45, "total": 45, "laid": False, "phase": 1},
            {"points": 0, "total": 0, "laid": True, "phase": 2},
        ],
    },
    "game.ended": {"winners": [1]},
    "game.voided": {"reason": "The club closes.", "owing": []},
}
"""What the sample of each type says, besides `game` and `version`."""


class SampleSent(Struct, frozen=True):
    """A sample that was sent once, and how its endpoint answered."""

    to: str
    id: str
    """As its `webhook-id` has it; empty of a notice."""
    body: str
    status: int | None
    reason: str
    """Why it was not taken; empty where it was."""


async def trigger(service: Deliveries, application: UUID, kind: Type) -> Sequence[SampleSent]:
    """Send a sample to each webhook of the application that takes messages of the type."""
    data = {"game": str(GAME), "sample": True, "version": 41, **DATA[kind]}
    body = payload(kind, int(1000 * time.time()), data)
    async with service.hooks.transaction() as run:
        rows = await run("sampled", application, kind)
    return await asyncio.gather(
        *(_send(service, DueMessage(uuid4(), hook, body, 0, *columns)) for hook, *columns in rows)
    )


async def _send(service: Deliveries, due: DueMessage) -> SampleSent:
    outcome = await in_time(service.attempt(due))
    return SampleSent(
        to=due.url, id=due.name, body=due.body, status=outcome.status, reason=outcome.reason
    )


async def in_time(attempt: Awaitable[AttemptResult]) -> AttemptResult:
    """The outcome of an attempt, or that it takes too long for a sample."""
    try:
        async with asyncio.timeout(WAIT):
            return await attempt
    except TimeoutError:
        return AttemptResult(None, f"no answer within {WAIT:g} seconds")
