"""Looks at a game: which requests are answered, and what is refused of the others."""

from uuid import uuid4

import httpx2

from tests.support.service.api_tables import bearer, started

LONG = "x" * 1_001
TAGS = '"{tag}"'
LOOKS: list[tuple[dict[str, str], str, str, int, tuple[str, ...]]] = [
    # Headers, path, query, status, and the parameters at fault.
    ({}, "{game}", "", 200, ()),
    ({}, "{game}", "?", 200, ()),
    ({}, "{GAME}", "", 200, ()),
    ({}, "{game}", "?lang=de-AT", 200, ()),
    ({}, "{game}", "?lang=", 200, ()),
    ({}, "{game}", "?lang=en&at_least=1", 200, ()),
    ({}, "{game}", "?at_least=999999999", 200, ()),
    ({"If-None-Match": TAGS}, "{game}", "", 304, ()),
    ({"If-None-Match": "*"}, "{game}", "", 304, ()),
    ({"If-None-Match": 'W/"7", ' + TAGS}, "{game}", "", 304, ()),
    ({"If-None-Match": ""}, "{game}", "", 200, ()),
    ({"Last-Event-ID": ""}, "{game}", "", 200, ()),
    ({"If-None-Match": LONG}, "{game}", "", 400, ("if-none-match",)),
    ({"If-None-Match": LONG}, "{game}", "?at_least=x", 400, ("at_least", "if-none-match")),
    ({}, "{game}", f"?lang={LONG}", 400, ("lang",)),
    ({}, "{game}", "?at_least=-1", 400, ("at_least",)),
    ({}, "{game}", "?at_least=1.5", 400, ("at_least",)),
    ({}, "{game}", "?at_least=1&at_least=1", 400, ("at_least",)),
    ({}, "{game}", "?atleast=1", 400, ("atleast",)),
    ({"Host": "x/y"}, "{game}", "", 400, ()),
    ({"Authorization": "Basic abc"}, "{game}", "?at_least=x", 401, ()),
    ({"Authorization": "Bearer x"}, "{game}", "", 401, ()),
    ({}, "{plain}", "", 404, ()),
    ({}, "{other}", "", 404, ()),
]


def test_a_look_is_answered_or_refused_by_name(client: httpx2.Client) -> None:
    table = started(client)
    seat = {0: bearer(table.tokens[0]), 1: {}}
    for own in seat.values():
        tag = client.get(table.path, headers=own).headers["etag"].strip('"')
        for headers, path, query, status, names in LOOKS:
            spelled = path.format(
                game=table.game,
                GAME=table.game.upper(),
                plain=table.game.replace("-", ""),
                other=uuid4(),
            )
            given = {name: text.replace("{tag}", tag) for name, text in headers.items()}
            answer = client.get(f"/games/{spelled}{query}", headers={**own, **given})
            case = (headers, path, query, answer.text)
            assert answer.status_code == status, case
            if names:
                assert tuple(fault["name"] for fault in answer.json()["errors"]) == names, case
