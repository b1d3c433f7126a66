"""Two services over states that differ only in what a viewer may not know, and the requests that
both get. Their answers have to be equal byte by byte, but for hashes over sealed events.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from unittest.mock import patch
from uuid import UUID

import httpx2
import msgspec
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import deal
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.evidence import codec
from phaseledger.domain.state import State
from phaseledger.projections.games import Chapter
from phaseledger.replay.formats.signing.commands import sign
from phaseledger.replay.formats.signing.keys import Keyring
from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.service.app import create_app
from phaseledger.service.eventlog.rows import Row
from phaseledger.service.games.game import Game, Snapshot
from phaseledger.service.games.view import _encoded as encoded_views
from phaseledger.service.games.writer import GameService
from tests.support.chance import Pick
from tests.support.command_fuzzing import Thrower
from tests.support.service.memory_credentials import MemoryCredentials
from tests.support.service.memory_ledger import in_memory
from tests.support.service.memory_store import MemoryStore
from tests.support.service.memory_views import MemoryViews
from tests.support.service.server import FREE
from tests.support.twin_decisions import two_courses

TRIES = 6
"""Refused commands at each state."""
SEAT_KEYS = [bytes([number + 1] * 32) for number in range(16)]
UNSIGNED = "00" * 64
"""A signature good enough for the rules, which check no signatures."""
OPERATOR = Keyring((SigningKey("interference", bytes(32)),))


class Position(NamedTuple):
    """A game at a point: its state, its log so far, and what the projections made of it."""

    state: State
    rows: tuple[Row, ...]
    chain: codec.Chain
    chapter: Chapter


def replaced(position: Position, state: State) -> Position:
    """The position with another state."""
    return position._replace(state=state, chapter=replace(position.chapter, state=state))


class _Games(GameService):
    def lay(self, game: UUID, position: Position | None) -> None:
        """Forget the game, or know it as the position says and not as its log does."""
        self.cache._live[game] = fresh = Game(game)
        self.cache._recent.pop(game, None)
        encoded_views.clear()  # twins have one leaf hash, which no two states of a log have
        if position:
            fresh.become(Snapshot(position.state, position.chain))
            self.cache.keep(fresh)


class _Store(MemoryStore):
    def lay(self, game: UUID, rows: Sequence[Row]) -> None:
        """Hold this game alone."""
        self._games, self._log = {game: list(rows)}, []


class _Views(MemoryViews):
    def lay(self, game: UUID, chapter: Chapter) -> None:
        """Know this game alone."""
        self._position, self._chapters, self._leaves = 0, {game: chapter}, {game: ""}


class Service:
    """The application over parts that can be laid out anew for each state."""

    def __init__(self) -> None:
        self._store = _Store()
        self._views = _Views(self._store)
        self._credentials = MemoryCredentials()
        self._tokens: dict[tuple[UUID, int], str] = {}
        made: list[_Games] = []

        def games(*given: Any, **named: Any) -> _Games:
            made.append(_Games(*given, **named))
            return made[0]

        parts = in_memory(self._store, OPERATOR)._replace(
            credentials=self._credentials, views=self._views
        )
        with patch("phaseledger.service.app.GameService", games):
            app = create_app(parts, replace(FREE, patience_seconds=0.0))
        (self._games,) = made
        transport = httpx2.ASGITransport(app=app)  # type: ignore[arg-type]
        headers = {
            "X-Request-Id": "one-of-two",  # or each answer has an id of its own
            "Accept-Encoding": "identity",  # or hashes, which differ, decide on how long it is
        }
        self.client = httpx2.AsyncClient(transport=transport, base_url="http://t", headers=headers)

    def lay(self, position: Position, *, folded: bool = False) -> None:
        """Put the position in place of whatever there was; with ``folded`` its log alone."""
        game = UUID(position.state.game)
        self._store.lay(game, position.rows)
        self._views.lay(game, position.chapter)
        self._games.lay(game, None if folded else position)

    async def ask(self, request: "Asked", game: str, seat: int | None) -> httpx2.Response:
        """Send the request as the seat, or as a spectator."""
        headers, path = dict(request.headers), request.path
        if seat is not None:
            key = (UUID(game), seat)
            if key not in self._tokens:
                self._tokens[key] = await self._credentials.issue(*key)
            headers["Authorization"] = f"Bearer {self._tokens[key]}"
        url = path if path.startswith(("/v1", "/health")) else f"/v1/games/{game}{path}"
        return await self.client.request(request.method, url, headers=headers, content=request.body)


class Asked(NamedTuple):
    """A request of a game; ``name`` is what it is counted under."""

    name: str
    method: str
    path: str
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed
    body: bytes | None = None


def reads(version: int, viewer: int | None, *, whole: bool) -> Iterator[Asked]:
    """Everything that can be read of a game, and some ways to ask for it wrongly."""
    mine = f'"{version}"' if viewer is None else f'"{version}.{viewer}"'
    for method in ("GET", "HEAD"):
        yield Asked(f"{method} game", method, "")
        yield Asked(f"{method} actions", method, "/actions")
    for path, tag in (("", mine), ("/table", f'"{version}"'), ("/scoreboard", f'"{version}"')):
        name = path or "/game"
        yield Asked(f"GET {name[1:]} known", "GET", path, {"If-None-Match": tag})
        yield Asked(f"GET {name[1:]} stale", "GET", path, {"If-None-Match": '"1"'})
    yield Asked("GET game, later", "GET", f"?at_least={version + 1}")
    yield Asked("GET table, later", "GET", f"/table?at_least={version + 1}")
    yield Asked("GET game, wrongly", "GET", "?at_least=soon")
    after = 0 if whole else max(0, version - 8)
    yield Asked("GET events", "GET", f"/events?after={after}&limit=1000")
    ndjson = {"Accept": "application/x-ndjson"}
    yield Asked("GET events, lines", "GET", f"/events?after={after}", ndjson)
    yield Asked("HEAD events", "HEAD", f"/events?after={after}&limit=1000")
    yield Asked("GET receipt", "GET", f"/receipts/{version}")
    if whole:
        yield Asked("GET bundle", "GET", "/bundle")
    yield Asked("GET games", "GET", "/v1/games")
    yield Asked("GET readiness", "GET", "/health/ready")
    yield Asked("DELETE game", "DELETE", "")
    yield Asked("OPTIONS commands", "OPTIONS", "/commands")


def sent(name: str, position: Position, seat: int | None, command: c.Command) -> Asked:
    """A command, signed where its seat signs, the same key for the same bytes."""
    state, chain = position.state, position.chain
    headers = {"Content-Type": "application/json", "Idempotency-Key": "interference-0000"}
    if seat is not None and state.seat(seat).key:
        key = SEAT_KEYS[seat]
        headers["Command-Signature"] = sign(key, state.game, seat, chain.head, chain.seq, command)
    return Asked(name, "POST", "/commands", headers, msgspec.json.encode(command))


def refused(position: Position, viewer: int | None, pick: Pick) -> Iterator[Asked]:
    """Requests that change nothing, whatever the hidden cards are."""
    state, json = position.state, {"Content-Type": "application/json"}
    yield Asked("POST start", "POST", "/start")
    yield Asked("POST void", "POST", "/void", json, b'{"reason":"no"}')
    yield Asked("POST seats", "POST", "/seats", json, b'{"name":"x","seat":0}')
    yield Asked("POST commands, no JSON", "POST", "/commands", json, b"{")
    draw = msgspec.json.encode(c.Draw())
    yield Asked("POST commands, late", "POST", "/commands", {**json, "If-Match": '"1"'}, draw)
    if viewer is None:
        yield Asked("POST commands", "POST", "/commands", json, draw)
        return
    if state.seat(viewer).key:
        yield Asked("POST commands, unsigned", "POST", "/commands", json, draw)
    thrower = Thrower(state, viewer, pick)
    for _ in range(TRIES):
        command = thrower.command()
        try:
            step(state, Act(command, viewer, UNSIGNED if state.seat(viewer).key else ""))
        except Rejected:
            if isinstance(command, c.Play):
                yield sent("POST commands, refused", position, viewer, command)


# --- comparing ----------------------------------------------------------------------------------


class Difference(Exception):
    """Something that a viewer receives and that hidden cards change."""


HASHES = {"prev", "leaf", "head"}
_HASH = re.compile(r"[0-9a-f]{64}")
_SIGNED = re.compile(r"[0-9A-Za-z+/]{86}==")


def masked(node: Any) -> Any:
    """The JSON without the values of hashes over sealed events, where these look like hashes."""
    if isinstance(node, list):
        return [masked(child) for child in node]
    if not isinstance(node, dict):
        return node
    shown = {}
    for name, value in node.items():
        if name == "sealed":
            shown[name] = {who: _HASH.sub("#", seal) for who, seal in value.items()}
        elif name in HASHES and isinstance(value, str):
            shown[name] = _HASH.sub("#", value)
        elif name == "sig" and "leaf" in node:
            shown[name] = _SIGNED.sub("#", value)
        else:
            shown[name] = masked(value)
    return shown


def _trees(answer: httpx2.Response) -> tuple[list[Any], bool]:
    """The answer's JSON without such hashes, and whether it shows a joker's face."""
    lines = answer.content.splitlines() if "ndjson" in answer.headers["content-type"] else None
    trees = [masked(msgspec.json.decode(line)) for line in lines or [answer.content]]
    return trees, any(isinstance(tree, dict) and bool(tree.pop("look", None)) for tree in trees)


def compare(real: httpx2.Response, other: httpx2.Response) -> bool:
    """Whether the answers are the same bytes; else they are equal but for hashes.

    Raises:
        Difference: when they are not even that.

    """
    heads = [sorted(answer.headers.multi_items()) for answer in (real, other)]
    if (real.status_code, real.content, heads[0]) == (other.status_code, other.content, heads[1]):
        return True
    if real.status_code != other.status_code or not real.content or not other.content:
        raise Difference(f"{real.status_code} {heads[0]} or {other.status_code} {heads[1]}")
    (trees, look), (changed, looked) = _trees(real), _trees(other)
    if look and looked:
        heads = [[line for line in head if line[0] != "content-length"] for head in heads]
    elif len(real.content) != len(other.content):
        raise Difference(f"{len(real.content)} or {len(other.content)} bytes")
    if trees != changed or heads[0] != heads[1]:
        raise Difference(f"{heads[0]} {real.text} or {heads[1]} {other.text}")
    return False


class Tally:
    """What has been compared, by the name of the request."""

    def __init__(self) -> None:
        self.same, self.hashed = Counter[str](), Counter[str]()
        self.games, self.states, self.untwinned = Counter[str](), 0, 0

    @property
    def triples(self) -> int:
        """How many answers were compared."""
        return self.same.total() + self.hashed.total()

    def add(self, name: str, real: httpx2.Response, other: httpx2.Response) -> None:
        """Compare, and count."""
        (self.same if compare(real, other) else self.hashed)[name] += 1


class Pair:
    """Two services that get the same requests."""

    def __init__(self, tally: Tally) -> None:
        self.real, self.other, self.tally = Service(), Service(), tally

    async def ask(self, request: Asked, game: str, seat: int | None) -> None:
        """Let the viewer ask both."""
        answers = [await service.ask(request, game, seat) for service in (self.real, self.other)]
        try:
            self.tally.add(request.name, *answers)
        except Difference as error:
            asked = f"{request.method} {request.path} {request.body!r} by seat {seat}"
            raise Difference(f"{asked}: {error}") from None

    async def look(
        self, position: Position, other: Position, viewer: int | None, pick: Pick, *, folded: bool
    ) -> None:
        """All reads and some refused commands at a state and at its twin."""
        self.real.lay(position, folded=folded)
        self.other.lay(other, folded=folded)
        version = position.chain.seq
        for request in (*reads(version, viewer, whole=folded), *refused(position, viewer, pick)):
            await self.ask(request, position.state.game, viewer)

    async def play(self, position: Position, viewer: int | None, act: Act, pick: Pick) -> None:
        """A lawful command at a state and the like of it at a twin, and what is seen of it."""
        state, (seat, game) = position.state, (act.seat, position.state.game)
        twins = two_courses(state, viewer, act, pick)
        real, changed = position, replaced(position, twins.state)
        self.real.lay(real)
        self.other.lay(changed)
        answers = [await self.real.ask(sent("", real, seat, act.command), game, seat)]
        stocks = iter(twins.other.stocks)
        with patch.object(deal, "shuffled", lambda *_: next(stocks)):
            request = sent("POST commands", changed, seat, twins.act.command)
            answers.append(await self.other.ask(request, game, seat))
        if {answer.status_code for answer in answers} != {200}:
            raise Difference(f"{[answer.text for answer in answers]}")
        if seat == viewer:
            self.tally.add(request.name, *answers)
        version = position.chain.seq + len(twins.real.events)
        for read in reads(version, viewer, whole=False):
            await self.ask(read._replace(name=f"{read.name}, then"), game, viewer)
