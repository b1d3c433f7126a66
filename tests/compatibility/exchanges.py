"""Requests with the answers that they got, to be repeated byte for byte."""

import lzma
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx2
import msgspec
from msgspec import Struct

PROMISED = ("content-type", "etag", "location")
"""Headers of an answer that a repeat gets again. Others speak of the connection or of now."""

NAMED = re.compile(r',"request_id":"[^"]*"')
"""The name of a single request, which the body of a refusal has."""


class Answer(Struct, frozen=True, kw_only=True):
    """The part of an answer that does not change."""

    status: int
    headers: dict[str, str]
    content: str


class Exchange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request, and its answer."""

    method: str
    path: str
    headers: dict[str, str] = {}
    body: str = ""
    answer: Answer


class Desk(Struct):
    """A client of the service at its root, and what is kept of what it has asked."""

    client: httpx2.Client
    exchanges: list[Exchange]


def answer_of(done: httpx2.Response) -> Answer:
    """What a later answer to the same request is compared with."""
    headers = {name: done.headers[name] for name in PROMISED if name in done.headers}
    text = NAMED.sub("", done.text) if done.is_client_error else done.content.decode()
    return Answer(status=done.status_code, headers=headers, content=text)


def ask(
    desk: Desk, method: str, path: str, body: Any = None, token: str = "", **headers: str
) -> httpx2.Response:
    """Send a request; one with an Idempotency_Key is kept with its answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        named["Authorization"] = f"Bearer {token}"
    text = ""
    if body is not None:
        text = msgspec.json.encode(body).decode()
        named["Content-Type"] = "application/json"
    done = desk.client.request(method, path, content=text.encode(), headers=named)
    assert done.status_code < 500, done.text
    if "Idempotency-Key" in named:
        asked = {"method": method, "path": path, "headers": named, "body": text}
        desk.exchanges.append(Exchange(**asked, answer=answer_of(done)))
    return done


def repeated(client: httpx2.Client, exchange: Exchange) -> Answer:
    """The answer to the same request now."""
    return answer_of(
        client.request(
            exchange.method,
            exchange.path,
            content=exchange.body.encode(),
            headers=exchange.headers,
        )
    )


ADDED = ("legend",)
"""Members that what is read has got since; answers to writes stay as they were."""


def without_added(exchange: Exchange, now: Answer) -> Answer:
    """The answer as it was before reads got further members."""
    if exchange.method != "GET" or now.headers.get("content-type") != "application/json":
        return now
    tree = msgspec.json.decode(now.content)
    for name in ADDED:
        tree.pop(name, None)
    return msgspec.structs.replace(now, content=msgspec.json.encode(tree).decode())


def differences(client: httpx2.Client, exchanges: Iterable[Exchange]) -> list[tuple[Any, ...]]:
    """The requests that are answered otherwise now: what each asks, was answered, and is."""
    pairs = (
        (exchange, without_added(exchange, repeated(client, exchange))) for exchange in exchanges
    )
    return [
        (exchange.method, exchange.path, exchange.body, exchange.answer, now)
        for exchange, now in pairs
        if exchange.answer != now
    ]


def read_exchanges(path: Path) -> list[Exchange]:
    """The exchanges of a file that has one a line, as JSON."""
    lines = lzma.decompress(path.read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=Exchange) for line in lines]
