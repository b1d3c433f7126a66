"""Refusals: exceptions that are declared once, with all that answers, pages and metrics say.

A room of the service declares its refusals in its ``errors.py``, as subclasses of `Refusal`:

    class NoSuchGame(Refusal, code="no_such_game", status=404):

What is read off the declaration: the problem that is answered, its page, the operations whose
description tells of it, and how commands that end so are counted. Its words are the messages
``refused.no_such_game`` (the title) and ``problems.no_such_game.*`` of the catalogue.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from phaseledger.domain.words import Language

E = TypeVar("E", bound=Exception)
_CODE = re.compile(r"[a-z]+(_[a-z]+)*")


class Occasion(StrEnum):
    """The parts of operations at which a refusal may be met, the most special ones first.

    Of several refusals with one status, an operation's description shows the first one's.
    """

    # What is asked of a table, in the words of `domain.rejections.codes.Asked`.
    OPENING = "opening"
    JOINING = "joining"
    FILLING = "filling"
    REMATCHING = "rematching"
    KICKING = "kicking"
    STARTING = "starting"
    VOIDING = "voiding"
    LEAVING = "leaving"
    CLAIMING = "claiming"
    PLAYING = "playing"
    HOSTING = "hosting"
    CHECKING = "checking"
    # What else an operation does.
    REGISTERING = "registering a webhook"
    FINDING_A_WEBHOOK = "finding a webhook"
    WEBHOOKS = "webhooks"
    COSIGNING = "cosigning"
    PROVING = "proving"
    STREAMING = "streaming"
    VIEWS = "reading the views"
    VIEWING = "viewing one game"
    LOG = "reading the log"
    # Who may call it.
    SEAT = "seat"
    HOST = "host"
    MEMBER = "member"
    VIEWER = "viewer"
    APPLICATION = "application"
    OPENER = "opener"
    PLAYER = "player"
    SESSION = "session"
    # What a request of it has.
    KEYED = "an Idempotency-Key"
    CONDITIONAL = "an If-Match"
    SIGNED = "a Command-Signature"
    PAGED = "a cursor"
    ADDRESSED = "an address with parameters"
    BODY = "a body"
    # What it is.
    WRITE = "a write"
    LIMITED = "a limited operation"
    ANY = "any operation"


WITH_TOKEN = (Occasion.SEAT, Occasion.HOST, Occasion.MEMBER)
"""Operations that need a table's token."""
MAY_SHOW_TOKEN = (*WITH_TOKEN, Occasion.VIEWER)
OF_PLAYERS = (Occasion.APPLICATION, Occasion.OPENER, Occasion.PLAYER)
"""Operations that look at the key of an application; or at a player's session, but for its own."""
MAY_SHOW_BEARER = (*MAY_SHOW_TOKEN, *OF_PLAYERS, Occasion.SESSION)
"""Operations that look at a token of any kind."""


class Refusal(Exception):
    """Why something is not done; a subclass that has a code declares one refusal.

    A subclass without a code has its parent's code, or is an abstract parent that cannot be raised.
    ``detail`` goes to the caller beside the title; ``reason``, which `str` gives, to the operator's
    log alone.
    """

    code: str
    status: int
    """Of HTTP."""
    met: frozenset[Occasion] = frozenset()
    """The occasions at which it is met; none where only one operation names it."""
    outcome: str = "failed"
    """How metrics count a command that ends with it."""
    retry_after: int | None = None
    """Seconds after which another try makes sense."""
    place: tuple[str, int] = ("", 0)
    """Where it was declared: the module, and how many were before it."""

    def __init_subclass__(
        cls,
        *,
        code: str = "",
        status: int = 0,
        met: Collection[Occasion] = (),
        outcome: str = "",
        of: type[Exception] | None = None,
    ) -> None:
        """Declare a refusal: ``of`` is an exception of a lower room that it stands for."""
        super().__init_subclass__()
        if outcome:
            cls.outcome = outcome
        if code:
            _require_sound(code, status)
            cls.code, cls.status, cls.met = code, status, frozenset(met)
            cls.place = (cls.__module__, len(_declared))
            _declared[code] = cls
        elif status or met:
            raise TypeError(f"{cls.__name__} has no code to which that belongs")
        if of is not None:
            answer_as(of, cls.for_exception)

    def __init__(self, detail: str = "", *, reason: str = "") -> None:
        if not hasattr(self, "code"):
            raise TypeError(f"{type(self).__name__} has no code: raise one of its subclasses")
        super().__init__(reason or (f"{self.code}: {detail}" if detail else self.code))
        self.detail = detail

    @classmethod
    def for_exception(cls, error: Exception) -> "Refusal":
        """The refusal that stands for the exception of a lower room; it keeps no word of it."""
        return cls()

    def members(self) -> Mapping[str, Any]:
        """Further members of the problem."""
        return {}

    def sentence(self, lang: Language) -> str:
        """What is said in place of title and detail; empty where these say all."""
        return ""

    def headers(self) -> Mapping[str, str]:
        """Headers of the answer, beside the headers that its status needs."""
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}


Whose = Literal["application", "player", "address", "token"]
"""The kinds of callers that have limits."""


class LimitReached(Refusal):
    """The request is allowed again after ``wait`` seconds, or may be."""

    def __init__(self, wait: float, whose: Whose | Literal[""] = "", detail: str = "") -> None:
        super().__init__(detail)
        self.retry_after = math.ceil(wait)
        self.whose = whose

    def members(self) -> Mapping[str, Any]:
        """Whose limit it is."""
        return {"whose": self.whose}


_declared: dict[str, type[Refusal]] = {}
_standing_for: dict[type[Exception], Callable[[Any], Refusal]] = {}

DECLARED: Mapping[str, type[Refusal]] = MappingProxyType(_declared)
"""Every refusal by its code, as far as the module that declares it has been imported."""


def answer_as(kind: type[E], refusal: Callable[[E], Refusal]) -> None:
    """Have a refusal stand for each exception of the kind, which a lower room or a library has."""
    if kind in _standing_for:
        raise TypeError(f"there is a refusal for {kind.__name__} already")
    _standing_for[kind] = refusal


def refusal_of(error: Exception) -> Refusal | None:
    """The refusal that the exception is or that stands for it, most special first; None: a bug."""
    if isinstance(error, Refusal):
        return error
    kind = next((kind for kind in type(error).__mro__ if kind in _standing_for), None)
    return _standing_for[kind](error) if kind else None


def outcome_of(error: Exception) -> str:
    """How metrics count a command that ends with the exception."""
    refusal = refusal_of(error)
    return refusal.outcome if refusal else Refusal.outcome


def _require_sound(code: str, status: int) -> None:
    if not _CODE.fullmatch(code):
        raise TypeError(f"{code!r} is no code: it is words in lower case, joined by _")
    if code in _declared:
        raise TypeError(f"{_declared[code].__qualname__} has the code {code} already")
    if not 400 <= status <= 599:
        raise TypeError(f"{code}: {status} is no status of a refusal")
