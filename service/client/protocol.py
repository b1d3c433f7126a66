"""The client's protocol without I/O: requests, pauses, retries, and the decoding of responses.

A client's method is a generator of steps: it yields a `Request`, for which it is sent the `Reply`
or thrown `Unreachable`, or a `Pause`, and returns the caller's result. `service.client.client` has
the two loops that carry such steps out.
"""

import email.utils
import re
import secrets
import threading
import time
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar
from uuid import uuid4

import msgspec

from phaseledger.replay.formats.seat import Seat
from phaseledger.service.schemas.problem import Fault, Problem

T = TypeVar("T")

RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504})
"""Statuses that are retried; 502 and 504 are a proxy's."""
_EXCERPT = 120
"""Bytes of a response that an error shows."""
_SECRETS = re.compile(r"(?<=p10[a-z]_)\w+|(?<=whsec_)[\w+/=]+")
_uniform = secrets.SystemRandom().uniform
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_making_decoder = threading.Lock()


class Refused(Exception):
    """A refusal of the service; branch on ``code``. ``problem`` is the whole document (RFC 9457).

    ``code`` is empty where the answer was no problem but, say, a proxy's page. ``source`` is the
    method and the URL of the request.
    """

    def __init__(self, problem: Problem, source: str = "") -> None:
        asked = f", {source}" if source else ""
        super().__init__(f"{problem.detail} ({problem.code or problem.status}{asked})")
        self.problem = problem

    @property
    def code(self) -> str:
        """The reason, as a stable code."""
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
        """The reason, as a sentence."""
        return self.problem.detail

    @property
    def errors(self) -> tuple[Fault, ...]:
        """The parts of the request that are at fault."""
        return self.problem.errors

    @property
    def request_id(self) -> str:
        """The request's id in the server's log."""
        return self.problem.request_id


class Unreachable(Exception):
    """No answer came; whether a command was taken is not known.

    Repeating the command under the same ``key`` finds out, and takes it only once.
    """

    def __init__(self, reason: str, key: str = "") -> None:
        super().__init__(reason)
        self.key = key
        """The Idempotency-Key of the request, empty for a read."""


class Unreadable(Exception):
    """The response cannot be decoded by this client: perhaps the service is newer."""


class Request(NamedTuple):
    """A request to send, in the words of the HTTP library."""

    method: str
    url: str
    params: Mapping[str, str | int] = {}
    headers: Mapping[str, str] = {}
    content: bytes | None = None


class Pause(NamedTuple):
    """A wait, in seconds."""

    seconds: float


