"""The body of every refusal (RFC 9457); each code is declared in the ``errors.py`` of a package."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from phaseledger.service.schemas.health import Checks

FaultLocation = Literal["body", "query", "header", "path"]


class Fault(Struct, frozen=True):
    """One thing wrong with a request."""

    where: FaultLocation
    name: Annotated[
        str,
        Meta(
            description="In a body the JSONPath of the value at fault (RFC 9535), elsewhere the "
            "parameter's name."
        ),
    ]
    reason: str


class Problem(Struct, frozen=True, omit_defaults=True):
    """The reason why a request was refused. Branch on ``code``; ``rule`` is the rule book's ID."""

    type: Annotated[
        str,
        Meta(
            pattern="^/problems/[a-z_]+$",
            description="Where the code is explained: cause, cure and the rule behind it.",
        ),
    ]
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: str
    code: Annotated[str, Meta(pattern="^[a-z_]+$")]
    instance: str
    request_id: Annotated[
        str,
        Meta(description="The request's X-Request-Id; the server's log tells of it under this id."),
    ] = ""
    rule: str = ""
    at: Annotated[
        int | None,
        Meta(
            description="Where a refused lay is wrong: its group, counted from 0. Of a refused hit "
            "the group on the table that it was for."
        ),
    ] = None
    card: Annotated[
        str, Meta(description="The card at fault in a refused lay or hit, as it was written.")
    ] = ""
    version: Annotated[
        int | None, Meta(description="The game's version, where another one was expected.")
    ] = None
    head: Annotated[
        str,
        Meta(
            description="The hash of the game's last event, where a command was signed for "
            "another one."
        ),
    ] = ""
    whose: Annotated[
        str,
        Meta(
            description="Whose limit is reached, where it is an `application`'s, a `player`'s, an "
            "`address`'s or a `token`'s."
        ),
    ] = ""
    checks: Annotated[
        Checks | None,
        Meta(description="What is well and what is not, where the service is not ready."),
    ] = None
    errors: Annotated[
        tuple[Fault, ...], Meta(description="The parts of the request that are at fault.")
    ] = ()
