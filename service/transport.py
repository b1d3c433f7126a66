"""What HTTP needs around the routes: strict JSON bodies, HEAD, entity tags, an access log."""

import re
import time
from functools import cache
from typing import Any

import msgspec
import structlog
from litestar import Request
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import trace
from service.problems import Fault, Refusal
from service.schemas import HouseRules

log = structlog.get_logger("phaseledger.access")


class BrokenOff(Exception):
    """An answer that had begun cannot be ended: the server has to close the connection."""


_TAG = re.compile(r'(?:W/)?"[^"]*"')


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401 - any body's type
    return msgspec.json.Decoder(shape)


def _decoded(body: bytes, shape: Any) -> Any:  # noqa: ANN401
    try:
        return _decoder(shape).decode(body)
    except msgspec.ValidationError:
        # JSON has one kind of number, and JSON Schema calls 6.0 an integer.
        return msgspec.convert(_with_integers(msgspec.json.decode(body)), shape)


def _with_integers(tree: Any) -> Any:  # noqa: ANN401
    if isinstance(tree, dict):
        return {key: _with_integers(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_with_integers(value) for value in tree]
    return int(tree) if isinstance(tree, float) and tree.is_integer() else tree


def _with_option(path: str, body: bytes) -> str:
    """The path with the name of the house rule that is at fault, which the decoder leaves out."""
    at = "$.options[...]"
    if not path.startswith(at):
        return path
    options = _with_integers(msgspec.json.decode(body))["options"]
    name = next((name for name, value in options.items() if not _is_rule(name, value)), "")
    return f"$.options.{name[:60]}{path.removeprefix(at)}"


def _is_rule(name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, HouseRules)
    except msgspec.ValidationError:
        return False
    return True


class StrictRequest(Request[Any, Any, Any]):
    """A request whose body is decoded at once into what its handler asks for.

    The framework would decode to plain objects and then convert leniently: "5" for 5, "true" for
    true, a deep nesting to an exception nobody handles.
    """

    async def json(self) -> Any:  # noqa: ANN401
        """The body, in the type of the handler's ``data``."""
        media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise Refusal("unsupported_media_type", media_type and f"not {media_type[:60]}")
        body = await self.body()
        field = self.route_handler.parsed_data_field
        assert field is not None
        try:
            return _decoded(body, field.annotation)
        except msgspec.ValidationError as wrong:
            reason, _, path = str(wrong).partition(" - at `")
            where = _with_option(path.rstrip("`"), body)
            told = f"{reason} - at `{where}`" if where else reason
            raise Refusal(
                "invalid_body", told, faults=(Fault("body", where or "$", reason),)
            ) from None
        except RecursionError:
            raise Refusal("malformed_json", "it is nested too deeply") from None
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as damage:
            raise Refusal("malformed_json", str(damage)) from None


def tag(version: int, seat: int | None = None) -> str:
    """The entity tag of a game at a version, as one seat or everybody else sees it."""
    return f'"{version}"' if seat is None else f'"{version}.{seat}"'


def is_known(if_none_match: str, current: str) -> bool:
    """Whether the client holds the current representation already (weak comparison)."""
    tags = {found.removeprefix("W/") for found in _TAG.findall(if_none_match)}
    return if_none_match.strip() == "*" or current in tags


def expected_versions(if_match: str, seat: int | None) -> frozenset[int] | None:
    """The versions that If-Match allows; None for any.

    A weak tag counts like a strong one: proxies that compress weaken tags, and what has to match
    here is the game's version, not the bytes of its table.
    """
    if if_match in ("", "*"):
        return None
    versions = set()
    for text in _TAG.findall(if_match):
        version, _, of_seat = text.removeprefix("W/").strip('"').partition(".")
        if version.isdigit() and of_seat in ("", str(seat)):
            versions.add(int(version[:18]))
    return frozenset(versions)


def with_all_methods(app: ASGIApp) -> ASGIApp:
    """Answer HEAD like GET without the body, and OPTIONS with what a path really allows.

    (The framework's own OPTIONS names the methods of a path's first handler only.)
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method == "HEAD":

            async def send_head(message: Message) -> None:
                if message["type"] == "http.response.body":
                    message["body"] = b""
                await send(message)

            await app({**scope, "method": "GET"}, receive, send_head)  # type: ignore[arg-type]
        elif method == "OPTIONS":
            allowed = False

            async def send_allowed(message: Message) -> None:
                nonlocal allowed
                if message["type"] == "http.response.start" and message["status"] == 405:
                    allowed = True
                    allow = [line for line in message["headers"] if line[0].lower() == b"allow"]
                    message["status"], message["headers"] = 204, allow
                elif message["type"] == "http.response.body" and allowed:
                    message["body"] = b""
                await send(message)

            # No path has TRACE, so its refusal lists what there is.
            await app({**scope, "method": "TRACE"}, receive, send_allowed)  # type: ignore[arg-type]
        else:
            await app(scope, receive, send)

    return answer


def with_access_log(app: ASGIApp) -> ASGIApp:
    """One line a request: no header, no query and no body, for those hold tokens and hands."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        method = scope.get("method")
        if method is None:
            await app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, send_noted)
        except Exception as bug:  # noqa: BLE001 - the server would write down what it says
            # A stream broke off, and the exception may name a card.
            log.error("answer broken off", path=scope["path"], **trace(bug.__cause__ or bug))  # noqa: TRY400
            raise BrokenOff from None
        finally:
            log.info(
                "request",
                method=method,
                path=scope["path"],
                status=status,
                ms=round(1000 * (time.perf_counter() - began), 2),
            )

    return answer
