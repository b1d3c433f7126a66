"""A seat's command over HTTP: carried out, or tried out, and answered."""

from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.commands import Act, Hit, Lay, Play, Rejected
from phaseledger.domain.explain.move_faults import fault_of
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.errors import IfMatchNeeded
from phaseledger.service.api.requests.etags import expected_versions
from phaseledger.service.api.responses.commands import command_answer, state_headers
from phaseledger.service.api.responses.ready import ReadyAnswer, lines_of
from phaseledger.service.games.errors import RejectedByRules
from phaseledger.service.games.play import Sitting, play
from phaseledger.service.lobby.opening import new_key
from phaseledger.service.refusals import Refusal
from phaseledger.service.schemas.versions import KnownVersion


class SeatCommand(NamedTuple):
    """A seat's command, and the headers that it came with; an empty one is missing."""

    game: UUID
    sitting: Sitting
    command: Play
    key: str
    if_match: str
    signature: str

    def act(self) -> Act:
        """The command as the seat's deed."""
        return Act(self.command, self.sitting.seat, self.signature)

    def expected_versions(self) -> frozenset[KnownVersion] | None:
        """The versions that it was meant for; None for any."""
        return expected_versions(self.if_match, self.sitting.seat)


async def reply(service: Service, asked: SeatCommand, *, dry_run: bool) -> ReadyAnswer:
    """Carry out the command, or try it out, and answer it."""
    if service.settings.require_if_match and not asked.if_match:
        raise IfMatchNeeded
    try:
        return await (_tried_out if dry_run else _carried_out)(service, asked)
    except Rejected as rejection:
        raise await _explained(service, asked, rejection) from None


async def _carried_out(service: Service, asked: SeatCommand) -> ReadyAnswer:
    answer = await play(
        service.games,
        asked.game,
        asked.act(),
        asked.key or new_key(),
        sitting=asked.sitting,
        versions=asked.expected_versions(),
        reveal_seconds=service.settings.reveal_seconds,
    )
    return command_answer(answer, asked.sitting.seat, service)


async def _tried_out(service: Service, asked: SeatCommand) -> ReadyAnswer:
    """Say whether the command would be carried out; nothing is, and nothing hidden is told.

    An answer that had events or a view would tell of a card before it is drawn. The key counts for
    nothing: nothing is remembered.
    """
    now = await service.games.try_out(
        asked.game, asked.act(), asked.expected_versions(), asked.sitting.require_to_play
    )
    return ReadyAnswer(204, lines_of(state_headers(now.version, asked.sitting.seat)))


async def _explained(service: Service, asked: SeatCommand, rejection: Rejected) -> Refusal:
    """The refusal, which says where a lay or a hit is wrong.

    It tells what the rules say of the command's own cards and the groups on the table, and nothing
    of a hand.
    """
    refusal = RejectedByRules.for_exception(rejection)
    if isinstance(refusal, RejectedByRules) and isinstance(asked.command, Lay | Hit):
        now = await service.games.look(asked.game)
        refusal.fault = fault_of(now.state, asked.sitting.seat, asked.command, rejection)
    return refusal
