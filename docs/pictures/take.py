"""Take the pictures of the pages: python docs/pictures/take.py [FOLDER], with a Chromium at hand.

A first game is played through the pages of a service in this process, from a fixed seed; what lies
between two pictures an expert plays. Replay and dispute are pages of `phaseledger viewer`, of games
of `phaseledger simulate`. Each picture shows its page at two widths, side by side.
"""

import base64
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from phaseledger.client import BotSeat, Client, OpenTable, PersonSeat, play
from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Hit, Lay, Play
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import Question
from phaseledger.domain.view import state_seen
from phaseledger.service.schemas.games import GameView
from tests.support.browser import chromium, driven
from tests.support.service.fixed_deals import fixed_deals
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

SEED = "pictures"
QUICK = {"variant": "even_phases"}
"""The edition that the person chooses."""
SIZES = ({"width": 1280, "height": 844}, {"width": 390, "height": 844})
NUMBERED = """crypto.getRandomValues = (array) => {
  let number = Number(sessionStorage.number ?? 1);
  for (let place = 0; place < array.length; place += 1) {
    number = (number * 1103515245 + 12345) % 2147483648;
    array[place] = number >> 16;
  }
  sessionStorage.number = number;
  return array;
};"""
"""Chance that is none: the keys of requests, from which the ids of games follow."""
IN_SIGHT = """(one) => one.scrollIntoView(
  { block: one.offsetHeight > innerHeight / 2 ? 'start' : 'center' })"""
SIDE_BY_SIDE = """async (shots) => {
  const load = async (shot) => {
    const read = await fetch(`data:image/png;base64,${shot}`);
    return createImageBitmap(await read.blob());
  };
  const pictures = await Promise.all(shots.map(load)), gap = 24, scale = 0.8;
  const wide = pictures.reduce((sum, picture) => sum + picture.width + gap, -gap);
  const canvas = new OffscreenCanvas(scale * wide, scale * pictures[0].height);
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.imageSmoothingQuality = "high";
  let left = 0;
  for (const picture of pictures) {
    pen.drawImage(picture, left, 0);
    pen.strokeStyle = "#888";
    pen.strokeRect(left + 0.5, 0.5, picture.width - 1, picture.height - 1);
    left += picture.width + gap;
  }
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.5 });
  return Array.from(new Uint8Array(await blob.arrayBuffer()));
}"""


def page_of(browser: Browser, address: str, ready: str) -> Page:
    page = browser.new_page(viewport=SIZES[0], reduced_motion="reduce", locale="en-GB")
    page.add_init_script(NUMBERED)
    page.goto(address)
    page.wait_for_selector(ready)
    return page


class Film:
    """The pictures of a page, numbered or named."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.studio = browser.new_page()
        self.folder = folder

    def take(self, page: Page, name: str, shown: str = "") -> None:
        """The page at each width, with what is to be seen in the middle of it."""
        shots = []
        for size in SIZES:
            page.set_viewport_size(size)
            page.wait_for_timeout(300)  # until what follows the size has its place
            if shown:
                page.eval_on_selector(shown, IN_SIGHT)
            shots.append(base64.b64encode(page.screenshot()).decode())
        page.set_viewport_size(SIZES[0])
        written = self.studio.evaluate(SIDE_BY_SIDE, shots)
        (self.folder / f"{name}.webp").write_bytes(bytes(written))


class Enough(Exception):
    """The table is one to be looked at."""


Until = Callable[[GameView, Sequence[Play]], bool]


def play_on(client: Client, until: Until) -> Sequence[Play]:
    """Play for the person as an expert would, until then; what may be done there."""
    decisions = itertools.count()
    stopped: list[Play] = []

    def choose(view: GameView, questions: Sequence[Question], commands: Sequence[Play]) -> Play:
        if until(view, commands):
            stopped.extend(commands)
            raise Enough
        rules = GAMES["classic"]
        state = state_seen(view.table, resolve(rules.rules, QUICK, rules.settings))
        return cast(Play, decision("expert", state, 0, SEED.encode(), next(decisions)))

    with suppress(Enough):
        play(client, choose)
    return stopped


def caught_up(page: Page) -> None:
    """Show what was played without it."""
    page.reload()
    page.wait_for_selector(".table-page[data-busy=false], .over")
    page.wait_for_selector(".side .log li", state="attached")


def has(kind: type[Play]) -> Until:
    """Whether such a command may be given."""
    return lambda _, commands: any(isinstance(command, kind) for command in commands)


def first_game(browser: Browser, film: Film) -> None:
    """From the list of tables to the next game."""
    with fixed_deals(SEED), serving(in_memory()) as served, Client(served.url) as client:
        for number, (ruleset, name) in enumerate((("board", "Carl"), ("express", "Dorothea"))):
            seats = (BotSeat(level="expert", name=name), PersonSeat(), PersonSeat())
            client.open(OpenTable(ruleset=ruleset, seats=seats), key=f"{number:032}")
        with closing(page_of(browser, f"{served.url}/play", ".tables")) as page:
            film.take(page, "1-lobby")
            page.click("a.primary")
            page.fill("input[autocomplete=nickname]", "Ada")
            page.select_option("[data-seat='1']", "person")
            page.click("[data-edition=quick]")
            film.take(page, "2-new")
            page.click("button[type=submit]")
            page.wait_for_selector(".share svg.qr")
            film.take(page, "3-waiting")
            page.click(".chairs ~ .row button >> nth=1")
            page.click(".chairs ~ .row .primary:not([disabled])")
            page.wait_for_selector(".table-page[data-busy=false]")
            turn_explained(page)
            film.take(page, "4-turn", ".guide")
            page.click(".guide button")
            at_seat = client.at(*membership(page))
            round_played(page, film, at_seat)
            play_on(at_seat, lambda *_: False)
            caught_up(page)
            page.click(".explained button")
            page.wait_for_selector(".account .rows")
            film.take(page, "9-luck", ".explained")
            page.click(".over button.primary")
            page.wait_for_selector(".chairs, .table-page[data-busy=false]")
            film.take(page, "10-again")


def membership(page: Page) -> tuple[str, str]:
    """The game of the page and the person's token."""
    game = page.url.split("/")[-1]
    return game, page.evaluate("JSON.parse(localStorage['phaseledger.games'])")[game]["token"]


