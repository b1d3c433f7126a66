"""A body is complete when all of the announced bytes are there."""

import asyncio
from typing import Any

from phaseledger.service.api.middleware.request_bodies import PromptBody
from tests.support.cases import looped


async def received(
    announced: bytes | None, chunks: list[tuple[bytes, bool]], version: str = "1.1"
) -> list[Any]:
    """What an application is told of a body until it is complete."""
    waiting = [{"type": "http.request", "body": body, "more_body": more} for body, more in chunks]
    messages: list[Any] = []

    async def receive() -> Any:
        return waiting.pop(0)

    headers = [] if announced is None else [(b"content-length", announced)]
    scope: Any = {"type": "http", "http_version": version, "method": "POST", "headers": headers}
    prompt = PromptBody(scope, receive)
    while not messages or messages[-1][1]:
        message: Any = await prompt.receive()
        messages.append((message["body"], message["more_body"]))
    return messages


@looped(
    ("announced", "chunks", "messages"),
    [
        (b"4", [(b"abcd", True), (b"", False)], [(b"abcd", False)]),
        (b"4", [(b"ab", True), (b"cd", True)], [(b"ab", True), (b"cd", False)]),
        (b"5", [(b"abcd", True), (b"e", False)], [(b"abcd", True), (b"e", False)]),
        (b"4", [(b"abcd", False)], [(b"abcd", False)]),
        (b"0", [(b"", False)], [(b"", False)]),
        (None, [(b"abcd", True), (b"", False)], [(b"abcd", True), (b"", False)]),
    ],
)
def test_a_body_ends_with_the_last_announced_byte(announced, chunks, messages):
    assert asyncio.run(received(announced, chunks)) == messages


def test_what_comes_beyond_the_announced_length_is_seen_where_it_can_come():
    """HTTP/1.1 takes it for the next request; HTTP/2 breaks the stream off (RFC 9113, 8.1.1)."""
    chunks = [(b"abcd", True), (b"e", False)]
    assert asyncio.run(received(b"4", chunks, "2")) == chunks
    assert asyncio.run(received(b"4", chunks)) == [(b"abcd", False)]
