"""Hold every screen to axe, and play every game in Chromium and in Firefox.

    python benchmarks/browsers.py axe [--only WORD] [--lang en,de,fr] [--jobs 2]
    python benchmarks/browsers.py games [--browsers chromium,firefox] [--only WORD]

- `axe`: each screen of the product in each language, light and dark at four widths, at 200 % zoom,
  and in forced colours. Exits with 1 at a finding or a page that scrolls sideways.
- `games`: all four games against bots to their end, by a pointer, by keys, and by a finger on a
  phone (in Chromium); then the pages of replay, dispute and verifier, opened and stepped through.
  Exits with 1 where one is not played to its end, a page is stuck, or a script complains.
"""

import argparse
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import structlog
from playwright.sync_api import Browser, Error, Page

from tests.support.browser import chromium, driven
from tests.support.firefox import Fault, firefox
from tests.support.screens import SCREENS, Site, fresh_page, sideways, violations
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving
from tests.support.service.table_pages import GAMES, Clicking, Tapping, Typing, dealt, window

WIDTHS = (360, 390, 768, 1280)
ZOOMED = (640, 400)
"""What 200 % zoom leaves of 1280 x 800."""
LANGUAGES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
SHARES = 8


def looked_at(lang: str, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What is wrong with these screens in that language, and how often axe was asked."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    wrong: dict[str, dict[str, Any]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(in_memory()) as served,
        chromium() as started,
        driven(started) as browser,
    ):
        for name in names:
            begun = monotonic()
            with fresh_page(browser, LANGUAGES[lang], scale=2) as page:
                SCREENS[name].show(page, Site(served.url, Path(folder)))
                findings = {
                    **violations(page, WIDTHS, ("light", "dark")),
                    **violations(page, WIDTHS[-1:], ("forced",)),
                    **violations(page, ZOOMED[:1], ("light", "dark"), height=ZOOMED[1]),
                    **{f"{width} sideways": by for width, by in sideways(page, WIDTHS).items()},
                }
            print(
                f"{lang} {name}: {findings or 'nothing'} ({monotonic() - begun:.1f} s)", flush=True
            )
            if findings:
                wrong[f"{lang} {name}"] = findings
    return wrong


def axe(given: argparse.Namespace) -> int:
    """Every screen in every language, shared out over processes."""
    names = [name for name in SCREENS if given.only in name]
    shares = [names[number::SHARES] for number in range(min(SHARES, len(names)))]
    with ProcessPoolExecutor(given.jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        tasks = list(zip(*product(given.lang.split(","), shares), strict=True))
        findings = [name for wrong in pool.map(looked_at, *tasks) for name in wrong]
    print(f"{len(names)} screens in {given.lang}; with findings: {findings or 'none'}")
    return bool(findings)


class Played(NamedTuple):
    """How a game is played, and which."""

    by: str
    person: type[Clicking]
    deal: str
    seats: int
    options: dict[str, Any]


WAYS: dict[str, type[Clicking]] = {"a pointer": Clicking, "keys": Typing, "a finger": Tapping}
PLAYED = [Played(by, WAYS[by], deal, *GAMES[deal]) for by, deal in product(WAYS, GAMES)]
PHONE: dict[str, Any] = {
    "has_touch": True,
    "is_mobile": True,
    "viewport": {"width": 390, "height": 844},
}
STEPPED = ("replay", "record judged", "viewer, board", "dispute")
SHOWN = {
    "open disputed": ".dispute h2",
    "verifier, sound": "#verdict",
    "verifier, refuted": "#verdict",
}
"""Screens with a verdict, and where it stands."""
STEPS = ("End", "ArrowLeft", "Home", "ArrowRight", "PageDown", "Shift+ArrowRight", "PageUp")
MOVED = """(before) => document.querySelector('.view .where')?.innerText !== before"""


@contextmanager
def page_in(chrome: Browser | None, url: str, by: str = "") -> Iterator[Page]:
    """A page of Chromium, or else of Firefox; at a table its scripts must not complain."""
    if chrome is None:
        with firefox() as page:
            yield cast(Page, page)
            assert page.complaints(url) == []
    elif by:
        with window(chrome, url, **(PHONE if by == "a finger" else {})) as shown:
            yield shown.page
    else:
        with fresh_page(chrome, has_axe=False) as page:
            yield page


def play(chrome: Browser | None, game: Played) -> str:
    """A game to its end, in a page of its own; how many decisions that took."""
    with serving(in_memory()) as served:
        table = dealt(served.url, game.deal, game.seats, game.options)
        with page_in(chrome, served.url, game.by) as page:
            page.goto(f"{served.url}/play/g/{table.game}#seat=0&token={table.tokens[0]}")
            page.wait_for_selector(".table-page")
            person = game.person(page)
            person.play()
            page.wait_for_selector(".over .results")
    return f"{person.done.total()} decisions"


def look(chrome: Browser | None, name: str) -> str:
    """A screen with events is stepped through; of another one, the verdict that it shows."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(in_memory()) as served,
        page_in(chrome, served.url) as page,
    ):
        SCREENS[name].show(page, Site(served.url, Path(folder)))
        if name in SHOWN:
            return page.inner_text(SHOWN[name])
        for keys in STEPS:
            where = page.inner_text(".view .where")
            page.keyboard.press(keys)
            page.wait_for_function(MOVED, arg=where)
    return f"{len(STEPS)} steps"


def games(given: argparse.Namespace) -> int:
    """Every game in every browser, one after the other."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    failed = 0
    tasks: dict[str, Callable[[Browser | None], str]] = {
        **{f"{game.deal}, by {game.by}": partial(play, game=game) for game in PLAYED},
        **{name: partial(look, name=name) for name in (*STEPPED, *SHOWN)},
    }
    with chromium() as started, driven(started) as chrome:
        for browser, name in product(given.browsers.split(","), tasks):
            if given.only not in name or (browser == "firefox" and name.endswith("finger")):
                continue
            begun = monotonic()
            try:
                outcome = tasks[name](chrome if browser == "chromium" else None)
            except (AssertionError, Error, Fault) as fault:
                failed += 1
                outcome = f"FAILED: {fault!r}"
            print(f"{browser}: {name}: {outcome} ({monotonic() - begun:.0f} s)", flush=True)
    return bool(failed)


def main() -> int:
    """One of the commands."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    asked = commands.add_parser("axe")
    asked.add_argument("--only", default="")
    asked.add_argument("--lang", default=",".join(LANGUAGES))
    asked.add_argument("--jobs", type=int, default=2)
    asked.set_defaults(run=axe)
    asked = commands.add_parser("games")
    asked.add_argument("--browsers", default="chromium,firefox")
    asked.add_argument("--only", default="")
    asked.set_defaults(run=games)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
