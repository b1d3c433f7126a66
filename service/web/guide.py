"""The site of the documents as it is sent: files of the folder that `python dev.py docs` fills."""

import base64
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import phaseledger

SITE = Path(phaseledger.__file__).with_name("site")
"""A wheel has it; a checkout has it once it was built."""
FRONT = "index.html"
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_TYPES = {".md": "text/markdown", ".txt": "text/plain", ".js": "text/javascript"}


class SiteFile(NamedTuple):
    """A file of the site, its media type, and the policy under which a browser shows it."""

    content: bytes
    media_type: str
    policy: str


def is_built() -> bool:
    """Whether the site is here."""
    return (SITE / FRONT).exists()


@cache
def site_file(name: str) -> SiteFile | None:
    """The file of that name, relative to the site; None if there is none."""
    file = (SITE / name).resolve()
    if not file.is_relative_to(SITE.resolve()) or file.name.startswith(".") or not file.is_file():
        return None
    content = file.read_bytes()
    media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return SiteFile(content, media_type or "application/octet-stream", _policy(content))


def _policy(content: bytes) -> str:
    """Everything from its own origin; of scripts in the page, what it was built with."""
    scripts = {base64.b64encode(hashlib.sha256(code).digest()) for code in _SCRIPT.findall(content)}
    hashes = "".join(f" 'sha256-{digest.decode()}'" for digest in sorted(scripts))
    return (
        f"default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
