"""Refusals of the HTTP layer: by form, size or rate of a request, or by the service's state."""

import math

from phaseledger.domain.explain.check import ImpossibleGroup, NoSuchPhase
from phaseledger.replay.bundle.writer import TooLong
from phaseledger.service.refusals import Occasion, Refusal
from phaseledger.service.schemas.health import Checks
from phaseledger.service.schemas.problem import Fault

# --- the request ----------------------------------------------------------------------------------


class BadRequest(
    Refusal,
    code="bad_request",
    status=400,
    title="The request cannot be understood.",
):
    """The framework cannot parse the request."""


class BadHost(
    Refusal,
    code="bad_host",
    status=400,
    title="The request does not name exactly one host of this service.",
    met=(Occasion.ANY,),
):
    """The request has no Host or several (RFC 9112, 3.2), so proxies may differ on its target.

    Or it is a domain's at a listener on the loopback address, as of a page whose name was rebound.
    """


class BodyCutOff(
    Refusal,
    code="body_cut_off",
    status=400,
    title="The body ends before it is complete.",
    met=(Occasion.BODY,),
):
    """The client disconnected before the end of its body."""


class MalformedJson(
    Refusal,
    code="malformed_json",
    status=400,
    title="The body is not JSON.",
    met=(Occasion.BODY,),
):
    """The body is not JSON, nested too deeply, or of too many lists and objects."""


class Faulty(Refusal):
    """A request of which parts are at fault; ``faults`` names them."""

    def __init__(self, detail: str, *faults: Fault) -> None:
        super().__init__(detail)
        self.faults = faults

    def members(self) -> dict[str, tuple[Fault, ...]]:
        """The invalid parts of the request, as the problem lists them."""
        return {"errors": self.faults}


class DuplicateKey(
    Faulty,
    code="duplicate_key",
    status=400,
    title="An object in the body has a key twice.",
    met=(Occasion.BODY,),
):
    """The body has a duplicate key, of which decoders silently take one."""


class InvalidBody(
    Faulty,
    code="invalid_body",
    status=400,
    title="The body does not have the described shape.",
    met=(Occasion.BODY,),
):
    """The body is JSON of another shape."""


class InvalidParameter(
    Faulty,
    code="invalid_parameter",
    status=400,
    title="A parameter does not have the described shape.",
    met=(Occasion.ANY,),
):
    """A parameter or a header is missing, of another shape, or repeated."""


class UnknownParameter(
    Faulty,
    code="unknown_parameter",
    status=400,
    title="The operation has no such parameter.",
    met=(Occasion.ANY,),
):
    """The query has a parameter that the operation does not have; it would be ignored."""


class BodyTooSlow(
    Refusal,
    code="body_too_slow",
    status=408,
    title="The body took too long to arrive.",
    met=(Occasion.BODY,),
):
    """The body exceeds `middleware.BODY_SECONDS`."""


class BodyTooLarge(
    Refusal,
    code="body_too_large",
    status=413,
    title="The body is too large.",
    met=(Occasion.BODY,),
):
    """The body exceeds `requests.LARGEST_BODY`."""


class AddressTooLong(
    Refusal,
    code="address_too_long",
    status=414,
    title="The address is too long.",
    met=(Occasion.ANY,),
):
    """Path and query exceed `middleware.LONGEST_TARGET`."""


class UnsupportedMediaType(
    Refusal,
    code="unsupported_media_type",
    status=415,
    title="The body must be plain application/json in UTF-8.",
    met=(Occasion.BODY,),
):
    """The body has another media type, charset or content coding."""


class IfMatchNeeded(
    Refusal,
    code="if_match_needed",
    status=428,
    title="Commands need an If-Match here.",
    met=(Occasion.PLAYING,),
):
    """The command has no If-Match, which the operator's settings require."""


class HeadersTooLarge(
    Refusal,
    code="headers_too_large",
    status=431,
    title="The headers are too large.",
    met=(Occasion.ANY,),
):
    """The headers exceed `middleware.LARGEST_HEADERS`."""


