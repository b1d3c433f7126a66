"""Tombstones of archived games, for a reader of a store's log."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg import Connection


def archive_file(conn: "Connection[Any]", schema: str, game: str) -> str:
    """The name of the game's archive file; empty where it is not archived."""
    from psycopg.sql import SQL, Identifier

    ((is_there,),) = conn.execute(
        "SELECT to_regclass(%s) IS NOT NULL", (f'"{schema}".archived_games',)
    ).fetchall()
    if not is_there:  # in an older store
        return ""
    query = SQL("SELECT file FROM {} WHERE game = %s").format(Identifier(schema, "archived_games"))
    rows = conn.execute(query, (game,)).fetchall()
    return str(rows[0][0]) if rows else ""