def turn_explained(page: Page) -> None:
    page.click(".bar nav button:text-is('Rules')")
    page.check("dialog[open] input[type=checkbox]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".guide:has-text('Best:')")


def round_played(page: Page, film: Film, at_seat: Client) -> None:
    """A phase, a card added, a card refused, and the end of the round."""
    play_on(at_seat, has(Lay))
    caught_up(page)
    page.click(".ask button.primary")  # finds the phase
    page.wait_for_selector(".ask [data-command=lay]")
    film.take(page, "5-phase", ".own")
    page.click(".ask [data-command=lay]")
    page.wait_for_selector(".draft", state="detached")
    hits = [one for one in play_on(at_seat, has(Hit)) if isinstance(one, Hit)]
    caught_up(page)
    card = hits[0].cards
    page.click(f".own .hand [data-card='{card}'] >> nth=0")
    page.wait_for_selector(".ask [data-command=hit]")
    film.take(page, "6-hit", ".groups")
    page.click(".ask [data-command=hit]")
    page.wait_for_selector(f".table-page[data-busy=false] .groups [data-card='{card}']")
    fitting = {(one.cards, one.group) for one in hits}
    held = page.eval_on_selector_all(".own .hand .card", "(all) => all.map((c) => c.dataset.card)")
    other = next(one for one in held if (one, 0) not in fitting)
    page.click(f".own .hand [data-card='{other}'] >> nth=0")
    page.click(".group[data-place='group:0'] .caption")
    page.wait_for_selector(".refused-note .rule")
    film.take(page, "7-refusal", ".own")
    page.keyboard.press("Escape")
    play_on(at_seat, lambda view, _: view.table.round > 1)
    page.wait_for_selector("dialog[open] .scores")
    film.take(page, "8-round")


def main() -> None:
    folder = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent
    with (
        chromium() as started,
        driven(started) as browser,
        tempfile.TemporaryDirectory() as scratch,
    ):
        film = Film(browser, folder)
        first_game(browser, film)
        for name, ruleset, event in (("replay", "board", 236), ("dispute", "classic", 0)):
            games, shown = f"{scratch}/{name}.ndjson", f"{scratch}/{name}.html"
            simulate = ("simulate", "--ruleset", ruleset, "--players", "4", "--games", "1")
            phaseledger(*simulate, "--bots", "expert", "--seed", SEED, "--out", games)
            if name == "dispute":
                falsify(Path(games))
            phaseledger("viewer", games, "--lang", "en", "--out", shown)
            fragment = f"#event={event}&seat=1" if event else ""
            page = page_of(browser, f"{Path(shown).as_uri()}{fragment}", "main")
            film.take(page, name)
            page.close()


def phaseledger(*arguments: str) -> None:
    command = [sys.executable, "-m", "phaseledger.service.cli.main", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: something is wrong with the game, which is to be seen
        sys.exit(done.stderr)


def falsify(games: Path) -> None:
    """Give whoever draws a wild the card that was never on top."""
    lines = games.read_text().splitlines(keepends=True)
    number = next(
        number
        for number, line in enumerate(lines)
        if number > len(lines) // 3 and '"type":"CardDrawn/1"' in line and '"card":"R' in line
    )
    before, _, after = lines[number].partition('"card":"R')
    lines[number] = f'{before}"card":"W"{after[after.index(chr(34)) + 1 :]}'
    games.write_text("".join(lines))


if __name__ == "__main__":
    main()
