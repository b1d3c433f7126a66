"""Web Push: the operator's key (RFC 8292), and messages that only one browser can read (RFC 8291).

Done with `cryptography`, which is here anyway: pywebpush would bring two more HTTP clients, which
resolve names without the look of `webhooks.egress`.
"""

import base64
import os
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing.keys import KeysError
from phaseledger.replay.formats.text_files import read_text

FILE = "web-push.pem"
"""The name of the key in the folder of the operator's keys."""
LONGEST = 1_024
"""Bytes of every message, which is filled up so that its length tells nothing."""
LASTS = 12 * 3_600  # seconds that a signature counts; a push service takes 24 hours at most
CURVE = ec.SECP256R1()


class PushKeys(NamedTuple):
    """What a browser gave to encrypt for it: the point of its public key, and a shared secret."""

    public: bytes
    auth: bytes


class SenderKey(NamedTuple):
    """The operator's key, by which push services know the sender, and how they reach a person."""

    private: ec.EllipticCurvePrivateKey
    contact: str

    @property
    def public(self) -> str:
        """The key as a browser takes it, `applicationServerKey`."""
        return encoded(_point(self.private))

    def authorization(self, url: str) -> str:
        """The value of the header Authorization for a request to the URL."""
        parts = urlsplit(url)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time.time()) + LASTS,
            "sub": self.contact,
        }
        header = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(encoded(msgspec.json.encode(part)) for part in (header, claims))
        signature = self.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        both = b"".join(number.to_bytes(32) for number in decode_dss_signature(signature))
        return f"vapid t={signed}.{encoded(both)}, k={self.public}"


def load_or_new(folder: Path, contact: str) -> SenderKey:
    """The sender's key of a folder, which is made when missing.

    Raises:
        KeysError: it cannot be read or made, or is no such key.

    """
    path = folder / FILE
    try:
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with files.folder_lock(folder):
                if not path.exists():
                    files.write(path, _pem(ec.generate_private_key(CURVE)), 0o600)
        private = serialization.load_pem_private_key(read_text(path).encode(), None)
    except (OSError, ValueError) as error:
        raise KeysError(f"{path}: cannot be used ({error}). Restore it from a backup.") from None
    if not isinstance(private, ec.EllipticCurvePrivateKey) or private.curve.name != CURVE.name:
        raise KeysError(f"{path}: holds no key for Web Push. Restore it from a backup.")
    return SenderKey(private, contact)


def encrypted(
    message: bytes,
    to: PushKeys,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    length: int = LONGEST,
) -> bytes:
    """The message as one record of `aes128gcm`; ``own`` and ``salt`` are fresh unless given.

    Raises ValueError where ``to`` is no point of the curve.
    """
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(16)
    point = _point(own)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.public)
    info = b"WebPush: info\0" + to.public + point
    secret = _derived(own.exchange(ec.ECDH(), theirs), to.auth, info, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    filled = (message + b"\2").ljust(length, b"\0")
    record = AESGCM(key).encrypt(nonce, filled, None)
    return salt + (4_096).to_bytes(4) + bytes([len(point)]) + point + record


def encoded(value: bytes) -> str:
    """The bytes in base64url without padding."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The bytes of a text in base64url without padding; raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, form)


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    form, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, form, none).decode()
