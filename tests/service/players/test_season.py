"""A season of two applications, held against its exports alone.

The service is killed in it, and one player is forgotten.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import msgspec
import psycopg
import pytest

from phaseledger.domain.bots import decision
from phaseledger.domain.rulesets import preset
from phaseledger.domain.view import TableView, state_seen
from phaseledger.replay.batch.inputs import HERE, rows_of
from phaseledger.service.cli.ratings import rated_pools, results
from phaseledger.service.database.embedded import embedded_postgres
from phaseledger.service.database.sealing import open_sealing
from phaseledger.service.players.store import Players
from phaseledger.service.settings import Settings
from tests.compatibility.store import dumped
from tests.support import forked
from tests.support.campaigns import sampled
from tests.support.chance import chooser
from tests.support.children import kill_family
from tests.support.ledgers import prepared
from tests.support.polling import eventually
from tests.support.ports import free_port
from tests.support.service.api_tables import PERSON, bearer
from tests.support.service.applications import made
from tests.support.service.processes import command, environment

SHORT = {"variant": "n_phases(1)", "max_turns_per_round": 40}
SKILLS = (0.25, 0.5, 0.75, 1.0)
"""How often a player moves as `greedy` does, and else by chance; nobody is told whose it is."""


class Size(NamedTuple):
    """How much is played. Half of the players are each application's."""

    players: int
    games: int
    kills: int
    clients: int


SMALL, LARGE = Size(8, 24, 2, 2), Size(200, 2_000, 10, 6)


class Service:
    """A service in processes of its own, which are killed at times; what it says is kept."""

    def __init__(self, settings: Settings, port: int, log: Path) -> None:
        self.url, self.kills = f"http://127.0.0.1:{port}", 0
        self._settings, self._port, self._log = settings, port, log

    def start(self) -> None:
        """Start it; clients find out when it is there."""
        free = {"PHASELEDGER_READ_RATE": "0", "PHASELEDGER_WRITE_RATE": "0"}
        published = {"PHASELEDGER_PUBLISHED_DIR": self._settings.published_dir}
        with self._log.open("ab") as output:
            self._process = forked.started(
                *("serve", "--port", self._port),
                env=environment(self._settings) | free | published,
                stdout=output,
                stderr=output,
            )

    def kill(self) -> None:
        """End it as a power cut would."""
        kill_family(self._process.pid)
        self._process.wait()
        self.kills += 1


class Club:
    """An application, and its players' pseudonyms by its ids."""

    def __init__(self, url: str, settings: Settings, players: Iterable[str]) -> None:
        self.client = httpx2.Client(base_url=f"{url}/v1", timeout=None)
        self._key = made(settings)
        self.pseudonyms = {
            player: self.ask("PUT", f"/players/{player}", {"name": player})["pseudonym"]
            for player in players
        }

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> dict[str, Any]:
        """The answer, as soon as a service is there to give it; a write is sent under one key."""
        headers = {**bearer(token or self._key), "Idempotency-Key": str(uuid4())}

        def attempt() -> httpx2.Response | None:
            try:
                return self.client.request(method, path, json=body, headers=headers)
            except httpx2.TransportError:
                return None

        answer = eventually(attempt, lambda answer: answer and answer.status_code != 503)
        assert answer is not None
        assert answer.is_success, answer.text
        return answer.json() if answer.content else {}

    def kept(self) -> dict[str, Any]:
        """What the service says of each player that it knows."""
        return {
            player: {
                "ratings": self.ask("GET", f"/players/{player}/ratings")["ratings"],
                "records": self.ask("GET", f"/players/{player}/statistics")["rulesets"],
            }
            for player in self.pseudonyms
        }


class Player(NamedTuple):
    """A player of a club, by its id there."""

    club: Club
    id: str
    skill: float


def play(first: Player, second: Player) -> None:
    """A game at a table of one player's club, at which the other one joins."""
    home, seats = first.club, [{**PERSON, "player": first.id}, PERSON]
    body = {"ruleset": "classic", "seats": seats, "options": SHORT}
    opened = home.ask("POST", "/games", body)
    path = f"/games/{opened['game']}"
    joined = second.club.ask("POST", f"{path}/seats", {"player": second.id})
    tokens = opened["seats"][0]["token"], joined["token"]
    view = home.ask("POST", f"{path}/start", token=opened["host_token"])["table"]
    number = 0
    while view["stage"] == "playing":
        seat = view["waits"][0]["seat"]
        if view.get("you") != seat:
            view = home.ask("GET", path, token=tokens[seat])["table"]
        move = chosen(view, (first, second)[seat].skill, number)
        view = home.ask("POST", f"{path}/commands", move, tokens[seat])["table"]
        number += 1


def chosen(view: dict[str, Any], skill: float, number: int) -> Any:
    """The move of a player with that skill, who knows no more than the seat."""
    table = msgspec.convert(view, TableView)
    state = state_seen(table, preset("classic"))
    pick = chooser(view["game"].encode(), number)(100)
    level = "greedy" if pick < 100 * skill else "random"
    return msgspec.to_builtins(decision(level, state, table.you or 0, b"season", number))


def pairs(players: Sequence[Player], games: int, seed: bytes) -> Iterator[tuple[Player, Player]]:
    """Who plays whom."""
    for number in range(games):
        pick = chooser(seed, number)
        first = pick(len(players))
        yield players[first], players[(first + 1 + pick(len(players) - 1)) % len(players)]


