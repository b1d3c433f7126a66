"""Quiet hours: when a player wants no notices, by the clock of the place where the player is."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from phaseledger.service.schemas.notices import QuietHours


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of the IANA database with that name, if there is one."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # unknown, a folder of zones, no name at all
        return None


def seconds_left(quiet: QuietHours | None, now: datetime) -> float:
    """How long the quiet hours last that ``now``, with a time zone, is in; 0 outside of them.

    They begin once on each day, and end on the same or the next one: a time that the clocks skip
    is as long after the last one before, and one that comes twice is the first one.
    """
    if quiet is None or quiet.start == quiet.end or (zone := zone_of(quiet.zone)) is None:
        return 0.0
    start, end = time.fromisoformat(quiet.start), time.fromisoformat(quiet.end)
    today = now.astimezone(zone).date()
    for ago in (1, 0):  # yesterday's may last, and today's
        day = today - timedelta(ago)
        begins = datetime.combine(day, start, zone).astimezone(UTC)
        last = day + timedelta(end < start)
        ends = datetime.combine(last, end, zone).astimezone(UTC)
        if begins <= now < ends:
            return (ends - now).total_seconds()
    return 0.0
