"""SSRF guard: a webhook is sent to public addresses only, and only to one that was checked.

The name is resolved once and the connection goes to the address that was checked, so a name that
resolves to something else a moment later (DNS rebinding) gains nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

from phaseledger.domain.words import Phrase

LONGEST_LOOKUP = 3.0  # seconds

Address: TypeAlias = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host; raises OSError."""

_LOOKUPS = ThreadPoolExecutor(16, "webhooks-name")
"""A pool of its own: a host that resolves slowly does not delay the process's other lookups."""

_NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            "100.64.0.0/10",  # carrier-grade NAT; some clouds' metadata
            "168.63.129.16/32",  # Azure's host, a public address that leads inwards
            "192.0.0.0/24",
            "192.88.99.0/24",  # 6to4 relays
            "198.18.0.0/15",
            "::/96",
            "64:ff9b::/96",  # NAT64 and 6to4 have IPv4 addresses inside
            "64:ff9b:1::/48",
            "2001::/23",
            "2002::/16",
            "3fff::/20",  # documentation, RFC 9637
            "fec0::/10",
        ),
    )
)
"""Networks that the standard library's `is_global` calls public, or did in some version."""


class AddressRefused(Exception):
    """The URL or its address is refused; the message is half a sentence."""


class Target(NamedTuple):
    """A parsed endpoint: the host as the URL names it, and its port."""

    host: str
    port: int


def target(url: str, *, allow_private: bool) -> Target:
    """The endpoint of the URL. Plain HTTP is for private networks. Raises AddressRefused."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
        host = host if ":" in host else host.encode("idna").decode()
    except (ValueError, UnicodeError):
        raise AddressRefused(Phrase("adds.url.none")) from None
    if not url.isascii() or not url.isprintable() or " " in url:
        raise AddressRefused(Phrase("adds.url.ascii"))
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        raise AddressRefused(Phrase("adds.url.https"))
    if not host or "%" in host:
        raise AddressRefused(Phrase("adds.url.host"))
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise AddressRefused(Phrase("adds.url.fragment"))
    if port == 0:
        raise AddressRefused(Phrase("adds.url.port"))
    return Target(host, port or (443 if parts.scheme == "https" else 80))


def is_public(address: Address) -> bool:
    """Whether the address is a public unicast address of the Internet."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in network for network in _NOT_PUBLIC)
    )


async def resolve_host(host: str, port: int) -> Sequence[str]:
    """The addresses of the host, as the system resolves it."""
    lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    results = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, lookup)
    return [str(sockaddr[0]) for *_, sockaddr in results]


async def permitted_address(
    where: Target, *, allow_private: bool, resolve: Resolve = resolve_host
) -> str:
    """The checked address to connect to.

    Raises:
        AddressRefused: the host has none, or one of them is not public. The message does not say
            which: it would disclose the names in our own network.

    """
    try:
        async with asyncio.timeout(LONGEST_LOOKUP):
            texts = await resolve(where.host, where.port)
        addresses = [ip_address(text.partition("%")[0]) for text in texts]
    except (OSError, ValueError, UnicodeError):  # a TimeoutError is an OSError
        addresses = []
    if not addresses or not (allow_private or all(map(is_public, addresses))):
        raise AddressRefused(
            Phrase("adds.url.private") if not allow_private else Phrase("adds.url.no_host")
        )
    return str(addresses[0])
