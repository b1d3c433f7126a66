"""Attacks of an anonymous address on a service with default limits, beside a victim who plays.

    python benchmarks/siege.py [--seconds 15] [--quick] [--only ATTACKS] [--together] [--shared]
        [--bare] [--without DEFENCES]

One `phaseledger serve` over a throw-away PostgreSQL, behind HAProxy with `deploy/haproxy.cfg`, or
by itself (``--bare``). A victim with an address of its own plays, and reads its game, 20 requests a
second that are sent when they are due; its quiet figures are taken first. Then one attack after
another (`attacks.py`), each from a fresh address and for so many seconds, and all of one address
together. The run fails where the victim's p99 is more than three times its quiet one (or `FLOOR`),
readiness is not 200, an attack gets more than a limit allows or has more streams open at a time,
the log grows by more than the quota, the service by more than `MOST_MEMORY`, or something goes on
in the end.

All clients, the victim's too, run on the first processor, and the service with its PostgreSQL on
the others: what the attacker's own programs take of a processor is no cost of the service's.
``--shared`` has them all on all processors, as machines have that are attacked from within.

Two limits of long spans are shorter here, so that a run of minutes meets them: `SHORTENED`.
``--together`` leaves out the attacks one by one. ``--without`` takes defences out by their settings
(0), to see what then breaks.
"""

import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.attacks import ATTACKS
from benchmarks.defences import DEFENCES, MOST, SHORTENED, constants_without
from benchmarks.servers import (
    Server,
    answers,
    free_port,
    server,
    service_environment,
    throw_away,
)
from benchmarks.victim import Probe, Victim, Wait
from phaseledger.service.settings import Settings

SCHEMA = "siege"
WORST = 3.0  # times the quiet p99
FLOOR = 60.0
"""Milliseconds of p99 that are no harm: the loop may be held for 50."""
SETTLE = 2.0  # seconds between attacks
MOST_MEMORY = 512 << 20  # bytes by which one attack may have the service grow
STILL = 90.0  # seconds in which everything has to end by itself
SLACK = 400  # events that were on their way when a quota ran out
APART = ("idle_connections",)
"""Attacks that leave their address no connection for others: no part of all at once."""


class Processors(NamedTuple):
    """The numbers of the processors on which each side runs."""

    clients: set[int]
    servers: set[int]


def processors(*, shared: bool) -> Processors:
    """The first one for clients, the others for servers; all for both where they are ``shared``."""
    numbers = sorted(os.sched_getaffinity(0))
    if shared or len(numbers) == 1:
        return Processors({*numbers}, {*numbers})
    return Processors({numbers[0]}, {*numbers[1:]})


class Outcome(NamedTuple):
    """What came of one attack."""

    attack: str
    p50: float
    p99: float
    worked: float
    """Milliseconds (p99) that the service worked while the victim waited."""
    answers: Counter[str]
    events: int
    """Of the tables that its address has opened."""
    grown: int
    """Bytes by which the service has grown."""
    faults: list[str]


