"""The client's operations, one function for each operation of the API.

Each of them becomes a method of `service.client.client.Client`, and of `AsyncClient`, of the same
name.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import quote

import msgspec

from phaseledger.domain.commands import LeaveSeat, Play
from phaseledger.domain.explain.catalogue import RulesetInfo
from phaseledger.domain.explain.check import Verdict
from phaseledger.domain.state import Stage
from phaseledger.projections.games import PublicTable
from phaseledger.projections.pages import GamePage, Leaderboard, RatingPage
from phaseledger.projections.scoreboard import Scoreboard
from phaseledger.replay.formats.signing.presences import Presence
from phaseledger.replay.formats.signing.receipts import Receipt
from phaseledger.service.client.protocol import (
    Pause,
    Refused,
    Request,
    Retry,
    Session,
    Steps,
    T,
    ask,
    document,
    exchange,
    lines,
    new_key,
    read,
    retry_after,
    unexpected,
)
from phaseledger.service.schemas.applications import ApplicationInfo, OpenedTables
from phaseledger.service.schemas.games import (
    Actions,
    Done,
    EventPage,
    GameView,
    Joined,
    JoinTable,
    Opened,
    OpenTable,
    Present,
    VoidTable,
)
from phaseledger.service.schemas.health import Ready
from phaseledger.service.schemas.lobby import (
    Again,
    Claim,
    FillTable,
    Following,
    JoinByCode,
    PlayAgain,
    TurnClock,
)
from phaseledger.service.schemas.rulesets import HitCheck, LayCheck, RulesetList
from phaseledger.service.schemas.streams import React, Ticket
from phaseledger.service.schemas.versions import NEWEST, KnownVersion, named

MOVES = 20
"""The number of times that a command is signed anew when another seat moves in between."""
MeantFor: TypeAlias = int | GameView | Actions
"""The basis of a command's decision: a version, or a view or questions, which name its history too:
the command is refused where the ledger has gone back and has other events there.
"""


# --- commands -------------------------------------------------------------------------------------


def open(at: Session, table: OpenTable, *, key: str = "") -> Steps[Opened]:  # noqa: A001
    """Open a table. ``key`` is the idempotency key: the key of an earlier attempt resumes it."""
    return ask(at, "POST", "/v1/games", Opened, headers=_write_headers(key), body=table)


def join(at: Session, person: JoinTable, *, key: str = "") -> Steps[Joined]:
    """Sit down at the game's table; a guard brings its seat, secret and key, and signs the command.

    It does not sign at a table that it may not watch, or may watch late only.
    """
    guard, path, headers = at.guard, f"{at.path}/seats", _write_headers(key)
    if guard is None:
        return (yield from ask(at, "POST", path, Joined, headers=headers, body=person))
    fields: Any = guard.joining()
    body, followed = msgspec.structs.replace(person, **fields), -1
    while True:
        with suppress(Refused):
            yield from _catch_up(at)
        if guard.version in (0, followed):
            return (yield from ask(at, "POST", path, Joined, headers=headers, body=body))
        followed, signed = guard.version, {}
        if person.name:  # a player is recorded by a pseudonym, which its application knows
            signed = {"Command-Signature": guard.sign_joining(person.name)}
        try:
            return (
                yield from ask(at, "POST", path, Joined, headers={**headers, **signed}, body=body)
            )
        except Refused as error:
            if error.code != "bad_signature":
                raise


def join_by_code(at: Session, person: JoinByCode, *, key: str = "") -> Steps[Joined]:
    """Sit down at the private table that has the code."""
    return ask(at, "POST", "/v1/joins", Joined, headers=_write_headers(key), body=person)


def start(at: Session, *, key: str = "", if_match: MeantFor | None = None) -> Steps[Done]:
    """Start the game, as its host."""
    return ask(at, "POST", f"{at.path}/start", Done, headers=_write_headers(key, if_match))


def kick(at: Session, seat: int, *, key: str = "", if_match: MeantFor | None = None) -> Steps[Done]:
    """Free a seat before the start, as the host."""
    path = f"{at.path}/seats/{seat}"
    return ask(at, "DELETE", path, Done, headers=_write_headers(key, if_match))


def fill(at: Session, bots: FillTable, *, key: str = "") -> Steps[Done]:
    """Let bots sit down in all free seats, as the host."""
    return ask(at, "POST", f"{at.path}/fill", Done, headers=_write_headers(key), body=bots)


def void(
    at: Session, why: VoidTable, *, key: str = "", if_match: MeantFor | None = None
) -> Steps[Done]:
    """Break the game off, as its host."""
    return ask(at, "POST", f"{at.path}/void", Done, headers=_write_headers(key, if_match), body=why)


def leave(at: Session, *, key: str = "", if_match: MeantFor | None = None) -> Steps[Done]:
    """Give the seat up."""
    return _send_signed(at, f"{at.path}/leave", LeaveSeat(), _write_headers(key, if_match))


def claim(at: Session, overdue: Claim) -> Steps[Done]:
    """Claim that a seat is overdue."""
    return ask(at, "POST", f"{at.path}/claims", Done, body=overdue)


def turn_clock(at: Session, seconds: int, *, if_match: MeantFor | None = None) -> Steps[Done]:
    """Let happen what would be due within these seconds, as the host of a table for tests."""
    headers = {} if if_match is None else _write_headers("", if_match)
    path, body = f"{at.path}/clock", TurnClock(seconds=seconds)
    return ask(at, "POST", path, Done, headers=headers, body=body)


def rematch(at: Session, again: PlayAgain) -> Steps[Again]:
    """Play again once the game is over, as a seat of it or as its host."""
    return ask(at, "POST", f"{at.path}/rematch", Again, body=again)


def following(at: Session) -> Steps[Following]:
    """The game's rematch, and who sits there already."""
    return ask(at, "GET", f"{at.path}/rematch", Following)


