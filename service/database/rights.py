"""Rights in the database: what the service's role and the projections' role may do there.

They are written down once: `migrate` grants them, and a service finds out which its role lacks.
Nothing is ever taken away, so that one role may have both parts, and one after the other. What no
part names is the owner's alone.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from phaseledger.projections import sql as views
from phaseledger.service import operations
from phaseledger.service.applications import store as applications
from phaseledger.service.credentials import store as credentials
from phaseledger.service.eventlog import write_probe
from phaseledger.service.eventlog.connection import Connection
from phaseledger.service.eventlog.errors import RightsMissing
from phaseledger.service.eventlog.migrations import SchemaError
from phaseledger.service.lobby import join_codes
from phaseledger.service.players import store as players
from phaseledger.service.settings import Settings
from phaseledger.service.signin import store as signin
from phaseledger.service.transparency import tree_sql
from phaseledger.service.webhooks import sql as webhooks

SERVICE, PROJECTIONS = "service", "projections"
"""The parts: to serve, which takes reading every table, and to keep the read models up."""

_EXECUTE = "EXECUTE"
RIGHTS: Mapping[str, Mapping[LiteralString, Sequence[str]]] = {
    SERVICE: {
        "INSERT": (
            *(*credentials.TABLES, *operations.TABLES, *join_codes.TABLES, "sealing_keys"),
            *applications.TABLES,
        ),
        "INSERT, UPDATE": applications.ENDED_TABLES,
        "INSERT, DELETE": credentials.PASSING_TABLES,
        "INSERT, UPDATE, DELETE": ("due_games", *players.TABLES, *signin.TABLES, *webhooks.TABLES),
        "INSERT (game, version, reason), UPDATE (voided_at, voided_by, void_reason)": (
            "set_aside_games",
        ),
        _EXECUTE: (
            *("append_events", "append_signed_events"),
            *(*tree_sql.GRANTED, *write_probe.GRANTED, *players.GRANTED),
        ),
    },
    PROJECTIONS: {
        "SELECT": (
            *("stored_events", "archived_games", "archived_events", "logged_events"),
            *("ledger_restorations", "migrations", "partition"),
        ),
        "SELECT, INSERT, UPDATE, DELETE, TRUNCATE": (
            *("notification_tracking", "restored_games", *views.TABLES.values()),
            *(f"rebuilt_{table}" for table in views.TABLES.values()),
        ),
    },
}
"""By part: what may be done to which tables and functions."""

_GRANTED = """
    SELECT rolname, 'service' FROM pg_proc CROSS JOIN aclexplode(proacl) AS acl
      JOIN pg_roles AS role ON role.oid = acl.grantee
      WHERE pronamespace = to_regnamespace(%(schema)s) AND proname = 'append_events'
        AND acl.grantee <> proowner
    UNION SELECT rolname, 'projections' FROM pg_class CROSS JOIN aclexplode(relacl) AS acl
      JOIN pg_roles AS role ON role.oid = acl.grantee
      WHERE relnamespace = to_regnamespace(%(schema)s) AND relname = 'games'
        AND acl.privilege_type = 'INSERT' AND acl.grantee <> relowner
"""
_LACKING = """
    WITH space AS (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s),
    tables AS (SELECT pg_class.oid, relname AS name FROM pg_class JOIN space
      ON relnamespace = space.oid WHERE relkind IN ('r', 'v')),
    needed AS (SELECT * FROM unnest(%(rights)s::text[], %(names)s::text[]) AS named (may, name)
      UNION SELECT 'SELECT', name FROM tables WHERE %(reads_all)s)
    SELECT 'USAGE on the schema' FROM space WHERE NOT has_schema_privilege(oid, 'USAGE')
    UNION ALL SELECT may || ' on ' || name FROM needed JOIN tables USING (name)
      WHERE NOT has_table_privilege(oid, may)
    UNION ALL SELECT 'EXECUTE on ' || proname FROM pg_proc JOIN space ON pronamespace = space.oid
      WHERE proname = ANY(%(functions)s) AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE')
