"""Where webhooks may go: no way into the network of whoever runs the service."""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx2
import pytest

from phaseledger.service.webhooks import egress
from phaseledger.service.webhooks.egress import AddressRefused, Resolve, permitted_address, target
from phaseledger.service.webhooks.sender import TIMEOUT, AttemptResult, Sender
from tests.support.polling import ENDLESS
from tests.support.service.api_tables import bearer, open_table
from tests.support.service.proxies import certificate
from tests.support.service.webhook_receiver import endpoint
from tests.support.service.webhook_service import served_with, settings

__all__ = ["settings"]

URL, SECRET = "https://hooks.example/a?b=c", b"secret"


def resolving(*addresses: str) -> Resolve:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return addresses

    return resolve


def posted(url: str, body: str = "{}", **given: Any) -> AttemptResult:
    """What comes of sending a message there."""

    async def scenario() -> AttemptResult:
        sender = Sender(**given)
        try:
            return await sender.post(url, [SECRET], "m", body)
        finally:
            await sender.close()

    return asyncio.run(scenario())


def permitted(*addresses: str, allow_private: bool = False) -> str:
    """The address that is connected to for a name that has these."""
    where, resolve = target(URL, allow_private=False), resolving(*addresses)
    return asyncio.run(permitted_address(where, allow_private=allow_private, resolve=resolve))


