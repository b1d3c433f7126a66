"""The games that a release keeps: of each kind some."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.compatibility.exchanges import Desk, ask
from tests.compatibility.seats import OVER, Table, View, move, play
from tests.compatibility.tables import (
    PERSON,
    SILENT,
    bot,
    join,
    key,
    ok,
    opened,
    rematch,
    revealed,
    sealed,
    seated,
    start,
    void,
    webhook,
)

COMMANDS = {
    *("reveal_secret", "draw", "discard", "lay", "hit"),
    *("move", "choose", "search", "swap", "ask", "give", "keep"),
}
"""What people are to have sent: what comes about seldom is left out, such as `pass`."""
SHORT = {"variant": "n_phases(1)", "max_turns_per_round": 40}
ROUNDS = {"variant": "ten_rounds", "max_turns_per_round": 6}
STYLES = ("complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free")
EASY = {"board_phases": ["set(4)", *["set(2)"] * 9], "max_turns_per_round": 3}
TRACK = ["JOKER*", *("SWAP", "SEARCH", "ASK", "CHOOSE") * 7, "TAKE1", "EVERY", "AGAIN"]
OPERATED = "operated on"
"""The table that an operator voids."""
MINUTES = 2
"""How long a clock gives its seat: the store is kept before, and put to use long after."""
BOTS = (bot("expert"), bot("greedy"))


def bots(desk: Desk, name: str, ruleset: str, seats: tuple[Any, ...] = BOTS, **more: Any) -> Table:
    """A game of bots that is over."""
    table = opened(desk, name, ruleset, seats, start=True, **more)
    play(desk, table)
    return table


def mid_turn(version: int) -> Callable[[View], bool]:
    """Whether the game is so long, and a seat has drawn or moved and has not ended its turn."""

    def holds(view: View) -> bool:
        kinds = {wait["kind"] for wait in view["table"]["waits"]}
        return view["version"] >= version and bool(kinds & {"play", "choose", "give"})

    return holds


def keeping(view: View) -> bool:
    """Whether several seats are asked at once which cards they keep."""
    return [wait["kind"] for wait in view["table"]["waits"]].count("keep") > 1


def finished(desk: Desk, url: str) -> Iterator[Table]:
    """Games that are over, of all rule sets; the endpoint gets the messages of one."""
    hooks = [{"url": url, "types": ["game.started", "game.ended"]}]
    yield bots(desk, "delivered", "classic", options=SHORT, webhooks=hooks)
    rules = {**SHORT, "initial_skip": "cover", "run_wrap": True, "wild_min_scope": "none"}
    table = seated(desk, "house rules", "classic", (PERSON, *BOTS), options=rules, dealer=1)
    play(desk, table)
    yield table
    table = revealed(desk, "signed", options=SHORT)
    play(desk, table)
    yield table
    for style in STYLES:
        turns = {} if style.startswith("complete") else {"max_turns_per_round": 6}
        levels = (bot("expert"), bot("greedy"), bot("greedy" if not turns else "random"))
        yield bots(desk, style, "standard-deck", levels, options={"style": style, **turns})
    yield bots(desk, "express", "express", options=SHORT)
    yield bots(desk, "board", "board", options={"max_turns_per_round": 12})
    table = seated(
        desk,
        "private, over",
        "express",
        (PERSON, PERSON),
        options={**ROUNDS, "max_turns_per_round": 2},
        terms={"private": True, "spectators": "none"},
    )
    play(desk, table)
    yield table
    table = seated(desk, "left", "classic", (PERSON, bot("random")), options=ROUNDS)
    play(desk, table, mid_turn(12))
    ok(desk, f"{table.path}/leave", None, table.tokens[0])
    play(desk, table)
    yield table


def broken_off(desk: Desk) -> Iterator[Table]:
    """A voided game, and the rematch that runs instead."""
    table = seated(desk, "voided", "classic", (PERSON, PERSON, bot("greedy")), options=ROUNDS)
    play(desk, table, mid_turn(10))
    void(desk, table, "It rains")
    yield table
    successor = rematch(desk, "rematch", table)
    start(desk, successor)
    play(desk, successor, mid_turn(14))
    yield successor


def running(desk: Desk) -> Iterator[Table]:
    """Games in mid-turn, each of which comes to its end soon."""
    table = revealed(desk, "signed, running", options=ROUNDS)
    play(desk, table, mid_turn(24))
    yield table
    for style in STYLES[1::2]:
        rules = {"style": style, "max_turns_per_round": 4}
        seats = (PERSON, bot("expert"), bot("random"))
        table = seated(desk, f"{style}, running", "standard-deck", seats, options=rules)
        play(desk, table, mid_turn(20))
        yield table
    table = seated(desk, "express, running", "express", (bot("greedy"), PERSON), options=ROUNDS)
    before = play(desk, table, mid_turn(16))["version"]
    webhook(desk, table, SILENT, "turn.asked", "game.ended")
    play(desk, table, mid_turn(before + 6))
    yield table
    table = seated(desk, "board, keeping", "board", (PERSON, PERSON, PERSON), options=EASY)
    waits = play(desk, table, keeping)["table"]["waits"]
    move(desk, table, waits[0]["seat"])
    yield table
    rules = {**EASY, "board_track": TRACK}
    table = seated(desk, "board, running", "board", (PERSON, PERSON, bot("expert")), options=rules)
    play(desk, table, lambda view: commands_of(desk) >= COMMANDS and mid_turn(60)(view))
    yield table
    for spectators, more in (("delayed", {"delay": 5}), ("round", {}), ("none", {})):
        terms = {"private": True, "spectators": spectators, **more}
        seats = (PERSON, bot("greedy"))
        table = seated(
            desk, f"{spectators}, running", "express", seats, options=ROUNDS, terms=terms
        )
        play(desk, table, mid_turn(16))
        yield table


def waiting(desk: Desk) -> Iterator[Table]:
    """Tables in the lobby, and one whose deal waits for a secret."""
    table = opened(desk, "lobby", "classic", (PERSON, PERSON, PERSON, BOTS[0]), options=ROUNDS)
    join(desk, table, "Ada")
    left, kicked = join(desk, table, "Eve"), join(desk, table, "Bob")
    ok(desk, f"{table.path}/leave", None, table.tokens.pop(left))
    ok(desk, f"{table.path}/seats/{kicked}", None, table.host, "DELETE")
    del table.tokens[kicked]
    yield table
    terms = {"private": True, "spectators": "none"}
    table = opened(desk, "private lobby", "express", (PERSON, PERSON), options=ROUNDS, terms=terms)
    joined = ok(desk, "/v1/joins", {"name": "Ann", "code": table.code})
    table.tokens[joined["seat"]] = joined["token"]
    yield table
    table = opened(desk, "filled", "classic", (PERSON, PERSON), options=ROUNDS)
    join(desk, table, "Ann")
    ok(desk, f"{table.path}/fill", {"level": "random"}, table.host)
    yield table
    yield sealed(desk, "owing", options=ROUNDS)


def timed(desk: Desk) -> Iterator[Table]:
    """Tables with a clock that runs; the last of all, so that it does not run out before."""
    for then in ("bot_move", "bot_for_good", "void"):
        clock = {"seconds": 60 * MINUTES, "grace": 1, "then": then}
        seats, terms = (PERSON, PERSON), {"clock": clock, "stand_in": "random"}
        table = seated(desk, f"clock, {then}", "classic", seats, options=ROUNDS, terms=terms)
        play(desk, table, mid_turn(12))
        yield table


def commands_of(desk: Desk) -> set[str]:
    """The kinds of commands that were accepted."""
    accepted = [exchange for exchange in desk.exchanges if exchange.answer.status == 200]
    bodies = [
        json.loads(exchange.body) for exchange in accepted if exchange.path.endswith("/commands")
    ]
    return {body["type"] for body in bodies}


def refusals(desk: Desk, tables: list[Table]) -> None:
    """What stays refused: keys for something else, and commands to games that are over."""
    for exchange in [opening for opening in desk.exchanges if opening.path == "/v1/games"][:2]:
        used, body = exchange.headers["Idempotency-Key"], {"ruleset": "classic", "seats": [PERSON]}
        done = ask(desk, "POST", "/v1/games", body, Idempotency_Key=used)
        assert done.status_code == 422, done.text
    for table in tables:
        if table.stage in OVER and table.tokens:
            token = next(iter(table.tokens.values()))
            path = f"{table.path}/commands"
            done = ask(desk, "POST", path, {"type": "draw"}, token, Idempotency_Key=key())
            assert done.status_code in (403, 409, 422), done.text
            ask(desk, "POST", f"{table.path}/claims", {}, token, Keep="yes")


def games_of(desk: Desk, url: str) -> Iterator[Table]:
    """All games of the ledger."""
    yield opened(desk, OPERATED, "classic", (PERSON, PERSON))
    for some in (finished(desk, url), broken_off(desk), running(desk), waiting(desk), timed(desk)):
        yield from some
