"""A seat's command over HTTP, as the route and the fast path both carry it out."""

from typing import Any
from uuid import UUID

from litestar import Response

from phaseledger.domain.commands import Act, Hit, Lay, Play, Rejected
from phaseledger.domain.explain.move_faults import fault_of
from phaseledger.service.api.answers import command_answer
from phaseledger.service.api.auth import Service
from phaseledger.service.api.errors import IfMatchNeeded
from phaseledger.service.api.etags import expected_versions, tag
from phaseledger.service.api.requests import PlainJsonResponse
from phaseledger.service.automation.play import play
from phaseledger.service.games.errors import RejectedByRules
from phaseledger.service.games.sitting import Sitting
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.refusals import Refusal
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
    try:
        answer = await play(
            service.games,
            game,
            Act(command, sitting.seat, signature),
            key or new_key(),
            sitting=sitting,
            versions=expected_versions(if_match, sitting.seat),
            reveal_seconds=service.reveal_seconds,
        )
    except Rejected as rejection:
        raise await _explained(service, game, sitting.seat, command, rejection) from None
    return command_answer(answer, sitting.seat, service)


async def answer_dry_run(
    service: Service, game: UUID, sitting: Sitting, command: Play, *, if_match: str, signature: str
) -> Response[Any]:
    """Say whether the command would be carried out; nothing is, and nothing hidden is told.

    An answer that had events or a view would tell of a card before it is drawn.
    """
    if service.require_if_match and not if_match:
        raise IfMatchNeeded
    try:
        now = await service.games.try_out(
            game,
            Act(command, sitting.seat, signature),
            expected_versions(if_match, sitting.seat),
            sitting.require_to_play,
        )
    except Rejected as rejection:
        raise await _explained(service, game, sitting.seat, command, rejection) from None
    headers = {"Cache-Control": "no-store", "ETag": tag(now.version, sitting.seat)}
    return Response(None, status_code=204, headers=headers)


async def _explained(
    service: Service, game: UUID, seat: int, command: Play, rejection: Rejected
) -> Refusal:
    """The refusal, which says where a lay or a hit is wrong.

    It tells what the rules say of the command's own cards and the groups on the table, and nothing
    of anybody's hand.
    """
    refusal = RejectedByRules.for_exception(rejection)
    if isinstance(refusal, RejectedByRules) and isinstance(command, Lay | Hit):
        now = await service.games.look(game)
        refusal.fault = fault_of(now.state, seat, command, rejection)
    return refusal