def command(
    at: Session, command: Play, *, key: str = "", if_match: MeantFor | None = None
) -> Steps[Done]:
    """Answer a question to the seat; ``if_match`` is the basis of the decision.

    With a guard the command is signed, and its answer checked.

    Raises:
        Distrusted: with a guard, the service's answer does not hold.

    """
    return _send_signed(at, f"{at.path}/commands", command, _write_headers(key, if_match))


def owes_secret(at: Session) -> Steps[bool]:
    """Whether the guard's secret is due by the newest events: a question may have been answered."""
    yield from _catch_up(at)
    return at.guard is not None and at.guard.owes_secret


def reveal(at: Session) -> Steps[Done]:
    """Reveal the secret that the guard brought, against the receipt for the sealed table.

    Raises:
        Distrusted: nothing binds the operator to the table yet.

    """
    if at.guard is None:
        raise ValueError("Only a guard brings a secret: client.at(joined, guard=seat).")
    yield from _catch_up(at)
    signed_receipt = yield from receipt(at, max(1, at.guard.sealed))
    secret = at.guard.reveal(msgspec.to_builtins(signed_receipt))
    return (yield from command(at, secret))


def present(at: Session) -> Steps[Presence]:
    """The operator's signed statement that the seat is there, and of the last event it has seen.

    It changes nothing. Keep it with the receipts: a time-out is checked against it.

    Raises:
        Distrusted: with a guard, the statement is not the operator's or not for the seen event.

    """
    for retries_left in range(MOVES, -1, -1):
        if at.guard is None:
            newest = yield from view(at)
            body = Present(version=newest.version, head=newest.head)
        else:
            yield from _catch_up(at)
            body = msgspec.convert(at.guard.present(), Present)
        try:
            presence = yield from ask(at, "POST", f"{at.path}/presence", Presence, body=body)
        except Refused as error:
            if error.code != "stale_version" or not retries_left:
                raise
        else:
            break
    if at.guard is not None:
        at.guard.confirmed(presence)
    return presence


# --- reads ----------------------------------------------------------------------------------------


def view(at: Session, *, at_least: int = 0, known: GameView | None = None) -> Steps[GameView]:
    """The game as the caller sees it; ``at_least`` waits some seconds for that version.

    While ``known`` is still the newest, the answer is a 304 without a body.
    """
    tag = "" if known is None else _tag(named(known.version, known.head), known.table.you)
    return _cached(at, at.path, GameView, at_least, known, tag)


def table(
    at: Session, *, at_least: int = 0, known: PublicTable | None = None
) -> Steps[PublicTable]:
    """The public table, from the projections."""
    tag = "" if known is None else _tag(KnownVersion(known.version))
    return _cached(at, f"{at.path}/table", PublicTable, at_least, known, tag)


