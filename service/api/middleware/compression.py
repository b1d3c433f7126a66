"""Compression of whole answers above a kilobyte, for clients that take that.

An attacker who reads the lengths of encrypted answers, and has a text of their own beside a secret
in many of them, could guess the secret from the compressed lengths (BREACH). So only rules and what
never changes any more are compressed: nothing that a token unlocks, and no answer to a write.
"""

from functools import lru_cache

from litestar.types import HTTPResponseStartEvent, Scope

from phaseledger.service.runtime.content_coding import FAST, Coding, coding_for
from phaseledger.service.runtime.work import in_thread

LEAST = 1024
"""Bytes up to which a content is sent as it is."""
IN_THREAD = 16 * 1024
"""Bytes from which on a content is compressed beside the loop: a millisecond."""
_TYPES = ("text/", "application/json", "application/problem+json", "application/x-ndjson")
_WITHOUT_SECRETS = ("/v1/replays",)
"""Paths whose POST answers with what its caller has sent, and no token."""
_READS = ("GET", "HEAD")
_RULES = "/rules"
"""The end of paths below which a token unlocks the same text for all callers."""


async def compress(scope: Scope, start: HTTPResponseStartEvent, content: bytes) -> bytes:
    """The content as it is sent; the answer's headers are changed to fit it."""
    headers = _headers(start)
    coding = coding_for(_header(scope, b"accept-encoding"))
    vary = ", ".join(filter(None, (headers.get(b"vary"), "Accept-Encoding")))
    changed = {b"vary": vary}
    if coding:
        content = await _compressed(content, coding)
        changed |= {b"content-encoding": coding, b"content-length": str(len(content))}
        if tag := headers.get(b"etag"):
            changed[b"etag"] = tag if tag.startswith("W/") else f"W/{tag}"
    kept = [(name, value) for name, value in start["headers"] if name.lower() not in changed]
    added = [(name, value.encode("latin-1")) for name, value in changed.items()]
    start["headers"] = [*kept, *added]
    return content


def _headers(start: HTTPResponseStartEvent) -> dict[bytes, str]:
    return {name.lower(): value.decode("latin-1") for name, value in start["headers"]}


async def _compressed(content: bytes, coding: Coding) -> bytes:
    if len(content) <= IN_THREAD:
        return _once(content, coding)
    return await in_thread(lambda: FAST[coding](content))


@lru_cache(256)
def _once(content: bytes, coding: Coding) -> bytes:
    """The content in the coding, made once for many who ask for what does not change."""
    return FAST[coding](content)


def may_be_compressed(method: str, scope: Scope, start: HTTPResponseStartEvent) -> bool:
    """Whether it is a whole text of some length, and nothing that its caller's token unlocks."""
    path = scope["path"]
    if method not in _READS and path not in _WITHOUT_SECRETS:
        return False
    if _header(scope, b"authorization") and not path.endswith(_RULES):
        lines = start["headers"]
        if not any(
            name.lower() == b"cache-control" and b"immutable" in text for name, text in lines
        ):
            return False
    headers = _headers(start)
    if b"content-encoding" in headers or int(headers.get(b"content-length", 0)) <= LEAST:
        return False
    return headers.get(b"content-type", "").startswith(_TYPES)


def _header(scope: Scope, name: bytes) -> str:
    values = (value for key, value in scope["headers"] if key == name)
    return next(values, b"").decode("latin-1")
