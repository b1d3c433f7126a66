"""Sealing at rest: the hidden parts of stored events, encrypted under the operator's keys.

Only the ``hidden`` member is sealed: its value becomes a text ``s1.<key id>.<base64>`` of nonce and
ciphertext by AES-256-GCM (RFC 5116), bound to the game and the event's number. All else stays
readable: a reader of the table sees the public facts of a game, and nothing of live hands.
Unsealing restores the sealed bytes: hashes and proofs never see the seal.

A key is 32 bytes, written as 64 hex digits, one to a file ``NNNN-<id>.seal`` beside the signing
keys. All keys unseal, the last one seals.
"""

import binascii
import hmac
import re
import secrets
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from phaseledger.replay.formats import files
from phaseledger.replay.formats.text_files import read_text

AGAIN = 1.0  # seconds between two searches for a missing key
_NONCE = 12  # bytes
_FILE = re.compile(r"([0-9]{4,})-([0-9a-f]{8})\.seal")
_KEY = re.compile(r"[0-9a-f]{64}")
_SEALED = re.compile(rb"s1\.([0-9a-f]{8})\.([A-Za-z0-9+/]+={0,2})")
_HIDDEN, _OPEN, _AFTER = b'"hidden":"', b'"hidden":{', b',"prev":"'


class SealingError(Exception):
    """Keys are unavailable; the message gives the reason and the remedy, and repeats no key."""


class SealingKeyMissing(SealingError):
    """A value is sealed under a missing key."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"What is hidden is sealed under the key {key}, which is not here: put its file "
            f"(NNNN-{key}.seal) into the folder of keys (PHASELEDGER_KEYS_DIR, or where it is set "
            "PHASELEDGER_SEALING_DIR)."
        )
        self.key = key


def key_id(key: bytes) -> str:
    """The key's id: eight hex digits."""
    return sha256(b"phaseledger/sealing-key/v1\n" + key).hexdigest()[:8]


class SealingKeys:
    """Keys, of which the last one seals; without any, nothing is sealed. No ``repr`` shows them.

    A missing key is searched for in the ``folder``, since another process may have made it.
    """

    def __init__(self, keys: Iterable[bytes] = (), folder: Path | None = None) -> None:
        self._keys = tuple(keys)
        self._folder = folder
        self._looked_at = 0.0
        self._ciphers = {key_id(key): AESGCM(key) for key in self._keys}
        self.current = key_id(self._keys[-1]) if self._keys else ""
        """The id of the key that seals; empty without any."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The keys' ids, the oldest first."""
        return tuple(self._ciphers)

    def __repr__(self) -> str:
        return f"SealingKeys({', '.join(self.ids)})"

    def __reduce__(self) -> tuple[type["SealingKeys"], tuple[tuple[bytes, ...], Path | None]]:
        return SealingKeys, (self._keys, self._folder)

    def seal(self, value: bytes, context: bytes) -> bytes:
        """The value under the current key, bound to its context; unchanged without a key."""
        if not self.current:
            return value
        nonce = secrets.token_bytes(_NONCE)
        text = nonce + self._ciphers[self.current].encrypt(nonce, value, context)
        return b"s1.%s.%s" % (self.current.encode(), binascii.b2a_base64(text, newline=False))

    def unseal(self, value: bytes, context: bytes) -> bytes:
        """The value that was sealed; unsealed or damaged bytes are returned unchanged.

        Raises:
            SealingKeyMissing: it is sealed under a missing key.

        """
        sealed = _SEALED.fullmatch(value)
        if sealed is None:
            return value
        key = sealed[1].decode()
        if key not in self._ciphers:
            self._look_for(key)
        try:
            text = binascii.a2b_base64(sealed[2])
            return self._ciphers[key].decrypt(text[:_NONCE], text[_NONCE:], context)
        except (binascii.Error, InvalidTag, ValueError):
            return value

    def mac(self, value: bytes) -> str:
        """A code that binds the value, under the current key; empty where there is no key."""
        return self.seal(b"", value).decode()

    def is_mac(self, mac: str, value: bytes) -> bool:
        """Whether `mac` has given this code of the value, under a key that is here."""
        try:
            return mac != "" and self.unseal(mac.encode(), value) == b""
        except SealingKeyMissing:
            return False

    def tags(self, value: bytes) -> list[bytes]:
        """HMAC-SHA256 (RFC 2104) of the value under each key, the current one's first.

        For short secrets that have to be looked up: without a key no reader can try them all.
        """
        return [hmac.digest(key, value, "sha256") for key in reversed(self._keys)]

    def _look_for(self, key: str) -> None:
        """Take the key from the folder, which is searched once a second; or SealingKeyMissing."""
        if self._folder and time.monotonic() >= self._looked_at + AGAIN:
            self._looked_at = time.monotonic()
            for path in _files(self._folder):
                if path.stem.endswith(key):
                    self._ciphers[key] = AESGCM(_read(path))
        if key not in self._ciphers:
            raise SealingKeyMissing(key)

    def seal_event(self, game: object, version: int, stored: bytes) -> bytes:
        """The stored bytes of an event with its hidden part sealed under the current key."""
        begin = stored.find(_OPEN) if self.current else -1
        if begin < 0:
            return stored
        begin, end = begin + len(_OPEN) - 1, stored.rfind(_AFTER)
        sealed = self.seal(stored[begin:end], _event_context(game, version))
        return b'%b"%b"%b' % (stored[:begin], sealed, stored[end:])

    def unseal_event(self, game: object, version: int, stored: bytes) -> bytes:
        """The event's bytes before they were sealed; damaged ones unchanged.

        Raises:
            SealingKeyMissing: they are sealed under a missing key.

        """
        begin = stored.find(_HIDDEN)  # a quote inside a text is escaped, so this is the key
        if begin < 0:
            return stored
        begin += len(_HIDDEN)
        end = stored.find(b'"', begin)
        sealed = stored[begin:end]
        value = self.unseal(sealed, _event_context(game, version))
        return stored if value == sealed else stored[: begin - 1] + value + stored[end + 1 :]


