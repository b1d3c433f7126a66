"""Sitting down: by whom, where, and bots in the seats that nobody wants."""

from collections.abc import Sequence
from uuid import UUID

from phaseledger.domain.commands import Act, RejectCode, Rejected, TakeSeat
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.service.games.errors import Denied, KeyReused, NoSuchGame
from phaseledger.service.games.game import Answer, Decision, Game
from phaseledger.service.games.service import GameService
from phaseledger.service.lobby.errors import TableFull
from phaseledger.service.lobby.join_codes import is_code
from phaseledger.service.lobby.opening import bot_name, new_secret


def _loaded(game: Game) -> State:
    if game.now is None:
        raise NoSuchGame
    return game.now.state


def _require_code(state: State, code: str) -> None:
    """See that who wants to sit down has the code, if the table is private."""
    if not state.terms.private or is_code(state, code):
        return
    if state.terms.spectators == "none":
        raise NoSuchGame
    raise Denied("bad_join_code" if code else "join_code_needed")


async def join(
    games: GameService,
    game_id: UUID,
    seat: int | None,
    command: TakeSeat,
    key: str,
    *,
    code: str = "",
    returning: bool = False,
) -> Answer:
    """Take the named seat, or the first free one.

    ``returning`` is who played the game before, whom the seat of a rematch is reserved for.
    """

    def sit(number: int) -> Decision:
        return Decision(Act(command, number), codec.command_id(number, key))

    def recall(game: Game) -> Sequence[Decision] | None:
        seats = range(len(_loaded(game).seats))
        known = [sit(n) for n in seats if codec.command_id(n, key) in game.commands]
        if known and seat not in (None, known[0].act.seat):
            raise KeyReused
        return known or None

    def make(game: Game) -> Sequence[Decision]:
        state = _loaded(game)
        if not returning:
            _require_code(state, code)
        if seat is not None:
            if returning != (seat in state.reserved) and (returning or state.seats[seat] is None):
                raise Denied("seat_not_kept" if returning else "seat_reserved")
            return [sit(seat)]
        free = [
            n for n, taken in enumerate(state.seats) if taken is None and n not in state.reserved
        ]
        if not free and state.stage == "lobby":
            raise TableFull
        return [sit(free[0] if free else 0)]

    return await games.write(game_id, recall, make, "take_seat")


async def fill(games: GameService, game_id: UUID, level: str, key: str) -> Answer:
    """Seat bots of that level wherever nobody sits and no seat is reserved: all or none."""

    def sit(number: int) -> Decision:
        command = TakeSeat(name=bot_name(level, number), bot=level, secret=new_secret())
        return Decision(Act(command, number), codec.command_id(number, f"{key} fill"))

    def recall(game: Game) -> Sequence[Decision] | None:
        seats = range(len(_loaded(game).seats))
        known = [n for n in seats if codec.command_id(n, f"{key} fill") in game.commands]
        return [sit(number) for number in known] or None

    def make(game: Game) -> Sequence[Decision]:
        state = _loaded(game)
        if state.stage != "lobby":
            over = state.stage in ("ended", "voided")
            raise Rejected(RejectCode.GAME_OVER if over else RejectCode.NOT_IN_LOBBY)
        empty = [n for n, taken in enumerate(state.seats) if taken is None]
        free = [number for number in empty if number not in state.reserved]
        if not free:
            raise Denied("seat_reserved") if empty else TableFull
        return [sit(number) for number in free]

    return await games.write(game_id, recall, make, "take_seat")
