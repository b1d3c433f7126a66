"""The client's address of a request, from the connection and from trusted proxies' headers."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeAlias

from litestar.types import Scope

from phaseledger.service.runtime.logs import PROBES
from phaseledger.service.settings import Network

HEADER = b"x-forwarded-for"
ClientAddress: TypeAlias = IPv4Address | IPv6Address


def origin(scope: Scope, proxies: Sequence[Network] = ()) -> bytes:
    """The rate-limit key of the request's client address."""
    return _bucket_key(client(scope, proxies))


def share(scope: Scope, proxies: Sequence[Network]) -> bytes | None:
    """The rate-limit key of the request; None for a health check by this machine or by a trusted
    proxy, which have no limit.
    """
    address = client(scope, proxies)
    if scope["path"] not in PROBES or scope.get("method") not in ("GET", "HEAD"):
        return _bucket_key(address)
    is_own = address and address.is_loopback and not header_of(scope, HEADER)
    if address and (is_own or _is_among(address, proxies)):
        return None
    return b"health " + _bucket_key(address)


def client(scope: Scope, proxies: Sequence[Network]) -> ClientAddress | None:
    """The client's address of a request; None on a socket that has none.

    A trusted proxy appends the sender of the request to X-Forwarded-For. Entries left of the last
    address that is no trusted proxy can be forged, and are ignored.
    """
    peer = scope.get("client")
    address = _address(str(peer[0])) if peer else None
    if address is None or not _is_among(address, proxies):
        return address
    for hop in reversed(header_of(scope, HEADER).split(",")):
        sender = _address(hop.strip())
        if sender is None:
            return address
        address = sender
        if not _is_among(address, proxies):
            break
    return address


def header_of(scope: Scope, name: bytes) -> str:
    """The header's lines, joined as RFC 9110, 5.3 allows."""
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


@lru_cache(1_024)
def _address(text: str) -> ClientAddress | None:
    """An address, perhaps with a port."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_among(address: ClientAddress, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _bucket_key(address: ClientAddress | None) -> bytes:
    """The bucket's key: an IPv4 address, or the /64 prefix of an IPv6 one (one customer's)."""
    return b"" if address is None else address.packed[:8]