class Reply(NamedTuple):
    """A response; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    source: str = ""
    """The method and the URL of the request."""

    def __str__(self) -> str:
        """The response for error messages, without tokens and secrets."""
        kind = self.headers.get("content-type") or "no content type"
        onward = self.headers.get("location", "")
        target = f", to {shown(onward.encode())}" if onward else ""
        begins = f"it begins with {shown(self.content)}" if self.content else "it is empty"
        return (
            f"{self.source or 'The request'} was answered {self.status}{target} ({kind}): {begins}"
        )


Steps: TypeAlias = Generator[Request | Pause, Reply | None, T]
"""A generator of requests and pauses up to a result; raises Refused, Unreachable, Unreadable."""


class Retry(NamedTuple):
    """The retry policy: exponential backoff with full jitter, doubling each time."""

    attempts: int = 6
    first: float = 0.2
    """The longest first pause, in seconds."""
    longest: float = 20.0
    """The longest pause, in seconds; a longer `Retry-After` is not waited for."""

    def wait(self, attempt: int, asked: float) -> float:
        """The pause after an attempt, counted from 1; ``asked`` is the server's wish in seconds.

        No client retries before that time, and the jitter spreads them after it.
        """
        bound: float = min(self.longest, self.first * 2 ** (attempt - 1))
        return asked + _uniform(0, bound)


class Session(NamedTuple):
    """The game, the token and the seat that a client speaks for."""

    game: str = ""
    token: str = ""
    seat: int | None = None
    guard: Seat | None = None
    """Checks the service's answers, and signs the seat's commands."""
    retry: Retry = Retry()

    @property
    def path(self) -> str:
        """The address of the game."""
        if not self.game:
            raise ValueError("Say which game: client.at(game), or client.at(opened).")
        return f"/v1/games/{self.game}"


def exchange(session: Session, request: Request) -> Steps[Reply]:
    """Send the request, with retries as the session allows."""
    outgoing = request._replace(headers=with_token(session, request.headers))
    for attempt in range(1, session.retry.attempts + 1):
        failure: Refused | Unreachable
        delay = 0.0
        try:
            reply = yield outgoing
        except Unreachable as error:
            failure = Unreachable(str(error), outgoing.headers.get("Idempotency-Key", ""))
        else:
            assert reply is not None
            if reply.status < 300 or reply.status == 304:
                return reply
            failure = Refused(problem_of(reply), reply.source)
            delay = retry_after(reply)
            if reply.status not in RETRIED_STATUSES or delay > session.retry.longest:
                raise failure
        if attempt == session.retry.attempts:
            raise failure
        yield Pause(session.retry.wait(attempt, delay))
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
    """Send a request, and decode its response to the shape."""
    content = None if body is None else msgspec.json.encode(body)
    parameters = {name: value for name, value in (query or {}).items() if value is not None}
    content_type = {} if content is None else {"Content-Type": "application/json"}
    request = Request(
        method=method,
        url=path,
        params=parameters,
        headers={**content_type, **(headers or {})},
        content=content,
    )
    reply = yield from exchange(session, request)
    return read(reply, shape)


def read(reply: Reply, shape: type[T]) -> T:
    """The response's body, decoded to the shape. Raises Unreadable."""
    try:
        return decoder(shape).decode(reply.content)
    except msgspec.DecodeError as error:
        raise Unreadable(f"The answer is no {shape.__name__}: {error}. {reply}.") from None


def lines(reply: Reply) -> bytes:
    """The response's body of lines of JSON. Raises Unreadable where it has another form."""
    if not (reply.content.startswith(b"{") and reply.content.endswith(b"\n")):
        raise unexpected(reply, "text in lines of JSON")
    return reply.content


def document(reply: Reply) -> bytes:
    """The response's body, one JSON object. Raises Unreadable where it has another form."""
    if not (reply.content.startswith(b"{") and reply.content.endswith(b"}")):
        raise unexpected(reply, "JSON object")
    return reply.content


def unexpected(reply: Reply, wanted: str) -> Refused | Unreadable:
    """The error for a response of the wrong kind, successes included."""
    if reply.status < 300:
        return Unreadable(f"The answer is no {wanted}. {reply}.")
    return Refused(problem_of(reply), reply.source)


def shown(content: bytes) -> str:
    """The first bytes of the response, as text in quotation marks."""
    return repr(_SECRETS.sub("...", content[:_EXCERPT].decode(errors="replace")))


def decoder(shape: type[T]) -> msgspec.json.Decoder[T]:
    """The decoder of a shape, made by one thread at a time.

    msgspec 0.22.0 ends the process (SIGSEGV) where two threads meet a Struct for the first time at
    once: the second one takes a half-prepared type. Its issue #401 claims thread safety.
    """
    if shape not in _DECODERS:
        with _making_decoder:
            _DECODERS[shape] = msgspec.json.Decoder(shape)
    return _DECODERS[shape]


def new_key() -> str:
    """A new idempotency key: random, to be kept as secret as a token."""
    return str(uuid4())


def problem_of(reply: Reply) -> Problem:
    """The response's problem; a made-up one where it has none."""
    try:
        return decoder(Problem).decode(reply.content)
    except msgspec.DecodeError:
        request_id = reply.headers.get("x-request-id", "")
        title = f"The answer has status {reply.status} and is not from the service"
        return Problem(
            type="",
            title=title,
            status=reply.status,
            detail=f"{title}. {reply}.",
            code="",
            instance="",
            request_id=request_id,
        )


def retry_after(reply: Reply) -> float:
    """The response's `Retry-After` in seconds (RFC 9110, 10.2.3), 0 for none."""
    value = reply.headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value[:9])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0


def with_token(session: Session, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers with the session's bearer token, if it has one."""
    bearer = {"Authorization": f"Bearer {session.token}"} if session.token else {}
    return {**bearer, **headers}
