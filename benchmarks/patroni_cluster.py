"""A pair of PostgreSQL servers that Patroni manages, with etcd and HAProxy, all on loopback ports.

The programs are Debian's; they run here as processes of their own, in a folder that is gone
afterwards, and not as the services that their packages would start.
"""

import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import psutil
import psycopg

from tests.support.polling import eventually
from tests.support.ports import free_port

PACKAGES = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "haproxy": "haproxy",
    "postgres": "postgresql",
}
"""The Debian package of each program."""
USER = "postgres"
"""Who runs the servers when we are root, which PostgreSQL and Patroni refuse; Debian makes it."""
TTL = 20  # seconds until a leader that says nothing has lost its lease: Patroni's least
LOOP = 2  # seconds between two looks of Patroni
RETRY = 3  # seconds that Patroni tries etcd or PostgreSQL for: its least
LEADING = frozenset({"master", "primary"})
"""The roles of a primary, by Patroni's version."""
STOP = 30.0  # seconds for a program to end in order

PROXY = """
global
    maxconn 1000
defaults
    mode tcp
    timeout connect 2s
    timeout check 2s
    timeout client 1h
    timeout server 1h
listen primary
    bind 127.0.0.1:{port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


def program(name: str) -> str | None:
    """The path of a program, where it is installed; Debian keeps PostgreSQL's to each version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -_version(path))
    places = [str(path) for path in versions] if name == "postgres" else []
    return shutil.which(name, path=os.pathsep.join([*places, os.environ["PATH"], "/usr/sbin"]))


