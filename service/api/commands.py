"""A seat's command over HTTP, as the route and the fast path both carry it out."""

from functools import partial
from uuid import UUID

from phaseledger.domain.commands import Act, Play, RevealSecret
from phaseledger.service.api.answers import command_answer
from phaseledger.service.api.auth import Service
from phaseledger.service.api.etags import expected_versions
from phaseledger.service.api.problems import Refusal
from phaseledger.service.api.requests import PlainJsonResponse
from phaseledger.service.automation.reveal_deadlines import close_if_due
from phaseledger.service.automation.turn_clocks import in_time
from phaseledger.service.games.sitting import Sitting
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.schemas.games import Done


async def answer_command(
    service: Service,
    game: UUID,
    sitting: Sitting,
    data: Play,
    idempotency_key: str,
    if_match: str,
    signature: str,
) -> PlainJsonResponse[Done]:
    """What `send_command` does; an empty text is a header that is not there."""
    if service.require_if_match and not if_match:
        raise Refusal("if_match_needed")
    expected = expected_versions(if_match, sitting.seat)
    act, key = Act(data, sitting.seat, signature), idempotency_key or new_key()
    if isinstance(data, RevealSecret):
        await close_if_due(service.games, game, service.reveal_seconds)
    send = partial(
        service.games.send, game, act, key, expected, sitting.require_to_play, sitting.since
    )
    answer = await in_time(service.games, game, sitting.seat, send)
    return command_answer(answer, sitting.seat, service)
