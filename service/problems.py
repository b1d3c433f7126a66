"""Refusals as RFC 9457 problem details. Codes are stable; every sentence is written here."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from msgspec import Struct

from domain.commands import RejectCode as Code
from domain.commands import Rejected
from projections.pages import BadCursor, NotYet, ViewsUnavailable
from service.game import KeyReused, NoSuchGame, StaleVersion, TableFull
from service.logs import trace
from service.store import Conflict, StoreUnavailable

MEDIA_TYPE = "application/problem+json"
log = structlog.get_logger("phaseledger.http")


class Fault(Struct, frozen=True):
    """One thing wrong with a request; ``where`` is ``body``, ``query``, ``header`` or ``path``."""

    where: str
    name: str
    reason: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused. Branch on ``code``; ``rule`` is the rule book's ID."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    instance: str
    rule: str = ""
    version: int | None = None
    """The game's version, where another one was expected."""
    errors: tuple[Fault, ...] = ()


class Refusal(Exception):
    """A refusal that the HTTP layer itself makes."""

    def __init__(self, code: str, detail: str = "", *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.faults = faults


class Kind(NamedTuple):
    """How a code is answered: the status, and the sentence that is its title."""

    status: int
    title: str


_R, _C = 422, 409  # refused by a rule, or by the state that the game is in

KINDS: dict[str, Kind] = {
    Code.UNKNOWN_RULESET: Kind(_R, "There is no such rule set."),
    Code.BAD_OPTION: Kind(_R, "The house rules make no game."),
    Code.SEATS_OUT_OF_RANGE: Kind(_R, "The game is not for so many players."),
    Code.BAD_SECRET: Kind(_R, "A secret or a commitment is 32 bytes as lower-case hex."),
    Code.BAD_GAME_ID: Kind(_R, "The id of a game is a UUID in lower-case text."),
    Code.BAD_TEXT: Kind(_R, "A name or a reason is a short text of visible characters."),
    Code.GAME_EXISTS: Kind(_C, "The game is open already."),
    Code.NO_SUCH_SEAT: Kind(_R, "The table has no such seat."),
    Code.NOT_FOR_SEATS: Kind(403, "Only the host may do that."),
    Code.NOT_IN_LOBBY: Kind(_C, "The table has been sealed; that was possible before the start."),
    Code.NOT_STARTED: Kind(_C, "The game has not started."),
    Code.GAME_OVER: Kind(_C, "The game is over."),
    Code.SEAT_TAKEN: Kind(_C, "Somebody sits there already."),
    Code.SEATS_OPEN: Kind(_C, "Some seats are still free."),
    Code.SECRETS_DUE: Kind(_C, "The game waits for seats to reveal their secrets."),
    Code.NO_SECRET_DUE: Kind(_C, "No secret is due from your seat."),
    Code.SECRET_MISMATCH: Kind(_R, "The secret does not open the seat's commitment."),
    Code.NOT_YOUR_TURN: Kind(_C, "It is not your turn."),
    Code.NOT_ASKED: Kind(_C, "The game does not ask that of you now."),
    Code.MUST_MOVE: Kind(_C, "The dice are thrown: move your pawn first."),
    Code.ACTION_DUE: Kind(_C, "Carry out the action of your pawn's space first."),
    Code.MUST_GIVE: Kind(_C, "You are asked for a card, and hold one: give it first."),
    Code.MUST_KEEP: Kind(_C, "Choose the cards that you keep for the next round first."),
    Code.NOTHING_TO_KEEP: Kind(_C, "Whoever has laid a phase keeps no cards."),
    Code.MUST_DRAW: Kind(_C, "Draw a card first."),
    Code.ALREADY_DRAWN: Kind(_C, "You have drawn already."),
    Code.MUST_DISCARD: Kind(_C, "You can discard, so the turn does not end without it."),
    Code.EMPTY_DISCARD_PILE: Kind(_C, "The discard pile is empty."),
    Code.EMPTY_STOCK: Kind(_C, "The stock is empty and cannot be made anew."),
    Code.SKIP_NOT_DRAWABLE: Kind(_C, "A skip on the discard pile cannot be drawn."),
    Code.NO_SUCH_MOVE: Kind(_R, "The pawn moves by one of the dice, or by twice a double."),
    Code.NO_SUCH_ACTION: Kind(_R, "The ring has no such action."),
    Code.ACTION_OCCUPIED: Kind(_R, "Every space of that action is occupied; pick another."),
    Code.CHOOSES_ITSELF: Kind(_R, "CHOOSE picks another action than itself."),
    Code.NOT_IN_PILE: Kind(_R, "The card is not in the discard pile."),
    Code.NO_SUCH_VALUE: Kind(_R, "The value asked for is a number from 1 to 12."),
    Code.NOT_ASKED_FOR: Kind(_R, "That is not a card of the value asked for."),
    Code.SWAP_COUNT: Kind(_R, "One to four cards are swapped."),
    Code.KEEP_COUNT: Kind(_R, "So many cards cannot be kept."),
    Code.CARDS_NEEDED: Kind(_R, "The command names no card."),
    Code.UNKNOWN_CARD: Kind(_R, "That is no card."),
    Code.NOT_IN_HAND: Kind(_R, "You do not hold that card."),
    Code.ALREADY_LAID: Kind(_C, "You have laid a phase in this round."),
    Code.WRONG_PHASE: Kind(_R, "That is not a phase you may lay now."),
    Code.PHASE_NEEDED: Kind(_R, "The cards fit several open phases: name one."),
    Code.WRONG_GROUP_COUNT: Kind(_R, "The phase has fewer groups."),
    Code.INCOMPLETE_PHASE: Kind(_R, "A phase is laid whole: something is missing."),
    Code.OVERSIZE: Kind(_R, "The group is larger than the phase asks for."),
    Code.SKIP_IN_GROUP: Kind(_R, "A skip never lies in a group."),
    Code.NEEDS_NATURAL: Kind(_R, "A group needs a natural card."),
    Code.NOT_ONE_RANK: Kind(_R, "The cards of a set have one number."),
    Code.NOT_ONE_COLOUR: Kind(_R, "The cards of the group have one colour."),
    Code.NOT_ONE_PARITY: Kind(_R, "The cards of the group are all even or all odd."),
    Code.NOT_CONSECUTIVE: Kind(_R, "The cards of a run follow one another."),
    Code.RUN_WRAPS: Kind(_R, "A run does not go on from the highest card to the lowest."),
    Code.OFF_THE_END: Kind(_R, "The run would go beyond the lowest or the highest card."),
    Code.VALUE_NEEDED: Kind(_R, "Say what the wild cards stand for."),
    Code.VALUE_MISMATCH: Kind(_R, "The cards say otherwise than the given value."),
    Code.FULL_RUN: Kind(_R, "The run is full."),
    Code.FULL_SET: Kind(_R, "The group takes no more wild cards."),
    Code.END_NEEDED: Kind(_R, "Say to which end of the run."),
    Code.PHASE_NOT_LAID: Kind(_C, "Lay your phase before you hit."),
    Code.NO_SUCH_GROUP: Kind(_R, "No such group lies on the table."),
    Code.DOES_NOT_FIT: Kind(_R, "The card does not fit there."),
    Code.WHOLE_ROWS_ONLY: Kind(_R, "That run grows by whole rows."),
    Code.NO_PAIR_HITS: Kind(_R, "Nothing is added to a run of pairs in this game."),
    Code.KEEP_A_CARD: Kind(_R, "Keep a card to discard: that is how to go out."),
    Code.ONE_CARD: Kind(_R, "Exactly one card is discarded."),
    Code.TARGET_NEEDED: Kind(_R, "Name the seat that is to lose a turn."),
    Code.TARGET_NOT_ALLOWED: Kind(_R, "Only a skip has a target."),
    Code.TARGET_SELF: Kind(_R, "Nobody skips themselves."),
    Code.TARGET_NOT_PLAYING: Kind(_R, "That seat does not play in this round."),
    Code.TARGET_ALREADY_SKIPPED: Kind(_R, "That seat is to lose a turn already."),
    Code.TARGET_SERVED_RECENTLY: Kind(_R, "That seat has lost its last turn already."),
    Code.SKIP_AS_LAST_CARD: Kind(_R, "A skip cannot be the last card."),
    Code.TAKEN_CARD: Kind(_R, "The card just taken from the pile cannot be discarded."),
    Code.JOKER_NOT_DISCARDABLE: Kind(_R, "A joker cannot be discarded."),
    # What HTTP adds to the rules:
    "bad_request": Kind(400, "The request cannot be understood."),
    "malformed_json": Kind(400, "The body is not JSON."),
    "invalid_body": Kind(400, "The body does not have the described shape."),
    "invalid_parameter": Kind(400, "A parameter does not have the described shape."),
    "token_missing": Kind(401, "This needs a bearer token."),
    "token_unknown": Kind(401, "The bearer token is not known here."),
    "seat_token_needed": Kind(403, "Only a seat may do that; the host has none."),
    "not_found": Kind(404, "There is nothing at this address."),
    "no_such_game": Kind(404, "There is no such game."),
    "no_such_ruleset": Kind(404, "There is no such rule set here."),
    "method_not_allowed": Kind(405, "The address does not have this method."),
    "table_full": Kind(409, "Every seat is taken."),
    "version_not_reached": Kind(409, "The game is not at that version yet."),
    "stale_version": Kind(412, "The game is at another version."),
    "body_too_large": Kind(413, "The body is too large."),
    "unsupported_media_type": Kind(415, "The body must be application/json."),
    "bad_cursor": Kind(422, "That is no cursor of this list."),
    "idempotency_mismatch": Kind(422, "The Idempotency-Key belongs to another request."),
    "internal_error": Kind(500, "Something went wrong here; nothing is known to be stored."),
    "store_unavailable": Kind(503, "The event log cannot be reached; try again."),
    "views_unavailable": Kind(503, "The views cannot be read; try again."),
    "views_behind": Kind(503, "The views have not caught up with the log; try again."),
}
"""Every code that the API may answer."""

_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
_BY_EXCEPTION: dict[type[Exception], str] = {
    NoSuchGame: "no_such_game",
    TableFull: "table_full",
    KeyReused: "idempotency_mismatch",
    BadCursor: "bad_cursor",
    ViewsUnavailable: "views_unavailable",
    Conflict: "store_unavailable",
}


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The problem that stands for the exception; one that nobody foresaw is logged."""
    headers: dict[str, str] = {}
    code, detail, more = _read(error, headers)
    kind = KINDS[code]
    if kind.status >= 500:
        told = trace(error) if code == "internal_error" else {"reason": str(error)}
        log.error("request failed", code=code, path=request.url.path, **told)
    if kind.status == 401:
        scheme = 'Bearer realm="phaseledger"'
        bearer = f'{scheme}, error="invalid_token"' if code == "token_unknown" else scheme
        headers["WWW-Authenticate"] = bearer
    if kind.status == 503:
        headers.setdefault("Retry-After", "1")
    problem = Problem(
        type=f"/problems/{code}",
        title=kind.title,
        status=kind.status,
        detail=f"{kind.title[:-1]}: {detail.rstrip('.')}." if detail else kind.title,
        code=code,
        instance=request.url.path,
        **more,
    )
    return Response(
        msgspec.json.encode(problem),
        status_code=kind.status,
        media_type=MEDIA_TYPE,
        headers={**headers, "Cache-Control": "no-store"},
    )


def _read(error: Exception, headers: dict[str, str]) -> tuple[str, str, Mapping[str, Any]]:
    """The exception's code, what it says besides, and further members of the problem."""
    if isinstance(error, Rejected):
        return error.code, error.detail, {"rule": error.rule}
    if isinstance(error, Refusal):
        return error.code, error.detail, {"errors": error.faults}
    if isinstance(error, StaleVersion):
        return "stale_version", f"it is at {error.version}", {"version": error.version}
    if isinstance(error, NotYet):
        return "version_not_reached", f"it is at {error.reached}", {"version": error.reached}
    if isinstance(error, StoreUnavailable):
        headers["Retry-After"] = str(error.retry_after)
        return "store_unavailable", "", {}
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_framework(error, headers)
    return _BY_EXCEPTION.get(type(error), "internal_error"), "", {}


def _of_framework(
    error: HTTPException, headers: dict[str, str]
) -> tuple[str, str, Mapping[str, Any]]:
    if error.status_code == 405:
        allowed = {name.strip() for name in (error.headers or {}).get("allow", "").split(",")}
        headers["Allow"] = ", ".join(sorted(allowed | {"HEAD"} if "GET" in allowed else allowed))
    if error.status_code == 400 and isinstance(error.extra, list):
        faults = tuple(_fault(fault) for fault in error.extra)
        if any(fault.where == "body" for fault in faults):
            return "malformed_json", "it is empty", {}
        said = "; ".join(f"{fault.name}: {fault.reason}" for fault in faults)
        return "invalid_parameter", said, {"errors": faults}
    return _BY_STATUS.get(error.status_code, "bad_request"), "", {}


def _fault(extra: Mapping[str, Any]) -> Fault:
    where = str(getattr(extra.get("source"), "value", extra.get("source", "")))
    name = str(extra.get("key", ""))
    return Fault(
        where, name.replace("_", "-") if where == "header" else name, str(extra.get("message", ""))
    )
