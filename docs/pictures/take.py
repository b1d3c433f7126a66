"""Take the pictures of the pages: python docs/pictures/take.py [FOLDER], with a Chromium at hand.

The table is a game of a service in this process, whose id and secrets follow from a fixed seed;
replay and dispute are pages of `phaseledger viewer`, of games of `phaseledger simulate`.
"""

import hashlib
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast
from unittest.mock import patch

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from phaseledger.client import BotSeat, Client, JoinTable, OpenTable, PersonSeat, play
from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Play
from phaseledger.domain.resolve import resolve
from phaseledger.domain.rulesets import GAMES
from phaseledger.domain.state import Question
from phaseledger.domain.view import state_seen
from phaseledger.service.schemas.games import GameView
from tests.support.browser import chromium
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import serving

SEED = "pictures"
SIZE = {"width": 1280, "height": 860}
OPPONENTS = (("expert", "Blaise"), ("greedy", "Carl"), ("expert", "Dorothea"))


def secrets_of(seed: str) -> Iterator[str]:
    """32 bytes after the other, as hex, the same for every run."""
    for number in itertools.count():
        yield hashlib.sha256(f"{seed} {number}".encode()).hexdigest()


def page_of(browser: Browser, address: str, ready: str) -> Page:
    page = browser.new_page(viewport=SIZE, device_scale_factor=2, reduced_motion="reduce")
    page.goto(address)
    page.wait_for_selector(ready)
    return page


def phaseledger(*arguments: str) -> None:
    command = [sys.executable, "-m", "phaseledger.service.cli.main", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):  # 1: something is wrong with the game, which is to be seen
        sys.exit(done.stderr)


def take_table(browser: Browser, file: Path) -> None:
    """A seat's view in the middle of a game of classic."""
    secrets = secrets_of(SEED)
    source = "phaseledger.service.lobby.opening.secrets.token_hex"
    with patch(source, lambda _: next(secrets)), serving(in_memory()) as served:
        with Client(served.url) as client:
            bots = tuple(BotSeat(level=level, name=name) for level, name in OPPONENTS)
            table = OpenTable(ruleset="classic", seats=(PersonSeat(), *bots))
            opened = client.open(table, key=next(secrets_of(f"{SEED}: id")))
            joined = client.at(opened).join(JoinTable(name="Ada"))
            client.at(opened).start()
            play_until_worth_a_look(client.at(joined))
        seat = f"{served.url}/play/g/{joined.game}#seat=0&token={joined.token}"
        page = page_of(browser, seat, ".own .hand .card")
        collect(page)
        page.screenshot(path=file)
        page.close()


def collect(page: Page) -> None:
    """Sort the hand, begin a phase with its higher half, and take a card up."""
    page.select_option(".ask-order", "rank")
    ranks = page.eval_on_selector_all(
        ".own .hand .card", "(cards) => cards.map((c) => c.dataset.rank)"
    )
    for place in range(len(ranks) // 2, len(ranks)):
        if ranks[place] not in ranks[:place]:
            page.click(f".own .hand li:nth-child({place + 1}) .card")
    page.click(".slotgroup .caption >> nth=0")
    page.click(".own .hand .card >> nth=1")
    page.wait_for_selector(".verdict.open")
    page.wait_for_timeout(300)  # until the card stands where it was taken up to


class Enough(Exception):
    """The table is one to be looked at."""


def play_until_worth_a_look(table: Client) -> None:
    """Play for the person as an expert would, until there is something to see and to decide."""
    decisions = itertools.count()

    def choose(view: GameView, questions: Sequence[Question], commands: Sequence[Play]) -> Play:
        own = view.table.seats[0]
        laid = {group.owner for group in view.table.groups}
        if own and not own.laid and len(laid) > 1 and questions[0].kind == "play":
            raise Enough
        ruleset = resolve(GAMES["classic"].rules, {}, GAMES["classic"].settings)
        state = state_seen(view.table, ruleset)
        return cast(Play, decision("expert", state, 0, SEED.encode(), next(decisions)))

    with suppress(Enough):
        play(table, choose)


def main() -> None:
    folder = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent
    with chromium() as browser, tempfile.TemporaryDirectory() as scratch:
        take_table(browser, folder / "table.png")
        for name, ruleset, event in (("replay", "board", 236), ("dispute", "classic", 0)):
            games, shown = f"{scratch}/{name}.ndjson", f"{scratch}/{name}.html"
            simulate = ("simulate", "--ruleset", ruleset, "--players", "4", "--games", "1")
            phaseledger(*simulate, "--bots", "expert", "--seed", SEED, "--out", games)
            if name == "dispute":
                falsify(Path(games))
            phaseledger("viewer", games, "--lang", "en", "--out", shown)
            fragment = f"#event={event}&seat=1" if event else ""
            page = page_of(browser, f"{Path(shown).as_uri()}{fragment}", "main")
            page.screenshot(path=folder / f"{name}.png")
            page.close()


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