def play_all(
    games: Sequence[tuple[Player, Player]], service: Service, size: Size, kills: int
) -> None:
    """Play the games, several at a time, while the service is killed and started again."""
    with ThreadPoolExecutor(size.clients) as clients:
        playing = [clients.submit(play, *game) for game in games]
        for kill in range(1, kills + 1):
            *_, last = playing[: len(games) * kill // (kills + 1)]
            last.exception()  # is there once it is over
            service.kill()
            service.start()
    for game in playing:
        game.result()


def from_exports(text: str, file: Path) -> tuple[dict[str, Any], Counter[str], Counter[str]]:
    """The ratings of all players, and how many games each has ended and won."""
    file.write_text(text)
    (pool,) = rated_pools(results(rows_of([str(file)], HERE))[0])
    ended, won = Counter[str](), Counter[str]()
    seats: dict[str, dict[int, str]] = {}
    for line in map(json.loads, text.splitlines()):
        names = seats.setdefault(line.get("game", ""), {})
        if line.get("type", "").startswith("SeatTaken/"):
            names[line["data"].get("seat", 0)] = line["data"]["name"]
        elif line.get("type", "").startswith("GameEnded/"):
            ended.update(names.values())
            won.update(names[seat] for seat in line["data"]["winners"])
    rated = {line.name: (line.mu, line.sigma, line.games) for line in pool.players}
    return rated, ended, won


def files_with(folder: Path, mark: str) -> list[str]:
    """The server's files that hold the text, but for its write-ahead log, which it uses again."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "pg_wal" not in path.parts and mark.encode() in path.read_bytes()
    ]


async def scrub(settings: Settings) -> None:
    """Write the table of players anew where rows were erased, as the service does at times."""
    async with Players(settings.database_url, schema=settings.schema) as store:
        await store.scrub()
    with psycopg.connect(settings.database_url, autocommit=True) as conn:
        conn.execute("CHECKPOINT")


def require_order(players: Sequence[Player], rated: dict[str, Any]) -> None:
    """Check that the ratings tell the skills apart: two standard errors around the mean of each
    skill meet no other's.
    """
    ratings = defaultdict[float, list[float]](list)
    for player in players:
        ratings[player.skill].append(rated[player.club.pseudonyms[player.id]][0])
    intervals = [
        (fmean(mus), 2 * stdev(mus) / sqrt(len(mus))) for _, mus in sorted(ratings.items())
    ]
    print([f"{mean:.2f} ± {error:.2f}" for mean, error in intervals])
    for (weaker, below), (stronger, above) in pairwise(intervals):
        assert weaker + below < stronger - above, intervals


@contextmanager
def started(settings: Settings, log: Path) -> Iterator[Service]:
    """A service that is killed in the end, too."""
    with free_port() as port:
        service = Service(settings, port, log)
        service.start()
        try:
            yield service
        finally:
            service.kill()


@pytest.mark.system
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("size", sampled((SMALL, LARGE), SMALL))
def test_a_season_is_told_by_its_exports(size: Size, short_dir: Path, tmp_path: Path) -> None:
    """Ratings and statistics are those of a rebuild, and of a computation from the exports; every
    game is sound; and nothing is left of a name that is erased.
    """
    gone, log = f"gone-{uuid4().hex}", tmp_path / "log"
    with embedded_postgres(short_dir) as dsn:
        settings = prepared(dsn, "phaseledger", tmp_path)
        open_sealing(settings)
        with started(settings, log) as service:
            half = size.players // 2
            home = Club(service.url, settings, [gone, *(f"home-{n}" for n in range(half - 1))])
            away = Club(service.url, settings, [f"away-{n}" for n in range(half)])
            everyone = [(club, player) for club in (home, away) for player in club.pseudonyms]
            players = [
                Player(*member, SKILLS[n % len(SKILLS)]) for n, member in enumerate(everyone)
            ]
            games = [*pairs(players, size.games // 2, b"first half")]
            play_all(games, service, size, size.kills // 2)
            home.ask("DELETE", f"/players/{gone}")
            del home.pseudonyms[gone]
            left = [player for player in players if player.id != gone]
            games = [*pairs(left, size.games - len(games), b"second half")]
            play_all(games, service, size, size.kills - size.kills // 2)
            with closing(home.client), closing(away.client):
                text = eventually(
                    lambda: home.client.get("/exports/games").text,
                    lambda shown: shown.count('"GameEnded/') == size.games,
                )
                rated, ended, won = from_exports(text, tmp_path / "season.ndjson")
                before = [club.kept() for club in (home, away)]
                for club, kept in zip((home, away), before, strict=True):
                    for player, pseudonym in club.pseudonyms.items():
                        mine, record = kept[player].values()
                        assert [(pool["mu"], pool["sigma"], pool["games"]) for pool in mine] == [
                            rated[name] for name in (pseudonym,) if name in rated
                        ]
                        assert sum(line["ended"] for line in record) == ended[pseudonym]
                        assert sum(line["won"] for line in record) == won[pseudonym]
                rebuilt = command(settings, "admin", "rebuild")
                assert rebuilt.returncode == 0, rebuilt.stderr
                assert [club.kept() for club in (home, away)] == before
            audited = command(settings, "audit", "--all")
            print(audited.stderr)
            assert f"Games: {size.games:,} sound " in audited.stderr
            assert service.kills == size.kills
        if size is LARGE:
            require_order(left, rated)
        require_no_trace(settings, gone, "home-0", short_dir)
    assert gone not in text + log.read_text() + rebuilt.stderr + audited.stdout + audited.stderr


def require_no_trace(settings: Settings, gone: str, kept: str, folder: Path) -> None:
    """Check that nothing is left of the name, where another one would be found."""
    dump = dumped(settings.database_url).decode()
    assert (gone in dump, kept in dump) == (False, True)

    def left() -> list[str]:
        asyncio.run(scrub(settings))
        return files_with(folder, gone)

    eventually(left, lambda files: not files)
    assert files_with(folder, kept)
