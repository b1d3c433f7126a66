"""The operator's keyring, a folder apart from the database: a thief of one lacks the other.

``0001-<hash>.key`` is a private key, for its user alone, ``.pub`` beside it its verifier key. The
newest one signs receipts; all that are not retired sign checkpoints, so that auditors who know only
an old key can go on while they learn of the new one. Retiring a key puts ``.retired`` beside it and
deletes its private half. ``origin`` holds the name of the first key, which names the public log for
ever unless another is given.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from phaseledger.replay.formats import files
from phaseledger.replay.formats.signing.notes import (
    BadKey,
    SigningKey,
    VerifierKey,
    is_name,
    verifier_key,
)
from phaseledger.replay.formats.text_files import read_text

_FILE = re.compile(r"[0-9]{4,}-[0-9a-f]{8}")


class KeysError(Exception):
    """The folder of keys cannot be used; the message gives the reason and the remedy."""


class Keyring(NamedTuple):
    """The keys of one operator, oldest first: signing keys, and the public halves of others."""

    keys: tuple[SigningKey | VerifierKey, ...]
    origin: str = ""
    """The origin of its log; empty: the name of the oldest key."""

    @property
    def signers(self) -> tuple[SigningKey, ...]:
        """The keys that are not retired."""
        return tuple(key for key in self.keys if isinstance(key, SigningKey))

    @property
    def retired(self) -> tuple[VerifierKey, ...]:
        """The verifier keys of retired keys, which sign nothing any more."""
        return tuple(key for key in self.keys if isinstance(key, VerifierKey))

    @property
    def current(self) -> SigningKey:
        """The key that signs receipts."""
        return self.signers[-1]

    @property
    def public(self) -> tuple[VerifierKey, ...]:
        """All verifier keys, the retired ones included."""
        return tuple(key.public if isinstance(key, SigningKey) else key for key in self.keys)

    @property
    def log(self) -> str:
        """The origin (name) of the operator's public log, also when the first key is gone."""
        return self.origin or self.public[0].name


def fresh_name() -> str:
    """A random default name for a log."""
    return f"phaseledger-{secrets.token_hex(4)}"


def load(folder: Path) -> Keyring:
    """The keyring of a folder. A missing public half is written again.

    Raises:
        KeysError: no key can sign, or one is lost, damaged or open to other users.

    """
    keys = tuple(_key(folder, name) for name in _names(folder))
    if not any(isinstance(key, SigningKey) for key in keys):
        raise KeysError(
            f"{folder}: there is no key to sign with: `phaseledger admin keys new` makes one."
        )
    try:
        origin = read_text(folder / "origin").strip()
    except FileNotFoundError:
        origin = ""
    except (OSError, UnicodeError) as error:
        raise KeysError(f"{folder / 'origin'}: cannot be read ({error}).") from None
    if origin and not is_name(origin):
        raise KeysError(f"{folder / 'origin'}: holds no name of a log. Restore it from a backup.")
    return Keyring(keys, origin)


def new(folder: Path, name: str | None = None) -> SigningKey:
    """Make a key, which signs receipts from now on; its default name is the last key's.

    Raises:
        KeysError: the folder cannot be written, or the name is invalid.

    """
    with _locked(folder):
        return _new(folder, name)


def new_log(folder: Path, name: str) -> SigningKey:
    """Make a key with a name, which is the log's name from now on; older keys go on signing.

    Raises:
        KeysError: the folder cannot be written, or the name is invalid.

    """
    with _locked(folder):
        key = _new(folder, name)
        files.write(folder / "origin", f"{name}\n")
        return key


def load_or_new(folder: Path) -> tuple[Keyring, bool]:
    """The keyring of a folder, and whether its first key was made just now; raises KeysError.

    A folder that has a key need not be writable.
    """
    if _names(folder):
        return _with_origin(folder), False
    with _locked(folder):
        is_new = not _names(folder)
        if is_new:
            _new(folder, None)
        return load(folder), is_new


def _with_origin(folder: Path) -> Keyring:
    """The keyring; the log's origin is written, if possible, to a folder that lacks it."""
    keyring = load(folder)
    if not keyring.origin:
        with suppress(OSError):
            files.write(folder / "origin", f"{keyring.log}\n")
    return keyring


