"""One attempt to deliver a message: a POST to a checked address, and its outcome."""

import asyncio
import time
from typing import NamedTuple

import httpx2
import msgspec

from phaseledger.service.webhooks.egress import (
    AddressRefused,
    Resolve,
    permitted_address,
    resolve_host,
    target,
)

TIMEOUT = 10.0  # seconds for all of an attempt
LONGEST_ANSWER = 4_096
"""Bytes of an answer to a challenge."""
USER_AGENT = "phaseledger-webhooks/1"


class AttemptResult(NamedTuple):
    """The outcome of an attempt."""

    status: int | None
    """The response's status; None where there was none."""
    reason: str
    """Why it failed, in a few words of our own; empty for a success."""
    ms: int

    @property
    def is_success(self) -> bool:
        """Whether the endpoint has accepted the message, by a 2xx status and its challenge."""
        return self.status is not None and 200 <= self.status < 300 and not self.reason

    @property
    def is_gone(self) -> bool:
        """Whether the endpoint wants no more messages, by status 410."""
        return self.status == 410


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

    async def require_allowed(self, url: str) -> None:
        """Check that messages may be sent to that URL. Raises Refused."""
        where = target(url, allow_private=self.allow_private)
        await permitted_address(where, allow_private=self.allow_private, resolve=self._resolve)

    async def post(
        self, url: str, headers: dict[str, str], body: bytes, challenge: str = ""
    ) -> AttemptResult:
        """Send the message once; where it has a challenge, the answer has to hold that."""
        began, status, reason = time.monotonic(), None, ""
        try:
            async with asyncio.timeout(TIMEOUT):
                status, is_answered = await self._post(url, headers, body, challenge)
            if 200 <= status < 300:
                reason = "" if is_answered else "its answer lacks the challenge"
            else:
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
        return AttemptResult(status, reason, round(1000 * (time.monotonic() - began)))

    async def _post(
        self, url: str, headers: dict[str, str], body: bytes, challenge: str
    ) -> tuple[int, bool]:
        """The response's status, and whether it answers the challenge, if there is one."""
        where = target(url, allow_private=self.allow_private)
        address = await permitted_address(
            where, allow_private=self.allow_private, resolve=self._resolve
        )
        parsed_url = httpx2.URL(url)
        request = self._client.build_request(
            "POST",
            parsed_url.copy_with(host=address, port=where.port),
            content=body,
            headers={
                **headers,
                "Host": parsed_url.netloc.decode("ascii"),
                "Content-Type": "application/json",
                "User-Agent": USER_AGENT,
                "Accept-Encoding": "identity",
                "Connection": "close",
            },
            # The certificate has to be the name's, not the address's.
            extensions={"sni_hostname": where.host},
        )
        # The response's body is not read, but for a challenge.
        response = await self._client.send(request, stream=True)
        try:
            answer = await _beginning(response) if challenge else b""
        finally:
            await response.aclose()
        return response.status_code, not challenge or _holds(answer, challenge)


async def _beginning(response: httpx2.Response) -> bytes:
    """The body as far as an answer to a challenge may be long; perhaps a little more."""
    answer = b""
    async for part in response.aiter_raw():
        answer += part
        if len(answer) > LONGEST_ANSWER:
            break
    return answer


def _holds(answer: bytes, challenge: str) -> bool:
    """Whether the body is the challenge, as plain text or as member of a JSON object."""
    if len(answer) > LONGEST_ANSWER:
        return False
    if answer.strip() == challenge.encode():
        return True
    try:
        value = msgspec.json.decode(answer)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return isinstance(value, dict) and value.get("challenge") == challenge
