"""A seat's command over HTTP: carried out, or tried out, and answered."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from phaseledger.domain.commands import Act, Hit, Lay, Play, Rejected
from phaseledger.domain.explain.move_faults import fault_of
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import IfMatchNeeded
from phaseledger.service.api.requests.etags import expected_versions, tag
from phaseledger.service.api.requests.headers import REPEATED
from phaseledger.service.api.responses.commands import done
from phaseledger.service.automation.play import play
from phaseledger.service.games.errors import RejectedByRules
from phaseledger.service.games.sitting import Sitting
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.refusals import Refusal

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]
"""Names in lower case, and values."""

_REPEATED = {
    is_repeated: [(name.encode(), value.encode()) for name, value in headers.items()]
    for is_repeated, headers in ((False, {}), (True, REPEATED))
}
_encode = msgspec.json.Encoder().encode


class CommandReply(NamedTuple):
    """The answer to a command: its status, its own headers, and its body."""

    status: int
    headers: Headers
    body: bytes


async def answer_command(
    service: Service,
    game: UUID,
    sitting: Sitting,
    command: Play,
    *,
    key: str,
    if_match: str,
    signature: str,
) -> CommandReply:
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
    body = _encode(done(answer, sitting.seat, service))
    headers = [
        (b"cache-control", b"no-store"),
        (b"etag", tag(answer.version, sitting.seat).encode()),
        *_REPEATED[answer.is_repeated],
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
    ]
    return CommandReply(200, headers, body)


async def answer_dry_run(
    service: Service,
    game: UUID,
    sitting: Sitting,
    command: Play,
    *,
    key: str,
    if_match: str,
    signature: str,
) -> CommandReply:
    """Say whether the command would be carried out; nothing is, and nothing hidden is told.

    An answer that had events or a view would tell of a card before it is drawn. The key counts for
    nothing: nothing is remembered.
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
    headers = [
        (b"cache-control", b"no-store"),
        (b"etag", tag(now.version, sitting.seat).encode()),
    ]
    return CommandReply(204, headers, b"")


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