def retire(folder: Path, key_id: str) -> VerifierKey:
    """Delete the private half of a key, named by its id or its hash; returns its verifier key.

    A key whose private half is lost can be retired, too.

    Raises:
        KeysError: there is no such key, or it is the one that signs receipts.

    """
    with _locked(folder):
        names = _names(folder)
        retired = [name for name in names if _is_retired(folder, name)]
        for name in names:
            public = _public(folder, name)
            if key_id not in (public.id, public.hash.hex()):
                continue
            if name == [stem for stem in names if stem not in retired][-1]:
                raise KeysError("That key signs the receipts: make a new one before it is retired.")
            if name in retired and not (folder / f"{name}.key").exists():
                break
            files.write(folder / f"{name}.retired", "")
            (folder / f"{name}.key").unlink(missing_ok=True)
            files.sync(folder)
            return public
        # The argument is not repeated: it may be a private key.
        raise KeysError(
            f"{folder}: there is no such key that could be retired; `phaseledger admin keys show` "
            "lists them."
        )


def _names(folder: Path) -> list[str]:
    """The stems of the key files, in the order of their numbers; raises KeysError."""
    try:
        stems = {path.stem for path in folder.glob("*.*") if path.suffix in (".pub", ".key")}
    except OSError as error:
        raise KeysError(f"{folder}: cannot be read: {error.strerror or error}.") from None
    return sorted(filter(_FILE.fullmatch, stems), key=lambda name: (_number(name), name))


def _number(stem: str) -> int:
    return int(stem.partition("-")[0])


def _is_retired(folder: Path, name: str) -> bool:
    return (folder / f"{name}.retired").exists()


def _key(folder: Path, name: str) -> SigningKey | VerifierKey:
    public = _public(folder, name)
    if _is_retired(folder, name):
        return public
    private = folder / f"{name}.key"
    if not private.exists():
        raise KeysError(
            f"{private} is gone, but the key was not retired: restore it from a backup. If it is "
            "lost for good, run `phaseledger admin keys new`, then `phaseledger admin keys retire "
            f"{name[-8:]}`: auditors will see another key."
        )
    signer = _read(private)
    if signer.public != public or public.hash.hex() != name[-8:]:
        raise KeysError(f"{folder / name}.*: the two halves belong to different keys.")
    return signer


def _read(private: Path) -> SigningKey:
    try:
        if private.stat().st_mode & 0o077:
            raise KeysError(f"{private}: open to other users; chmod 600 it.")
        return SigningKey.parse(read_text(private))
    except (BadKey, UnicodeError) as error:
        raise KeysError(f"{private}: {error}.") from None
    except OSError as error:
        raise KeysError(f"{private}: {error.strerror or error}.") from None


def _public(folder: Path, name: str) -> VerifierKey:
    path = folder / f"{name}.pub"
    try:
        if not path.exists():
            files.write(path, f"{_read(folder / f'{name}.key').public}\n")
        return verifier_key(read_text(path).strip())
    except (BadKey, UnicodeError) as error:
        raise KeysError(f"{path}: {error}.") from None
    except OSError as error:
        raise KeysError(f"{path}: {error.strerror or error}.") from None


def _new(folder: Path, name: str | None) -> SigningKey:
    names = _names(folder)
    if name is None:
        name = _public(folder, names[-1]).name if names else fresh_name()
    if not is_name(name):
        raise KeysError("That is no name for a key: 1 to 200 visible ASCII characters, no +.")
    key = SigningKey.new(name)
    stem = f"{_number(names[-1]) + 1 if names else 1:04}-{key.public.hash.hex()}"
    if not names:
        files.write(folder / "origin", f"{name}\n")
    # The private half comes first: the public one can be made from it.
    files.write(folder / f"{stem}.key", key.text() + "\n", 0o600)
    files.write(folder / f"{stem}.pub", f"{key.public}\n")
    return key


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the exclusive lock of the folder, which is created if missing; raises KeysError."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with files.folder_lock(folder):
            yield
    except OSError as error:
        raise KeysError(f"{folder}: cannot be used: {error.strerror or error}.") from None
