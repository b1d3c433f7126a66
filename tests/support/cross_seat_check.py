"""A check for schemathesis: no seat gets what belongs to another one of the same table.

Its own check of object-level authorisation looks for objects that one user has made, such as a
game; here two users share the game, and each has a view of it. schemathesis loads this file.
"""

import json
import os
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, Response

SEATS = os.environ["TWO_SEATS"].split()


@schemathesis.hook
def filter_headers(context: Any, headers: Any) -> bool:
    """No empty Last-Event-ID, which counts as none (HTML, 9.2.2), instead of one that is wrong."""
    return bool((headers or {}).get("Last-Event-ID", "1"))


@schemathesis.check
def each_seat_has_its_own_view(ctx: CheckContext, response: Response, case: Case) -> None:
    """Repeat a seat's read as the other seat, and as nobody."""
    bearer = _bearer(case.headers)
    if case.method != "GET" or response.status_code != 200 or bearer not in SEATS:
        return
    (other,) = (token for token in SEATS if token != bearer)
    mine, theirs, anybodys, repeated = (_content(case, t) for t in (bearer, other, "", bearer))
    if mine == theirs == repeated and _is_private(mine, anybodys):
        raise AssertionError(f"{case.path}: another seat's token gets what is not for everybody")


def _bearer(headers: Any) -> str:
    return str((headers or {}).get("Authorization", "")).removeprefix("Bearer ")


def _content(case: Case, token: str) -> str | None:
    named = {name: value for name, value in case.headers.items() if name != "Authorization"}
    asked = case.operation.Case(
        path_parameters=case.path_parameters,
        query=case.query,
        headers={**named, **({"Authorization": f"Bearer {token}"} if token else {})},
    )
    answer = asked.call()
    return answer.text if answer.status_code == 200 else None


def _is_private(mine: str | None, anybodys: str | None) -> bool:
    """Whether it says something to a seat that it does not say to everybody."""
    if anybodys is not None or mine is None:
        return mine != anybodys
    return any(isinstance(value, list) and value for value in json.loads(mine).values())
