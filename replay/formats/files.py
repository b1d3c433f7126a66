"""Atomic, durable file writes and an exclusive lock on a folder (rename, fsync, flock).

A file is there in full or not at all, also after a power cut.
"""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path


def destination(path: Path) -> Path | None:
    """The regular file that a path resolves to through links, existing or not; raises OSError.

    A new file replaces the target of a link, not the link. None for a pipe, a terminal or a device:
    it is written in place, since a file in its place would take it from its other users.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    except FileNotFoundError:
        pass
    return path.resolve() if path.is_symlink() else path


def file_key(name: str | Path) -> object:
    """The key that all names of a file or folder share; ``-`` is a name of standard input."""
    try:
        with suppress(OSError):
            status = os.fstat(0) if str(name) == "-" else Path(name).stat()
            if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
                return status.st_dev, status.st_ino
        return os.path.realpath(name)
    except ValueError:  # a NUL in the name
        return str(name)


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace the file's content with the text, atomically and durably; raises OSError.

    Of several writers at once the last one wins, and no reader sees a half-written file.
    """
    target = destination(path)
    if target is None:
        path.write_text(text, encoding="utf-8")
        return
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        opener = partial(os.open, mode=mode)
        with open(temporary, "x", encoding="utf-8", opener=opener) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync(target.parent)


def sync(folder: Path) -> None:
    """Make the folder's entries durable (fsync); raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def folder_lock(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the exclusive lock of an existing folder for the block (flock on its ``.lock``).

    Raises:
        BlockingIOError: another process holds it, and ``wait`` is false.
        OSError: the folder cannot be written.

    """
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
