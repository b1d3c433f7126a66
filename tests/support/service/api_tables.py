"""Tables for the HTTP tests: opened, seated and started through the API, as a client would, or
laid out by hand in its log.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import msgspec
from msgspec.structs import replace

from phaseledger.domain.bots import decision
from phaseledger.domain.cards import parse, remove, show
from phaseledger.domain.commands import Act, OpenGame, Play, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.events import DiceRolled, Event, RoundDealt, Secret, TurnBegan
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import Question
from phaseledger.domain.view import TableView, state_seen
from phaseledger.service.app import Components
from phaseledger.service.eventlog.rows import Row, row_of
from tests.support.chance import chooser
from tests.support.polling import eventually
from tests.support.scenario import records

PERSON = {"kind": "person"}
BOT = {"kind": "bot"}
SHORT = {"variant": "n_phases(1)", "max_turns_per_round": 40}
"""The options of a game of one phase."""
KEY = "0123456789abcdef0123456789abcdef"


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Table(NamedTuple):
    """A table and the tokens of those who sit there."""

    client: httpx2.Client
    game: str
    host: str
    tokens: dict[int, str]

    @property
    def path(self) -> str:
        return f"/games/{self.game}"

    def get(self, path: str = "", seat: int | None = None, **parameters: Any) -> httpx2.Response:
        headers = {} if seat is None else bearer(self.tokens[seat])
        return self.client.get(self.path + path, headers=headers, params=parameters)

    def send(self, seat: int, command: dict[str, Any], **headers: str) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(
            f"{self.path}/commands",
            json=command,
            headers={**bearer(self.tokens[seat]), **named},
        )

    def version(self) -> int:
        return self.get().json()["version"]

    def start(self) -> httpx2.Response:
        return self.client.post(f"{self.path}/start", headers=bearer(self.host))


def open_table(
    client: httpx2.Client, seats: Sequence[dict[str, Any]] = (PERSON, PERSON), **more: Any
) -> Table:
    body = {"ruleset": "classic", "seats": list(seats), **more}
    opened = client.post("/games", json=body)
    assert opened.status_code == 201, opened.text
    table = Table(client, opened.json()["game"], opened.json()["host_token"], {})
    for seat, kind in enumerate(seats):
        if kind == PERSON:
            joined = client.post(f"{table.path}/seats", json={"name": f"Seat {seat}"})
            assert joined.status_code == 201, joined.text
            table.tokens[joined.json()["seat"]] = joined.json()["token"]
    return table


def started(
    client: httpx2.Client, seats: Sequence[dict[str, Any]] = (PERSON, PERSON), **more: Any
) -> Table:
    table = open_table(client, seats, **more)
    assert table.start().status_code == 200
    return table


def whole_game(client: httpx2.Client) -> str:
    """The id of a short game that bots have played to its end."""
    game = started(client, (BOT, BOT), options=SHORT).game
    eventually(lambda: client.get(f"/games/{game}").json()["table"]["stage"] == "ended")
    return game


def mover(table: Table) -> int:
    """The seat that the game waits for."""
    return table.get().json()["table"]["waits"][0]["seat"]


Choose = Callable[[TableView, list[Play], int], Play]
"""(the seat's own view, its legal commands, the number of the move) to a command."""


def greedily(view: TableView, _: list[Play], number: int) -> Play:
    state = state_seen(view, preset(view.ruleset.partition("@")[0]))
    chosen = decision("greedy", state, view.you or 0, b"c", number)
    return msgspec.convert(msgspec.to_builtins(chosen), Play)


def at_random(_: TableView, commands: list[Play], number: int) -> Play:
    return commands[chooser(b"client", number)(len(commands))]


def answer(table: Table, seat: int, choose: Choose, number: int) -> httpx2.Response:
    """Let a client answer the seat's question, knowing no more than the seat."""
    mine = msgspec.convert(table.get(seat=seat).json()["table"], TableView)
    offered = table.get("/actions", seat).json()
    chosen = choose(mine, msgspec.convert(offered["commands"], list[Play]), number)
    match = f'"{offered["version"]}.{seat}"'
    return table.send(seat, msgspec.to_builtins(chosen), If_Match=match)


def play_until(table: Table, seat: int) -> None:
    """Have whoever is asked answer, until it is that seat's turn."""
    number = 0
    while (asked := mover(table)) != seat:
        assert answer(table, asked, greedily, number).status_code == 200
        number += 1


def play_on(table: Table, moves: int = 100_000, choose: Choose = greedily) -> dict[str, Any]:
    """Let clients play the seats that have tokens."""
    view = table.get().json()["table"]
    for number in range(moves):
        if view["stage"] == "ended":
            break
        done = answer(table, view["waits"][0]["seat"], choose, number)
        assert done.status_code == 200, done.text
        view = done.json()["table"]
    return view


# --- laid out by hand ---------------------------------------------------------------------------


class Layout(NamedTuple):
    """How the first round is dealt. Cards that stand nowhere go to the bottom of the stock."""

    ruleset: str
    hands: tuple[str, ...]
    discard: str
    stock: str = ""
    phases: tuple[int, ...] = ()
    """The phase that each seat attempts; the first, where nothing is said."""
    dice: tuple[int, int] = (1, 2)
    """The first throw, where there are dice."""
    options: dict[str, OptionValue] = {}  # noqa: RUF012 - never changed
    bots: tuple[str, ...] = ()
    """The kind of bot in each seat, empty for a person."""


def dealt(layout: Layout, game: str) -> list[Event]:
    """The events of a game up to its first question, which goes to seat 0.

    Nobody who only folds the log notices that no seed gives these cards.
    """
    seats = len(layout.hands)
    secret = "5e" * 32
    opening = OpenGame(game, layout.ruleset, seats, layout.options, dealer=seats - 1, secret=secret)
    state, made = step(None, Act(opening))
    events = list(made)
    for seat in range(seats):
        bot = layout.bots[seat] if layout.bots else ""
        state, made = step(state, Act(TakeSeat(f"Seat {seat}", bot, secret="ab" * 32), seat))
        events += made
    made = step(state, Act(Start()))[1]
    at = next(i for i, event in enumerate(made) if isinstance(event, RoundDealt))
    return [*events, *made[:at], _laid_out(made[at], layout), *_first_turn(layout)]


def _laid_out(event: Event, layout: Layout) -> Event:
    assert isinstance(event, RoundDealt)
    rules, seats = preset(layout.ruleset), len(layout.hands)
    placed = [parse(text) for text in (*layout.hands, layout.discard, layout.stock)]
    rest = remove(rules.deck.cards(), b"".join(placed))
    assert rest is not None, "more copies of a card than the deck has"
    pile = layout.discard.split()
    visible = 1 if rules.pile == "covered" else len(pile)
    stock = f"{layout.stock} {show(rest, rules.deck.notation)}".strip()
    hands = {str(seat): Secret(hand=hand) for seat, hand in enumerate(layout.hands)}
    return replace(
        event,
        dealer=seats - 1,
        players=tuple(range(seats)),
        hands=tuple(len(hand.split()) for hand in layout.hands),
        stock=len(stock.split()),
        discard=" ".join(pile[-visible:]),
        covered=len(pile) - visible,
        phases=layout.phases or event.phases,
        skips=(0,) * seats,
        returned="",
        hidden={**hands, "stock": Secret(stock=stock, pile=" ".join(pile[:-visible]))},
    )


def _first_turn(layout: Layout) -> list[Event]:
    if preset(layout.ruleset).acquire == "draw":
        return [TurnBegan(seat=0, turn=1, asks=(Question(0, "draw"),))]
    rolled = DiceRolled(seat=0, roll=0, dice=layout.dice, asks=(Question(0, "move"),))
    return [TurnBegan(seat=0, turn=1, asks=()), rolled]


def rows_of(events: Sequence[Event]) -> list[Row]:
    """The events as the log holds them."""
    return [row_of(entry) for entry in records(list(events))]


def lay_out(parts: Components, client: httpx2.Client, layout: Layout) -> Table:
    """Put the game into the service's log, and give every seat a token."""
    game = uuid4()
    asyncio.run(parts.store.append(game, rows_of(dealt(layout, str(game)))))
    seats = range(len(layout.hands))
    tokens = {seat: asyncio.run(parts.credentials.issue(game, seat)) for seat in seats}
    return Table(client, str(game), "", tokens)


PLAIN = Layout(
    "board",
    ("R1 B1 G5 Y9", "R7 B7 G3", "Y7 R2 B2"),
    discard="R12 B12 G12 Y12 R11",
    stock="R6 B6 G6 Y6 R10",
)
"""Spaces of the ring: 1 TAKE1, 2 SEARCH, 3 TAKE2, 4 ASK, 5 TAKE1, 6 SWAP."""


def on_space(served: Any, client: httpx2.Client, space: int, **changes: Any) -> Table:
    """A table of the board game whose seat 0 has just moved to one of the first six spaces."""
    layout = PLAIN._replace(dice=(space, space), **changes)
    table = lay_out(served.parts, client, layout)
    moved = table.send(0, {"type": "move", "steps": space})
    assert moved.status_code == 200, moved.text
    return table


def ok(done: httpx2.Response) -> dict[str, Any]:
    assert done.status_code == 200, done.text
    body: dict[str, Any] = done.json()
    return body


def waits(table: Table) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = table.get().json()["table"]["waits"]
    return questions


def sit(client: httpx2.Client, game: str, **more: Any) -> httpx2.Response:
    return client.post(f"/games/{game}/seats", json={"name": "Ada", **more})


def by_host(table: Table, method: str, path: str, **more: Any) -> httpx2.Response:
    headers = {**bearer(table.host), **more.pop("headers", {})}
    return table.client.request(method, table.path + path, headers=headers, **more)
