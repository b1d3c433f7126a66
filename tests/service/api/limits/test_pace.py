"""Long answers: sent at their reader's pace, and so many bytes of one address at a time."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from phaseledger.service.api.limits import pace
from phaseledger.service.api.limits.pace import LARGEST_PART, WHOLE, with_reader_pace
from tests.support.service.bare_requests import SCOPE


def _app(body: bytes) -> Any:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return app


def _origin(scope: Scope) -> bytes:
    return str(scope["client"][0]).encode() if scope["client"] else b""


async def _no_more() -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("size", "parts"),
    [
        (0, [0]),
        (WHOLE, [WHOLE]),
        (WHOLE + 1, [WHOLE + 1]),
        (LARGEST_PART, [LARGEST_PART]),
        (2 * LARGEST_PART + 1, [LARGEST_PART, LARGEST_PART, 1]),
    ],
)
def test_a_long_answer_is_sent_in_parts(size: int, parts: list[int]) -> None:
    body, sent = bytes(range(256)) * (size // 256 + 1), list[Message]()
    body = body[:size]

    async def take(message: Message) -> None:
        sent.append(message)

    asyncio.run(with_reader_pace(_app(body), _origin)(SCOPE, _no_more, take))
    bodies = [message for message in sent if message["type"] == "http.response.body"]
    assert [len(message["body"]) for message in bodies] == parts
    assert b"".join(message["body"] for message in bodies) == body
    assert [message["more_body"] for message in bodies] == [True] * (len(parts) - 1) + [False]


@pytest.mark.parametrize(("rate", "is_whole"), [(LARGEST_PART, True), (LARGEST_PART + 1, False)])
def test_who_takes_too_little_loses_the_answer(
    rate: int, is_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part takes a second of a clock that nothing else moves."""
    clock, sent = SimpleNamespace(seconds=0.0), list[int]()
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    reader = pace.ReaderPace(5.0, rate)

    async def take(message: Any) -> None:
        clock.seconds += 1.0
        sent.append(len(message["body"]))

    async def answer() -> None:
        for _ in range(20):
            await reader.send(take, bytes(LARGEST_PART), more_body=True)

    if is_whole:
        asyncio.run(answer())
    else:
        with pytest.raises(TimeoutError):
            asyncio.run(answer())
    assert len(sent) == (20 if is_whole else 5)


def test_who_takes_nothing_loses_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "PATIENCE", 0.01)
    monkeypatch.setattr(pace.ReaderPace.__init__, "__defaults__", (0.01, 1))

    async def take(message: Message) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(with_reader_pace(_app(bytes(WHOLE + 1)), _origin)(SCOPE, _no_more, take))


def test_an_address_has_so_many_bytes_untaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those beyond are refused; others are not, nor is the first one, whatever its length."""
    monkeypatch.setattr(pace, "MOST_HELD", 3 * LARGEST_PART)
    statuses: dict[str, list[int]] = {}

    async def run() -> None:
        taken = asyncio.Event()
        app = with_reader_pace(_app(bytes(2 * LARGEST_PART)), _origin)

        def ask(address: str, most: ASGIApp = app) -> asyncio.Task[None]:
            async def take(message: Message) -> None:
                if message["type"] == "http.response.start":
                    statuses.setdefault(address, []).append(message["status"])
                elif statuses[address][-1] == 200:
                    await taken.wait()

            scope: Any = {**SCOPE, "client": (address, 1)}
            return asyncio.create_task(most(scope, _no_more, take))

        tasks = []
        for address in ("a", "a", "b"):
            tasks.append(ask(address))
            await asyncio.sleep(0)
        tasks.append(ask("c", with_reader_pace(_app(bytes(9 * LARGEST_PART)), _origin)))
        await asyncio.sleep(0)
        taken.set()
        await asyncio.gather(*tasks)
        await ask("a")

    asyncio.run(run())
    assert statuses == {"a": [200, 429, 200], "b": [200], "c": [200]}