"""


def parts_of(settings: Settings) -> Sequence[str]:
    """The parts that a service with the settings has."""
    return (SERVICE, PROJECTIONS) if settings.projections else (SERVICE,)


def granted(conn: psycopg.Connection, schema: str) -> dict[str, set[str]]:
    """The roles that have parts already, beside the owner of the tables."""
    roles: dict[str, set[str]] = {}
    for role, part in conn.execute(_GRANTED, {"schema": schema}):
        roles.setdefault(role, set()).add(part)
    return roles


def require_role(conn: psycopg.Connection, role: str) -> None:
    """Check that there is such a role. Raises SchemaError."""
    if role == "public":
        raise SchemaError("public is no role, but every user: create one (CREATE ROLE), name that.")
    roles = {name for (name,) in conn.execute("SELECT rolname FROM pg_roles")}
    if role not in roles:
        there_is = f" There is {role.lower()!r}." if role.lower() in roles else ""
        raise SchemaError(
            f"There is no database role {role!r}: create it (CREATE ROLE), then migrate again."
            f"{there_is}"
        )


def grant(conn: psycopg.Connection, schema: str, roles: Mapping[str, set[str]]) -> None:
    """Grant the roles their parts. The owner of the tables gets back what it may have lost."""
    space = Identifier(schema)
    query = "SELECT relname, pg_get_userbyid(relowner) FROM pg_class JOIN pg_namespace AS space "
    query += "ON relnamespace = space.oid WHERE nspname = %s"
    owners: dict[str, str] = dict(conn.execute(query, (schema,)).fetchall())
    for role, parts in roles.items():
        to = Identifier(role)
        if role == owners["stored_events"]:
            conn.execute(SQL("GRANT ALL ON ALL TABLES IN SCHEMA {} TO {}").format(space, to))
            continue
        conn.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(space, to))
        if SERVICE in parts:
            conn.execute(SQL("GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}").format(space, to))
        for right, names in ((r, n) for part in parts for r, n in RIGHTS[part].items()):
            kind = SQL("FUNCTION" if right == _EXECUTE else "TABLE")
            for name in names:
                if name in owners or right == _EXECUTE:
                    text = SQL("GRANT {} ON {} {} TO {}")
                    conn.execute(text.format(SQL(right), kind, Identifier(schema, name), to))


def _question(schema: str, part: str) -> dict[str, object]:
    """The parameters of the question what the current role lacks."""
    tables = [
        (may, name)
        for right, names in RIGHTS[part].items()
        if right != _EXECUTE and "(" not in right
        for may in right.split(", ")
        for name in names
    ]
    return {
        "schema": schema,
        "rights": [may for may, _ in tables],
        "names": [name for _, name in tables],
        "functions": list(RIGHTS[part].get(_EXECUTE, ())),
        "reads_all": part == SERVICE,
    }


def _sentence(role: str, parts: Sequence[str], part: str, lacking: Sequence[tuple[str]]) -> str:
    rights = ", ".join(right for (right,) in lacking[:3]) + (" and more" if lacking[3:] else "")
    flag = "application" if SERVICE in parts else "projection"
    choice = (
        " Where `phaseledger worker` keeps the read models up, set PHASELEDGER_PROJECTIONS=false."
        if part == PROJECTIONS and SERVICE in parts
        else ""
    )
    return (
        f"The database role {role!r} lacks rights ({rights}): as the owner of the tables run "
        f"`phaseledger admin migrate --{flag}-role {shlex.quote(role)}`.{choice}"
    )


def require_rights(conn: psycopg.Connection, schema: str, parts: Sequence[str]) -> None:
    """Check that the connection's role may do what the parts take. Raises SchemaError."""
    for part in parts:
        if lacking := _lacking(conn, schema, part):
            raise SchemaError(_sentence(conn.info.user, parts, part, lacking))


def is_worker(conn: psycopg.Connection, schema: str) -> bool:
    """Whether the connection's role keeps the read models up and was never meant to serve."""
    lacking = {right for (right,) in _lacking(conn, schema, SERVICE)}
    reads_all = not any(right.startswith("SELECT") for right in lacking)
    may_append = "EXECUTE on append_events" not in lacking
    return not (reads_all or may_append) and has_rights(conn, schema, PROJECTIONS)


def has_rights(conn: psycopg.Connection, schema: str, part: str) -> bool:
    """Whether the connection's role may do what the part takes."""
    return not _lacking(conn, schema, part)


def _lacking(conn: psycopg.Connection, schema: str, part: str) -> list[tuple[str]]:
    return conn.execute(_LACKING, _question(schema, part)).fetchall()


async def look_at_rights(conn: Connection, schema: str, parts: Sequence[str]) -> None:
    """Check the same while a service runs. Raises RightsMissing."""
    for part in parts:
        cursor = await conn.execute(_LACKING, _question(schema, part))
        if lacking := await cursor.fetchall():
            raise RightsMissing(_sentence(conn.info.user, parts, part, lacking), 60)
