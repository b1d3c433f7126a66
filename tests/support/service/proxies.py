"""Debian's reverse proxies with configurations of `deploy/`, before a service of this machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.ports import await_connection

DEPLOY = Path(__file__).parents[3] / "deploy"
COMMANDS = {
    "nginx": ("nginx", "-g", "daemon off; error_log stderr;", "-c"),
    "haproxy": ("haproxy", "-f"),
    "apache2": ("apache2", "-DFOREGROUND", "-f"),
    "caddy": ("caddy", "run", "--adapter", "caddyfile", "--config"),
}
FILES = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile"}
"""The configurations of `deploy/`."""


@contextmanager
def running(
    program: str, configuration: Path, url: str, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The proxy with that configuration, once it answers at ``url``."""
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here: apt-get install nginx-light haproxy apache2-bin caddy")
    command = [*COMMANDS[program], configuration]
    kept = {"XDG_DATA_HOME": str(configuration.parent)}  # Caddy's certificates
    given = os.environ | kept | (environment or {})
    with subprocess.Popen(command, env=given) as process:
        try:
            await_connection(url)
            yield url
        finally:
            process.terminate()


def nginx(folder: Path, site: str) -> str:
    """A whole configuration that keeps its files in the folder."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    return (
        f"user root;\npid {folder}/pid;\nevents {{}}\nhttp {{\n{paths}access_log off;\n{site}}}\n"
    )


def deployed(
    program: str, folder: Path, port: int, service: str, certificate: Path, limits: int = 1
) -> Path:
    """The configuration of `deploy/`, in the folder: to the letter, but for addresses, certificate,
    time-outs of 2 to 6 seconds, and limits, which are divided.
    """
    text = (DEPLOY / FILES[program]).read_text("utf-8")
    site = f"https://:{port} {{\ntls {certificate} {certificate}\n"
    text = text.replace("play.example {", site).replace("\n{\n", "\n{\nadmin off\n")
    text = re.sub(r"/etc/ssl/play\.example\.\w+", str(certificate), text)
    text = re.sub(r"10\.0\.0\.\d:8000", service, text)
    text = re.sub(r"(listen |bind :)443", rf"\g<1>{port}", text)
    times = r"(timeout\S* .*?|read_\w+ |idle )(\d+)0s"
    text = re.sub(times, lambda n: f"{n[1]}{max(2, int(n[2]))}s", text)
    text = re.sub(r"\b(320|500|5000)\b", lambda n: str(int(n[1]) // limits), text)
    text = re.sub(r"=500r", f"={500 // limits}r", text)
    path = folder / "configuration"
    path.write_text(nginx(folder, text) if program == "nginx" else text)
    return path


def certificate(folder: Path) -> Path:
    """A file with a certificate of 127.0.0.1 and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path, pem = folder / "pem", serialization.Encoding.PEM
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, *form))
    return path
