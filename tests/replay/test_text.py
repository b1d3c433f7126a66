"""Text for people: times."""

from phaseledger.replay.text import utc_time
from tests.support.cases import looped

TIMES = {
    0: "1970-01-01 00:00:00.000 UTC",
    5: "1970-01-01 00:00:00.005 UTC",
    1_790_000_014_999: "2026-09-21 14:13:34.999 UTC",
    2**53 - 1: "9007199254740991 ms",
}


@looped("at", TIMES)
def test_a_time_of_the_log(at: int) -> None:
    assert utc_time(at) == TIMES[at]
