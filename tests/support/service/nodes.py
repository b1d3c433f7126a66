"""Several service processes and a round robin over them, as a proxy without stickiness is one."""

import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

import httpx2
from typing_extensions import override

from tests.support import forked
from tests.support.children import finished
from tests.support.polling import eventually
from tests.support.ports import free_port


class RoundRobin(httpx2.BaseTransport):
    """Each request goes to the next node."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = itertools.cycle(ports)
        self._inner = httpx2.HTTPTransport()

    @override
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.url = request.url.copy_with(port=next(self._ports))
        return self._inner.handle_request(request)

    @override
    def close(self) -> None:
        self._inner.close()


@contextmanager
def node(
    port: int, given: Mapping[str, str], environ: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A service process with these settings, not ready yet; SIGTERM must end it well and soon.

    ``environ`` are further variables of its environment.
    """
    plain = {name: value for name, value in os.environ.items() if "PHASELEDGER" not in name}
    named = {f"PHASELEDGER_{name.upper()}": value for name, value in given.items()}
    with tempfile.TemporaryFile() as output:  # a pipe that nobody reads would hold the node up
        words = ["serve", "--port", str(port)]
        process = (
            subprocess.Popen(
                [sys.executable, "-m", forked.MAIN, *words],
                env=plain | named | dict(environ),
                stdout=output,
                stderr=output,
            )
            if environ  # which may be about how Python starts
            else forked.started(*words, env=plain | named, stdout=output, stderr=output)
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            finished(process)
            output.seek(0)
            text = output.read()[-5000:].decode()
            print(text)
        assert process.returncode == 0
        assert "Traceback" not in text


def await_ready(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the node takes requests."""

    def ready() -> bool:
        assert process.poll() is None, process.returncode
        try:
            answer = httpx2.get(f"http://127.0.0.1:{port}/health/ready", timeout=None)
        except httpx2.TransportError:
            return False
        return answer.status_code == 200

    eventually(ready)


def client_of(*ports: int) -> httpx2.Client:
    """A client of the nodes, each in its turn."""
    robin = RoundRobin([*ports])
    return httpx2.Client(base_url=f"http://127.0.0.1:{ports[0]}/v1", timeout=None, transport=robin)


class Nodes:
    """Clients of running nodes: one of each, and one that goes around."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.clients = [client_of(port) for port in ports]
        self.around = client_of(*ports)

    def close(self) -> None:
        for client in (self.around, *self.clients):
            client.close()


@contextmanager
def running(count: int, given: Mapping[str, str]) -> Iterator[Nodes]:
    """So many nodes with the same settings, which are all ready."""
    with ExitStack() as stack:
        ports = [stack.enter_context(free_port()) for _ in range(count)]
        started = [stack.enter_context(node(port, given)) for port in ports]
        for process, port in zip(started, ports, strict=True):
            await_ready(process, port)
        nodes = Nodes(ports)
        stack.callback(nodes.close)
        yield nodes
