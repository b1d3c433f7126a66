"""Retention: players whom no table has had for long are erased, and their rows overwritten."""

import asyncio

import structlog

from phaseledger.service.eventlog.errors import StoreUnavailable
from phaseledger.service.players.store import Players

EVERY = 600.0
"""Seconds between two looks, within which what was erased is gone from the table's files too."""

log = structlog.get_logger("phaseledger.players")


async def retained(players: Players, days: float) -> None:
    """Keep players for no longer than that after their last game; 0: until they are erased."""
    while True:
        try:
            if days and (erased := await players.expire(days)):
                log.info("players erased by age", count=erased)
            await players.scrub()
        except StoreUnavailable as lost:
            log.warning("players wait for the database", reason=str(lost))
        await asyncio.sleep(EVERY)
