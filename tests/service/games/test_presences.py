"""A seat says that it is there, and the service signs when it was told so."""

from typing import Any

import httpx2

from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.notes import verifier_key
from phaseledger.replay.formats.signing.presences import Presence, sign_present
from phaseledger.replay.formats.signing.receipts import is_genuine
from tests.support.service.api_tables import PERSON, Table, bearer

KEY = bytes(range(32))


def seated(client: httpx2.Client, key: str | None = None) -> Table:
    """A table with one seat taken."""
    opened = client.post("/games", json={"ruleset": "classic", "seats": [PERSON, PERSON]}).json()
    table = Table(client, opened["game"], opened["host_token"], {})
    body: dict[str, Any] = {"name": "Ann", "seat": 0} | ({"key": key} if key else {})
    table.tokens[0] = client.post(f"{table.path}/seats", json=body).json()["token"]
    return table


def head_of(client: httpx2.Client, table: Table) -> tuple[int, str]:
    view = client.get(table.path).json()
    return view["version"], view["head"]


def post_presence(client: httpx2.Client, table: Table, **body: Any) -> httpx2.Response:
    return client.post(f"{table.path}/presence", json=body, headers=bearer(table.tokens[0]))


def test_the_operator_signs_that_a_seat_was_there(client: httpx2.Client) -> None:
    table = seated(client)
    version, head = head_of(client, table)
    answer = post_presence(client, table, version=version, head=head)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    presence = Presence(**answer.json())
    assert (presence.seat, presence.seq, presence.leaf) == (0, version, head)
    (key,) = map(verifier_key, client.get("/log/keys").text.split())
    assert is_genuine(presence, key)
    assert head_of(client, table) == (version, head)  # it is no event


def test_a_seat_with_a_key_signs(client: httpx2.Client) -> None:
    table = seated(client, public_key(KEY))
    version, head = head_of(client, table)
    signature = sign_present(KEY, table.game, 0, head, version)
    assert (
        post_presence(client, table, version=version, head=head, signature=signature).status_code
        == 200
    )
    keyless = seated(client)
    for at, wrong in (
        (table, ""),
        (table, sign_present(KEY, table.game, 1, head, version)),
        (keyless, "ab" * 64),
    ):
        version, head = head_of(client, at)
        refused = post_presence(client, at, version=version, head=head, signature=wrong)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_signature")


def test_only_the_newest_event_is_confirmed(client: httpx2.Client) -> None:
    table = seated(client)
    version, head = head_of(client, table)
    for older in ({"version": 1}, {"head": "ab" * 32}):
        refused = post_presence(client, table, **{"version": version, "head": head, **older})
        assert (refused.status_code, refused.json()["code"]) == (412, "stale_version")
        assert refused.json()["version"] == version
