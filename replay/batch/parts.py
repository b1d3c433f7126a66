"""Data that is too large for a scheduler, passed between this process and the workers of a cluster
as parts: files in a folder that all of them see.

A part is written under another name and renamed, so that it is there in full or not at all; two
workers that write the same part leave the same bytes. The folder belongs to one run and is removed
with it; the next run removes the folder of a killed one.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from phaseledger.replay.batch.results import writing
from phaseledger.replay.formats import files
from phaseledger.replay.terminal import UsageError

PREFIX = ".phaseledger-parts-"
"""The beginning of such a folder's name."""


@contextmanager
def parts_folder() -> Iterator[Path]:
    """A folder for the parts of a run, in the current folder, which all workers see.

    Raises:
        UnwritableError: it cannot be created.

    """
    home = Path.cwd()
    with writing(home):
        _remove_abandoned(home)
    while True:
        with writing(home):
            folder = Path(mkdtemp(prefix=PREFIX, dir=home))
        # Until it is locked, another run may take it for abandoned.
        with suppress(FileNotFoundError), files.folder_lock(folder):
            if folder.exists():
                try:
                    yield folder
                finally:
                    rmtree(folder, ignore_errors=True)
                return


def _remove_abandoned(home: Path) -> None:
    for folder in home.glob(f"{PREFIX}*"):
        with suppress(OSError), files.folder_lock(folder, wait=False):
            rmtree(folder, ignore_errors=True)


def write_part(folder: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write a part; raises UnwritableError."""
    with writing(folder):
        temporary = folder / f".{secrets.token_hex(8)}"
        with temporary.open("xb") as file:
            file.writelines(pieces)
        temporary.replace(folder / name)


def read_part_file(folder: Path, name: str) -> bytes:
    """The content of a part; raises UsageError where it cannot be seen."""
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{folder / name}: a part that was written there cannot be read: {error.strerror}. Run "
            "the command in a folder that all workers of the cluster share."
        ) from None


def remove_part(folder: Path, name: str) -> None:
    """Remove a part that is not needed any more."""
    (folder / name).unlink(missing_ok=True)
