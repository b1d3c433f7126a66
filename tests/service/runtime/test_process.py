"""What a process of the service sets for all that runs in it."""

import subprocess
import sys

GARBAGE = """
import gc
from phaseledger.service.runtime.process import collect_seldom

collect_seldom()
walks = [0, 0, 0]
def count(phase, info):
    walks[info["generation"]] += phase == "start"
gc.callbacks.append(count)
kept = [[] for _ in range(100_000)]
print(*walks)
"""


def test_the_collector_walks_through_young_objects_in_small_parts_and_seldom_through_all() -> None:
    """All threads wait meanwhile, the victim of a siege too."""
    done = subprocess.run(
        [sys.executable, "-c", GARBAGE], capture_output=True, text=True, check=True
    )
    youngest, next_generation, whole = map(int, done.stdout.split())
    assert youngest + next_generation >= 90  # a thousand at a time
    assert next_generation >= 10  # of which each has few that have outlived the youngest
    assert whole == 0