class Siege:
    """The service, its victim, and the attacks on both, which come to the port ``front``."""

    def __init__(
        self, at: Server, front: int, operator: int, dsn: str, schema: str, url: str
    ) -> None:
        self._at, self._front, self._operator = at, front, operator
        self._schema, self._url = schema, url
        self._log = psycopg.connect(dsn, autocommit=True)
        # The first process only watches the one that serves.
        serving = max(at.processes(), key=lambda process: process.memory_info().rss)
        self._serving = serving
        self.victim = Victim(front, serving.pid)
        self.quiet = 0.0
        self._attacks = 0

    def listen(self, seconds: float) -> str:
        """Take the victim's quiet figures."""
        passed, worked = _columns(self.victim.play(seconds))
        self.quiet = _p99(passed)
        return (
            f"quiet: p50 {statistics.median(passed):.1f} ms, p99 {self.quiet:.1f} ms, "
            f"worked {_p99(worked):.1f} ms"
        )

    def attack(self, names: str, seconds: float) -> Outcome:
        """One attack, or several with commas between them, from a fresh address."""
        self._attacks += 1
        address, head = f"127.0.1.{self._attacks}", self._head()
        wish = {
            "port": self._front,
            "attack": names,
            "seconds": seconds,
            "address": address,
            "url": self._url,
        }
        probe = Probe(self._at.port, self._operator)
        probe.start()
        before, began = self._serving.memory_info().rss, time.monotonic()
        program = ["nice", "-n", "10", sys.executable, str(ROOT / "benchmarks" / "attacks.py")]
        with subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps(wish), file=process.stdin, flush=True)
            passed, worked = _columns(self.victim.play(seconds))
            grown = self._serving.memory_info().rss - before
            answers = Counter[str](json.loads(process.stdout.readline() or "{}"))
        time.sleep(SETTLE)
        # Whoever attacks waits for its last answers, which come in turn, and its bots play on.
        passed_by = time.monotonic() - began
        events = self._events(head)
        faults = [f"not ready: {fault}" for fault in sorted(set(probe.stop()))]
        faults += self._faults(names, passed_by, answers, events, probe.streams, _p99(passed))
        if grown > MOST_MEMORY:
            faults.append(f"the service has grown by {grown >> 20:,} MiB")
        p50, p99 = statistics.median(passed), _p99(passed)
        return Outcome(names, p50, p99, _p99(worked), answers, events, grown, faults)

    def _faults(
        self,
        names: str,
        seconds: float,
        answers: Counter[str],
        events: int,
        streams: int,
        p99: float,
    ) -> Iterator[str]:
        plain = Settings()
        if p99 > max(WORST * self.quiet, FLOOR):
            yield f"the victim waits {p99 / self.quiet:.1f} times as long"
        quota = (
            plain.events_per_write * plain.write_rate * (SHORTENED["event_burst_seconds"] + seconds)
        )
        if events > quota + SLACK:
            yield f"{events:,} events, more than {quota:,.0f}"
        if streams > plain.max_streams_per_address:
            yield f"{streams:,} streams at a time, more than {plain.max_streams_per_address}"
        for name in names.split(","):
            if name in MOST:
                bound, most = MOST[name], MOST[name].most(plain, seconds)
                count = sum(n for kind, n in answers.items() if re.fullmatch(bound.answer, kind))
                if count > most and "," not in names:
                    yield f"{count:,} times {bound.answer}, more than {most:,.0f}"

    def _events(self, position: int) -> int:
        """Events in the log of the tables that were opened after that position."""
        table = f"{self._schema}.stored_events"
        with self._log.cursor() as cursor:
            cursor.execute(
                f"SELECT count(*) FROM {table} WHERE originator_id IN (SELECT originator_id "
                f"FROM {table} WHERE originator_version = 1 AND notification_id > %s)",
                (position,),
            )
            ((count,),) = cursor.fetchall()
        return int(count)

    def _head(self) -> int:
        """The log's last position."""
        with self._log.cursor() as cursor:
            cursor.execute(f"SELECT max(notification_id) FROM {self._schema}.stored_events")
            ((position,),) = cursor.fetchall()
        return int(position)

    def ending(self) -> list[str]:
        """What goes on although nobody attacks any more."""
        before, deadline = self._head(), time.monotonic() + STILL
        while time.monotonic() < deadline:
            time.sleep(5)
            if (now := self._head()) == before:
                break
            before = now
        else:
            return [f"the log still grows {STILL:g} s after the last attack"]
        passed, _ = _columns(self.victim.play(5))
        if _p99(passed) > max(WORST * self.quiet, FLOOR):
            return [f"the victim still waits {_p99(passed):.0f} ms (p99)"]
        return []

    def close(self) -> None:
        """Close what it has open."""
        self._log.close()
        self.victim.close()


def _columns(waits: Sequence[Wait]) -> tuple[list[float], list[float]]:
    """The milliseconds that passed, and those that the service worked."""
    return [wait.passed for wait in waits], [wait.worked for wait in waits]


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98]


