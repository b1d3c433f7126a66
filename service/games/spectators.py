"""The spectators' view of a game: as much of it as the table's terms allow."""

from functools import partial
from uuid import UUID

from phaseledger.service.games.errors import GameArchived, NoSpectators, NoSuchGame
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.writer import GameService


def visible_version(now: Snapshot, *, member: bool) -> int:
    """The last event that may be seen: all of them by a ``member``, who has a token of the game.

    Others see what the table's terms say, but all of a game that is over, and all that came
    before the first deal: that is the lobby. 0: nothing at all.
    """
    terms, version, marks = now.state.terms, now.version, now.marks
    if member or terms.spectators == "open":
        return version
    if terms.spectators == "none":
        return 0 if terms.private or marks.first_deal else version
    if now.revealed or not marks.first_deal:
        return version
    lobby = marks.first_deal - 1
    if terms.spectators == "round":
        return marks.deal - 1 if marks.deal else version
    return max(lobby, version - terms.delay)


def known_to(archived: GameArchived, *, member: bool) -> GameArchived | NoSuchGame:
    """The refusal for an archived game: NoSuchGame for a hidden one, unless to a ``member``."""
    return NoSuchGame() if archived.tombstone.hidden and not member else archived


async def visible_snapshot(
    games: GameService, game_id: UUID, *, member: bool, at_least: int = 0
) -> Snapshot:
    """The game as far as the caller may see it; waits a while for version ``at_least`` of that.

    Raises:
        NoSuchGame: there is none, or it is private and has no spectators.
        NoSpectators: the table has no spectators.
        GameArchived: its events have left the log.

    """
    reach = partial(visible_version, member=member)
    try:
        now = await games.look(game_id, at_least, reach, watching=True)
    except GameArchived as archived:
        raise known_to(archived, member=member) from None
    version = reach(now)
    if version == now.version:
        return now
    if version == 0:
        raise NoSuchGame if now.state.terms.private else NoSpectators
    return await games.past(game_id, version)
