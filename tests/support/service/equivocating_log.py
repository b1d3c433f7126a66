"""A public log that shows whatever it is told to, for those who watch it."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.tiles import Edge, extend_edge, nodes_in
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.signing.notes import Checkpoint, Note, SigningKey

OPERATOR = SigningKey.new("log.example")


class Liar:
    """A log that shows whatever checkpoint it is told to, and proofs over any leaves."""

    def __init__(self) -> None:
        self.note = b""
        self.leaves: Sequence[bytes] = ()
        self.proof: bytes | None = None
        self.once: bytes | None = None
        """A proof that is given one time."""
        self.refusing = False
        self.posted: list[bytes] = []

    def show(
        self,
        leaves: Sequence[bytes],
        size: int | None = None,
        origin: str = "log.example",
        key: SigningKey = OPERATOR,
    ) -> None:
        self.leaves = leaves
        size = len(leaves) if size is None else size
        text = Checkpoint(origin, size, merkle.root_of(leaves[:size])).text()
        self.note = str(Note(text, (notes.signature(text, key),))).encode()

    def answer(self, path: str) -> tuple[int, bytes]:
        url = urlsplit(path)
        if url.path == "/v1/log/checkpoint":
            return 200, self.note
        if self.refusing:
            return 404, b'{"detail":"no such size"}'
        if self.once is not None:
            proof, self.once = self.once, None
            return 200, proof
        if self.proof is not None:
            return 200, self.proof
        given = {name: int(value) for name, (value,) in parse_qs(url.query).items()}
        _, tiles = extend_edge(Edge(), self.leaves)
        path_ = merkle.consistency(given["first"], given["second"], nodes_in(tiles))
        return 200, json.dumps({**given, "path": [step.hex() for step in path_]}).encode()


@contextmanager
def lying() -> Iterator[tuple[Liar, str]]:
    liar = Liar()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(*liar.answer(self.path))

        def do_POST(self) -> None:
            liar.posted.append(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(200, b"{}")

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield liar, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
