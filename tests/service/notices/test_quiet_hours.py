"""Quiet hours, as a function of the time alone."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from phaseledger.service.notices.quiet_hours import seconds_left, zone_of
from phaseledger.service.schemas.notices import QuietHours

BERLIN = (
    "Europe/Berlin"  # where clocks go on at 02:00 on 2026-03-29, and back at 03:00 on 2026-10-25
)
CASES = [
    # start, end, the local time (and whether it is the second of two), hours that are left
    ("22:00", "07:00", "2026-07-01T21:59", 0, 0.0),
    ("22:00", "07:00", "2026-07-01T22:00", 0, 9.0),
    ("22:00", "07:00", "2026-07-02T00:30", 0, 6.5),
    ("22:00", "07:00", "2026-07-02T07:00", 0, 0.0),
    ("12:00", "13:30", "2026-07-02T13:00", 0, 0.5),
    ("12:00", "13:30", "2026-07-02T23:00", 0, 0.0),
    ("22:00", "07:00", "2026-03-28T22:00", 0, 8.0),  # the night in which an hour is left out
    ("22:00", "07:00", "2026-10-24T22:00", 0, 10.0),  # the night in which one comes twice
    ("22:00", "02:30", "2026-10-25T02:15", 0, 0.25),
    ("22:00", "02:30", "2026-10-25T02:15", 1, 0.0),  # they have ended once
    ("02:30", "06:00", "2026-03-29T03:15", 0, 0.0),  # they begin half an hour after two
    ("02:30", "06:00", "2026-03-29T03:30", 0, 2.5),
    ("09:00", "09:00", "2026-07-02T09:00", 0, 0.0),
]


def test_they_go_by_the_clock_of_the_place() -> None:
    for start, end, local, fold, hours in CASES:
        now = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(BERLIN), fold=fold)
        left = seconds_left(QuietHours(start=start, end=end, zone=BERLIN), now.astimezone(UTC))
        assert left == 3600 * hours, (start, end, local, fold)


def test_a_name_that_is_no_zone_has_no_hours() -> None:
    for name in ("Europe/Nowhere", "Europe", "../etc/passwd", "/etc/passwd", "x" * 64):
        assert zone_of(name) is None, name


clocks = st.times().map(lambda at: f"{at.hour:02}:{at.minute:02}")
moments = st.integers(1_577_836_800, 1_893_456_000).map(lambda at: datetime.fromtimestamp(at, UTC))
zones = st.sampled_from(
    [BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]
)


@given(clocks, clocks, zones, moments)
def test_who_waits_as_long_is_out_of_them(start: str, end: str, zone: str, now: datetime) -> None:
    """And was in them until then; they last a day at most, and an hour that clocks go back."""
    quiet = QuietHours(start=start, end=end, zone=zone)
    left = seconds_left(quiet, now)
    assert 0 <= left <= 25 * 3600
    if left:
        then = now + timedelta(seconds=left)
        before = then - timedelta(seconds=min(1, left / 2))
        assert seconds_left(quiet, before) > 0
        # The next ones may begin at once where a change of the clocks moves the beginning.
        shift = (
            then.astimezone(ZoneInfo(zone)).utcoffset()
            != now.astimezone(ZoneInfo(zone)).utcoffset()
        )
        assert shift or seconds_left(quiet, then) == 0


@given(clocks, clocks, moments)
def test_where_clocks_do_not_change_they_are_what_the_clock_says(
    start: str, end: str, now: datetime
) -> None:
    begins, ends, clock = time.fromisoformat(start), time.fromisoformat(end), now.time()
    within = begins <= clock < ends if begins <= ends else clock >= begins or clock < ends
    assert (seconds_left(QuietHours(start=start, end=end, zone="UTC"), now) > 0) == within
