"""Who may do what: every operation asked by everybody who could ask, over a running game.

The columns are callers; the rows are written by `MATRIX=write pytest tests/contract`, and read by
people: what stands there is the status that each caller gets.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import httpx2

from phaseledger.service.credentials.store import Credentials
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.settings import Settings
from tests.support.openapi_operations import Operation
from tests.support.replay.log_edits import short_game
from tests.support.service.applications import made
from tests.support.service.oidc_issuer import OidcIssuer
from tests.support.service.push_service import DEVICE, SUBSCRIPTION

CALLERS = (
    "anonymous",
    "spectator",
    "own seat",
    "other seat",
    "other game",
    "host",
    "revoked",
    "expired",
    "application",
    "other application",
    "player",
    "other player",
)
"""``anonymous`` and ``spectator`` have no token, the latter where the terms let nobody watch; the
first application has opened the table. The players have signed in, and both ask for the first."""
PLAYERS = CALLERS[-2:]
ENDING = ("erasePlayer", "signOut")
"""Operations that end a session, which are asked with one of their own."""
NOBODY = "http://127.0.0.1:9/"
"""Where webhooks go."""
CHANGED = "changed"
"""The player that is named and erased; the other one stays the application's alone."""
HEAD = "operation"
PERSON = {"kind": "person"}
STAGES = {
    **dict.fromkeys(("takeSeat", "fillSeats"), "open"),
    "joinByCode": "private",
    **dict.fromkeys(("startGame", "kickSeat"), "full"),
    "openRematch": "over",
    "turnClock": "test",
}
"""The operations that are asked before the start, or after the end; all others during play."""


class Asked(NamedTuple):
    """A game, and the tokens of all who may ask about it but those who have none."""

    values: dict[str, str]
    tokens: dict[str, str]


BODIES: dict[str, Any] = {
    "openGame": {"ruleset": "classic", "seats": [{"kind": "person"}, {"kind": "bot"}]},
    "takeSeat": {"name": "Late"},
    "voidGame": {"reason": "The club closes."},
    "sendCommand": {"type": "draw"},
    "readRuleSheet": {},
    "checkCards": {"type": "lay", "phase": 1, "groups": [{"cards": "R1 R1 R1"}] * 2},
    "cosignCheckpoint": {"note": "nobody's"},
    "fillSeats": {},
    "openRematch": {},
    "sendReaction": {"reaction": "thanks"},
    "claimTimeOut": {},
    "turnClock": {"seconds": 60},
    "confirmPresence": {"version": 1, "head": "0" * 64},
    "readReplay": b"".join(line + b"\n" for line in short_game()),
    "issueToken": {},
    "putPlayer": {"name": "Changed"},
    "registerWebhook": {"url": NOBODY},
    "registerWebhookOfApplication": {"url": NOBODY},
    "rotateSecret": {},
    "rotateSecretOfApplication": {},
    "subscribeToNotices": SUBSCRIPTION,
}
"""What is sent with each operation that takes a body."""
QUERIES: dict[str, dict[str, Any]] = {
    "getRatings": {"ruleset": "classic", "seats": 3},
    "proveInclusion": {"seq": 1},
    "proveConsistency": {"first": 1, "second": 1},
    "getRatingHistory": {"ruleset": "classic", "seats": 2},
    "getNames": {"of": f"player-{'a' * 20}"},
}


def asked_by(
    operation: Operation, caller: str, game: Asked, client: httpx2.Client
) -> httpx2.Response:
    """The answer of the operation to one caller."""
    token = game.tokens.get(caller)
    query = dict(QUERIES.get(operation.name, {}))
    if operation.name == "proveInclusion":
        query["game"] = game.values["game"]
    if caller == "other game":  # its token is remembered, as that of its own game
        assert client.get(f"/v1{game.values['elsewhere']}", headers=_bearer(token)).is_success
    body, values = BODIES.get(operation.name), game.values
    if operation.name in ("erasePlayer", "putPlayer"):
        values = {**values, "player": CHANGED}
    if caller in PLAYERS:
        values = {**values, "player": "me" if caller == "player" else values["signed in"]}
    if caller in PLAYERS and operation.name in ENDING:
        leaving = id_token_of(game.values["issuer"], f"{caller} who leaves")
        token = _post(client, "/sign-in", id_token=leaving)["token"]
    if operation.name == "signIn":
        body = {"id_token": id_token_of(game.values["issuer"], "another")}
    if "/application/" in operation.path:
        deletes = operation.name == "deleteWebhookOfApplication"
        values = {**values, "hook": values["gone" if deletes else "kept"]}
    if operation.name == "joinByCode":
        body = {"name": "Late", "code": game.values["join"]}
    return operation.request(client, values, body=body, params=query, headers=_bearer(token))


