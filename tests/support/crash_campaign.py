"""Kill the service, or its database, under play, and look for everything it had acknowledged.

The log is read here with a SELECT of our own and compared with what the clients were answered.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.domain.events import GameOpened
from phaseledger.domain.evidence import codec
from phaseledger.replay.formats import sealing
from phaseledger.replay.formats.signing.keys import load_or_new
from tests.support import forked
from tests.support.chance import chooser
from tests.support.children import kill_family
from tests.support.player import Lost, Played, Player
from tests.support.polling import LONG, Patience
from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
UNLIMITED = ("read_rate", "write_rate")


class Campaign:
    """A service process, the clients that play on it, and the log they can be held against."""

    def __init__(self, dsn: str, schema: str, players: int, seed: str) -> None:
        self._held = ExitStack()
        port = self._held.enter_context(free_port())
        self.dsn, self.schema, self.seed = dsn, schema, seed
        self.url = f"http://127.0.0.1:{port}"
        self.players = [Player(self.url, f"{seed}-{n}-of-{players}") for n in range(players)]
        self.retired: list[Player] = []
        """Who has left, with games that are compared no more."""
        self._count = players
        self.guests: list[Player] = []
        """Who play, or have played, through other nodes; their games are compared as well."""
        self.kills = self.stored_unanswered = 0
        self._port = port
        self._output = self._held.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._keys = self._held.enter_context(tempfile.TemporaryDirectory())
        load_or_new(Path(self._keys))

    def start(self) -> None:
        """Start the service and return at once."""
        plain = {name: text for name, text in os.environ.items() if "PHASELEDGER" not in name}
        own = {f"PHASELEDGER_{name.upper()}": text for name, text in self.settings().items()}
        self._process = forked.started(
            *("serve", "--port", self._port),
            cwd=ROOT,
            env=plain | own | {"PYTHONPATH": str(ROOT)},
            stdout=self._output,
            stderr=self._output,
        )

    def settings(self) -> dict[str, str]:
        """What further processes on the same ledger are started with."""
        return {
            "database_url": self.dsn,
            "schema": self.schema,
            "keys_dir": self._keys,
            "published_dir": f"{self._keys}/published",
            # All clients have one address, and play for as long as they can.
            **dict.fromkeys(UNLIMITED, "0"),
        }

    def kill(self) -> None:
        """End the service as a power cut would, and compare the log with the answers."""
        self._kill()
        self.kills += 1
        self.stored_unanswered += self.verify()

    def _kill(self) -> None:
        kill_family(self._process.pid)
        self._process.wait()

    def kill_worker(self) -> None:
        """Kill the process that serves; the one that has started it ends by itself."""
        self._kill_alone(psutil.Process(self._process.pid).children())

    def kill_supervisor(self) -> None:
        """Kill the process that was started; the one that serves ends by itself."""
        self._kill_alone([psutil.Process(self._process.pid)])

    def _kill_alone(self, victims: Sequence[psutil.Process]) -> None:
        others = psutil.Process(self._process.pid).children()
        for victim in victims:
            victim.kill()
        self._process.wait(LONG)
        _, alive = psutil.wait_procs(others, LONG)
        assert not alive, f"still there: {alive}"
        self.kills += 1
        self.stored_unanswered += self.verify()

    def kill_at_random(self, times: int, report: Callable[[int], None] = lambda _: None) -> None:
        """Kill and restart; the moment is within a third of a second of everybody's first move."""
        for number in range(times):
            self.until(lambda player: player.answered, more=1)
            time.sleep(chooser(self.seed.encode(), number)(333) / 1000)
            self.kill()
            self.start()
            report(number + 1)

    def until(self, counted: Callable[[Player], int], more: int) -> None:
        """Wait until the number has grown by so many for every client."""
        goal = {player: counted(player) + more for player in self.players}
        patience = Patience()
        while not all(counted(player) >= goal[player] for player in self.players):
            self._require_health()
            time.sleep(
                patience.pause(([player.answered for player in self.players], self.printed()))
            )

    def retire(self) -> list[Player]:
        """Have all clients leave at once, and compare their games no more; these clients."""
        retired, self.players = self.players, []
        for player in retired:
            player.abandon.set()
        for player in retired:
            player.join()
        self.retired += retired
        return retired

    def recruit(self) -> None:
        """Let as many new clients play as there were."""
        seeds = (f"{self.seed}-{len(self.retired) + n}" for n in range(self._count))
        self.players = [Player(self.url, seed) for seed in seeds]
        for player in self.players:
            player.start()

    def finish(self) -> None:
        """Let every client have its last answer; nothing may be left over in the log then."""
        for player in self.players:
            player.finish.set()
        for player in self.players:
            player.join()
        self._require_health()
        if self.verify():
            raise Lost("the log holds commands that nobody was told of")

    def _require_health(self) -> None:
        for player in self.players:
            if player.failure is not None:
                raise player.failure
        if self._process.poll() is not None:
            raise RuntimeError(f"the service has ended; it said {self.printed()}")

    def printed(self) -> str:
        """The end of what the service has printed."""
        self._output.seek(0)
        return self._output.read().decode(errors="replace")[-3000:]

    def acknowledged(self) -> int:
        """How many commands were answered with success."""
        return sum(player.acknowledged() for player in (*self.players, *self.guests, *self.retired))

    def verify(self) -> int:
        """Hold the log against the answers: the number of commands stored but not yet answered."""
        unanswered = 0
        with psycopg.connect(self.dsn) as conn:
            for player in (*self.players, *self.guests):
                for played in [*player.played]:
                    # Before the log is read: the last answer may yet reach the client.
                    before = Played(played.game, played.pending, played.acks)
                    rows = self._rows(conn, played.game)
                    # After it: who plays on has sent more, and has answers to it.
                    later = Played(played.game, played.pending, played.acks)
                    unanswered += _compare(before, later, rows)
        return unanswered

    def missing(self, players: Sequence[Player]) -> int:
        """How many commands that they were answered are beyond the ends of their games in the log.

        What it has, is to be as it was answered; raises Lost.
        """
        count = 0
        with psycopg.connect(self.dsn) as conn:
            for played in (played for player in players for played in player.played):
                rows = self._rows(conn, played.game)
                stored = [ack for ack in played.acks if ack.version <= len(rows)]
                count += len(played.acks) - len(stored)
                if rows and not stored:
                    raise Lost(f"game {played.game}: its opening is not as it was answered")
                if stored:
                    kept = Played(played.game, played.pending, stored)
                    _compare(kept, kept, rows)
        return count

    def _rows(self, conn: psycopg.Connection, game: str) -> list[tuple[int, str, bytes]]:
        statement = SQL(
            "SELECT originator_version, topic, state FROM {} WHERE originator_id = %s "
            "ORDER BY originator_version"
        ).format(Identifier(self.schema, "stored_events"))
        unseal = sealing.load(Path(self._keys)).unseal_event
        return [
            (version, topic, unseal(game, version, bytes(state)))
            for version, topic, state in conn.execute(statement, (game,)).fetchall()
        ]

    def close(self) -> None:
        """End the service and the clients."""
        for player in self.players:
            player.abandon.set()
        if self._process.poll() is None:
            self._kill()
        for player in self.players:
            player.join()
        self._held.close()


