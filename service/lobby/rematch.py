"""Rematch: one new game for the same people after another's end, with the seats moved by one."""

import hashlib
from contextlib import suppress
from uuid import UUID

from msgspec.structs import replace

from phaseledger.domain.commands import Act, OpenGame, TakeSeat
from phaseledger.domain.draft import decision
from phaseledger.domain.evidence.codec import decode
from phaseledger.domain.state import SeatState, State
from phaseledger.domain.terms import OPEN
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.ledgers import id_in, is_numbered, number_of
from phaseledger.service.games.errors import NoSuchGame
from phaseledger.service.games.game import Answer, Snapshot
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.errors import NotOver
from phaseledger.service.lobby.joining import join
from phaseledger.service.lobby.opening import bot_name, new_secret, uuid_of

# No Idempotency-Key has a space, so no client's command has the same id.
KEY = "rematch"


def rematch_of(game: UUID) -> UUID:
    """The id of the game's rematch, derived from the game's, so that each game has only one."""
    digest = hashlib.sha256(f"p10-rematch/v1\n{game}".encode()).digest()
    return id_in(number_of(game), digest) if is_numbered(game) else uuid_of(digest)


def seat_after(state: State, seat: int) -> int:
    """The seat in the rematch of the player of that seat."""
    return (seat + 1) % len(state.seats)


def returning(now: Snapshot) -> frozenset[int]:
    """The seats whose players have a seat in the rematch: people's, and those lost to a bot."""
    people = {seat for seat, player in enumerate(now.state.seats) if player and not player.bot}
    return now.marks.lost | people


async def open_rematch(games: GameService, game: UUID, now: Snapshot) -> Answer:
    """Open the rematch, with the same rules, terms and bots; the stored answer where it is open.

    Seats of people are reserved for them, also of those who were late and lost theirs to a bot. A
    seat that was left stays the bot's.

    Raises:
        NotOver: the game is not over, or its rematch may have been lost with a restore.

    """
    state = now.state
    if not now.revealed:
        raise NotOver
    if None in state.seats:
        raise NotOver(Phrase("adds.rematch.never"))
    (row,) = await games.rows(game, 0, 1)
    opened, event = decode(row.topic, row.state)
    restorations = await games.store.restorations(game)
    if max(restorations, default=0) > opened.at and not await games.store.head(rematch_of(game)):
        # There may be receipts for another game of that id, which must not be contradicted.
        raise NotOver(Phrase("adds.rematch.restored"))
    act = decision(event)
    assert act is not None
    command = act.command
    assert isinstance(command, OpenGame)
    players = {seat_after(state, n): state.seat(n) for n in range(len(state.seats))}
    people = tuple(sorted(seat_after(state, n) for n in returning(now)))
    with suppress(NoSuchGame):  # an earlier release kept no seats for players who were late
        people = (await games.look(rematch_of(game))).state.terms.reserved
    terms = replace(command.table or OPEN, rematch_of=str(game), reserved=people)
    opening = replace(command, game=str(rematch_of(game)), secret=new_secret(), table=terms)
    bots = sorted(players.keys() - {*people})
    acts = [Act(opening), *(Act(_bot(players[seat], seat), seat) for seat in bots)]
    return await games.open(acts, rematch_of(game), KEY)


def _bot(player: SeatState, seat: int) -> TakeSeat:
    return TakeSeat(name=bot_name(player.bot, seat), bot=player.bot, secret=new_secret())


async def sit_again(
    games: GameService, game: UUID, state: State, seat: int, command: TakeSeat
) -> Answer:
    """Take the seat that the rematch reserves for a seat of the game; idempotent.

    Raises:
        SeatNotKept: the host gave it to another player.

    """
    target, number = rematch_of(game), seat_after(state, seat)
    return await join(games, target, number, command, f"{KEY} of seat {seat}", returning=True)
