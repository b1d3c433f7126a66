"""A body is complete when all of the announced bytes are there."""

import asyncio
from typing import Any

import pytest

from service.transport import with_prompt_bodies


async def received(announced: bytes | None, chunks: list[tuple[bytes, bool]]) -> list[Any]:
    """What an application is told of a body until it is complete."""
    waiting = [{"type": "http.request", "body": body, "more_body": more} for body, more in chunks]
    told: list[Any] = []

    async def app(_: Any, receive: Any, __: Any) -> None:
        while not told or told[-1][1]:
            message = await receive()
            told.append((message["body"], message["more_body"]))

    async def receive() -> Any:
        return waiting.pop(0)

    headers = [] if announced is None else [(b"content-length", announced)]
    scope: Any = {"type": "http", "method": "POST", "headers": headers}
    await with_prompt_bodies(app)(scope, receive, None)  # type: ignore[arg-type]
    return told


@pytest.mark.parametrize(
    ("announced", "chunks", "told"),
    [
        (b"4", [(b"abcd", True), (b"", False)], [(b"abcd", False)]),
        (b"4", [(b"ab", True), (b"cd", True)], [(b"ab", True), (b"cd", False)]),
        (b"5", [(b"abcd", True), (b"e", False)], [(b"abcd", True), (b"e", False)]),
        (b"4", [(b"abcd", False)], [(b"abcd", False)]),
        (b"0", [(b"", False)], [(b"", False)]),
        (None, [(b"abcd", True), (b"", False)], [(b"abcd", True), (b"", False)]),
    ],
)
def test_a_body_ends_with_the_last_announced_byte(announced, chunks, told):
    assert asyncio.run(received(announced, chunks)) == told