def scoreboard(
    at: Session, *, at_least: int = 0, known: Scoreboard | None = None
) -> Steps[Scoreboard]:
    """Every round that is over."""
    tag = "" if known is None else _tag(KnownVersion(known.version))
    return _cached(at, f"{at.path}/scoreboard", Scoreboard, at_least, known, tag)


def actions(at: Session) -> Steps[Actions]:
    """The seat's open questions, and every command that may answer them."""
    return ask(at, "GET", f"{at.path}/actions", Actions)


def events(at: Session, *, after: int = 0, limit: int = 200) -> Steps[EventPage]:
    """A page of the events after a version."""
    query = {"after": after, "limit": limit}
    return ask(at, "GET", f"{at.path}/events", EventPage, query=query)


def ticket(at: Session) -> Steps[Ticket]:
    """A ticket for one event stream, where no token can be sent: a browser's EventSource."""
    return ask(at, "POST", f"{at.path}/tickets", Ticket)


def react(at: Session, reaction: React) -> Steps[None]:
    """Say one of six things at the table; no log has it."""
    request = Request(
        method="POST",
        url=f"{at.path}/reactions",
        headers={"Content-Type": "application/json"},
        content=msgspec.json.encode(reaction),
    )
    reply = yield from exchange(at, request)
    if reply.status != 204:
        raise unexpected(reply, "word that the table was told")


def rules(at: Session) -> Steps[RulesetInfo]:
    """The rules that the game is played by, with its house rules applied."""
    return ask(at, "GET", f"{at.path}/rules", RulesetInfo)


def frames(
    at: Session, *, seat: str = "", first: int = 1, last: int = NEWEST, lang: str = "en"
) -> Steps[bytes]:
    """The game event by event as lines: a `FramesHeader`, then a `Frame` for each event.

    ``seat`` is the number of one, `spectator` or `all`; else the caller's own.
    """
    query: dict[str, str | int] = {
        "from": first,
        "to": last,
        "lang": lang,
        **({"seat": seat} if seat else {}),
    }
    request = Request(method="GET", url=f"{at.path}/frames", params=query)
    return lines((yield from exchange(at, request)))


def receipt(at: Session, seq: int) -> Steps[Receipt]:
    """The operator's signature for the command that ends with this event, checked by a guard."""
    reply = yield from ask(at, "GET", f"{at.path}/receipts/{seq}", Receipt)
    return at.guard.check(msgspec.to_builtins(reply)) if at.guard else reply


def bundle(at: Session) -> Steps[bytes]:
    """The evidence of the game in one file, for `phaseledger verify`."""
    return lines((yield from exchange(at, Request(method="GET", url=f"{at.path}/bundle"))))


def analysis(at: Session) -> Steps[bytes]:
    """The analysis of a finished game, as JSON; waits until the service has made it.

    `phaseledger.analysis.Analysis` is its shape.
    """
    while True:
        reply = yield from exchange(at, Request(method="GET", url=f"{at.path}/analysis"))
        if reply.status == 200:
            return document(reply)
        yield Pause(max(1.0, retry_after(reply)))


def hint(at: Session) -> Steps[bytes]:
    """A hint for the seat's open decision at a practice table, as JSON: ``version``, ``seat``, and
    ``candidates``, best first.
    """
    return document((yield from exchange(at, Request(method="GET", url=f"{at.path}/hint"))))


def games(
    at: Session,
    *,
    limit: int = 50,
    cursor: str | None = None,
    ruleset: str | None = None,
    stage: Stage | None = None,
    player: str | None = None,
    opened_after: int | None = None,
    opened_before: int | None = None,
    ended_after: int | None = None,
    ended_before: int | None = None,
) -> Steps[GamePage]:
    """A page of the public tables, newest first; times are in milliseconds since 1970."""
    query = {
        "limit": limit,
        "cursor": cursor,
        "ruleset": ruleset,
        "stage": stage,
        "player": player,
        "opened_after": opened_after,
        "opened_before": opened_before,
        "ended_after": ended_after,
        "ended_before": ended_before,
    }
    return ask(at, "GET", "/v1/games", GamePage, query=query)


def leaderboard(at: Session, *, limit: int = 50, cursor: str | None = None) -> Steps[Leaderboard]:
    """A page of the players over all games."""
    query = {"limit": limit, "cursor": cursor}
    return ask(at, "GET", "/v1/leaderboard", Leaderboard, query=query)


