"""The operator's keys: a folder apart from the database, so that whoever has one lacks the other.

``0001-<hash>.key`` is a private key, for its user alone, ``.pub`` beside it its verifier key.
The newest one signs receipts; all that are not retired sign checkpoints, so that auditors who know
an old key only can go on while they learn of the new one. Retiring a key deletes its private half.
"""

import fcntl
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from replay import durable
from replay.notes import BadKey, SigningKey, VerifierKey, is_name, verifier_key

_FILE = re.compile(r"[0-9]{4,}-[0-9a-f]{8}")


class KeysError(Exception):
    """The folder of keys cannot be used; the message says why and what to do."""


class Keyring(NamedTuple):
    """The keys of one operator, oldest first."""

    signers: tuple[SigningKey, ...]
    retired: tuple[VerifierKey, ...] = ()

    @property
    def current(self) -> SigningKey:
        """The key that signs receipts."""
        return self.signers[-1]

    @property
    def public(self) -> tuple[VerifierKey, ...]:
        """All verifier keys, the retired ones included."""
        return (*self.retired, *(key.public for key in self.signers))


def fresh_name() -> str:
    """A name for a log that nobody has named."""
    return f"phaseledger-{secrets.token_hex(4)}"


def load(folder: Path) -> Keyring:
    """The keys of a folder.

    Raises:
        KeysError: there is none, or one is damaged or open to other users.

    """
    try:
        names = sorted(path.stem for path in folder.glob("*.pub") if _FILE.fullmatch(path.stem))
    except OSError as error:
        raise KeysError(f"{folder}: cannot be read: {error.strerror or error}.") from None
    signers, retired = [], []
    for name in sorted(names, key=_number):
        public, private = folder / f"{name}.pub", folder / f"{name}.key"
        try:
            key = verifier_key(public.read_text().strip())
            if not private.exists():
                retired.append(key)
                continue
            if private.stat().st_mode & 0o077:
                raise KeysError(f"{private}: open to other users; chmod 600 it.")
            signer = SigningKey.parse(private.read_text())
        except (BadKey, UnicodeDecodeError) as damage:
            raise KeysError(f"{folder / name}.*: {damage}.") from None
        except OSError as error:
            raise KeysError(f"{folder / name}.*: {error.strerror or error}.") from None
        if signer.public != key:
            raise KeysError(f"{folder / name}.*: the two halves belong to different keys.")
        signers.append(signer)
    if not signers:
        raise KeysError(
            f"{folder}: there is no key to sign with: `phaseledger keys new` makes one."
        )
    return Keyring(tuple(signers), tuple(retired))


def new(folder: Path, name: str | None = None) -> SigningKey:
    """Make a key; it becomes the one that signs receipts. It bears the name of the one before.

    Raises:
        KeysError: the folder cannot be written, or the name is none.

    """
    with _locked(folder):
        return _new(folder, name)


def load_or_new(folder: Path) -> tuple[Keyring, bool]:
    """The keys of a folder, and whether the first was made just now; raises KeysError.

    A folder that has one need not be writable.
    """
    if _names(folder):
        return load(folder), False
    with _locked(folder):
        made = not _names(folder)
        if made:
            _new(folder, None)
        return load(folder), made


def retire(folder: Path, which: str) -> VerifierKey:
    """Delete the private half of a key, named by its id or its hash; returns the public one.

    Raises:
        KeysError: there is no such key, or it is the one that signs receipts.

    """
    with _locked(folder):
        ring = load(folder)
        for signer in ring.signers[:-1]:
            if which in (signer.public.id, signer.public.hash.hex()):
                (path,) = folder.glob(f"*-{signer.public.hash.hex()}.key")
                path.unlink()
                durable.sync(folder)
                return signer.public
        newest = ring.current.public
        if which in (newest.id, newest.hash.hex()):
            raise KeysError("That key signs the receipts: make a new one before it is retired.")
        raise KeysError(f"{folder}: there is no key {which} that could be retired.")


def _names(folder: Path) -> list[str]:
    return [path.stem for path in folder.glob("*.pub") if _FILE.fullmatch(path.stem)]


def _number(stem: str) -> int:
    return int(stem.partition("-")[0])


def _new(folder: Path, name: str | None) -> SigningKey:
    names = sorted(_names(folder), key=_number)
    if name is None:
        name = _name_in(folder / f"{names[-1]}.pub") if names else fresh_name()
    if not is_name(name):
        raise KeysError(f"{name!r} is no name for a key: 1 to 200 visible ASCII characters, no +.")
    key = SigningKey.new(name)
    stem = f"{_number(names[-1]) + 1 if names else 1:04}-{key.public.hash.hex()}"
    # The public half comes last: only with it does the key count.
    durable.write(folder / f"{stem}.key", key.text() + "\n", 0o600)
    durable.write(folder / f"{stem}.pub", f"{key.public}\n")
    return key


def _name_in(public: Path) -> str:
    try:
        return verifier_key(public.read_text().strip()).name
    except (BadKey, UnicodeDecodeError) as damage:
        raise KeysError(f"{public}: {damage}.") from None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be, against other processes."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise KeysError(f"{folder}: cannot be used: {error.strerror or error}.") from None
