"""Plant faults between a service and a pair of database servers, and hold the log against answers.

    python benchmarks/nemesis.py [--rounds N] [--failovers N] [--lagging N] [--clients N]
                                 [--seed TEXT] [--only NAMES]

In each round the clients play on while one fault after another (`faults.py`) is planted, in a
seeded order: a network that cuts, delays, loses pieces or falls silent; a server that is read-only,
locked, out of room or crashes, by one of its processes or as a whole; a service whose processes are
killed one by one or together; a second node whose clock is ahead. After each of them every
acknowledged command has to be in the log as it was answered, every client gets on, and the service
is ready, without a restart where it was not the one that was killed. A failover is to a standby
that commits wait for, and may lose nothing; a lagging one has gone back, and may lose no game: the
service plays on without holes, or refuses to write behind what it has published; how many commands
are gone is counted. Exits with 1 when anything else is lost, and says what.

The small disk is a file system that has to be mounted, as root; others go without that fault.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import httpx2
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.faults import (
    ENOUGH,
    FAULTS,
    Fault,
    end_in_order,
    full_disk,
    may_mount,
    small_disk,
)
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.source import read_store
from phaseledger.service.database.setup import prepare
from phaseledger.service.settings import Settings
from tests.support.crash_campaign import Campaign, campaign
from tests.support.player import Lost, Played, Player
from tests.support.polling import eventually
from tests.support.service.replication import Pair, replicated

console = Console(stderr=True)


class Figures(NamedTuple):
    """What a campaign has measured so far."""

    commands: list[int]
    """How many were acknowledged, in each run."""
    recoveries: dict[str, list[float]]
    """By fault, the seconds from its end until every client had a command acknowledged."""
    missing: list[int]
    """How many acknowledged commands the standby that lagged did not have, in each run."""


@contextmanager
def ledger(
    clients: int, seed: str, *, synchronous: bool = False, small: bool = False
) -> Iterator[tuple[Pair, Campaign]]:
    """A pair of servers with a ledger, a service on it, and clients at play."""
    with replicated(small_disk if small else nullcontext) as pair:
        prepare(Settings(database_url=pair.dsn))
        if synchronous:
            pair.primary.setting("synchronous_standby_names", "*")
        with campaign(pair.dsn, "phaseledger", players=clients, seed=seed) as running:
            yield pair, running


def plant_faults(clients: int, seed: str, faults: tuple[Fault, ...], figures: Figures) -> None:
    """Plant each fault once."""
    order = list(faults)
    random.Random(seed).shuffle(order)
    with ledger(clients, seed, small=full_disk in faults) as (pair, running):
        for fault in order:
            fault(pair, running)
            seconds = recovery(running)
            figures.recoveries[fault.__name__].append(seconds)
            running.until(Player.acknowledged, more=ENOUGH)
            running.verify()
            await_ready(running)
            console.log(f"{seed}: {fault.__name__}, {seconds:.1f} s")
        running.finish()
        await_views(running)
        require_sound(pair.primary.dsn)
        figures.commands.append(running.acknowledged())


def fail_over(clients: int, seed: str, figures: Figures) -> None:
    """Fail over to a standby that has everything."""
    with ledger(clients, seed, synchronous=True) as (pair, running):
        running.until(Player.acknowledged, more=ENOUGH)
        pair.await_standby()
        # Taken over in the midst of play: what was acknowledged has been waited for.
        pair.fail_over()
        figures.recoveries[fail_over.__name__].append(recovery(running))
        running.until(Player.acknowledged, more=ENOUGH)
        running.finish()
        await_ready(running)
        await_views(running)
        require_sound(pair.standby.dsn)
        figures.commands.append(running.acknowledged())


def fall_behind(clients: int, seed: str, figures: Figures) -> None:
    """Fail over to a standby that lags."""
    with ledger(clients, seed) as (pair, running):
        pair.await_standby()
        pair.cut_replication()
        # Sometimes long enough for a checkpoint to be published, sometimes not.
        running.until(Player.acknowledged, more=ENOUGH * random.Random(seed).randint(1, 10))
        retired = running.retire()
        pair.fail_over()
        over = time.monotonic()
        body = {"ruleset": "classic", "seats": [{"kind": "person"}] * 2}
        answered = eventually(
            lambda: httpx2.post(f"{running.url}/v1/games", json=body, timeout=20),
            lambda answer: answer.status_code == 201 or answer.json()["code"] == "ledger_behind",
        )
        kind = "plays on" if answered.status_code == 201 else "ledger_behind"
        figures.recoveries[kind].append(time.monotonic() - over)
        lost = running.missing(retired)
        games = sum(go_on(running.url, played) for player in retired for played in player.played)
        console.log(f"{seed}: {kind}, {lost} commands gone, {games} games played on")
        if kind == "plays on":
            running.recruit()
            running.until(Player.acknowledged, more=ENOUGH)
            running.finish()
        require_sound(pair.standby.dsn)
        figures.commands.append(running.acknowledged())
        figures.missing.append(lost)


def go_on(url: str, played: Played) -> bool:
    """Move once from where the log has the game; whether it is still there, and takes the move."""
    for token in played.tokens:
        headers = {"Authorization": f"Bearer {token}"}
        address = f"{url}/v1/games/{played.game}"
        answer = _answer_of("GET", f"{address}/actions", headers)
        if answer.status_code != 200 or not (commands := answer.json()["commands"]):
            continue  # its seat is not there any more, or it is not its turn
        headers["Idempotency-Key"] = f"on-with-{played.game}"
        moved = _answer_of("POST", f"{address}/commands", headers, commands[0])
        if moved.status_code not in {200, 503}:
            raise Lost(f"game {played.game}: {moved.status_code} {moved.text}")
        return moved.status_code == 200
    return False


def _answer_of(
    method: str, address: str, headers: dict[str, str], body: object = None
) -> httpx2.Response:
    """What the service answers at last; 503 only where it is behind, which is for good."""
    return eventually(
        lambda: httpx2.request(method, address, headers=headers, json=body, timeout=20),
        lambda answer: answer.status_code != 503 or answer.json()["code"] == "ledger_behind",
    )


def recovery(running: Campaign) -> float:
    """The seconds until every client has one more command acknowledged."""
    began = time.monotonic()
    running.until(Player.acknowledged, more=1)
    return time.monotonic() - began


def await_ready(running: Campaign) -> None:
    """Wait until the service says that all is well: writer, views, signatures, clock."""
    eventually(lambda: _readiness(running), lambda answer: answer.status_code == 200)


def await_views(running: Campaign) -> None:
    """Wait until the views have all events, and the public log has signed them."""

    def is_complete() -> bool:
        answer = _readiness(running)
        figures = answer.json()
        return answer.status_code == 200 and figures["lag"] == 0 < figures["signed"]

    eventually(is_complete)


def _readiness(running: Campaign) -> httpx2.Response:
    return httpx2.get(f"{running.url}/health/ready", timeout=20)


def require_sound(dsn: str) -> None:
    """Audit every game; raises Lost."""
    for verdict in audit(read_store(dsn)):
        if not verdict.sound:
            raise Lost(f"game {verdict.game}: {verdict.findings}")


def chosen_faults(names: str) -> tuple[Fault, ...]:
    """The faults with these names, or all of them; without the full disk where it cannot be."""
    faults = tuple(fault for fault in FAULTS if not names or fault.__name__ in names.split(","))
    if full_disk in faults and not may_mount():
        print("full_disk is left out: a small file system is mounted for it, and only root may.")
        faults = tuple(fault for fault in faults if fault is not full_disk)
    return faults


def main() -> int:
    """Plant, compare, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10, help="of all faults that lose nothing")
    parser.add_argument("--failovers", type=int, default=10, help="to a standby that has all")
    parser.add_argument("--lagging", type=int, default=10, help="to one that lags")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", default="nemesis")
    parser.add_argument("--only", default="", help="these faults, with commas between them")
    given = parser.parse_args()
    if unknown := set(filter(None, given.only.split(","))) - {fault.__name__ for fault in FAULTS}:
        parser.error(f"there is no fault {', '.join(sorted(unknown))}")
    end_in_order()
    faults = chosen_faults(given.only) if given.rounds else ()

    def plant(clients: int, seed: str, figures: Figures) -> None:
        plant_faults(clients, seed, faults, figures)

    campaigns = (
        (f"rounds of {len(faults)} faults", given.rounds, plant),
        ("failovers", given.failovers, fail_over),
        ("failovers to a lagging standby", given.lagging, fall_behind),
    )
    for what, times, run in campaigns:
        if not times:
            continue
        figures, began = Figures([], defaultdict(list), []), time.monotonic()
        for number in range(times):
            seed = f"{given.seed}-{number}"
            try:
                run(given.clients, seed, figures)
            except Lost as lost:
                print(f"LOST in {what}, seed {seed}: {lost}")
                return 1
            console.log(f"{what}: {number + 1} of {times}")
        gone = f"{sum(figures.missing):,} of them past the standby's end, none of the others lost"
        print(
            f"{times} {what} in {time.monotonic() - began:.0f} s: {sum(figures.commands):,} "
            f"commands acknowledged, {gone if figures.missing else 'none lost'}, no game damaged"
        )
        for fault, seconds in figures.recoveries.items():
            middle = sorted(seconds)[len(seconds) // 2]
            print(f"  {fault}: {len(seconds)} times, {middle:.1f} s (median), {max(seconds):.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
