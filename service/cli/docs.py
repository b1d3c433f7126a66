"""The command that shows the documents on this machine, without a network."""

import webbrowser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated

from cyclopts import Parameter
from typing_extensions import override

from phaseledger.replay.terminal import SOUND, UsageError, guarded, tell
from phaseledger.service.web.guide import FRONT, is_built, site_file

Port = Annotated[int, Parameter(help="The port on this machine; 0: any free one.")]
OpensBrowser = Annotated[bool, Parameter(name="open", help="Open the browser.")]


@guarded
def docs(*, port: Port = 0, opens: OpensBrowser = True) -> int:
    """Show the documents in the browser, with their search, until Ctrl-C.

    For example: phaseledger docs
    """
    if not is_built():
        raise UsageError("The documents are not built here. In a checkout: python3 dev.py docs.")
    with ThreadingHTTPServer(("127.0.0.1", port), _Pages) as server:
        address = f"http://127.0.0.1:{server.server_port}/{FRONT}"
        tell(f"The documents are at {address}")
        if opens:
            webbrowser.open(address)
        server.serve_forever()
    return SOUND


class _Pages(BaseHTTPRequestHandler):
    """Answers with the files of the site."""

    def do_GET(self) -> None:
        """Send the file that the path names."""
        file = site_file(self.path.partition("?")[0].lstrip("/") or FRONT)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{file.media_type}; charset=utf-8")
        self.send_header("Content-Security-Policy", file.policy)
        self.send_header("Content-Length", str(len(file.content)))
        self.end_headers()
        self.wfile.write(file.content)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""
