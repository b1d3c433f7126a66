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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx2
import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.live import Live
from rich.table import Table

from phaseledger.domain.bots.registry import BOTS, chooser
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, find_game
from phaseledger.domain.view import SeatView, TableView
from phaseledger.projections.scoreboard import Scoreboard, SeatScore
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.schemas.games import Actions, Done, GameView, Joined, Opened
from phaseledger.service.settings import SettingsError, keys_folder, load

PLAYERS = ("Ada", "Blaise", "Carl", "Dorothea")
START_UP = 40.0  # seconds that a cold server may take to answer
PATIENCE = 30.0  # seconds a client waits for any answer


class DemoFailed(Exception):
    """The demo could not be played to its end; the message says why."""


def demo(
    *,
    data_dir: Annotated[Path | None, Parameter(help="Where the embedded server keeps it.")] = None,
    database_url: Annotated[str, Parameter(help="PostgreSQL to use instead.")] = "",
    bot: Annotated[Literal["greedy", "random"], Parameter(help="How the four play.")] = "greedy",
    ruleset: Annotated[str, Parameter(help=f"What they play: {', '.join(GAMES)}.")] = "classic",
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
    given, database_url = database_url, settings.database_url
    console = Console(stderr=True)
    with ExitStack() as stack:
        if not database_url:
            console.print("Starting PostgreSQL ...")
            database_url = stack.enter_context(
                embedded_postgres(Path(settings.data_dir) if settings.data_dir else None)
            )
        console.print("Starting the service ...")
        url = stack.enter_context(_service(database_url, keys_folder(settings)))
        console.print(f"The service answers at [bold]{url}[/bold]; four bots sit down.")
        started = time.monotonic()
        game, score = asyncio.run(_play(url, ruleset, bot, console))
        took = time.monotonic() - started
        Console().print(_scoreboard(score))
        console.print(f"{score.version:,} events in {took:.1f} s, each command one durable commit.")
        console.print("\nThe audit rebuilds the game from its seed and compares every event:")
        code = _audit(game, database_url)
    flags = {"--data-dir": data_dir, "--database-url": given}
    where = "".join(f" {flag} {shlex.quote(str(value))}" for flag, value in flags.items() if value)
    _say_what_next(console, game, where)
    return code


@contextmanager
def _service(database_url: str, keys: Path) -> Iterator[str]:
    """The service in a process of its own, on a free port, until the end of the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {"PHASELEDGER_DATABASE_URL": database_url, "PHASELEDGER_KEYS_DIR": str(keys)}
    environment = {**os.environ, **own}
    command = [sys.executable, "-m", "phaseledger.service.cli.main", "serve", "--port", str(port)]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            _await_ready(server, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _await_ready(server: subprocess.Popen[bytes], url: str, log: Any) -> None:  # noqa: ANN401
    deadline = time.monotonic() + START_UP
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if httpx2.get(f"{url}/health/ready", timeout=2).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    log.seek(0)
    said = log.read().decode(errors="replace").strip().splitlines()[-8:]
    raise DemoFailed("The service did not start. It said:\n" + "\n".join(said))


async def _play(url: str, ruleset: str, bot: str, console: Console) -> tuple[str, Scoreboard]:
    """Open a table, let four clients play it, and read the scoreboard."""
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        asked = {"ruleset": ruleset, "seats": [{"kind": "person"}] * len(PLAYERS)}
        opened = msgspec.json.decode(
            (await _sent(client, "POST", "/v1/games", "", asked)).content, type=Opened
        )
        game = f"/v1/games/{opened.game}"
        joined = [
            msgspec.json.decode(
                (await _sent(client, "POST", f"{game}/seats", "", {"name": name})).content,
                type=Joined,
            )
            for name in PLAYERS
        ]
        await _sent(client, "POST", f"{game}/start", opened.host_token, None)
        progress = _Progress(console)
        with progress.live:
            seats = [_seat(client, game, each, bot, progress) for each in joined]
            versions = await asyncio.gather(*seats)
        answer = await _sent(client, "GET", f"{game}/scoreboard?at_least={max(versions)}", "", None)
        return opened.game, msgspec.json.decode(answer.content, type=Scoreboard)


def _rules(ruleset: str) -> RuleSet:
    game = find_game(ruleset)
    assert game is not None
    return game.rules


async def _sent(
    client: httpx2.AsyncClient, method: str, path: str, token: str, body: object
) -> httpx2.Response:
    """One request; writes carry a key, so that a retry would not be a second command."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if method == "POST":
        headers["Idempotency-Key"] = secrets.token_hex(16)
    content = None if body is None else msgspec.json.encode(body)
    if content is not None:
        headers["Content-Type"] = "application/json"
    answer = await client.request(method, path, headers=headers, content=content)
    if answer.status_code >= 400:
        raise DemoFailed(f"{method} {path} was answered {answer.status_code}: {answer.text}")
    return answer


async def _seat(
    client: httpx2.AsyncClient, game: str, seat: Joined, bot: str, progress: "_Progress"
) -> int:
    """Play one seat to the end of the game: wait for one's turn, choose, send. The last version."""
    version, table, rules = seat.version, seat.table, _rules(seat.table.ruleset)
    chance = secrets.token_bytes(32)
    while table.stage not in ("ended", "voided"):
        if any(question.seat == seat.seat for question in table.waits):
            answer = await _sent(client, "GET", f"{game}/actions", seat.token, None)
            choices = msgspec.json.decode(answer.content, type=Actions).commands
            pick = chooser(chance, version)
            command = BOTS[bot](table, rules, partial(iter, choices), pick)
            answer = await _sent(client, "POST", f"{game}/commands", seat.token, command)
            done = msgspec.json.decode(answer.content, type=Done)
            version, table = done.version, done.table
            progress.show(version, table)
        else:
            answer = await _sent(client, "GET", f"{game}?at_least={version + 1}", seat.token, None)
            seen = msgspec.json.decode(answer.content, type=GameView)
            version, table = seen.version, seen.table
    return version


class _Progress:
    """The game as it goes: a live table on a terminal, a line per round elsewhere."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live = Live(console=console, refresh_per_second=8, transient=True)
        self.round = 0

    def show(self, version: int, table: TableView) -> None:
        """Say how the game stands."""
        seats = [seat for seat in table.seats if seat]
        if self.console.is_terminal:
            self.live.update(_standing(version, table, seats))
        elif table.round != self.round:
            self.round = table.round
            phases = ", ".join(f"{seat.name} on phase {seat.phase}" for seat in seats)
            self.console.print(f"round {table.round}, event {version:,}: {phases}", soft_wrap=True)


def _standing(version: int, table: TableView, seats: list[SeatView]) -> Table:
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

    what = "points" if counted else "next phase"
    board = Table("round", *names, title=f"Scoreboard: {what} (phase laid)")
    for line in score.rounds:
        cells = [
            f"{gain(seat)}{' out' if line.out == number else ''}"
            for number, seat in enumerate(line.seats)
        ]
        board.add_row(f"{line.round}{' replay' if line.replay else ''}", *cells)
    totals = [str(seat.total) for seat in score.rounds[-1].seats] if score.rounds else []
    board.add_section()
    won = ["wins" if number in score.winners else "" for number in range(len(names))]
    last = [f"{total * counted} {mark}" for total, mark in zip(totals, won, strict=True)]
    board.add_row("total" if counted else "", *map(str.strip, last))
    return board


def _audit(game: str, database_url: str) -> int:
    environment = {**os.environ, "PHASELEDGER_DATABASE_URL": database_url}
    sys.stdout.flush()
    return subprocess.call(
        [sys.executable, "-m", "phaseledger.service.cli.main", "audit", game], env=environment
    )


def _say_what_next(console: Console, game: str, where: str) -> None:
    beside = Path(sys.executable).with_name("phaseledger")
    name = "phaseledger" if shutil.which("phaseledger") else str(beside)
    if name != "phaseledger" and beside.is_relative_to(Path.cwd()):
        name = str(beside.relative_to(Path.cwd()))
    console.print("\nLook further:")
    for command, what in (
        (f"replay {game}", "read the whole game"),
        (f"replay {game} --at 100 --seat 0", "the table after event 100, as seat 0 saw it"),
        (f"export {game} --out game.ndjson", "the events, for somebody else to audit"),
        ("serve", "the service, for games of your own"),
    ):
        console.print(f"  {name} {command}{where}", highlight=False, soft_wrap=True)
        console.print(f"      {what}", style="dim")
