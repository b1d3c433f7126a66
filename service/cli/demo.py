"""One game by four bots, each an ordinary client of the HTTP API, on a server started for it."""

import asyncio
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated, Literal, cast

import httpx2
from cyclopts import Parameter
from rich.console import Console
from rich.live import Live
from rich.table import Table

from phaseledger.domain.bots import decision
from phaseledger.domain.commands import Play
from phaseledger.domain.options import OptionValue
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.domain.view import SeatView, TableView, state_seen
from phaseledger.projections.scoreboard import Scoreboard, SeatScore
from phaseledger.service.cli.play import show
from phaseledger.service.client.bot import play_async
from phaseledger.service.client.client import AsyncClient
from phaseledger.service.client.protocol import Refused, Unreachable, Unreadable
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.schemas.games import GameView, JoinTable, OpenTable, PersonSeat
from phaseledger.service.settings import SettingsError, keys_folder, load

PLAYERS = ("Ada", "Blaise", "Carl", "Dorothea")
SILENCE = 300.0  # seconds in which a service that starts says nothing, or one at work no answer
NEWS = 15.0  # seconds between two notes that it has not started yet
WATCHED = 0.3  # seconds before each move of a game that is shown
STOPPING = 60.0  # seconds that the service has to stop
ENDING: dict[str, OptionValue] = {"max_turns_per_round": 200}
"""O-39: a table can arise at which no player can go out, and bots play on there."""


class DemoFailed(Exception):
    """The demo could not be played to its end; the message says why."""


def demo(
    *,
    data_dir: Annotated[Path | None, Parameter(help="Where the embedded server keeps it.")] = None,
    database_url: Annotated[str, Parameter(help="PostgreSQL to use instead.")] = "",
    bot: Annotated[Literal["greedy", "random"], Parameter(help="How the four play.")] = "greedy",
    ruleset: Annotated[str, Parameter(help=f"What they play: {', '.join(GAMES)}.")] = "classic",
    opens: Annotated[
        bool, Parameter(name="open", negative="", help="Watch it in the browser, move by move.")
    ] = False,
) -> int:
    """Watch four bots play a game over HTTP, then its scoreboard and its audit.

    PostgreSQL and the service are started for it and stopped after it; the game is kept.
    Exit codes are those of the audit: 0 is sound.
    """
    if ruleset not in GAMES:
        raise SettingsError(f"There is no rule set {ruleset!r}; there are {', '.join(GAMES)}.")
    settings = load(
        os.environ,
        {"data_dir": data_dir and str(data_dir), "database_url": database_url or None},
    )
    given_url, database_url = database_url, settings.database_url
    console = Console(stderr=True)
    with ExitStack() as stack:
        if not database_url:
            console.print("Starting PostgreSQL ...")
            database_url = stack.enter_context(
                embedded_postgres(Path(settings.data_dir) if settings.data_dir else None)
            )
        console.print("Starting the service ...")
        environment = {
            **os.environ,
            "PHASELEDGER_DATABASE_URL": database_url,
            "PHASELEDGER_KEYS_DIR": str(keys_folder(settings)),
        }
        url = stack.enter_context(_service(environment, console))
        console.print(f"The service answers at [bold]{url}[/bold]; four bots sit down.")
        started_at = time.monotonic()
        game, score = asyncio.run(_play(url, ruleset, bot, console, opens=opens))
        seconds = time.monotonic() - started_at
        Console().print(_scoreboard(score))
        console.print(
            f"{score.version:,} events in {seconds:.1f} s, each command one durable commit."
        )
        console.print("\nThe audit rebuilds the game from its seed and compares every event:")
        code = _audit(game, environment)
        if opens and sys.stdin.isatty():
            console.input("\nThe browser has the game still; press Enter to stop the service. ")
    flags = {"--data-dir": data_dir, "--database-url": given_url}
    options = "".join(
        f" {flag} {shlex.quote(str(value))}" for flag, value in flags.items() if value
    )
    _print_next_steps(console, game, options)
    return code


