"""The client's address of a request, from the connection and from trusted proxies' headers."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeAlias

from litestar.types import Scope

from phaseledger.service.runtime.logs import PROBES
from phaseledger.service.settings import Network, Settings, trusted_proxies

ClientAddress: TypeAlias = IPv4Address | IPv6Address


def origin_of(settings: Settings) -> Callable[[Scope], bytes]:
    """`origin`, bound to the settings' proxies. Raises SettingsError."""
    return partial(origin, proxies=trusted_proxies(settings), header=settings.proxy_header)


def origin(scope: Scope, proxies: Sequence[Network] = (), header: str = "x-forwarded-for") -> bytes:
    """The rate-limit key of the request's client address."""
    return _bucket_key(client(scope, proxies, header))


def share(scope: Scope, proxies: Sequence[Network], header: str) -> bytes | None:
    """The key of the share from which the request takes; None of a health check by this machine or
    a trusted proxy, which have no limit.
    """
    address = client(scope, proxies, header)
    if scope["path"] not in PROBES or scope.get("method") not in ("GET", "HEAD"):
        return _bucket_key(address)
    is_own = address and address.is_loopback and not header_of(scope, header.encode())
    if address and (is_own or _is_among(address, proxies)):
        return None
    return b"health " + _bucket_key(address)


def client(scope: Scope, proxies: Sequence[Network], header: str) -> ClientAddress | None:
    """The client's address of a request; None on a socket that has none.

    A trusted proxy appends the sender of the request to the header. Entries left of the last
    address that is no trusted proxy can be forged, and are ignored. Only the header that the
    proxy sets is read: the other one arrives as the client has written it.
    """
    peer = scope.get("client")
    address = _address(str(peer[0])) if peer else None
    if address is None or not _is_among(address, proxies):
        return address
    hops = header_of(scope, header.encode()).split(",")
    for hop in reversed(hops):
        sender = _address(_forwarded_for(hop) if header == "forwarded" else hop.strip())
        if sender is None:
            return address
        address = sender
        if not _is_among(address, proxies):
            break
    return address


def header_of(scope: Scope, name: bytes) -> str:
    """The header's lines, joined as RFC 9110, 5.3 allows."""
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


def _forwarded_for(hop: str) -> str:
    """The ``for`` of one element of a Forwarded header (RFC 7239)."""
    pairs = (pair.partition("=") for pair in hop.split(";"))
    return next((value.strip() for name, _, value in pairs if name.strip().lower() == "for"), "")


@lru_cache(1_024)
def _address(text: str) -> ClientAddress | None:
    """An address, perhaps with a port, perhaps in quotation marks."""
    text = text.strip('"')
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
