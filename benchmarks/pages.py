"""Measure the pages in Chromium against their budgets: first paint, first use, bytes, seeking.

    python benchmarks/pages.py [--rounds 5] [--quick] [--json FILE]

Each page is loaded by a browser with nothing kept, over slow 4G (150 ms to and fro, 1.6 Mbit/s) and
with a processor four times slower; beside it, a page of text of the same service, which loads
nothing else. The replay is moved to events all over a long game, and by single steps, at full
speed: by the clock, from the input until the position is laid out; and what all of that takes of a
processor, painting included, which other work on the machine does not change so much.
"""

import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx2
from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.results import Goal, Results, arguments, interleaved, row, show, write
from tests.support.browser import chromium
from tests.support.polling import eventually
from tests.support.service.api_tables import BOT, PERSON, started
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
SLOWER = 4
PAINTED = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""
SEEK = """async (events) => {
  const input = document.querySelector(".scrubber input"), taken = [];
  const place = document.querySelector(".view .where");
  for (const event of events) {
    const from = performance.now();
    input.value = String(event);
    const drawn = new Promise((done) => {
      const watcher = new MutationObserver(() => { watcher.disconnect(); done(); });
      watcher.observe(place, { subtree: true, childList: true, characterData: true });
    });
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await drawn;
    document.body.getBoundingClientRect();
    taken.push(performance.now() - from);
    await new Promise((done) => setTimeout(done, 10));
  }
  return taken;
}"""


DRAWN = """async (event) => {
  const input = document.querySelector(".scrubber input");
  input.value = String(event);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
}"""


class Load(NamedTuple):
    """One load of a page: times in seconds, bytes as they are sent."""

    painted: float
    usable: float
    bytes: int
    requests: int


def loaded(browser: Browser, address: str, ready: str) -> Load:
    """The page in a browser that has nothing yet."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    session = throttled(page)
    sizes: dict[str, int] = {}  # by request; a picture within a style is none

    def begin(sent: dict[str, Any]) -> None:
        if sent["request"]["url"].startswith("http"):
            sizes[sent["requestId"]] = 0

    def end(ended: dict[str, Any]) -> None:
        if ended["requestId"] in sizes:
            sizes[ended["requestId"]] = ended["encodedDataLength"]

    session.on("Network.requestWillBeSent", begin)
    session.on("Network.loadingFinished", end)
    page.goto(address, wait_until="commit")
    page.wait_for_selector(ready, timeout=60_000)
    usable = page.evaluate("performance.now()") / 1000
    painted = page.wait_for_function(PAINTED).json_value() / 1000
    context.close()
    return Load(painted, usable, sum(sizes.values()), len(sizes))


def throttled(page: Page) -> CDPSession:
    """Its network and its processor are slow from now on."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


class Seeks(NamedTuple):
    """Milliseconds of moves in a replay, by the clock and of the page's processor."""

    far: list[float]
    near: list[float]
    far_processor: list[float]
    near_processor: list[float]


def sought(browser: Browser, address: str, count: int) -> Seeks:
    """Moves to events all over the game, and single steps, in the replay of that address."""
    page = browser.new_page(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector(".scrubber input", timeout=60_000)
    last = int(page.get_attribute(".scrubber input", "max") or 1)
    far = [1 + (number * 7919) % last for number in range(1, count + 1)]
    near = [last // 3 + number for number in range(count)]
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    taken = Seeks(
        page.evaluate(SEEK, far),
        page.evaluate(SEEK, near),
        [processor_time(page, session, event) for event in far],
        [processor_time(page, session, event) for event in near],
    )
    page.close()
    return taken


def processor_time(page: Page, session: CDPSession, event: int) -> float:
    """Milliseconds that the page's thread works for that event's frame, until it is painted."""
    before = task_time(session)
    page.evaluate(DRAWN, event)
    return 1000 * (task_time(session) - before)


def task_time(session: CDPSession) -> float:
    """Seconds of processor that the page's thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(line["value"]) for line in metrics if line["name"] == "TaskDuration")


def tail(values: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def long_game(client: httpx2.Client, url: str, *, quick: bool) -> str:
    """The address of the replay of a game of classic by four bots."""
    options = {"variant": "n_phases(1)"} if quick else {}
    table = started(client, [BOT] * 4, options=options)
    eventually(lambda: client.get(table.path).json()["table"]["stage"] == "ended")
    return f"{url}/play/g/{table.game}/replay"


def main() -> int:
    """Measure, print and write."""
    given = arguments(__doc__).parse_args()
    rounds = 1 if given.quick else given.rounds
    with (
        chromium() as browser,
        serving(in_memory()) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        table = started(client, [PERSON, BOT, BOT])
        seat = f"{served.url}/play/g/{table.game}#seat=0&token={table.tokens[0]}"
        pages = {
            "text": (f"{served.url}/problems/must_draw", "h1"),
            "lobby": (f"{served.url}/play", ".tables, .face.empty"),
            "table": (seat, ".own .hand .card"),
        }
        loads: dict[str, list[Load]] = {name: [] for name in pages}

        def load(name: str) -> float:
            loads[name].append(loaded(browser, *pages[name]))
            return loads[name][-1].usable

        works: dict[str, Callable[[], float]] = {name: partial(load, name) for name in pages}
        interleaved(works, rounds)
        taken = {name: visits[1:] for name, visits in loads.items()}  # without a round to warm up
        replay = long_game(client, served.url, quick=given.quick)
        seeks = [sought(browser, replay, 20 if given.quick else 150) for _ in range(rounds)]
    text = [visit.painted for visit in taken["text"]]
    rows = []
    for name in ("lobby", "table"):
        mine, beside = taken[name], {"baseline": "a page of text", "beside": text}
        paint, use = (Goal(limit, of="figure", at_most=True) for limit in (1, 1.5))
        size, count = (Goal(limit, of="figure", at_most=True) for limit in (60, 6))
        rows += [
            row(
                f"{name}: first paint", "s", [visit.painted for visit in mine], goal=paint, **beside
            ),
            row(f"{name}: usable", "s", [visit.usable for visit in mine], goal=use, **beside),
            row(f"{name}: first load", "kB", [visit.bytes / 1000 for visit in mine], goal=size),
            row(f"{name}: requests", "", [float(visit.requests) for visit in mine], goal=count),
        ]
    frame = Goal(8, of="figure", at_most=True)
    for name, moves in (
        ("to any event", [seek.far for seek in seeks]),
        ("a step", [seek.near for seek in seeks]),
        ("to any event, processor", [seek.far_processor for seek in seeks]),
        ("a step, processor", [seek.near_processor for seek in seeks]),
    ):
        rows += [
            row(f"replay: {name}, 95 %", "ms", [tail(times) for times in moves], goal=frame),
            row(f"replay: {name}, median", "ms", [statistics.median(times) for times in moves]),
        ]
    for line in rows:
        print(show(line))
    note = (
        "Slow 4G: 150 ms to and fro, 1.6 Mbit/s; the processor four times slower, but in replays."
    )
    write(Results("pages", rows, {}, [note]), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