@contextmanager
def silence() -> Iterator[str]:
    """The URL of an endpoint that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=1_000) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


@contextmanager
def proxied(port: int) -> Iterator[int]:
    """The port of HAProxy before the service."""
    front = free_port()
    at = {"BIND": f"127.0.0.1:{front}", "SERVICE": f"127.0.0.1:{port}"}
    with subprocess.Popen(
        ["haproxy", "-f", ROOT / "deploy" / "haproxy.cfg"], env=os.environ | at
    ) as process:
        try:
            while not answers(f"http://127.0.0.1:{front}/v1/rulesets"):
                time.sleep(0.05)
            yield front
        finally:
            process.terminate()


@contextmanager
def besieged(
    dsn: str, schema: str, defences: tuple[str, ...], *, bare: bool = False
) -> Iterator[Siege]:
    """A service without the defences, with fresh tables in that schema, and its victim."""
    with ExitStack() as stack:
        operator = free_port()
        plain, constants = Settings(), constants_without(defences)
        environment = service_environment(
            stack,
            dsn,
            schema,
            read_rate=str(plain.read_rate),
            write_rate=str(plain.write_rate),
            trusted_proxies="127.0.0.1",
            admin_port=str(operator),
        )
        changed = (f"{name}={value}" for name, value in constants.items())
        program = ("-m", "benchmarks.changed_constants", *changed, "serve")
        at = stack.enter_context(server(program, environment, "/health/ready"))
        url = stack.enter_context(silence())
        front = at.port if bare else stack.enter_context(proxied(at.port))
        siege = Siege(at, front, operator, dsn, schema, url)
        stack.callback(siege.close)
        yield siege


def besiege(
    names: tuple[str, ...],
    seconds: float,
    defences: tuple[str, ...],
    *,
    alone: bool,
    bare: bool,
    processors: Processors,
) -> tuple[list[Outcome], list[str]]:
    """The outcomes of the attacks, of those of one address together, and what did not end."""
    outcomes = list[Outcome]()
    os.sched_setaffinity(0, processors.servers)  # what this process starts inherits it
    with throw_away() as dsn, besieged(dsn, SCHEMA, defences, bare=bare) as siege:
        os.sched_setaffinity(0, processors.clients)
        siege.victim.play(min(seconds, 5))  # warm
        print(siege.listen(2 * seconds), flush=True)
        together = [name for name in names if name not in APART]
        rounds = [*(names if alone else ()), *([",".join(together)] if len(together) > 1 else [])]
        for attack in rounds:
            outcomes.append(siege.attack(attack, seconds))
            print(_line(outcomes[-1], siege.quiet), flush=True)
        return outcomes, siege.ending()


def _line(outcome: Outcome, quiet: float) -> str:
    name = outcome.attack if "," not in outcome.attack else "all at once"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in outcome.answers.most_common(4))
    verdict = "; ".join(outcome.faults) or "held"
    return (
        f"| {name} | {outcome.p50:.1f} | {outcome.p99:.1f} | {outcome.p99 / quiet:.1f} | "
        f"{outcome.worked:.1f} | {outcome.events:,} | {outcome.grown >> 20} | {kinds} | {verdict} |"
    )


HEADS = "| attack | p50, ms | p99, ms | times quiet | worked, ms | events | MiB | answers | |"
"""The columns; `MiB` is by how much the service has grown."""


def main() -> int:
    """Besiege, and say what held."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15, help="of each attack")
    parser.add_argument("--shared", action="store_true", help="clients and servers on all cores")
    parser.add_argument("--quick", action="store_true", help="three attacks of three seconds")
    parser.add_argument("--only", default="", help="these attacks, with commas between them")
    parser.add_argument("--bare", action="store_true", help="the service without a proxy")
    parser.add_argument("--together", action="store_true", help="only all of them at once")
    parser.add_argument("--without", default="", help="these defences, with commas between them")
    given = parser.parse_args()
    attacks = tuple(attack.__name__ for attack in ATTACKS)
    names = tuple(filter(None, given.only.split(","))) or attacks
    defences = tuple(filter(None, given.without.split(",")))
    if unknown := {*names} - {*attacks}:
        parser.error(f"there is no attack {', '.join(sorted(unknown))}")
    if unknown := {*defences} - {*DEFENCES}:
        parser.error(f"there is no defence {', '.join(sorted(unknown))}")
    if given.quick:
        names, given.seconds = names[:3] if given.only else ("guesses", "many_tokens", "hints"), 3
    print(HEADS)
    outcomes, goes_on = besiege(
        names,
        given.seconds,
        defences,
        alone=not given.together,
        bare=given.bare,
        processors=processors(shared=given.shared),
    )
    for fault in goes_on:
        print(f"in the end: {fault}")
    broken = sum(bool(outcome.faults) for outcome in outcomes) + len(goes_on)
    print(f"{len(outcomes)} attacks: " + (f"{broken} broken" if broken else "all held"))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