# --- the address ----------------------------------------------------------------------------------


class NotFound(
    Refusal,
    code="not_found",
    status=404,
    title="There is nothing at this address.",
    met=(Occasion.ADDRESSED,),
):
    """No route leads there, or a parameter of the path is of another type."""


class MethodNotAllowed(
    Refusal,
    code="method_not_allowed",
    status=405,
    title="The address does not have this method.",
):
    """The path has other methods; ``allowed`` is the value of the `Allow` header."""

    def __init__(self, allowed: str) -> None:
        super().__init__()
        self.allowed = allowed

    def headers(self) -> dict[str, str]:
        """The `Allow` header with the path's methods."""
        return {"Allow": self.allowed}


class NoSuchRuleset(
    Refusal,
    code="no_such_ruleset",
    status=404,
    title="There is no such rule set here.",
):
    """The service has no rule set of that name."""


class NoSuchRule(
    Refusal,
    code="no_such_rule",
    status=404,
    title="The rule book has no such rule.",
):
    """The rule book of no game has a rule of that ID."""


class NoSuchProblem(
    Refusal,
    code="no_such_problem",
    status=404,
    title="No problem has that code.",
):
    """The code has no problem page."""


# --- what an operation refuses --------------------------------------------------------------------


class BundleTooLong(
    Refusal,
    code="bundle_too_long",
    status=409,
    title="The game has too many events for a bundle: export and audit it.",
    of=TooLong,
):
    """The game exceeds the limit of `replay.bundle.writer`."""


class PhaseUnknown(
    Refusal,
    code="no_such_phase",
    status=422,
    title="The rule set has no such phase.",
    met=(Occasion.CHECKING,),
    of=NoSuchPhase,
):
    """The check names a phase that does not exist or cannot be parsed."""

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the existing phases as its detail."""
        return cls(str(error))


class GroupImpossible(
    Refusal,
    code="impossible_group",
    status=422,
    title="No such group can lie on the table.",
    met=(Occasion.CHECKING,),
    of=ImpossibleGroup,
):
    """The check is about hits on a group that the rules do not allow."""

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the reason as its detail."""
        return cls(str(error))


# --- the service ----------------------------------------------------------------------------------


class TooManyRequests(
    Refusal,
    code="too_many_requests",
    status=429,
    title="There were too many requests; wait a little.",
    met=(Occasion.LIMITED,),
):
    """A rate limit's bucket is empty for ``wait`` seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.retry_after = math.ceil(wait)


class InternalError(
    Refusal,
    code="internal_error",
    status=500,
    title="Something went wrong here; nothing is known to be stored.",
    met=(Occasion.ANY,),
    of=Exception,
):
    """An unexpected exception."""


class Draining(
    Refusal,
    code="draining",
    status=503,
    title="The service takes no new commands at the moment; try again.",
    met=(Occasion.WRITE,),
):
    """The service drains: the operator has closed the gate to writes."""

    retry_after = 5


class LoopBusy(
    Refusal,
    code="loop_busy",
    status=503,
    title="The service does not get to it at the moment; try again.",
):
    """An operator's action has waited too long for the loop that serves the games."""

    retry_after = 5

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the games have held it up for {seconds:g} s")


class NotReady(
    Refusal,
    code="not_ready",
    status=503,
    title="The service is not ready.",
):
    """A readiness check fails."""

    def __init__(self, checks: Checks) -> None:
        reasons = "; ".join(check.reason for _, check in checks.named() if not check.ok)
        super().__init__(reasons)
        self.checks = checks

    def members(self) -> dict[str, Checks]:
        """The readiness checks."""
        return {"checks": self.checks}


class HistoryLost(
    Refusal,
    code="history_lost",
    status=409,
    title="The ledger has gone back: that is of a history which it does not have.",
):
    """What the client goes on from, a version or a cursor, is of events that were lost."""


class TooManyExports(
    Refusal,
    code="too_many_exports",
    status=503,
    title="As many exports are open as there may be; try again.",
):
    """A limit of open exports is reached: `routes.exports.AT_ONCE`, or the address's own."""