PRIVATE = [
    *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
    *("198.18.0.1", "192.0.2.1", "224.0.0.1", "255.255.255.255", "240.0.0.1"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:1::", "2001:db8::1"),
    *("3fff::", "3fff::1", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
]


PUBLIC = [
    *("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
    *("::ffff:93.184.215.14", "3fff:1000::1"),
]


def test_addresses_that_are_not_public_are_refused() -> None:
    for address in PRIVATE:
        for given in ([address], ["93.184.215.14", address]):
            with pytest.raises(AddressRefused, match="no public address"):
                pytest.fail(f"{address}: {permitted(*given)}")
        reached = permitted(address, allow_private=True)
        assert ip_address(reached) == ip_address(address.split("%")[0])
    for address in PUBLIC:
        assert ip_address(permitted(address)) == ip_address(address)


def test_a_host_without_an_address_is_refused_like_a_private_one() -> None:
    async def nowhere(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "there is no such name")

    where = target(URL, allow_private=False)
    with pytest.raises(AddressRefused, match="no public address"):
        asyncio.run(permitted_address(where, allow_private=False, resolve=nowhere))


ASTRAY = [
    ("http://hooks.example/", "https"),
    ("ftp://hooks.example/", "https"),
    ("hooks.example", "https"),
    ("https://", "no host"),
    ("https://user:word@hooks.example/", "no user"),
    ("https://hooks.example/#part", "no user"),
    ("https://hooks.example:0/", "port"),
    ("https://hooks.example:99999/", "no URL"),
    ("https://[::1/", "no URL"),
    ("https://[fe80::1%25eth0]/", "no host"),
    ("https://hooks.example/\r\nX: y", "visible"),
    ("https://hooks.example/ a", "visible"),
    ("https://höoks.example/", "visible"),
]


def test_urls_that_lead_astray_are_refused() -> None:
    for url, refusal in ASTRAY:
        with pytest.raises(AddressRefused, match=refusal):
            pytest.fail(f"{url}: {target(url, allow_private=False)}")
    assert target("http://hooks.internal/", allow_private=True).port == 80


def test_this_machine_is_refused_however_it_is_written() -> None:
    for host in ("127.0.0.1", "localhost", "2130706433", "0x7f000001", "127.1", "[::ffff:7f00:1]"):
        assert posted(f"https://{host}/")[:2] == (None, "its host has no public address"), host


async def test_names_that_are_long_in_coming_hold_up_no_other_lookups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That of the database, for one: lookups that are given up go on as long as they take."""
    enough, look = threading.Event(), socket.getaddrinfo

    def long_in_coming(host: str, *given: Any, **more: Any) -> Any:
        if host == "long.example":
            enough.wait(ENDLESS)
            raise socket.gaierror
        return look(host, *given, **more)

    monkeypatch.setattr(socket, "getaddrinfo", long_in_coming)
    monkeypatch.setattr(egress, "LONGEST_LOOKUP", 0.1)

    try:
        where = target("https://long.example/", allow_private=False)
        given_up = await asyncio.gather(
            *(permitted_address(where, allow_private=False) for _ in range(40)),
            return_exceptions=True,
        )
        assert {type(error) for error in given_up} == {AddressRefused}
        loop = asyncio.get_running_loop()
        assert await loop.getaddrinfo("127.0.0.1", 5432)
    finally:
        enough.set()


def test_registering_refuses_them_too(settings) -> None:
    with (
        served_with(settings) as served,
        httpx2.Client(base_url=f"{served.url}/v1", timeout=None) as client,
    ):
        served.parts.deliveries.sender.allow_private = False
        table = open_table(client)
        for url in ("https://localhost/", "http://127.0.0.1/", "https://[::1]/"):
            asked = {"json": {"url": url}, "headers": bearer(table.host)}
            answer = client.post(f"{table.path}/webhooks", **asked)
            assert (answer.status_code, answer.json()["code"]) == (422, "webhook_refused")
            body = {"ruleset": "classic", "seats": [{"kind": "person"}] * 2}
            answer = client.post("/games", json={**body, "webhooks": [{"url": url}]})
            assert (answer.status_code, answer.json()["code"]) == (422, "webhook_refused")


def test_a_name_is_resolved_once_and_connected_to_where_it_was_checked() -> None:
    """DNS rebinding: the second lookup would lead elsewhere, so there is none."""
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.9"]

    with endpoint() as receiver:
        url = receiver.url.replace("127.0.0.1", "hooks.example")
        assert posted(url, allow_private=True, resolve=resolve).status == 204
        port = receiver.url.split(":")[2].split("/")[0]
        assert receiver.got[0].headers["host"] == f"hooks.example:{port}"
    assert asked == ["hooks.example"]


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    with endpoint() as receiver:
        assert posted(receiver.url, allow_private=True).status == 204


def test_an_answer_without_end_is_not_read() -> None:
    """Whoever answers with gigabytes costs no memory and no time."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def flood() -> None:
            conn, _ = server.accept()
            with conn:
                conn.recv(65_536)
                conn.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                with suppress(OSError):
                    while True:
                        conn.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")

        thread = threading.Thread(target=flood)
        thread.start()

        url, began = f"http://127.0.0.1:{server.getsockname()[1]}/", time.monotonic()
        outcome = posted(url, allow_private=True)
        thread.join()
    assert outcome[:2] == (200, "")
    assert time.monotonic() - began < TIMEOUT


def test_an_endpoint_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phaseledger.service.webhooks.sender.TIMEOUT", 0.3)

    with endpoint() as receiver:
        receiver.answer = lambda _: None
        outcome = posted(receiver.url, allow_private=True)
    assert outcome[:2] == (None, "no answer within 0.3 seconds")


def test_the_certificate_has_to_be_the_names(tmp_path: Path) -> None:
    """The connection goes to an address, but TLS is asked for the name, and nobody is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    names: list[str | None] = []
    context.sni_callback = lambda _, asked, __: names.append(asked)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def shake() -> None:
            conn, _ = server.accept()
            with conn, suppress(OSError):  # the client breaks it off
                context.wrap_socket(conn, server_side=True).recv(1)

        thread = threading.Thread(target=shake)
        thread.start()

        url = f"https://hooks.example:{server.getsockname()[1]}/"
        outcome = posted(url, allow_private=True, resolve=resolving("127.0.0.1"))
        thread.join()
    assert outcome[:2] == (None, "no secure connection")
    assert names == ["hooks.example"]
