"""A client that plays while it may, remembers every answer, and retries what is in doubt."""

import threading
import time
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

import httpx2
import msgspec

from phaseledger.domain.commands import Hit, Lay
from phaseledger.domain.evidence import codec
from phaseledger.service.schemas.games import Actions, Done, Joined, Opened
from tests.support.chance import chooser

PAUSE = 0.02  # seconds between two attempts
RULESETS = ("board", "classic", "express")
"""Games for two, one after the other."""


class Lost(AssertionError):
    """Something acknowledged is not there, is there otherwise, or is there twice."""


class Abandoned(Exception):
    """The campaign is over before the command was answered."""


class Ack(NamedTuple):
    """A command that was answered with success."""

    cmd: str
    seat: int | None
    version: int
    events: tuple[bytes, ...]
    """As answered; an opening and a joining show none."""


class Played:
    """What one client knows of one game. ``pending`` is the command it has no answer to.

    An answer is among the ``acks`` before its command is no longer pending.
    """

    def __init__(self, game: str, pending: str = "", acks: Iterable[Ack] = ()) -> None:
        self.game = game
        self.pending = pending
        self.acks = list(acks)
        self.tokens: list[str] = []
        """Of its seats."""


class Player(threading.Thread):
    """A client that plays both seats of one game after another, and sends again what is in doubt.

    ``doubts`` counts commands whose connection was lost, ``refused`` those answered 503.
    """

    def __init__(self, url: str, seed: str) -> None:
        super().__init__(name=seed, daemon=True)
        self.client = httpx2.Client(base_url=f"{url}/v1", timeout=20)
        self.seed = seed
        self.played: list[Played] = []
        self.count = self.answered = self.doubts = self.refused = 0
        self.finish, self.abandon = threading.Event(), threading.Event()
        self.failure: BaseException | None = None

    def acknowledged(self) -> int:
        """How many commands were answered with success."""
        return sum(len(played.acks) for played in [*self.played])

    def run(self) -> None:
        try:
            while not self.finish.is_set():
                self._play()
        except Abandoned:
            pass
        except BaseException as failure:  # noqa: BLE001 - the main thread raises it
            self.failure = failure
        finally:
            self.client.close()

    def _play(self) -> None:
        key = self._key()
        seats = [{"kind": "person"}] * 2
        ruleset = RULESETS[(sum(self.seed.encode()) + len(self.played)) % len(RULESETS)]
        body = self._sent("POST", "/games", "", {"ruleset": ruleset, "seats": seats}, key)
        opened = msgspec.json.decode(body, type=Opened)
        played = Played(opened.game)
        played.acks.append(Ack(codec.command_id(None, key), None, opened.version, ()))
        self.played.append(played)
        tokens = played.tokens
        for seat in range(2):
            body = self._write(played, "seats", "", {"name": f"{seat}", "seat": seat}, seat)
            tokens.append(msgspec.json.decode(body, type=Joined).token)
        body = self._write(played, "start", opened.host_token, None, None)
        table = msgspec.json.decode(body, type=Done).table
        while table.stage == "playing" and not self.finish.is_set():
            seat = table.waits[0].seat
            body = self._sent("GET", f"/games/{played.game}/actions", tokens[seat])
            actions = msgspec.json.decode(body, type=Actions)
            if actions.version != played.acks[-1].version:
                raise Lost(f"at {actions.version}, acknowledged {played.acks[-1].version}")
            pick = chooser(self.seed.encode(), actions.version)
            command = next(
                (choice for choice in actions.commands if isinstance(choice, Lay | Hit)),
                actions.commands[pick(len(actions.commands))],
            )
            match = f'"{actions.version}.{seat}"'
            body = self._write(played, "commands", tokens[seat], command, seat, match)
            table = msgspec.json.decode(body, type=Done).table

    def _write(
        self,
        played: Played,
        what: str,
        token: str,
        command: object,
        seat: int | None,
        match: str = "",
    ) -> bytes:
        """A command, until it is answered; one that was in doubt is then answered twice alike."""
        key, doubts = self._key(), self.doubts
        played.pending = codec.command_id(seat, key)
        path = f"/games/{played.game}/{what}"
        body = self._sent("POST", path, token, command, key, match)
        done = msgspec.json.decode(body, type=_Answer)
        events = tuple(map(bytes, done.events))
        played.acks.append(Ack(played.pending, seat, done.version, events))
        played.pending = ""
        if doubts != self.doubts:
            repeated = self._sent("POST", path, token, command, key, match)
            if repeated != body:
                raise Lost(f"answered differently the second time: {body!r}, {repeated!r}")
        return body

    def _key(self) -> str:
        self.count += 1
        return sha256(f"{self.seed} {self.count}".encode()).hexdigest()

    def _sent(
        self,
        method: str,
        path: str,
        token: str,
        body: object = None,
        key: str = "",
        match: str = "",
    ) -> bytes:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {"If-Match": match} if match else {}
        content = None if body is None else msgspec.json.encode(body)
        while not self.abandon.is_set():
            try:
                answer = self.client.request(method, path, headers=headers, content=content)
            except httpx2.ConnectError:
                time.sleep(PAUSE)
                continue
            except httpx2.TransportError:
                self.doubts += method == "POST"
                continue
            if answer.status_code != 503:
                if not answer.is_success:
                    raise Lost(f"{method} {path}: {answer.status_code} {answer.text}")
                self.answered += 1
                return answer.content
            _require_problem(answer)
            self.refused += 1
            time.sleep(PAUSE)
        raise Abandoned


class _Answer(msgspec.Struct):
    version: int
    events: tuple[msgspec.Raw, ...] = ()


def _require_problem(answer: httpx2.Response) -> None:
    problem: dict[str, Any] = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) >= 1
    assert (problem["status"], problem["code"]) == (503, "store_unavailable"), problem


# Two threads that meet a Struct for the first time at once crash inside msgspec 0.22.0, though its
# issue #401 has all of it for thread-safe. The client library has `decoder` for that.
_DECODERS = [msgspec.json.Decoder(answer) for answer in (Actions, Done, Joined, Opened, _Answer)]
