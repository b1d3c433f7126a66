"""Another application's private things are like absent ones, whatever is asked, by whomever.

Each probe asks twice: for what the application has, and for what nobody has. The probes come of the
description: every operation that names a game, a webhook, a device or a player, by every kind of
caller that has nothing to do with the application. The plain suite takes a sample.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import pytest

from phaseledger.service.applications.store import Applications
from phaseledger.service.credentials.tokens import digest, public_id
from phaseledger.service.settings import Settings
from tests.contract.matrix import BODIES, CALLERS, QUERIES, Asked, other_game, set_up
from tests.support.campaigns import sampled
from tests.support.openapi_operations import Description, Operation, operations
from tests.support.polling import eventually
from tests.support.service.api_tables import bearer
from tests.support.service.applications import done, made

STAGES = ("private", "full", "play", "over")
HIDDEN = {"private": True, "spectators": "none"}
VARIED = ("{game}", "{hook}", "{device}", "{player}")
THEIRS, NOBODY = "zq8", "xq7"
"""A player of the application that is asked about, and of none; `set_up` names others."""
WRONG_CODE = "AAAA-AAAA"
MADE = re.compile('"(pseudonym|salt)":"[^"]+"|"made_at":[0-9]+')
"""What a player gets once, by chance or by the time."""
VOLATILE = ("date", "x-request-id", "content-length")
Answer = tuple[int, bytes, list[tuple[str, str]]]


class Probe(NamedTuple):
    """What is asked by whom, with the values of what exists and of what does not."""

    operation: Operation
    caller: str
    theirs: Mapping[str, str]
    absent: Mapping[str, str]
    body: Any

    def __str__(self) -> str:
        return f"{self.operation.name} by {self.caller}: {self.body}"


class World(NamedTuple):
    """The tables of the application that is asked about, and of one that asks."""

    client: httpx2.Client
    theirs: list[Asked]
    own: Asked
    callers: dict[str, dict[str, str]]
    """The headers of callers that have nothing to do with the former."""


def unrelated(client: httpx2.Client, settings: Settings, own: Asked) -> dict[str, dict[str, str]]:
    """The headers of every kind of caller, but for those of the table and its application."""
    whole = own.tokens["application"]
    table, stranger = other_game(client)
    client.post(f"/v1{table}/leave", headers=bearer(stranger)).raise_for_status()
    tokens = {caller: own.tokens[caller] for caller in CALLERS[2:]}
    tokens |= {
        f"key to {s}": made(settings, scopes=(s,)) for s in ("open", "seat", "read", "erase")
    }
    tokens |= {
        "seat that was left": stranger,
        "key that was revoked": revoked(settings),
        "key mistyped": whole[:-1] + ("0" if whole[-1] != "0" else "1"),
        "seat mistyped": stranger[:-1] + ("0" if stranger[-1] != "0" else "1"),
        "no token": "p10",
    }
    schemes = {"another scheme": f"Basic {whole}", "small letters": f"bearer  {whole}"}
    shown = {caller: bearer(token) for caller, token in tokens.items()}
    shown |= {caller: {"Authorization": value} for caller, value in schemes.items()}
    return {"anonymous": {}, **shown}


def revoked(settings: Settings) -> str:
    """The key of an application, ended."""
    key = made(settings)

    async def revoke() -> None:
        async with Applications(settings.database_url, schema=settings.schema) as store:
            await store.revoke(public_id(digest(key)))

    asyncio.run(revoke())
    return key


@pytest.fixture
def world(client: httpx2.Client, settings: Settings) -> World:
    elsewhere = other_game(client)
    own = set_up(client, settings, "open", CALLERS, elsewhere, hooked=True)
    theirs = [
        set_up(client, settings, stage, ("host",), elsewhere, hooked=True, **HIDDEN)
        for stage in STAGES
    ]
    for table in theirs:
        table.values["player"] = THEIRS
        key = bearer(table.tokens["application"])
        done(client.put(f"/v1/players/{THEIRS}", json={"name": "Zoe"}, headers=key))
    for table in theirs:  # from here on the service has them in its caches
        for caller in ("own seat", "host", "application"):
            path = f"/v1/games/{table.values['game']}"
            done(client.get(path, headers=bearer(table.tokens[caller])))
    return World(client, theirs, own, unrelated(client, settings, own))


def probes(world: World, description: Description) -> Iterator[Probe]:
    """Every probe there is."""
    named = operations(description)
    of_things = [
        operation
        for operation in named.values()
        if any(part in operation.path for part in VARIED) or operation.name == "proveInclusion"
    ]
    nothing = {name: str(uuid4()) for name in ("game", "hook", "device")} | {"player": NOBODY}
    for table, operation, caller in product(world.theirs, of_things, world.callers):
        theirs = table.values
        if "/application/" in operation.path:
            theirs = {**theirs, "hook": theirs["kept"]}
        for body in bodies(operation):
            yield Probe(operation, caller, theirs, {**theirs, **nothing}, body)
    own = world.own.values
    pairs = [(own | {"hook": table.values["hook"]}, own | nothing) for table in world.theirs]
    pairs = [(real, {**own, "hook": unreal["hook"]}) for real, unreal in pairs]
    for (real, unreal), name in product(pairs, ("getWebhook", "deleteWebhook")):
        yield Probe(named[name], "host", real, unreal, None)
    seat = {"kind": "person", "player": "{player}"}
    opening = {"ruleset": "classic", "seats": [seat, {"kind": "bot"}]}
    of_players = {"openGame": opening, "takeSeat": {"player": "{player}"}}
    of_players |= {"issueToken": {"player": "{player}"}}
    theirs, absent = ({**own, "player": player} for player in (THEIRS, NOBODY))
    for (name, body), caller in product(of_players.items(), world.callers):
        yield Probe(named[name], caller, theirs, absent, body)


def bodies(operation: Operation) -> Iterator[Any]:
    """What is sent with the operation."""
    yield BODIES.get(operation.name) if operation.name != "putPlayer" else {"name": "{player}"}
    if operation.name == "takeSeat":
        yield {"name": "Late", "code": WRONG_CODE}
    if operation.name in ("takeSeat", "issueToken"):
        yield from ({"player": player} for player in ("{player}", "ada"))


def filled(body: Any, values: Mapping[str, str]) -> Any:
    """The body with the values in the places of their names."""
    if isinstance(body, dict):
        return {name: filled(part, values) for name, part in body.items()}
    if isinstance(body, list):
        return [filled(part, values) for part in body]
    return values["player"] if body == "{player}" else body


def answered(
    client: httpx2.Client,
    operation: Operation,
    headers: Mapping[str, str],
    values: Mapping[str, str],
    body: Any,
) -> Answer:
    """The answer, without its ids and the time."""
    params = dict(QUERIES.get(operation.name, {}))
    if operation.name == "proveInclusion":
        params["game"] = values["game"]
    answer = operation.request(
        client,
        dict(values),
        body=filled(body, values),
        params=params,
        headers={"X-Request-Id": "one-of-two", **headers},
    )
    assert str(answer.status_code) in operation.answers, (operation.name, answer.text)

    def plain(text: str) -> str:
        for name in ("game", "hook", "device", "player"):
            text = text.replace(values[name], name)
        return MADE.sub("", text)

    headers = {name: plain(value) for name, value in answer.headers.items()}
    kept = sorted((name, value) for name, value in headers.items() if name not in VOLATILE)
    return answer.status_code, plain(answer.text).encode(), kept


@pytest.mark.parametrize("share", sampled((1, 29), 29))
def test_what_is_anothers_is_like_what_is_not_there(
    world: World, description: Description, share: int
) -> None:
    """In status, body and headers, with all of it in the service's caches."""
    asked = sorted(
        probes(world, description), key=lambda probe: probe.operation.name == "putPlayer"
    )
    assert len(asked) > 3_000
    for probe in asked[::share]:
        headers = world.callers[probe.caller]
        there, missing = (
            answered(world.client, probe.operation, headers, values, probe.body)
            for values in (probe.theirs, probe.absent)
        )
        assert there == missing, str(probe)
    for table in world.theirs:  # nothing was done to them, and their own callers see them
        for name, operation in operations(description).items():
            shown = [
                answered(world.client, operation, bearer(table.tokens[caller]), values, None)
                for caller in ("host", "application")
                for values in (table.values, table.values | {"game": str(uuid4())})
                if operation.method == "get" and "{game}" in operation.path
            ]
            assert len({*map(str, shown)}) != 1, name


OF_THE_LEDGER = re.compile("/v1/log/.*|/health/.*|/v1/exports/.*|.*/bundle")
"""Paths of what tells how many events the whole ledger has, which is no secret."""


def answers(world: World, reads: Iterable[Operation], asked: Asked, *callers: str) -> list[Answer]:
    """What the reads answer these callers."""
    shown = {"anonymous": {}, **{name: bearer(token) for name, token in asked.tokens.items()}}
    return [
        answered(world.client, operation, shown[caller], asked.values, None)
        for operation, caller in product(reads, callers)
    ]


def private_changes(world: World) -> Iterator[Asked]:
    """What an application does in private, one thing after another, and at which of its tables."""
    ask = world.client.request
    _, full, play, over = world.theirs
    for table, method, path, caller, body in (
        (over, "PUT", f"/players/{THEIRS}", "application", {"name": "Another"}),
        (over, "PUT", "/players/fresh", "application", {"name": "Fresh"}),
        (play, "POST", "/games/{game}/commands", "own seat", {"type": "draw"}),
        (play, "POST", "/games/{game}/webhooks", "host", BODIES["registerWebhook"]),
        (play, "POST", "/games/{game}/void", "host", BODIES["voidGame"]),
        (full, "DELETE", "/games/{game}/seats/{number}", "host", None),
        (over, "POST", "/games", "application", private_table("fresh")),
        (full, "DELETE", f"/players/{THEIRS}", "application", None),
    ):
        url = "/v1" + path.format_map(table.values)
        done(ask(method, url, json=body, headers=bearer(table.tokens[caller])))
        yield table


def private_table(player: str) -> dict[str, Any]:
    """An opening with a player and bots, who begin at once."""
    seats = [{"kind": "person", "player": player}, {"kind": "bot"}]
    return {"ruleset": "classic", "seats": seats, "terms": HIDDEN, "start": True}


def test_what_an_application_does_in_private_changes_no_answer_to_another(
    world: World, description: Description
) -> None:
    """Byte for byte: names, hands and results of private tables, and what there is of them."""
    named = operations(description)
    reads = [
        operation
        for operation in named.values()
        if operation.method == "get" and not OF_THE_LEDGER.fullmatch(operation.path)
    ]
    mine = [named[name] for name in ("getGame", "listWebhooks", "listPlayers", "listOpenedTables")]
    others = "anonymous", "application", "host"
    before = answers(world, reads, world.own, *others)
    own = [answers(world, mine, table, "application", "host") for table in world.theirs]
    for table in private_changes(world):
        place = world.theirs.index(table)
        now = answers(world, mine, table, "application", "host")
        assert now != own[place], "its own application sees it"
        own[place] = now
        assert answers(world, reads, world.own, *others) == before
    key, path = bearer(world.theirs[3].tokens["application"]), "/v1/players/fresh/games"
    eventually(lambda: done(world.client.get(path, headers=key))["games"])
    assert answers(world, reads, world.own, *others) == before, "when the views have it, too"