def other_game(client: httpx2.Client) -> tuple[str, str]:
    """The path of another game, and the token of a seat in it."""
    opened = _post(client, "/games", ruleset="classic", seats=[PERSON] * 2)
    path = f"/games/{opened['game']}"
    return path, _post(client, f"{path}/seats", name="Stranger")["token"]


def set_up(
    client: httpx2.Client,
    settings: Settings,
    stage: str,
    callers: Sequence[str],
    elsewhere: tuple[str, str],
    *,
    hooked: bool,
    **terms: Any,
) -> Asked:
    """A game and the tokens of these callers; the own seat is the one asked to move, if one is.

    ``elsewhere`` is the path of another game and the token of a seat in it. A ``hooked`` game has a
    webhook: an address may register a few a minute.
    """
    owner, other = made(settings), made(settings)
    for player in ("ada", CHANGED):
        named = {"json": {"name": player}, "headers": _bearer(owner)}
        client.put(f"/v1/players/{player}", **named).raise_for_status()
    table = {"ruleset": "classic", "seats": [PERSON] * 3, "dealer": 2, "terms": terms}
    if stage == "test":
        table |= {"test": {}, "terms": {**terms, "clock": {"seconds": 60}}}
    opened = _post(client, "/games", owner, **table)
    path, people = f"/games/{opened['game']}", 2 if stage in ("open", "private") else 3
    code = {"code": opened["code"]} if opened.get("code") else {}
    names = [f"Seat {n}" for n in range(people)]
    tokens = [_post(client, f"{path}/seats", name=name, **code)["token"] for name in names]
    mover = 0
    if stage in ("play", "over", "test"):
        _post(client, f"{path}/start", opened["host_token"])
        mover = client.get(f"/v1{path}", headers=_bearer(tokens[0])).json()["table"]["waits"][0][
            "seat"
        ]
    if stage == "over":
        _post(client, f"{path}/void", opened["host_token"], reason="The club closes.")
    hook = (
        _post(client, f"{path}/webhooks", opened["host_token"], url=NOBODY)["id"] if hooked else ""
    )
    gone, kept = (_post(client, "/application/webhooks", owner, url=NOBODY)["id"] for _ in range(2))
    path_elsewhere, foreign = elsewhere
    dead = {"revoked": "", "expired": ""}
    if not dead.keys().isdisjoint(callers):
        dead = asyncio.run(_dead(settings, UUID(opened["game"]), mover))
    values = {
        "game": opened["game"],
        "name": "classic",
        "code": "must_draw",
        "hook": hook,
        "gone": gone,
        "kept": kept,
        "device": DEVICE,
        "rule": "C-30",
        "player": "ada",
        "elsewhere": path_elsewhere,
    }
    signed = {
        caller: _post(client, "/sign-in", id_token=id_token_of(settings.oidc_issuer, caller))
        for caller in PLAYERS
    }
    values |= {"issuer": settings.oidc_issuer, "signed in": signed["player"]["player"]["id"]}
    values |= {"seq": "1", "number": str(mover), "join": opened.get("code") or ""}
    return Asked(
        values,
        {
            "own seat": tokens[mover],
            "other seat": tokens[(mover + 1) % people],
            "other game": foreign,
            "host": opened["host_token"],
            "application": owner,
            "other application": other,
            **{caller: answer["token"] for caller, answer in signed.items()},
            **dead,
        },
    )


def id_token_of(issuer: str, person: str) -> str:
    """An ID token of the issuer for a person of that name."""
    return OidcIssuer(issuer).id_token(sub=person, preferred_username=person)


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _post(client: httpx2.Client, path: str, token: str = "", **body: Any) -> dict[str, Any]:
    answer = client.post(f"/v1{path}", json=body or None, headers=_bearer(token))
    assert answer.is_success, answer.text
    decoded: dict[str, Any] = answer.json()
    return decoded


async def _dead(settings: Settings, game: UUID, seat: int) -> dict[str, str]:
    """Tokens of the seat that count no more: one revoked, one that has expired."""
    where = {"schema": settings.schema}
    lasting = Credentials(settings.database_url, **where)
    brief = Credentials(settings.database_url, lifetime=0.001, **where)
    await lasting.open()
    await brief.open()
    try:
        revoked, expired = await lasting.issue(game, seat), await brief.issue(game, seat)
        assert await lasting.revoke_token(public_id(digest(revoked)))
        await asyncio.sleep(0.002)
    finally:
        await lasting.close()
        await brief.close()
    return {"revoked": revoked, "expired": expired}


def written(rows: dict[str, dict[str, str]]) -> str:
    """The table as it is committed."""
    lines = [[HEAD, *CALLERS], *([name, *row.values()] for name, row in sorted(rows.items()))]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )
