"""The pseudonym of an application's player."""

import base64
import hashlib
from uuid import UUID

PSEUDONYM_BYTES = 100 // 8 + 1
"""Of the hash: its first 100 bits are shown, as 20 letters of base32."""


def pseudonym_of(salt: bytes, application: UUID, player: str) -> str:
    """The name in the log of an application's player, as `schemas.players.PlayerInfo` says."""
    text = f"p10-player/v1\n{salt.hex()}\n{application}\n{player}"
    first = hashlib.sha256(text.encode()).digest()[:PSEUDONYM_BYTES]
    return f"player-{base64.b32encode(first).decode().lower()[:20]}"
