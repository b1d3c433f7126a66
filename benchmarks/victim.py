"""The victim of `benchmarks/siege.py`, who plays, and the probe that asks for readiness."""

import threading
import time
from typing import NamedTuple

import httpx2

EVERY = 0.05  # seconds between the victim's requests
PATIENCE = 4.0
"""Seconds for which readiness is waited for; each time over a connection of its own."""


class Wait(NamedTuple):
    """How long one request took, in milliseconds."""

    passed: float
    """From when it was due to its answer."""
    worked: float
    """Of the processor, that the service worked meanwhile, for whomever: what else runs on the
    machine counts little there.
    """


class Victim:
    """Somebody who plays a game with two seats.

    ``process`` is the id of the process that serves the game.
    """

    ADDRESS = "127.0.2.1"

    def __init__(self, port: int, process: int) -> None:
        self._processor = ~process << 3 | 2  # the clock of another process, on Linux
        self._url = f"http://127.0.0.1:{port}/v1"
        way = httpx2.HTTPTransport(local_address=self.ADDRESS)
        self._client = httpx2.Client(transport=way, timeout=60)
        self._seat, self._card, self._reads = 1, "", False
        self._open()

    def _open(self) -> None:
        seats = [{"kind": "person"}] * 2
        opened = self._post("/games", {"ruleset": "classic", "seats": seats}).json()
        self.game = opened["game"]
        path = f"/games/{self.game}"
        joined = [
            self._post(f"{path}/seats", {"name": f"Seat {seat}", "seat": seat}).json()
            for seat in range(2)
        ]
        begun = self._post(f"{path}/start", None, opened["host_token"]).json()
        first = begun["table"]["active"]
        self._tokens = [joined[1 - first]["token"], joined[first]["token"]]

    def _post(self, path: str, body: object, token: str = "") -> httpx2.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self._client.post(self._url + path, json=body, headers=headers)
        return answer.raise_for_status()

    def act(self) -> None:
        """Draw or discard, or read the game, in turn."""
        token, self._reads = self._tokens[self._seat], not self._reads
        path = f"/games/{self.game}"
        if self._reads:
            headers = {"Authorization": f"Bearer {token}"}
            self._client.get(self._url + path, headers=headers).raise_for_status()
        elif self._card:
            self._post(f"{path}/commands", {"type": "discard", "cards": self._card}, token)
            self._card, self._seat = "", 1 - self._seat
        else:
            done = self._post(f"{path}/commands", {"type": "draw"}, token).json()
            hand = done["table"]["hand"].split()
            self._card = next(card for card in hand if card != "S")  # a skip would name a target

    def play(self, seconds: float) -> list[Wait]:
        """Send requests for so long, each when it is due."""
        began, waits = time.perf_counter(), list[Wait]()
        for number in range(int(seconds / EVERY)):
            due = began + number * EVERY
            time.sleep(max(0.0, due - time.perf_counter()))
            worked = time.clock_gettime(self._processor)
            self.act()
            worked = time.clock_gettime(self._processor) - worked
            waits.append(Wait(1000 * (time.perf_counter() - due), 1000 * worked))
        return waits

    def close(self) -> None:
        """Close its connections."""
        self._client.close()


class Probe(threading.Thread):
    """Asks twice a second whether the service is ready, and how many streams it has open.

    ``faults`` are answers other than 200; ``streams`` is the most at a time. The operator's
    listener, whose port is ``operator``, knows the streams; a client learns late of one that ended.
    """

    def __init__(self, port: int, operator: int) -> None:
        super().__init__(daemon=True)
        self.faults: list[str] = []
        self.streams = 0
        self._url = f"http://127.0.0.1:{port}/health/ready"
        self._metrics = f"http://127.0.0.1:{operator}/metrics"
        self._stopped = threading.Event()

    def run(self) -> None:
        """Ask until stopped."""
        while not self._stopped.wait(0.5):
            try:
                answer = httpx2.get(self._url, timeout=PATIENCE)
                metrics = httpx2.get(self._metrics, timeout=PATIENCE).text
            except httpx2.TransportError as error:
                self.faults.append(type(error).__name__)
            else:
                if answer.status_code != 200:
                    self.faults.append(str(answer.json().get("reasons") or answer.status_code))
                self.streams = max(self.streams, _value(metrics, "phaseledger_open_streams"))

    def stop(self) -> list[str]:
        """What was wrong."""
        self._stopped.set()
        self.join()
        return self.faults


def _value(metrics: str, name: str) -> int:
    """A metric without labels, out of the text that Prometheus reads."""
    return next(
        int(float(line.split()[1])) for line in metrics.splitlines() if line.startswith(f"{name} ")
    )
