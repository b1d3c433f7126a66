"""Files that are there whole or not at all, for good: also after a power cut."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Put the text into the file, in the place of what it held; raises OSError.

    Of several writers at once one is the last, and none sees what another has half written.
    """
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "x", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make the folder's entries durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a folder that there is against everybody else who holds it so.

    Raises:
        BlockingIOError: somebody does, and there is to be no waiting.
        OSError: the folder cannot be written.

    """
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
