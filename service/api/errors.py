"""Refusals of the HTTP layer: by form, size or rate of a request, or by the service's state."""

from phaseledger.domain.explain.check import ImpossibleGroup, NoSuchPhase
from phaseledger.domain.words import Phrase, reason_of
from phaseledger.replay.formats.bundle.writer import TooLong
from phaseledger.service.refusals import LimitReached, Occasion, Refusal
from phaseledger.service.schemas.health import Checks
from phaseledger.service.schemas.problem import Fault

# --- the request ----------------------------------------------------------------------------------


class BadRequest(Refusal, code="bad_request", status=400):
    """The framework cannot parse the request."""


class BadHost(Refusal, code="bad_host", status=400, met=(Occasion.ANY,)):
    """The request has no Host or several (RFC 9112, 3.2), so proxies may differ on its target.

    Or it is a domain's at a listener on the loopback address, as of a page whose name was rebound.
    """


class BodyCutOff(Refusal, code="body_cut_off", status=400, met=(Occasion.BODY,)):
    """The client disconnected before the end of its body."""


class MalformedJson(Refusal, code="malformed_json", status=400, met=(Occasion.BODY,)):
    """The body is not JSON, nested too deeply, or of too many lists and objects."""


class Faulty(Refusal):
    """A request of which parts are at fault; ``faults`` names them."""

    def __init__(self, detail: str, *faults: Fault) -> None:
        super().__init__(detail)
        self.faults = faults

    def members(self) -> dict[str, tuple[Fault, ...]]:
        """The invalid parts of the request, as the problem lists them."""
        return {"errors": self.faults}


class DuplicateKey(Faulty, code="duplicate_key", status=400, met=(Occasion.BODY,)):
    """The body has a duplicate key, of which decoders silently take one."""


class InvalidBody(Faulty, code="invalid_body", status=400, met=(Occasion.BODY,)):
    """The body is JSON of another shape."""


class InvalidParameter(Faulty, code="invalid_parameter", status=400, met=(Occasion.ANY,)):
    """A parameter or a header is missing, of another shape, or repeated."""


class UnknownParameter(Faulty, code="unknown_parameter", status=400, met=(Occasion.ANY,)):
    """The query has a parameter that the operation does not have; it would be ignored."""


class BodyTooSlow(Refusal, code="body_too_slow", status=408, met=(Occasion.BODY,)):
    """The body exceeds `middleware.BODY_SECONDS`."""


class BodyTooLarge(Refusal, code="body_too_large", status=413, met=(Occasion.BODY,)):
    """The body exceeds `requests.LARGEST_BODY`."""


class AddressTooLong(Refusal, code="address_too_long", status=414, met=(Occasion.ANY,)):
    """Path and query exceed `middleware.LONGEST_TARGET`."""


class UnsupportedMediaType(
    Refusal, code="unsupported_media_type", status=415, met=(Occasion.BODY,)
):
    """The body has another media type, charset or content coding."""


class IfMatchNeeded(Refusal, code="if_match_needed", status=428, met=(Occasion.PLAYING,)):
    """The command has no If-Match, which the operator's settings require."""


class HeadersTooLarge(Refusal, code="headers_too_large", status=431, met=(Occasion.ANY,)):
    """The headers exceed `middleware.LARGEST_HEADERS`."""


# --- the address ----------------------------------------------------------------------------------


class NotFound(Refusal, code="not_found", status=404, met=(Occasion.ADDRESSED,)):
    """No route leads there, or a parameter of the path is of another type."""


class MethodNotAllowed(Refusal, code="method_not_allowed", status=405):
    """The path has other methods; ``allowed`` is the value of the `Allow` header."""

    def __init__(self, allowed: str) -> None:
        super().__init__()
        self.allowed = allowed

    def headers(self) -> dict[str, str]:
        """The `Allow` header with the path's methods."""
        return {"Allow": self.allowed}


class NoSuchRuleset(Refusal, code="no_such_ruleset", status=404):
    """The service has no rule set of that name."""


class NoSuchRule(Refusal, code="no_such_rule", status=404):
    """The rule book of no game has a rule of that ID."""


class NoSuchProblem(Refusal, code="no_such_problem", status=404):
    """The code has no problem page."""


# --- what an operation refuses --------------------------------------------------------------------


class BundleTooLong(Refusal, code="bundle_too_long", status=409, of=TooLong):
    """The game exceeds the limit of `replay.formats.bundle.writer`."""


class CheckRefused(Refusal):
    """A check of cards without sense."""

    @classmethod
    def for_exception(cls, error: Exception) -> Refusal:
        """The refusal, with the reason, such as which phases there are, as its detail."""
        return cls(reason_of(error))


class PhaseUnknown(CheckRefused, code="no_such_phase", status=422, of=NoSuchPhase):
    """The check names a phase that does not exist or cannot be parsed."""


class GroupImpossible(CheckRefused, code="impossible_group", status=422, of=ImpossibleGroup):
    """The check is about hits on a group that the rules do not allow."""


# --- the service ----------------------------------------------------------------------------------


class TooManyRequests(LimitReached, code="too_many_requests", status=429, met=(Occasion.LIMITED,)):
    """A rate limit's bucket is empty for ``wait`` seconds."""


class InternalError(Refusal, code="internal_error", status=500, met=(Occasion.ANY,), of=Exception):
    """An unexpected exception."""


class Draining(Refusal, code="draining", status=503, met=(Occasion.WRITE,)):
    """The service drains: the operator has closed the gate to writes."""

    retry_after = 5


class LoopBusy(Refusal, code="loop_busy", status=503):
    """An operator's action has waited too long for the loop that serves the games."""

    retry_after = 5

    def __init__(self, seconds: float) -> None:
        super().__init__(Phrase("adds.busy", n=f"{seconds:g}"))


class NotReady(Refusal, code="not_ready", status=503):
    """A readiness check fails."""

    def __init__(self, checks: Checks) -> None:
        reasons = "; ".join(check.reason for _, check in checks.named() if not check.ok)
        super().__init__(reasons)
        self.checks = checks

    def members(self) -> dict[str, Checks]:
        """The readiness checks."""
        return {"checks": self.checks}


class HistoryLost(Refusal, code="history_lost", status=409):
    """What the client goes on from, a version or a cursor, is of events that were lost."""


class TooManyExports(Refusal, code="too_many_exports", status=503):
    """A limit of open exports is reached: `routes.exports.AT_ONCE`, or the address's own."""
