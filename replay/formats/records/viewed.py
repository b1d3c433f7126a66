"""Events in the viewer's form (docs/reference/format.md) to their stored form, seals checked."""

import msgspec
from msgspec import Struct

from phaseledger.domain.evidence.codec import is_canonical, salt_of, seal, seal_key
from phaseledger.domain.words import Phrase
from phaseledger.replay.formats.records.findings import Flaw


class _Viewed(Struct):
    """The members of the viewer's form that the stored form lacks, with ``seq`` and ``hidden``."""

    seq: int
    sealed: dict[str, str]
    hidden: dict[str, msgspec.Raw] = {}
    salts: dict[str, str] = {}


_decode_viewed = msgspec.json.Decoder(_Viewed).decode
_decode_secret = msgspec.json.Decoder(dict[str, str]).decode


def stored_form(
    line: bytes, game: str, topic: str, keys: dict[str, bytes]
) -> tuple[bytes, Flaw | None]:
    """The stored form of an event in the viewer's form, and the fault of its seals.

    ``keys`` has the key of each game's seals, once the server's secret was met.
    """
    try:
        viewed, canonical = _decode_viewed(line), is_canonical(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return line, Flaw("unreadable", f"{topic} in the viewer's form", str(error))
    if not canonical:
        return line, Flaw(
            "not_canonical", Phrase("evidence.canonical"), Phrase("evidence.canonical.not")
        )
    if game not in keys and "server" in viewed.hidden:
        secret = _server_secret(viewed.hidden["server"])
        if secret:
            keys[game] = seal_key(game, secret)
    flaw = _seal_flaw(viewed, keys.get(game))
    tree = msgspec.json.decode(line)
    del tree["sealed"]
    tree.pop("salts", None)
    return msgspec.json.encode(tree, order="sorted"), flaw


def _server_secret(hidden: msgspec.Raw) -> str:
    try:
        secret = _decode_secret(hidden).get("secret", "")
        return secret if bytes.fromhex(secret) else ""
    except ValueError:
        return ""


def _seal_flaw(viewed: _Viewed, key: bytes | None) -> Flaw | None:
    audiences = sorted({*viewed.sealed, *viewed.hidden, *viewed.salts})
    for audience in audiences:
        named = {"audience": repr(audience)}
        if audience not in viewed.sealed:
            expected = Phrase("evidence.seal.for", **named)
            return Flaw("broken_seal", expected, Phrase("evidence.seal.without"))
        if audience not in viewed.hidden or audience not in viewed.salts or key is None:
            expected, detail = (
                Phrase("evidence.seal.salted", **named),
                Phrase("evidence.seal.detail"),
            )
            return Flaw("sealed", expected, Phrase("evidence.seal.only"), detail)
        salt, recorded = salt_of(key, viewed.seq, audience), viewed.salts[audience]
        if recorded != salt.hex():
            detail = Phrase("evidence.seal.salt_of", **named)
            return Flaw("broken_seal", salt.hex(), recorded, detail)
        computed, recorded = seal(salt, bytes(viewed.hidden[audience])), viewed.sealed[audience]
        if recorded != computed:
            detail = Phrase("evidence.seal.seal_of", **named)
            return Flaw("broken_seal", computed, recorded, detail)
    return None
