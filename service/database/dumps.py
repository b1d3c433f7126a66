"""Dumps of a schema, which a server of any supported major takes.

PostgreSQL's tools of one major write what servers of another refuse: `pg_dump` and `pg_restore` 17
set a parameter that 16 does not know, and some builds keep options of their own. None of that is
data. So a dump is restored from its statements, and statements that only tune something, or
grant rights to a role that is not there, may fail.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from phaseledger.replay.formats.records.source import DamagedSource, StoreUnreachable
from phaseledger.service.database import programs
from phaseledger.service.eventlog.connection import fitted
from phaseledger.service.eventlog.errors import OLDEST_SERVER

_ENTRY = re.compile(rb"-- (?:Data for )?Name: .*; Type: (.+?); Schema: ")
_TABLE = re.compile(rb"CREATE (?:UNLOGGED )?TABLE (\S+) \(\n")
_STORAGE = re.compile(rb"WITH \((.*)\);\n")
_COPY = re.compile(rb"COPY .* FROM stdin;\n")
_RIGHTS = re.compile(rb"(?:GRANT|REVOKE|ALTER DEFAULT PRIVILEGES) .*;\n")
_TUNING = re.compile(rb"(?:SET|ALTER TABLE (?:ONLY )?\S+ (?:ALTER COLUMN \S+ )?SET \().*;\n")
_ATTEMPT = b"""DO $attempt$ BEGIN %b
EXCEPTION WHEN undefined_object OR invalid_parameter_value OR syntax_error OR insufficient_privilege
  THEN RAISE %b USING MESSAGE = SQLERRM; END $attempt$;
"""


def take(dsn: str, schema: str, dump: Path) -> None:
    """Dump the schema, with the tools of the server's major, or else the next newer ones.

    Raises:
        StoreUnreachable: there are none, or `pg_dump` fails; the message says which.

    """
    with psycopg.connect(fitted(dsn)) as conn:
        major = conn.info.server_version // 10_000
    program = _tools("pg_dump", major)[0]
    parameters: dict[str, Any] = conninfo_to_dict(fitted(dsn))
    password = parameters.pop("password", None)  # which is to be in no list of processes
    options = ["--format=custom", "--no-owner", "--no-unlogged-table-data", f"--schema={schema}"]
    options += [f"--file={dump}", f"--dbname={make_conninfo(**parameters)}"]
    ended = subprocess.run(
        [program, *options],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **({"PGPASSWORD": str(password)} if password else {})},
        check=False,
    )
    if ended.returncode != 0:
        raise StoreUnreachable(f"pg_dump failed: {_in_line(ended.stderr.decode(errors='replace'))}")


def major_of(dump: Path) -> str:
    """The major of the server that the dump was taken from; raises DamagedSource."""
    with _pg_restore(dump, "--list") as listing:
        major = re.search(rb"Dumped from database version: (\d+)", listing.read())
    return major[1].decode() if major else ""


def load(dump: Path, dsn: str, *, acl: bool) -> list[str]:
    """Restore the dump into the database: all of it or nothing.

    With ``acl`` the rights of roles come along. Returns why statements were left out, in the
    server's words.

    Raises:
        DamagedSource: `pg_restore` cannot read the dump.
        StoreUnreachable: the database is away, or refuses it; the message has its words.

    """
    refusals = dict[str, None]()
    options = ["--file=-", "--no-owner", *([] if acl else ["--no-acl"])]
    try:
        with psycopg.connect(fitted(dsn)) as conn, _pg_restore(dump, *options) as script:
            conn.add_notice_handler(
                lambda notice: refusals.setdefault(notice.message_primary or "")
            )
            _run(conn, script)
    except psycopg.Error as error:
        raise StoreUnreachable(
            f"The database does not take the backup, and nothing is restored: "
            f"{_in_line(str(error))}"
        ) from None
    return list(refusals)


def _run(conn: psycopg.Connection, script: Iterable[bytes]) -> None:
    """Run what `pg_restore` writes for `psql`.

    Storage parameters of a table are set one by one, since one of them may be another major's.
    """
    lines, statements, kind, table = iter(script), list[bytes](), b"", b""
    for line in lines:
        if entry := _ENTRY.match(line):
            kind = entry[1]
        if kind == b"TABLE DATA" and _COPY.fullmatch(line):
            conn.execute(b"".join(statements))
            statements.clear()
            with conn.cursor() as cursor, cursor.copy(line) as copy:
                for row in takewhile(_is_row, lines):
                    copy.write(row)
            continue
        if made := _TABLE.fullmatch(line):
            table = made[1]
        if kind == b"FUNCTION":
            statements.append(line)
        elif storage := _STORAGE.fullmatch(line):
            changes = [
                b"ALTER TABLE %b SET (%b);" % (table, parameter)
                for parameter in storage[1].split(b", ")
            ]
            statements += [b";\n", *(_ATTEMPT % (change, b"WARNING") for change in changes)]
        elif _TUNING.fullmatch(line) or _RIGHTS.fullmatch(line):
            statements.append(_ATTEMPT % (line, b"WARNING" if kind else b"DEBUG"))
        elif not line.startswith(b"\\"):  # which is for psql
            statements.append(line)
    conn.execute(b"".join(statements))


def _is_row(line: bytes) -> bool:
    """Whether it is a whole row of a table, and not their end; a dump may be cut short."""
    return line != b"\\.\n" and line.endswith(b"\n")


@contextmanager
def _pg_restore(dump: Path, *options: str) -> Iterator[IO[bytes]]:
    """What the newest `pg_restore` here, which reads dumps of all before it, prints of the dump.

    Raises:
        DamagedSource: it cannot read the dump; at the end of the block.

    """
    program = _tools("pg_restore", OLDEST_SERVER)[-1]
    with subprocess.Popen(
        [program, *options, dump], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        yield process.stdout
        words = process.stderr.read().decode(errors="replace")
        if process.wait() != 0:
            raise DamagedSource(f"{dump} cannot be read by {program}: {_in_line(words)}")


def _tools(program: str, oldest: int) -> list[Path]:
    """The program of each installation of that major or a newer one, the oldest first."""
    fit = sorted(version for version in programs.versions(program) if version[0] >= oldest)
    if not fit:
        raise StoreUnreachable(
            f"No {program} of PostgreSQL {oldest} or newer is found, on PATH or in "
            f"{programs.DEBIAN / str(oldest) / 'bin'}: install one."
        )
    return [path for _, path in fit]


def _in_line(words: str) -> str:
    return " ".join(words.split()) or "it gave no reason."
