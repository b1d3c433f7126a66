"""Files that are there whole or not at all, for good: also after a power cut."""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def destination(path: Path) -> Path | None:
    """The file that the name leads to through links, there already or not; raises OSError.

    A new one is put in its place, and not in that of a link. None where that is no file: a pipe, a
    terminal or a device is to be written to, since whoever else uses it would lose it.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    except FileNotFoundError:
        pass
    return path.resolve() if path.is_symlink() else path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Put the text into the file, in the place of what it held; raises OSError.

    Of several writers at once one is the last, and none sees what another has half written.
    """
    place = destination(path)
    if place is None:
        path.write_text(text)
        return
    part = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "x", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync(place.parent)


def sync(folder: Path) -> None:
    """Make the folder's entries durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def folder_lock(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a folder that there is against everybody else who holds it so.

    Raises:
        BlockingIOError: somebody does, and there is to be no waiting.
        OSError: the folder cannot be written.

    """
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
