"""The route that makes a replay of a caller's file, with the verdict on it."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Annotated, Any

from litestar import Response, post
from litestar.params import QueryParameter

from phaseledger.domain.words import Phrase
from phaseledger.replay.viewer.document import ViewerDocument
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import BodyCutOff, BodyTooLarge, BodyTooSlow
from phaseledger.service.api.limits.slots import Slots
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.requests.languages import Lang, language
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.replays.errors import (
    FileIsDamaged,
    FileIsNoGame,
    FileOfOtherVersion,
    FileTooLong,
    GameNotInFile,
    GameNotOver,
    SeveralGames,
    TooManyReplays,
    UnsupportedFileType,
)
from phaseledger.service.replays.reading import LARGEST_FILE, read_replay

AT_ONCE = 2
"""The limit of files that are read at once: each takes a processor core for seconds."""
AT_ONCE_EACH = 1
"""Files of one address that are read at once."""
UPLOADS_AT_ONCE = 8
"""The limit of files that arrive or wait at once: each is held in memory."""
UPLOADS_AT_ONCE_EACH = 1
"""Files that one address may send at once."""
PATIENCE = 10.0
"""Seconds for which a request waits to send its file, and then for its being read."""
UPLOAD_SECONDS = 60.0
"""Seconds in which a file has to arrive, since its request holds a slot meanwhile."""
BINARY = "application/octet-stream"
_CODINGS = ("", "identity", "gzip", "x-gzip")

FileName = Annotated[
    str,
    QueryParameter(
        name="name", max_length=200, description="The file's name, by which it is called."
    ),
]
GameInFile = Annotated[
    str,
    QueryParameter(
        name="game",
        max_length=40,
        description="Which one of several games in the file: its id, or its place from 1.",
    ),
]


@post(
    "/replays",
    status_code=200,
    request_max_body_size=LARGEST_FILE,
    **route_description(
        "readReplay",
        raises=(
            *(BodyCutOff, BodyTooSlow, BodyTooLarge, UnsupportedFileType),
            *(FileIsNoGame, FileOfOtherVersion, FileIsDamaged, FileTooLong),
            *(GameNotOver, SeveralGames, GameNotInFile, TooManyReplays),
        ),
        file=f"A bundle, an export, or a viewer's events, one JSON object a line: at most "
        f"{LARGEST_FILE >> 20} MB, plain or compressed with gzip.",
    ),
)
async def read_file(
    request: AnyRequest,
    service: Injected[Service],
    from_name: FileName = "",
    from_game: GameInFile = "",
    lang: Lang = "",
) -> Response[ViewerDocument]:
    """A game out of a file that you have, as a page draws it: frames, verdict, and what is wrong.

    The answer is the document `p10-viewer/v1` (docs/reference/frames.md): the game from every chair
    from which it may be seen, as far as it is good, and each finding with what is recorded and what
    should be, the rule's text, who is blamed, and what that proves. A bundle is verified without a
    policy, an export audited. It is this service's word: `phaseledger verify` judges the same file
    on your own machine. The file need not be of this service, which keeps nothing of it.

    A game that is not over shows no hidden cards, but for the cards of the seat that a bundle is
    of. `lang` is the language of refusals; the document has all languages.
    """
    _require_file(request.headers)
    address = service.origin(request.scope)
    async with _slot(service.slots.uploads.held(address), service.slots.uploads, address):
        content = await _upload(request)
        # Only now, so that a slow sender keeps no other file from being read.
        async with _slot(service.slots.replays.held(address), service.slots.replays, address):
            document = await read_replay(
                content, from_name, from_game or None, lang=language(request, lang)
            )
    headers = {"Cache-Control": "no-store"}
    return Response(document, media_type="application/json", headers=headers)  # type: ignore[arg-type]


def _require_file(headers: Mapping[str, str]) -> None:
    """Require a file as the body.

    Raises:
        UnsupportedFileType: for another media type or content coding.

    """
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != BINARY:
        raise UnsupportedFileType
    if headers.get("content-encoding", "").strip().lower() not in _CODINGS:
        raise UnsupportedFileType


async def _upload(request: AnyRequest) -> bytes:
    """The file. Raises BodyTooSlow."""
    content = bytearray()
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            async for part in request.stream():
                content += part
    except TimeoutError:
        raise BodyTooSlow(Phrase("adds.upload", n=f"{UPLOAD_SECONDS:g}")) from None
    return bytes(content)


@asynccontextmanager
async def _slot(
    held: AbstractAsyncContextManager[None], slots: Slots, address: bytes
) -> AsyncGenerator[None]:
    """Hold a slot of those who send a file, or of those whose file is read.

    Raises:
        TooManyReplays: none has become free in `PATIENCE` seconds.

    """
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(PATIENCE):
                await stack.enter_async_context(held)
        except TimeoutError:
            raise TooManyReplays(slots.reason_to_refuse(address)) from None
        yield


HANDLERS: list[Any] = [read_file]
