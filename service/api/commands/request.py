"""The request of a command: its headers, query and body, held against the route's description."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from litestar import Request
from litestar.params import QueryParameter
from litestar.types import Receive, Scope

from phaseledger.service.api.errors import BodyTooLarge
from phaseledger.service.api.requests.headers import (
    LONGEST_IF_MATCH,
    IdempotencyKey,
    IfMatch,
    SignatureHeader,
    bare_key,
)
from phaseledger.service.api.requests.invalid_parameters import (
    COMMAND_KEY,
    ENTITY_TAGS,
    SIGNATURE,
    choice_fault,
    header_fault,
    of_parameters,
)
from phaseledger.service.api.requests.json_body import require_plain_json
from phaseledger.service.api.requests.parameters import (
    LARGEST_BODY,
    require_known_parameters,
    require_single_parameters,
)

_KEY, _TAGS, _SIGNATURE = (re.compile(pattern) for pattern in (COMMAND_KEY, ENTITY_TAGS, SIGNATURE))


DryRun = Annotated[
    Literal["false", "true"],
    QueryParameter(description="Whether only to say if the command would be taken."),
]


class CommandRequest(NamedTuple):
    """The headers and the query of a command, as they came; empty where they are missing."""

    headers: Mapping[bytes, bytes]
    token: str | None
    """Of the Authorization header; None without one."""
    key: str
    if_match: str
    signature: str
    dry_run: str

    def require_sound(self) -> None:
        """Refuse values that are not of their described form. Raises InvalidParameter."""
        if (
            _KEY.search(self.key)
            and _TAGS.search(self.if_match)
            and len(self.if_match) <= LONGEST_IF_MATCH
            and _SIGNATURE.search(self.signature)
            and self.dry_run in ("true", "false")
        ):
            return
        faults = (
            header_fault("idempotency-key", self.key, COMMAND_KEY),
            header_fault("if-match", self.if_match, ENTITY_TAGS, LONGEST_IF_MATCH),
            header_fault("command-signature", self.signature, SIGNATURE),
            choice_fault("dry_run", self.dry_run),
        )
        raise of_parameters([fault for fault in faults if fault is not None])


def parsed(scope: Scope) -> CommandRequest:
    """The headers and the query of the request.

    Raises:
        InvalidParameter: a parameter is repeated.
        UnknownParameter: there is no such one.

    """
    lines, dry_run = [*scope["headers"]], "false"
    headers = dict(lines)
    if len(headers) < len(lines) or scope["query_string"]:
        request: Request[Any, Any, Any] = Request(scope)
        require_single_parameters(request)
        require_known_parameters(request, ("dry_run",))
        dry_run = request.query_params.get("dry_run", dry_run)
        headers = dict(reversed(lines))  # of repeated ones the first counts
    token = headers.get(b"authorization")
    return CommandRequest(
        headers=headers,
        token=None if token is None else token.decode("latin-1"),
        key=bare_key(headers.get(b"idempotency-key", b"")).decode("latin-1"),
        if_match=headers.get(b"if-match", b"").decode("latin-1"),
        signature=headers.get(b"command-signature", b"").decode("latin-1"),
        dry_run=dry_run,
    )


class CommandParameters(NamedTuple):
    """The parameters of a command, for its description."""

    idempotency_key: IdempotencyKey = ""
    if_match: IfMatch = ""
    command_signature: SignatureHeader = ""
    dry_run: DryRun = "false"


async def read_body(request: CommandRequest, receive: Receive) -> bytes:
    """The body; a length that is announced as too large is not waited for.

    Raises:
        BodyTooLarge, UnsupportedMediaType: it is refused.
        Exception: ``receive`` fails.

    """
    headers = request.headers
    if int(headers.get(b"content-length", 0)) > LARGEST_BODY:
        raise BodyTooLarge
    parts, size, more_body = [], 0, True
    while more_body:
        message = await receive()
        assert message["type"] == "http.request"
        parts.append(message.get("body", b""))
        size, more_body = size + len(parts[-1]), message.get("more_body", False)
        if size > LARGEST_BODY:
            raise BodyTooLarge
    if size and (
        headers.get(b"content-type") != b"application/json" or b"content-encoding" in headers
    ):
        require_plain_json(
            {name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()}
        )
    return parts[0] if len(parts) == 1 else b"".join(parts)
