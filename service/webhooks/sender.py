"""One attempt to deliver a message: a signed POST to a checked address, and its outcome."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import httpx2
from standardwebhooks import Webhook

from phaseledger.service.webhooks.egress import (
    AddressRefused,
    Resolve,
    Target,
    permitted_address,
    resolve_host,
    target,
)

TIMEOUT = 10.0  # seconds for all of an attempt
USER_AGENT = "phaseledger-webhooks/1"


class AttemptResult(NamedTuple):
    """The outcome of an attempt."""

    status: int | None
    """The response's status; None where there was none."""
    reason: str
    """Why it failed, in a few words of our own; empty for a success."""


class Sender:
    """Sends messages. ``resolve`` finds the addresses of a host."""

    def __init__(self, *, allow_private: bool = False, resolve: Resolve = resolve_host) -> None:
        self.allow_private = allow_private
        self._resolve = resolve
        # A proxy of the environment would resolve the name once more, and we could not look.
        self._client = httpx2.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            timeout=TIMEOUT,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def checked(self, url: str) -> tuple[Target, str]:
        """The endpoint of the URL, and the address that was checked. Raises AddressRefused."""
        where = target(url, allow_private=self.allow_private)
        return where, await permitted_address(
            where, allow_private=self.allow_private, resolve=self._resolve
        )

    async def post(self, url: str, secrets: Sequence[bytes], name: str, body: str) -> AttemptResult:
        """Sign the message of that ``webhook-id`` with each of the secrets, and send it once."""
        at = datetime.now(UTC)
        headers = {
            "webhook-id": name,
            "webhook-timestamp": str(int(at.timestamp())),
            "webhook-signature": " ".join(Webhook(s).sign(name, at, body) for s in secrets),
            "Content-Type": "application/json",
        }
        return await self.send(url, headers, body.encode())

    async def send(self, url: str, headers: dict[str, str], content: bytes) -> AttemptResult:
        """Post the content to the URL once."""
        status, reason = None, ""
        try:
            async with asyncio.timeout(TIMEOUT):
                status = await self._post(url, headers, content)
            if not 200 <= status < 300:
                reason = "redirects are not followed" if 300 <= status < 400 else "refused"
        except AddressRefused as refused:
            reason = str(refused)
        except (TimeoutError, httpx2.TimeoutException):
            reason = f"no answer within {TIMEOUT:g} seconds"
        except httpx2.ConnectError as error:
            is_tls_error = "certificate" in str(error).lower() or "ssl" in str(error).lower()
            reason = "no secure connection" if is_tls_error else "no connection"
        except (httpx2.HTTPError, httpx2.InvalidURL):
            reason = "no HTTP answer"
        return AttemptResult(status, reason)

    async def _post(self, url: str, headers: dict[str, str], content: bytes) -> int:
        """The response's status; its body is not read."""
        where, address = await self.checked(url)
        parsed_url = httpx2.URL(url)
        request = self._client.build_request(
            "POST",
            parsed_url.copy_with(host=address, port=where.port),
            content=content,
            headers={
                **headers,
                "Host": parsed_url.netloc.decode("ascii"),
                "User-Agent": USER_AGENT,
                "Connection": "close",
            },
            # The certificate has to be the name's, not the address's.
            extensions={"sni_hostname": where.host},
        )
        response = await self._client.send(request, stream=True)
        await response.aclose()
        return response.status_code
