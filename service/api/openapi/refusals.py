"""The refusals that an operation may answer, derived from their declarations."""

from collections.abc import Iterator
from typing import Literal

from litestar.handlers import HTTPRouteHandler

from phaseledger.service.api.problems.details import REFUSALS
from phaseledger.service.api.requests.parameters import body_type
from phaseledger.service.refusals import Occasion, Refusal

CODES = "x-codes"
"""Beside a refusal's schema: the codes that it may have at this operation."""

CallerKind = Literal[
    "nobody", "viewer", "member", "seat", "host", "application", "opener", "player", "session"
]

_OF_PARAMETERS = {
    "Idempotency-Key": Occasion.KEYED,
    "If-Match": Occasion.CONDITIONAL,
    "Command-Signature": Occasion.SIGNED,
    "cursor": Occasion.PAGED,
}
_ORDER = {occasion: number for number, occasion in enumerate(Occasion)}


def refusals_of(handler: HTTPRouteHandler, parameters: list[dict[str, str]]) -> list[type[Refusal]]:
    """Every refusal that the operation may answer, with each status's example first."""
    opt = handler.opt
    occasions = {*opt["occasions"], *_implied(handler, opt["caller"], parameters)}
    raised, examples = (
        [REFUSALS[code] if isinstance(code, str) else code for code in opt[name]]
        for name in ("raises", "shows")
    )

    def order(refusal: type[Refusal]) -> tuple[bool, bool, int, tuple[str, int]]:
        first = min((_ORDER[occasion] for occasion in refusal.met & occasions), default=0)
        return refusal not in examples, refusal not in raised, first, refusal.place

    refusals = {refusal for refusal in REFUSALS.values() if refusal.met & occasions}
    assert refusals >= {*examples}, f"{handler.operation_id} shows what it does not answer"
    return sorted({*refusals, *raised}, key=order)


def _implied(
    handler: HTTPRouteHandler, caller: CallerKind, parameters: list[dict[str, str]]
) -> Iterator[Occasion]:
    """The occasions that follow from caller, parameters, body and method."""
    yield Occasion.ANY
    if caller != "nobody":
        yield Occasion(caller)
    for parameter in parameters:
        if parameter["in"] == "path":
            yield Occasion.ADDRESSED
        elif parameter["name"] in _OF_PARAMETERS:
            yield _OF_PARAMETERS[parameter["name"]]
    if body_type(handler):
        yield Occasion.BODY
    if "GET" not in handler.http_methods:
        yield Occasion.WRITE
    yield Occasion.LIMITED
