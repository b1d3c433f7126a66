"""The request of a command: its headers, query and body, held against the route's description."""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

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
from phaseledger.service.api.requests.parameters import LARGEST_BODY, head_of

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
        checks = (
            header_fault("idempotency-key", self.key, COMMAND_KEY),
            header_fault("if-match", self.if_match, ENTITY_TAGS, LONGEST_IF_MATCH),
            header_fault("command-signature", self.signature, SIGNATURE),
            choice_fault("dry_run", self.dry_run),
        )
        if faults := [fault for fault in checks if fault is not None]:
            raise of_parameters(faults)


def parsed(scope: Scope) -> CommandRequest:
    """The headers and the query of the request; raises what `head_of` does."""
    head = head_of(scope, "dry_run")
    return CommandRequest(
        headers=head.headers,
        token=head.token,
        key=bare_key(head.headers.get(b"idempotency-key", b"")).decode("latin-1"),
        if_match=head.text(b"if-match"),
        signature=head.text(b"command-signature"),
        dry_run=head.query.get("dry_run", "false"),
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