@contextmanager
def campaign(
    dsn: str,
    schema: str,
    *,
    players: int = 4,
    seed: str = "crash",
) -> Iterator[Campaign]:
    """Clients at play on a service of their own over a database."""
    running = Campaign(dsn, schema, players, seed)
    running.start()
    try:
        for player in running.players:
            player.start()
        running.until(lambda player: player.answered, more=1)
        yield running
    finally:
        running.close()


def _compare(played: Played, later: Played, rows: Sequence[tuple[int, str, bytes]]) -> int:
    """Raise Lost unless the game's log holds each answer and nothing that was not asked for.

    What was asked for is what the client knows ``later``, after the log was read.
    """
    if [version for version, _, _ in rows] != list(range(1, len(rows) + 1)):
        raise Lost(f"game {played.game}: versions are missing")
    if len(rows) < played.acks[-1].version:
        raise Lost(f"game {played.game}: {len(rows)} events, {played.acks[-1].version} answered")
    key, prev, cmds = b"", codec.NO_PREVIOUS, []
    for version, topic, state in rows:
        record, event = codec.decode(topic, state)
        if isinstance(event, GameOpened):
            key = codec.seal_key(played.game, event.hidden["server"].secret)
        if (record.seq, record.prev) != (version, prev):
            raise Lost(f"game {played.game}: event {version} does not go on from the one before")
        prev = codec.leaf_hash(codec.redact(state, key, None, opened=False))
        cmds.append(record.cmd)
    end = 0
    for ack in played.acks:
        if set(cmds[end : ack.version]) != {ack.cmd}:
            raise Lost(
                f"game {played.game}: events {end + 1} to {ack.version} are not the answer's"
            )
        ended = rows[ack.version - 1][1].startswith(("GameEnded/", "GameVoided/"))
        stored = [
            codec.redact(state, key, ack.seat, opened=ended)
            for _, _, state in rows[end : ack.version]
        ]
        if ack.events and list(ack.events) != stored:
            raise Lost(f"game {played.game}: events up to {ack.version} were answered otherwise")
        end = ack.version
    rest = set(cmds[end:])
    unanswered = rest - {ack.cmd for ack in later.acks[len(played.acks) :]}
    if unanswered - {later.pending} or len(set(cmds)) != len(played.acks) + len(rest):
        raise Lost(f"game {played.game}: after event {end} there is something nobody asked for")
    return len(unanswered)


def postmaster(data_dir: Path) -> int:
    """The process id of the embedded server's parent process."""
    return int((data_dir / "cluster" / "postmaster.pid").read_text().split()[0])


def kill_database(data_dir: Path) -> None:
    """As a power cut would."""
    kill_family(postmaster(data_dir))