def ratings(
    at: Session, ruleset: str, seats: int, *, limit: int = 50, cursor: str | None = None
) -> Steps[RatingPage]:
    """A page of the players' ratings in games of the rule set with that number of seats.

    ``ruleset`` is a name, a full id, or the digest of rules with house rules.
    """
    query: dict[str, str | int | None] = {"ruleset": ruleset, "seats": seats}
    query |= {"limit": limit, "cursor": cursor}
    return ask(at, "GET", "/v1/ratings", RatingPage, query=query)


def application(at: Session) -> Steps[ApplicationInfo]:
    """The application whose key the client has, and what the key is good for."""
    return ask(at, "GET", "/v1/application", ApplicationInfo)


def opened_tables(
    at: Session, *, limit: int = 50, cursor: str | None = None
) -> Steps[OpenedTables]:
    """The tables that the application has opened, newest first."""
    query = {"limit": limit, "cursor": cursor}
    return ask(at, "GET", "/v1/application/tables", OpenedTables, query=query)


def rulesets(at: Session) -> Steps[RulesetList]:
    """All rule sets."""
    return ask(at, "GET", "/v1/rulesets", RulesetList)


def ruleset(at: Session, name: str) -> Steps[RulesetInfo]:
    """One rule set in full."""
    return ask(at, "GET", f"/v1/rulesets/{quote(name, safe='@')}", RulesetInfo)


def check(at: Session, name: str, question: LayCheck | HitCheck) -> Steps[Verdict]:
    """Whether the rules allow a lay or a hit, without a game."""
    path = f"/v1/rulesets/{quote(name, safe='@')}/checks"
    return ask(at, "POST", path, Verdict, body=question)


def ready(at: Session) -> Steps[Ready]:
    """The readiness of the service; raises Refused, code `not_ready`, where something is not."""
    return ask(at._replace(retry=Retry(1)), "GET", "/health/ready", Ready)


# --- parts of them --------------------------------------------------------------------------------


def _write_headers(key: str, if_match: MeantFor | None = None) -> dict[str, str]:
    """The headers of a command: one key for all its tries, so that it is taken once."""
    if if_match is None:
        return {"Idempotency-Key": key or new_key()}
    if isinstance(if_match, int):
        known = KnownVersion(if_match)
    else:
        known = named(if_match.version, if_match.head)
    return {"Idempotency-Key": key or new_key(), "If-Match": _tag(known)}


def _tag(known: KnownVersion, seat: int | None = None) -> str:
    """The entity tag of a version as seen by a seat, or by spectators."""
    number, dash, head = str(known).partition("-")
    return f'"{number}{"" if seat is None else f".{seat}"}{dash}{head}"'


def _cached(
    at: Session,
    path: str,
    shape: type[T],
    at_least: int,
    known: T | None,
    tag: str,
) -> Steps[T]:
    query: dict[str, str | int] = {"at_least": at_least} if at_least else {}
    headers = {"If-None-Match": tag} if tag else {}
    reply = yield from exchange(at, Request(method="GET", url=path, params=query, headers=headers))
    if known is not None and reply.status == 304:
        return known
    return read(reply, shape)


def _send_signed(
    at: Session, path: str, command: Play | LeaveSeat, headers: Mapping[str, str]
) -> Steps[Done]:
    """Send the seat's command, signed if it has a guard; sign anew when others move in between."""
    body = None if isinstance(command, LeaveSeat) else command
    if at.guard is None:
        return (yield from ask(at, "POST", path, Done, headers=headers, body=body))
    for retries_left in range(MOVES, -1, -1):
        yield from _catch_up(at)
        signed_headers = {**headers, "Command-Signature": at.guard.sign(command)}
        try:
            result = yield from ask(at, "POST", path, Done, headers=signed_headers, body=body)
        except Refused as error:
            if error.code != "bad_signature" or not retries_left:
                raise
        else:
            break
    if body is not None:  # a seat that has left gets a spectator's view
        at.guard.take(msgspec.json.decode(msgspec.json.encode(result)))
    return result


def _catch_up(at: Session) -> Steps[None]:
    """Let the guard follow the game to its newest event."""
    assert at.guard is not None
    after: int | None = 0
    while after is not None:
        page = yield from events(at, after=at.guard.version, limit=1000)
        at.guard.follow(map(msgspec.json.decode, page.events))
        after = page.next
