"""Taking seats: a player in one, or bots in all free ones."""

from collections.abc import Collection, Sequence
from uuid import UUID

from phaseledger.domain.commands import Act, RejectCode, Rejected, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.names import hides, is_pseudonym, look
from phaseledger.domain.state import State
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.signing.ed25519 import is_usable
from phaseledger.service.games.errors import GameArchived, KeyReused, NoSuchGame
from phaseledger.service.games.game import Answer, Decision, Game, require_genuine, spellings
from phaseledger.service.games.spectators import known_to
from phaseledger.service.games.writer import GameService
from phaseledger.service.lobby.errors import (
    BadJoinCode,
    JoinCodeNeeded,
    NameTaken,
    SeatNotKept,
    SeatReserved,
    TableFull,
)
from phaseledger.service.lobby.join_codes import is_code
from phaseledger.service.lobby.opening import bot_name, new_secret
from phaseledger.service.lobby.table_quotas import require_seat
from phaseledger.service.schemas.games import JoinTable
from phaseledger.service.schemas.lobby import PlayAgain


def _require_code(state: State, code: str) -> None:
    """Check that the player has the code of a private table. Raises NoSuchGame or a refusal."""
    if not state.terms.private or is_code(state, code):
        return
    if state.terms.spectators == "none":
        raise NoSuchGame
    raise BadJoinCode if code else JoinCodeNeeded


def _require_free_seat(state: State, seat: int, name: str, *, returning: bool) -> None:
    """Check that a player may sit down in the seat; the rules refuse a taken one.

    Raises:
        SeatNotKept: the returning player has lost the seat.
        SeatReserved: it is reserved for a player of the game before.
        NameTaken: another player has the name.

    """
    if returning:
        if seat not in state.reserved:
            raise SeatNotKept
    elif state.seats[seat : seat + 1] == (None,):
        if seat in state.reserved:
            raise SeatReserved
        _require_free_name(state, name)


def _require_free_name(state: State, name: str) -> None:
    """Check that no name at a table in the lobby looks like this one, which hides nothing. Raises
    NameTaken or Rejected.

    Players who come back to a rematch keep their names, also equal ones.
    """
    others = {look(occupant.name) for occupant in state.seats if occupant}
    if state.stage == "lobby" and look(name) in others:
        raise NameTaken
    if hides(name):
        raise Rejected(RejectCode.BAD_TEXT)


async def join(
    games: GameService,
    game_id: UUID,
    seat: int | None,
    command: TakeSeat,
    key: str,
    *,
    code: str = "",
    sig: str = "",
    returning: bool = False,
) -> Answer:
    """Take the named seat, or the first free one.

    ``sig`` is the signature for the taken seat, by the key that the command registers.
    ``returning``: the player had a seat in the game before, and has a reserved one here.
    """

    def sit(number: int) -> Decision:
        return Decision(Act(command, number, sig), codec.command_id(number, key))

    def recall(game: Game) -> Sequence[Decision] | None:
        seats = range(len(game.loaded().state.seats))
        stored = [sit(n) for n in seats if codec.command_id(n, key) in game.commands]
        if stored and seat not in (None, stored[0].act.seat):
            raise KeyReused
        return stored or None

    def make(game: Game) -> Sequence[Decision]:
        state = game.loaded().state
        if not returning:
            _require_code(state, code)
        if seat is not None:
            _require_free_seat(state, seat, command.name, returning=returning)
            chosen = seat
        else:
            free = [
                n
                for n, occupant in enumerate(state.seats)
                if occupant is None and n not in state.reserved
            ]
            if not free and state.stage == "lobby":
                raise TableFull
            _require_free_name(state, command.name)
            chosen = free[0] if free else 0
        if is_pseudonym(command.name):
            require_seat(games.tables, game_id, command.name)
        decision = sit(chosen)
        require_genuine(game.loaded(), decision.act)
        return [decision]

    try:
        return await games.write(game_id, recall, make, "take_seat")
    except GameArchived as archived:
        raise known_to(archived, member=returning) from None


async def fill(games: GameService, game_id: UUID, level: str, key: str) -> Answer:
    """Seat bots of that level in every seat that is free and not reserved: all or none."""

    def sit(number: int, taken: Collection[str] = ()) -> Decision:
        command = TakeSeat(name=bot_name(level, number, taken), bot=level, secret=new_secret())
        return Decision(Act(command, number), codec.command_id(number, f"{key} fill"))

    def recall(game: Game) -> Sequence[Decision] | None:
        seats = range(len(game.loaded().state.seats))
        for text in spellings(key):
            ids = {n: codec.command_id(n, f"{text} fill") for n in seats}
            if stored := [sit(n)._replace(cmd=ids[n]) for n in seats if ids[n] in game.commands]:
                return stored
        return None

    def make(game: Game) -> Sequence[Decision]:
        state = game.loaded().state
        if state.stage != "lobby":
            over = state.is_over
            raise Rejected(RejectCode.GAME_OVER if over else RejectCode.NOT_IN_LOBBY)
        empty = [n for n, occupant in enumerate(state.seats) if occupant is None]
        free = [number for number in empty if number not in state.reserved]
        if not free:
            raise SeatReserved if empty else TableFull
        taken = [occupant.name for occupant in state.seats if occupant]
        decisions = []
        for number in free:
            decisions.append(sit(number, taken))
            taken.append(bot_name(level, number, taken))
        return decisions

    return await games.write(game_id, recall, make, "take_seat")


def take_seat_command(data: JoinTable | PlayAgain, name: str) -> TakeSeat:
    """The command that takes a seat; the server makes the secret where the player brings none."""
    if data.key and not is_usable(bytes.fromhex(data.key)):
        raise Rejected(RejectCode.BAD_KEY, detail=Phrase("detail.key.point"))
    return TakeSeat(
        name=name,
        commit=data.commit or "",
        secret="" if data.commit else new_secret(),
        key=data.key or "",
    )
