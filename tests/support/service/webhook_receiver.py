"""A receiver of webhooks as somebody would write one: it verifies what comes with the library of
Standard Webhooks, and keeps it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks import Webhook

from tests.support.polling import eventually


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> dict[str, Any]:
        message: dict[str, Any] = Webhook(secret).verify(self.body, self.headers)
        return message


class Endpoint:
    """``answer`` says with which status to answer a request; None takes it and never answers."""

    def __init__(self) -> None:
        self.got: list[Received] = []
        self.answer: Callable[[Received], int | None] = lambda _: 204
        self.headers: dict[str, str] = {}
        self.url = ""

    def ids(self) -> list[str]:
        return [message.id for message in self.got]

    def wait(self, number: int) -> list[Received]:
        """What came, as soon as it is so much."""
        return eventually(lambda: self.got, lambda got: len(got) >= number)


@contextmanager
def endpoint(port: int = 0) -> Iterator[Endpoint]:
    """An endpoint on a real socket."""
    receiver = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # its sender was killed: no message has come
                self.close_connection = True
                return
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.path, headers, body)
            status = receiver.answer(received)
            receiver.got.append(received)
            if status is None:
                time.sleep(60)
                return
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
