"""A seat's command over HTTP, as the route and the fast path both carry it out."""

from typing import Any
from uuid import UUID

from litestar import Response

from phaseledger.domain.commands import Act, Play
from phaseledger.service.api.answers import command_answer
from phaseledger.service.api.auth import Service
from phaseledger.service.api.errors import IfMatchNeeded
from phaseledger.service.api.etags import expected_versions, tag
from phaseledger.service.api.requests import PlainJsonResponse
from phaseledger.service.automation.play import play
from phaseledger.service.games.sitting import Sitting
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.schemas.games import Done


async def answer_command(
    service: Service,
    game: UUID,
    sitting: Sitting,
    command: Play,
    *,
    key: str,
    if_match: str,
    signature: str,
) -> PlainJsonResponse[Done]:
    """Carry out the command and answer it; an empty string is a missing header."""
    if service.require_if_match and not if_match:
        raise IfMatchNeeded
    answer = await play(
        service.games,
        game,
        Act(command, sitting.seat, signature),
        key or new_key(),
        sitting=sitting,
        versions=expected_versions(if_match, sitting.seat),
        reveal_seconds=service.reveal_seconds,
    )
    return command_answer(answer, sitting.seat, service)


async def answer_dry_run(
    service: Service, game: UUID, sitting: Sitting, command: Play, *, if_match: str, signature: str
) -> Response[Any]:
    """Say whether the command would be carried out; nothing is, and nothing hidden is told.

    An answer that had events or a view would tell of a card before it is drawn.
    """
    if service.require_if_match and not if_match:
        raise IfMatchNeeded
    now = await service.games.try_out(
        game,
        Act(command, sitting.seat, signature),
        expected_versions(if_match, sitting.seat),
        sitting.require_to_play,
    )
    headers = {"Cache-Control": "no-store", "ETag": tag(now.version, sitting.seat)}
    return Response(None, status_code=204, headers=headers)
