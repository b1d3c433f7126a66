"""Tables that a service opens in this process, without HTTP: seats taken, begun or about to be."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from phaseledger.domain.commands import Act, Start, TakeSeat
from phaseledger.domain.deal import seat_commit
from phaseledger.domain.options import OptionValue
from phaseledger.domain.terms import Clock, Terms
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.joining import join
from phaseledger.service.lobby.opening import SeatRequest, new_game, opening

PEOPLE = (SeatRequest(), SeatRequest())
SECRETS = tuple(bytes([number]) * 32 for number in range(10, 16))
"""The secrets that seats bring, where they do."""


async def table_of(
    games: GameService,
    seats: Sequence[SeatRequest] = PEOPLE,
    *,
    ruleset: str = "classic",
    options: Mapping[str, OptionValue] | None = None,
    clock: Clock | None = None,
    bringing: Collection[int] = (),
    start: bool = True,
    game: UUID | None = None,
) -> UUID:
    """A table whose people are called by their seats; those in ``bringing`` bring a secret."""
    game = game or new_game("")
    bots_alone = all(seat.bot for seat in seats)
    acts = opening(
        game,
        ruleset,
        list(seats),
        options=dict(options or {}),
        dealer=0,
        start=start and bots_alone,
        terms=Terms(clock=clock),
    )
    await games.open(acts, game, "open")
    for seat, request in enumerate(seats):
        if not request.bot:
            take = TakeSeat(f"{seat}", secret="ab" * 32)
            if seat in bringing:
                take = TakeSeat(f"{seat}", commit=seat_commit(str(game), seat, SECRETS[seat]))
            await join(games, game, seat, take, f"join {seat}")
    if start and not bots_alone:
        await games.send(game, Act(Start()), "start")
    return game
