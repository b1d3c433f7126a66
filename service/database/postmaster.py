"""The identity of a data directory's server process: its id, and where it works.

`postmaster.pid` names a process id. After a crash, or a restart of the machine or the container,
that id may belong to anybody: another program, or the server of another data directory. PostgreSQL
asks only whether a process of its own user has that id, and refuses to start if so. The right
question is where the process works: a server's working directory is its data directory.
"""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from phaseledger.service.database.waiting import Say

PID_FILES = ("postmaster.pid", ".s.PGSQL.5432.lock")
"""The files of a data directory that name its server's process, its own and its socket's."""
_PROC = Path("/proc")


def is_running(cluster: Path) -> bool:
    """Whether the process that `postmaster.pid` names lives and serves this data directory."""
    pid = _named_process(cluster / PID_FILES[0])
    return pid is not None and _works_in(pid, cluster)


def forget_stranger(cluster: Path, say: Say) -> None:
    """Remove the pid files that name a living process which is not this directory's server.

    Those that name nobody are left to PostgreSQL, which keeps a second server out by the memory
    that the first one's processes share, and finds that by the data directory too.
    """
    for name in PID_FILES:
        pid = _named_process(cluster / name)
        if pid is None or not _is_taken(pid) or _works_in(pid, cluster):
            continue
        with suppress(FileNotFoundError):
            (cluster / name).unlink()
            say(
                f"{cluster / name} was stale and is removed: it named process {pid}, which is not "
                "the server of this directory"
            )


def kill_orphans(cluster: Path) -> list[int]:
    """Kill the processes that a killed server has left in its data directory; returns their ids.

    They would keep the next server from starting until they notice, and a crash recovery follows
    in any case. Where there is no /proc they are waited for.
    """
    killed = []
    for entry in _PROC.glob("[0-9]*"):
        pid = int(entry.name)
        with suppress(OSError):
            if (entry / "comm").read_text().startswith("postgres") and _works_in(pid, cluster):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
    return killed


def _named_process(file: Path) -> int | None:
    try:
        return abs(int(file.read_text("ascii").split()[0]))  # negative in a server of a single user
    except (OSError, IndexError, ValueError):
        return None


def _is_taken(pid: int) -> bool:
    """Whether a process has the id, be it one that is dead and whose parent has not asked yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        return True
    return True


def _works_in(pid: int, cluster: Path) -> bool:
    """Whether the process lives and its working directory is this one."""
    try:
        return (_PROC / str(pid) / "cwd").samefile(cluster)
    except FileNotFoundError:
        if _PROC.joinpath("self").exists():
            return False  # no such process, or a dead one whose parent has not asked after it
    except OSError:  # a process of another user, which tells less of itself
        pass
    return str(cluster) in _command_line(pid)


def _command_line(pid: int) -> str:
    shown = subprocess.run(
        ["ps", "-o", "args=", "-p", str(pid)],  # noqa: S607
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return shown.stdout
