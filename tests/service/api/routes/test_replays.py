"""`POST /v1/replays`: files over HTTP, their limits, and what else goes on meanwhile."""

import socket
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import httpx2
import msgspec
import pytest

from phaseledger.replay.viewer.document import viewer_document
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.routes import replays
from phaseledger.service.replays.reading import LARGEST_FILE
from tests.support.cases import looped
from tests.support.replay.bundles import good
from tests.support.replay.log_edits import OTHER, short_game
from tests.support.replay.viewer_documents import export
from tests.support.service.api_tables import whole_game
from tests.support.service.memory_ledger import in_memory
from tests.support.service.problems import problem
from tests.support.service.server import Served, serving

FILE = {"Content-Type": "application/octet-stream"}
BUNDLE = b"".join(good())
BOTH = export(short_game()) + export(short_game(OTHER))


def test_a_game_of_the_service_is_shown_by_its_bundle(client: httpx2.Client) -> None:
    bundle = client.get(f"/games/{whole_game(client)}/bundle").content
    answer = client.post("/replays", content=bundle, headers=FILE, params={"name": "my.bundle"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.content == msgspec.json.encode(viewer_document(bundle, "my.bundle"))
    assert answer.headers["content-encoding"] in ("br", "gzip")
    assert answer.json()["verdict"]["sound"]


def test_a_game_of_several_is_named(client: httpx2.Client) -> None:
    asked = client.post("/replays", content=BOTH, headers=FILE, params={"lang": "de"})
    problem(asked, 422, "several_games")
    assert asked.json()["detail"].startswith("Die Datei enthält mehrere Spiele")
    answer = client.post("/replays", content=BOTH, headers=FILE, params={"game": "2"})
    assert answer.json()["game"] == OTHER


def test_a_refusal_names_the_place(client: httpx2.Client) -> None:
    answer = client.post("/replays", content=b"{}\nno\n", headers=FILE, params={"lang": "fr"})
    problem(answer, 422, "not_a_game")
    assert answer.json()["detail"].startswith("Le fichier n'est pas une partie")
    (fault,) = answer.json()["errors"]
    assert (fault["where"], fault["name"]) == ("body", "$")
    assert "game:1\xa0: la ligne n'est pas un événement" in fault["reason"]


@looped(
    "headers",
    [
        {},
        {"Content-Type": "application/json"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {**FILE, "Content-Encoding": "br"},
    ],
)
def test_another_kind_of_body_is_refused(client: httpx2.Client, headers: dict[str, str]) -> None:
    answer = client.post("/replays", content=BUNDLE, headers=headers)
    problem(answer, 415, "unsupported_file_type")


def test_a_file_that_is_too_large_is_not_read(served: Served) -> None:
    """It is refused by its announced length: not a byte of it was sent."""
    host, port = served.url.removeprefix("http://").split(":")
    lines = (
        *("POST /v1/replays HTTP/1.1", f"Host: {host}", "Connection: close"),
        *(f"Content-Length: {LARGEST_FILE + 1}", "Content-Type: application/octet-stream"),
    )
    with socket.create_connection((host, int(port)), timeout=None) as raw:
        raw.sendall("\r\n".join((*lines, "", "")).encode())
        answer = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"body_too_large"' in answer


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Readers that wait for the event, and have waited long once it is late."""
    go_on = threading.Event()
    monkeypatch.setattr(replays, "PATIENCE", 0.2)

    async def read(*_: object, lang: str) -> bytes:
        while not go_on.is_set():
            await replays.asyncio.sleep(0.01)
        return b"{}"

    monkeypatch.setattr(replays, "read_replay", read)
    yield go_on
    go_on.set()


def test_an_address_has_one_file_read_at_a_time(slow: threading.Event) -> None:
    with serving(in_memory()) as served, ThreadPoolExecutor(2) as beside:

        def send() -> httpx2.Response:
            return httpx2.post(
                f"{served.url}/v1/replays", content=BUNDLE, headers=FILE, timeout=None
            )

        both = {beside.submit(send), beside.submit(send)}
        ((refused,), (other,)) = wait(both, return_when=FIRST_COMPLETED)
        problem(refused.result(), 503, "too_many_replays")
        assert "one address" in refused.result().json()["detail"]
        assert refused.result().headers["retry-after"] == "5"
        assert httpx2.get(f"{served.url}/health/live", timeout=None).is_success
        slow.set()
        assert other.result().status_code == 200
        assert send().status_code == 200


def test_whoever_sends_slowly_keeps_no_other_address_from_being_answered(
    slow: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.set()
    monkeypatch.setattr(replays, "PATIENCE", 40.0)
    sender = "X-Sender"  # stands for an address

    def origin(scope: Mapping[str, Any]) -> bytes:
        return dict(scope["headers"]).get(sender.lower().encode(), b"nobody")

    with (
        patch.object(Service, "origin", staticmethod(origin)),
        serving(in_memory()) as served,
        ExitStack() as stack,
    ):
        host, port = served.url.removeprefix("http://").split(":")
        for number in range(replays.UPLOADS_AT_ONCE - 1):
            raw = stack.enter_context(socket.create_connection((host, int(port)), timeout=None))
            lines = (
                *("POST /v1/replays HTTP/1.1", f"Host: {host}", f"{sender}: {number}"),
                *(f"Content-Length: {LARGEST_FILE}", "Content-Type: application/octet-stream"),
                "Expect: 100-continue",
            )
            raw.sendall("\r\n".join((*lines, "", "")).encode())
            assert raw.recv(1_024).startswith(b"HTTP/1.1 100 ")  # it waits for the file
        answer = httpx2.post(
            f"{served.url}/v1/replays",
            content=BUNDLE,
            headers={**FILE, sender: "another"},
            timeout=None,
        )
        assert answer.status_code == 200
