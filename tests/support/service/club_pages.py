"""Pages of another origin, as a club would serve them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

TABLE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Club</title>
<script>window.told = [];
for (const type of ["phaseledger:turn", "phaseledger:end"]) {
  addEventListener(type, (event) => told.push({ type, ...event.detail }));
}</script>
<script src="%s/play/element.js" defer></script><body></body></html>"""
"""A page that takes the element from the service at this address, and keeps what it is told."""


@contextmanager
def pages(contents: Mapping[str, str]) -> Iterator[int]:
    """A server of these pages by their paths; its port. Pages may be added while it runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = contents.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((content or "").encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()
