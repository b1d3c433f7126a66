"""Files that are there whole or not at all, and what is no file."""

import os
from pathlib import Path

import pytest

from phaseledger.replay.formats import files


@pytest.mark.parametrize("before", [None, "older"])
def test_a_link_stays(before: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    if before:
        (folder / "file").write_text(before)
    files.write(tmp_path / "link", "newer", 0o600)

    assert (tmp_path / "link").is_symlink()
    assert (folder / "file").read_text() == "newer"
    assert (folder / "file").stat().st_mode & 0o777 == 0o600
    assert len([*folder.iterdir()]) == 1


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_is_written_to(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    handle = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write(tmp_path / name, "newer")
        read = os.read(handle, 99)
    finally:
        os.close(handle)

    assert (read, (tmp_path / "pipe").is_fifo()) == (b"newer", True)
    assert (tmp_path / "link").is_symlink()


def test_a_link_to_itself_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match="symbolic links"):
        files.write(tmp_path / "link", "newer")

    assert (tmp_path / "link").is_symlink()
