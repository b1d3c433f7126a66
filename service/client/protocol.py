"""What a client does, without a network: requests, pauses, retries, and how answers are read.

A client's method is a generator of steps: it yields a `Request`, for which it is sent the `Reply`
or thrown `Unreachable`, or a `Pause`, and returns what the caller asked for. `service.client` has
the two loops that carry such steps out.
"""

import email.utils
import secrets
import time
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar
from uuid import uuid4

import msgspec

from phaseledger.replay.seat import Seat
from phaseledger.service.schemas.problem import Fault, Problem

T = TypeVar("T")

RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504})
"""Statuses that a later try may not get; 502 and 504 are a proxy's."""
_uniform = secrets.SystemRandom().uniform


class Refused(Exception):
    """The service refuses; branch on ``code``. ``problem`` is all that it said (RFC 9457).

    ``code`` is empty where the answer was no problem but, say, a proxy's page.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.detail} ({problem.code or problem.status})")
        self.problem = problem

    @property
    def code(self) -> str:
        """Why, as a stable word."""
        return self.problem.code

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def rule(self) -> str:
        """The rule book's ID, empty where no rule is involved."""
        return self.problem.rule

    @property
    def detail(self) -> str:
        """What is wrong, as a sentence."""
        return self.problem.detail

    @property
    def errors(self) -> tuple[Fault, ...]:
        """The parts of the request that are at fault."""
        return self.problem.errors

    @property
    def request_id(self) -> str:
        """What the server's log calls the request."""
        return self.problem.request_id


class Unreachable(Exception):
    """No answer came; whether a command was taken is not known.

    The same command under the same ``key`` finds out, and is not taken twice.
    """

    def __init__(self, reason: str, key: str = "") -> None:
        super().__init__(reason)
        self.key = key
        """The Idempotency-Key of what was sent, empty for a read."""


class Unreadable(Exception):
    """The answer is none that this client understands: perhaps the service is newer."""


class Request(NamedTuple):
    """A request to send."""

    method: str
    path: str
    query: Mapping[str, str | int] = {}
    headers: Mapping[str, str] = {}
    content: bytes | None = None


class Pause(NamedTuple):
    """A wait, in seconds."""

    seconds: float


class Reply(NamedTuple):
    """An answer; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


Steps: TypeAlias = Generator[Request | Pause, Reply | None, T]
"""What to do next, until there is the answer; raises Refused, Unreachable, Unreadable."""


class Retry(NamedTuple):
    """How often and after how long a request is tried again: full jitter, doubling each time."""

    attempts: int = 6
    first: float = 0.2
    """Seconds that the first pause may have."""
    longest: float = 20.0
    """Seconds; a server that asks for more patience than this is not waited for."""

    def wait(self, attempt: int, asked: float) -> float:
        """The pause after an attempt, counted from 1, when the server asked for so many seconds.

        Nobody comes before the time, and not all come at it.
        """
        bound: float = min(self.longest, self.first * 2 ** (attempt - 1))
        return asked + _uniform(0, bound)


class Session(NamedTuple):
    """Whom a client speaks for, and of which game."""

    game: str = ""
    token: str = ""
    seat: int | None = None
    guard: Seat | None = None
    """Checks what the service says, and signs the seat's commands."""
    retry: Retry = Retry()

    @property
    def path(self) -> str:
        """The address of the game."""
        if not self.game:
            raise ValueError("Say which game: client.at(game), or client.at(opened).")
        return f"/v1/games/{self.game}"


def exchange(session: Session, request: Request) -> Steps[Reply]:
    """Send the request until it is answered, as often as the session allows."""
    sent = request._replace(headers=with_token(session, request.headers))
    for attempt in range(1, session.retry.attempts + 1):
        failure: Refused | Unreachable
        asked = 0.0
        try:
            reply = yield sent
        except Unreachable as lost:
            failure = Unreachable(str(lost), sent.headers.get("Idempotency-Key", ""))
        else:
            assert reply is not None
            if reply.status < 300 or reply.status == 304:
                return reply
            failure, asked = Refused(problem_of(reply)), retry_after(reply)
            if reply.status not in RETRIED_STATUSES or asked > session.retry.longest:
                raise failure
        if attempt == session.retry.attempts:
            raise failure
        yield Pause(session.retry.wait(attempt, asked))
    raise AssertionError("a session allows one attempt at least")


def ask(
    session: Session,
    method: str,
    path: str,
    shape: type[T],
    *,
    query: Mapping[str, str | int | None] | None = None,
    headers: Mapping[str, str] | None = None,
    body: Any = None,  # noqa: ANN401 - whatever becomes JSON
) -> Steps[T]:
    """Exchange a request for an answer of the shape."""
    content = None if body is None else msgspec.json.encode(body)
    given = {name: value for name, value in (query or {}).items() if value is not None}
    typed = {} if content is None else {"Content-Type": "application/json"}
    request = Request(method, path, given, {**typed, **(headers or {})}, content)
    reply = yield from exchange(session, request)
    return read(reply, shape)


def read(reply: Reply, shape: type[T]) -> T:
    """What the answer holds. Raises Unreadable."""
    try:
        return msgspec.json.decode(reply.content, type=shape)
    except msgspec.DecodeError as wrong:
        raise Unreadable(f"The answer is no {shape.__name__}: {wrong}.") from None


def new_key() -> str:
    """An Idempotency-Key: chance, to be kept as secret as a token."""
    return str(uuid4())


def problem_of(reply: Reply) -> Problem:
    """The problem that the answer tells."""
    try:
        return msgspec.json.decode(reply.content, type=Problem)
    except msgspec.DecodeError:
        known = reply.headers.get("x-request-id", "")
        told = f"The answer has status {reply.status} and is not from the service"
        return Problem("", told, reply.status, f"{told}.", "", "", known)


def retry_after(reply: Reply) -> float:
    """The seconds to wait that the answer asks for (RFC 9110, 10.2.3), 0 for none."""
    asked = reply.headers.get("retry-after", "").strip()
    if asked.isdecimal():
        return float(asked[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return 0.0


def with_token(session: Session, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers, and the session's token."""
    bearer = {"Authorization": f"Bearer {session.token}"} if session.token else {}
    return {**bearer, **headers}
