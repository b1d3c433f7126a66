"""Presences: the operator's word that a seat was there, with the game at its newest event."""

from uuid import UUID

from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.presences import Presence, confirm, is_present
from phaseledger.service.games.errors import BadSignature, StaleVersion
from phaseledger.service.games.play import Sitting
from phaseledger.service.games.writer import GameService


async def presence(
    games: GameService,
    game: UUID,
    sitting: Sitting,
    head: tuple[int, str],
    signature: str,
    key: SigningKey,
) -> Presence:
    """The presence of the seat, which has seen the game at ``head``, a version and its leaf hash.

    Raises:
        StaleVersion: the game's last event is another one.
        BadSignature: the seat has a key and has not signed with it, or has signed without a key.
        SeatGivenUp, BotHasSeat: the seat is no longer the caller's.
        LedgerTimeUnknown: the ledger's time is not known.

    """
    # The log is asked after the clock: what is stored later was not there at this time.
    at = games.clock.now()
    now = await games.look(game)
    at = max(at, now.marks.at)  # the clock of a table for tests may have been turned on
    sitting.require(now)
    if head != (now.version, now.chain.head):
        raise StaleVersion(now.version)
    version, leaf = head
    occupant = now.state.seats[sitting.seat]
    public = occupant.key if occupant else ""
    is_signed = is_present(public, signature, str(game), sitting.seat, leaf, version)
    if not (is_signed if public else not signature):
        raise BadSignature(version, leaf)
    return confirm(str(game), sitting.seat, leaf, version, at, signature, key)