NO_SEALING = SealingKeys()


def sealed_under(value: bytes) -> str:
    """The id of the key that sealed a value, or an event's hidden part; else empty."""
    begin = value.find(_HIDDEN)
    if begin >= 0:
        value = value[begin + len(_HIDDEN) : value.find(b'"', begin + len(_HIDDEN))]
    sealed = _SEALED.fullmatch(value)
    return sealed[1].decode() if sealed else ""


def _event_context(game: object, version: int) -> bytes:
    return f"phaseledger event\n{game}\n{version}".encode()


# --- folders of keys ------------------------------------------------------------------------------


def load(folder: Path | None) -> SealingKeys:
    """The keys of a folder; none without a folder, or where it is missing.

    Raises:
        SealingError: a key is damaged or open to other users.

    """
    keys = [_read(path) for path in _files(folder)] if folder else []
    return SealingKeys(dict.fromkeys(keys), folder)


def new(folder: Path) -> str:
    """Make a key in the folder, which seals from now on; returns its id. Raises SealingError."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with files.folder_lock(folder):
            names = [path.name for path in _files(folder)]
            number = int(names[-1].partition("-")[0]) + 1 if names else 1
            key = secrets.token_bytes(32)
            files.write(folder / f"{number:04}-{key_id(key)}.seal", f"{key.hex()}\n", 0o600)
            return key_id(key)
    except OSError as error:
        raise SealingError(f"{folder}: cannot be written: {error.strerror or error}.") from None


def _files(folder: Path) -> list[Path]:
    try:
        named = [path for path in folder.glob("*.seal") if _FILE.fullmatch(path.name)]
    except OSError as error:
        raise SealingError(f"{folder}: cannot be read: {error.strerror or error}.") from None
    return sorted(named, key=lambda path: (int(path.name.partition("-")[0]), path.name))


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_mode & 0o077:
            raise SealingError(f"{path}: open to other users; chmod 600 it.")
        words = read_text(path).split()
        if not all(map(_KEY.fullmatch, words)):
            raise SealingError(f"{path}: a sealing key is 64 digits 0-9, a-f.")
        (word,) = words
    except OSError as error:
        raise SealingError(f"{path}: {error.strerror or error}.") from None
    except ValueError:
        raise SealingError(f"{path}: holds no key, or several: restore it.") from None
    key = bytes.fromhex(word)
    if key_id(key) != path.stem[-8:]:
        raise SealingError(f"{path}: holds another key than its name says: restore it.")
    return key
