"""An asset of the pages as an answer: compressed as the client takes it, or unchanged."""

from typing import Any

from litestar import Response

from phaseledger.service.api.requests.etags import is_known
from phaseledger.service.api.requests.parameters import AnyRequest
from phaseledger.service.runtime.content_coding import coding_for
from phaseledger.service.web.assets import Asset

_FOR_EVER = "public, max-age=31536000, immutable"


def sent(
    request: AnyRequest,
    asset: Asset,
    media_type: str,
    if_none_match: str,
    policy: str,
    *,
    is_named: bool = False,
) -> Response[Any]:
    """The asset as far as the client has it not; kept for ever where its address names its hash."""
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": _FOR_EVER if is_named else "no-cache",
        "ETag": f'"{asset.digest}"',
        "Vary": "Accept-Encoding",
    }
    if is_known(if_none_match, f'"{asset.digest}"'):
        return Response(None, status_code=304, headers=headers)
    content = asset.plain
    if coding := coding_for(request.headers.get("accept-encoding", "")):
        content, headers = asset.compressed[coding], {**headers, "Content-Encoding": coding}
    return Response(content, media_type=media_type, headers=headers)