def _version(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdecimal() else 0


def missing_packages() -> list[str]:
    """The packages whose programs are not there."""
    return [package for name, package in PACKAGES.items() if program(name) is None]


class Node:
    """One PostgreSQL server and the Patroni that looks after it."""

    def __init__(self, name: str, home: Path, ports: tuple[int, int]) -> None:
        self.name = name
        self.port, self._api = ports
        self.url = f"http://127.0.0.1:{self._api}"
        self.folder = home / name
        self._file = home / f"{name}.json"
        self._log = home / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def configure(self, scope: str, etcd: int, *, synchronous: bool) -> None:
        """Write Patroni's file: JSON, which is YAML too."""
        postgres = program("postgres")
        assert postgres is not None
        roles = {name: {"username": USER} for name in ("superuser", "replication", "rewind")}
        local = {
            "scope": scope,
            "name": self.name,
            "restapi": {
                "listen": f"127.0.0.1:{self._api}",
                "connect_address": f"127.0.0.1:{self._api}",
            },
            "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL,
                    "loop_wait": LOOP,
                    "retry_timeout": RETRY,
                    "synchronous_mode": synchronous,
                    "postgresql": {"use_pg_rewind": True, "use_slots": True},
                },
                "initdb": [{"auth": "trust"}, {"encoding": "UTF8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self.folder),
                "bin_dir": str(Path(postgres).parent),
                "authentication": roles,
                "parameters": {"unix_socket_directories": str(self.folder.parent)},
                "pg_hba": [
                    "local all all trust",
                    "host all all 127.0.0.1/32 trust",
                    "host replication all 127.0.0.1/32 trust",
                ],
            },
        }
        self._file.write_text(json.dumps(local))

    def start(self) -> None:
        """Start its Patroni, which starts the server."""
        self._process = started(("patroni", str(self._file)), self._log)

    def kill(self) -> None:
        """End Patroni and the server at once, as the loss of their machine would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)  # it would restart the server
        victims = self._servers()
        for victim in victims:
            victim.suspend()  # the first process would restart the others
        for victim in victims:
            with suppress(psutil.NoSuchProcess):
                victim.kill()
        psutil.wait_procs(victims)
        self._process.kill()
        self._process.wait()

    def _servers(self) -> list[psutil.Process]:
        """The server's first process, and all the others."""
        try:
            first = psutil.Process(int((self.folder / "postmaster.pid").read_text().split()[0]))
            return [first, *first.children(recursive=True)]
        except (FileNotFoundError, IndexError, psutil.NoSuchProcess):
            return []

    def stop(self) -> None:
        """End both in order, or else at once."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._servers():
            self.kill()

    def role(self) -> str:
        """What its Patroni says it is; empty while that does not answer."""
        try:
            return str(httpx2.get(f"{self.url}/patroni", timeout=2).json()["role"])
        except (httpx2.TransportError, KeyError, ValueError):
            return ""

    def switch_over(self, candidate: "Node") -> httpx2.Response:
        """Hand the lead over to the candidate, in order."""
        body = {"leader": self.name, "candidate": candidate.name}
        return httpx2.post(f"{self.url}/switchover", json=body, timeout=60)

    def log_tail(self) -> str:
        """The end of its log."""
        return self._log.read_text(errors="replace")[-3000:]


class Cluster:
    """Two nodes, and the address that leads to whichever of them is the primary."""

    def __init__(self, nodes: tuple[Node, Node], port: int) -> None:
        self.nodes = nodes
        self.dsn = f"postgresql://{USER}@127.0.0.1:{port}/postgres"

    def primary(self) -> Node:
        """The node that is the primary now; waits for one."""

        def leaders() -> list[Node]:
            return [node for node in self.nodes if node.role() in LEADING]

        return eventually(leaders, lambda nodes: len(nodes) == 1)[0]

    def other(self, node: Node) -> Node:
        """The one that is not this one."""
        return self.nodes[self.nodes[0] is node]

    def await_standby(self, state: str) -> None:
        """Wait until the standby follows, and Patroni takes it for one to fail over to.

        ``state`` is "sync" where commits wait for it, else "async".
        """
        statement = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        role = "sync_standby" if state == "sync" else "replica"

        def follows() -> bool:
            try:
                with psycopg.connect(self.dsn, connect_timeout=2) as conn:
                    states = [row[0] for row in conn.execute(statement.encode()).fetchall()]
                members: list[dict[str, Any]] = httpx2.get(
                    f"{self.primary().url}/cluster", timeout=2
                ).json()["members"]
            except (psycopg.OperationalError, httpx2.TransportError):
                return False
            return state in states and role in {member["role"] for member in members}

        eventually(follows)

    def log_tail(self) -> str:
        """The ends of the nodes' logs."""
        return "\n".join(node.log_tail() for node in self.nodes)

    def is_writable(self) -> bool:
        """Whether the address leads to a server that takes writes."""
        try:
            with psycopg.connect(self.dsn, connect_timeout=2) as conn:
                cursor = conn.execute("SELECT current_setting('transaction_read_only')")
                return cursor.fetchone() == ("off",)
        except psycopg.OperationalError:
            return False


def started(command: tuple[str, ...], log: Path) -> subprocess.Popen[bytes]:
    """A program as a process of its own, under a user that it accepts."""
    user = USER if os.geteuid() == 0 else None
    path = program(command[0])
    assert path is not None
    with log.open("ab") as output:
        return subprocess.Popen(
            [path, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},  # nothing of our own environment
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a program, in order if it can be."""
    process.terminate()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def managed_pair(*, synchronous: bool) -> Iterator[Cluster]:
    """A pair that serves and follows; nothing of it is left after the block."""
    home = Path(tempfile.mkdtemp(prefix="pl-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, home)
        if os.geteuid() == 0:
            owner = pwd.getpwnam(USER)
            os.chown(home, owner.pw_uid, owner.pw_gid)
        etcd, peers, proxy, *ports = (stack.enter_context(free_port()) for _ in range(7))
        client_url, peer_url = (f"http://127.0.0.1:{port}" for port in (etcd, peers))
        arguments = {
            "name": "lone",
            "data-dir": str(home / "etcd"),
            "listen-client-urls": client_url,
            "advertise-client-urls": client_url,
            "listen-peer-urls": peer_url,
            "initial-advertise-peer-urls": peer_url,
            "initial-cluster": f"lone={peer_url}",
        }
        flags = (f"--{name}={value}" for name, value in arguments.items())
        stack.callback(ended, started(("etcd", *flags), home / "etcd.log"))
        eventually(lambda: _answers(f"{client_url}/health"))
        nodes = (  # no `first` or `any`, which are words of synchronous_standby_names
            Node("node1", home, (ports[0], ports[1])),
            Node("node2", home, (ports[2], ports[3])),
        )
        for node in nodes:
            node.configure(home.name, etcd, synchronous=synchronous)
            stack.callback(node.stop)
            node.start()
        servers = "\n".join(
            f"    server {node.name} 127.0.0.1:{node.port} check port {api}"
            for node, api in zip(nodes, ports[1::2], strict=True)
        )
        file = home / "haproxy.cfg"
        file.write_text(PROXY.format(port=proxy, servers=servers))
        stack.callback(ended, started(("haproxy", "-db", "-f", str(file)), home / "haproxy.log"))
        cluster = Cluster(nodes, proxy)
        eventually(cluster.is_writable)
        cluster.await_standby("sync" if synchronous else "async")
        yield cluster


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=2).status_code == 200
    except httpx2.TransportError:
        return False