@contextmanager
def _service(environment: Mapping[str, str], console: Console) -> Iterator[str]:
    """The service in a process of its own, on a free port, until the end of the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "phaseledger.service.cli.main", "serve", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _await_ready(server, f"http://127.0.0.1:{port}", log, console)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(STOPPING)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _await_ready(
    server: subprocess.Popen[bytes], url: str, log: IO[bytes], console: Console
) -> None:
    """Wait as long as the service lives and goes on saying something: the machine may be slow."""
    began = last_word = last_note = time.monotonic()
    size, now = 0, began
    while server.poll() is None and now - last_word < SILENCE:
        try:
            if httpx2.get(f"{url}/health/ready", timeout=NEWS).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
        now = time.monotonic()
        if (grown := os.fstat(log.fileno()).st_size) > size:
            size, last_word = grown, now
        if now - last_note >= NEWS:
            last_note = now
            console.print(f"The service is still starting, after {now - began:.0f} seconds ...")
    fate = "said nothing for too long" if server.poll() is None else "has ended"
    log.seek(0)
    lines = log.read().decode(errors="replace").strip().splitlines()[-8:]
    raise DemoFailed(f"The service did not start: it {fate}. It said:\n" + "\n".join(lines))


async def _play(
    url: str, ruleset: str, bot: str, console: Console, *, opens: bool = False
) -> tuple[str, Scoreboard]:
    """Open a table, let four clients play it, and read the scoreboard.

    With ``opens`` the browser shows it, and they move so slowly that it can be followed.
    """
    rules, progress = _rules(ruleset), _Progress(console, WATCHED if opens else 0)

    def choose(now: GameView, *_: object) -> Play:
        progress.show(now.version, now.table)
        seat, state = now.table.you, state_seen(now.table, rules)
        assert seat is not None
        return cast("Play", decision(bot, state, seat, secrets.token_bytes(32), now.version))

    async with AsyncClient(url, timeout=SILENCE) as client:
        client.silence = SILENCE
        try:
            people = (PersonSeat(),) * len(PLAYERS)
            table = OpenTable(ruleset=ruleset, seats=people, options=ENDING)
            opened = await client.open(table)
            host = client.at(opened)
            seats = [client.at(await host.join(JoinTable(name=name))) for name in PLAYERS]
            await host.start()
            if opens:
                console.print(f"Watch it at [bold]{url}/play/g/{opened.game}[/bold]")
                show(f"{url}/play/g/{opened.game}")
            with progress.live:
                views = await asyncio.gather(*(play_async(seat, choose) for seat in seats))
            last = max(view.version for view in views)
            return opened.game, await host.scoreboard(at_least=last)
        except (Refused, Unreachable, Unreadable) as error:
            raise DemoFailed(str(error)) from error


def _rules(ruleset: str) -> RuleSet:
    game = find_game(ruleset)
    assert game is not None
    return game.rules


class _Progress:
    """The progress display: a live table on a terminal, a line per round elsewhere."""

    def __init__(self, console: Console, pace: float) -> None:
        self.console = console
        self.pace = pace
        """Seconds that each display lasts."""
        self.live = Live(console=console, refresh_per_second=8, transient=True)
        self.round = 0

    def show(self, version: int, table: TableView) -> None:
        """Display the game's standings, in which one seat is about to move."""
        seats = [seat for seat in table.seats if seat]
        if self.console.is_terminal:
            self.live.update(_standings(version, table, seats))
        elif table.round != self.round:
            self.round = table.round
            phases = ", ".join(f"{seat.name} on phase {seat.phase}" for seat in seats)
            self.console.print(f"round {table.round}, event {version:,}: {phases}", soft_wrap=True)
        time.sleep(self.pace)  # the other seats wait for this one


def _standings(version: int, table: TableView, seats: list[SeatView]) -> Table:
    title = f"round {table.round} - event {version:,} - {table.stock} cards in the stock"
    standing = Table("player", "phase", "laid", "cards", "points", title=title)
    for seat in seats:
        turn = "* " if seat.seat == table.active else "  "
        laid = "yes" if seat.laid else ""
        standing.add_row(turn + seat.name, str(seat.phase), laid, str(seat.cards), str(seat.points))
    return standing


def _scoreboard(score: Scoreboard) -> Table:
    """Points per round and in all; a phase laid is marked with its number.

    Where no points are counted, the space that the phase marker reached stands in their place.
    """
    names = [player.name if player else "" for player in score.players]
    rules = _rules(score.ruleset)
    counted = rules.scoring != "none"

    def gain(seat: SeatScore) -> str:
        marker = "laurel" if seat.next > len(rules.phases) else seat.next
        return f"{seat.points if counted else marker}{f' ({seat.laid})' if seat.laid else ''}"

    unit = "points" if counted else "next phase"
    board = Table("round", *names, title=f"Scoreboard: {unit} (phase laid)")
    for line in score.rounds:
        cells = [
            f"{gain(seat)}{' out' if line.out == number else ''}"
            for number, seat in enumerate(line.seats)
        ]
        board.add_row(f"{line.round}{' replay' if line.replay else ''}", *cells)
    totals = [str(seat.total) for seat in score.rounds[-1].seats] if score.rounds else []
    board.add_section()
    marks = ["wins" if number in score.winners else "" for number in range(len(names))]
    cells_of_totals = [
        f"{total * counted} {mark}" for total, mark in zip(totals, marks, strict=True)
    ]
    board.add_row("total" if counted else "", *map(str.strip, cells_of_totals))
    return board


def _audit(game: str, environment: Mapping[str, str]) -> int:
    sys.stdout.flush()
    return subprocess.call(
        [sys.executable, "-m", "phaseledger.service.cli.main", "audit", game], env=environment
    )


def _print_next_steps(console: Console, game: str, options: str) -> None:
    executable = Path(sys.executable).with_name("phaseledger")
    name = "phaseledger" if shutil.which("phaseledger") else str(executable)
    if name != "phaseledger" and executable.is_relative_to(Path.cwd()):
        name = str(executable.relative_to(Path.cwd()))
    console.print("\nLook further:")
    for command, purpose in (
        (f"play {game}", "the game in the browser, from any chair"),
        (f"replay {game}", "read the whole game"),
        (f"replay {game} --at 100 --seat 0", "the table after event 100, as seat 0 saw it"),
        (f"export {game} --out game.ndjson", "the events, for an auditor elsewhere"),
        ("serve", "the service, for games of your own"),
    ):
        console.print(f"  {name} {command}{options}", highlight=False, soft_wrap=True)
        console.print(f"      {purpose}", style="dim")
