"""Law 7: neither a view nor the events shown tell what the viewer may not know."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import parse
from domain.codec import append, command_id, leaf_hash, new_chain, redact, seal
from domain.commands import Act, Command, Discard, Draw, Hit, Rejected
from domain.decide import step
from domain.events import GameOpened, belongs
from domain.legal import legal
from domain.state import State
from domain.view import view
from tests.scenario import decisions, play_random, records
from tests.table import GAME, table


def hidden_cards_permuted(state: State, viewer: int | None, seed: int) -> State:
    """A state that differs only in cards which the viewer may not see."""
    others = [n for n in range(len(state.seats)) if n != viewer]
    pool = state.stock + b"".join(state.seat(n).hand for n in others)
    turn = seed % len(pool) if pool else 0
    pool = pool[turn:] + pool[:turn]
    stock, pool = pool[: len(state.stock)], pool[len(state.stock) :]
    seats = list(state.seats)
    for number in others:
        size = len(state.seat(number).hand)
        seats[number] = replace(state.seat(number), hand=pool[:size])
        pool = pool[size:]
    # What lies under the top of the pile was seen by all; the secret was seen by nobody.
    return replace(state, stock=stock, seats=tuple(seats), server_secret="0" * 64)


def answer(state: State, seat: int, command: Command) -> tuple[object, ...]:
    """What a seat learns from a refusal."""
    try:
        step(state, Act(command, seat))
    except Rejected as refused:
        return (refused.code, refused.rule, refused.detail)
    return ("accepted",)


@given(
    seed=st.integers(0, 8),
    depth=st.integers(4, 300),
    viewer=st.none() | st.integers(0, 2),
    turn=st.integers(1, 80),
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_law_7_equal_views(seed: int, depth: int, viewer: int | None, turn: int) -> None:
    """Equal bytes, equal legal commands and equal refusals, whatever the others hold."""
    states = [state for state, _ in zip_to(depth, seed)]
    state = states[-1]
    other = hidden_cards_permuted(state, viewer, turn)

    assert msgspec.json.encode(view(state, viewer)) == msgspec.json.encode(view(other, viewer))
    if viewer is not None:
        assert list(legal(state, viewer)) == list(legal(other, viewer))
        tries: list[Command] = [Draw(), Discard("R1"), Hit(0, "W"), *legal(state, viewer)]
        for command in tries:
            assert answer(state, viewer, command) == answer(other, viewer, command)


def zip_to(depth: int, seed: int) -> list[tuple[State, object]]:
    """The decisions of a game of three up to a depth."""
    taken = []
    for count, pair in enumerate(decisions(GAME, 3, f"{seed}", {}, "greedy")):
        if pair[0].stage == "playing":
            taken.append(pair)
        if count >= depth:
            break
    return taken


def test_the_view_of_a_seat() -> None:
    """What the view says, to the seat and to a spectator."""
    state = table(["R1 W", "B2 B3 B4"], laid={1: 1}, groups=[(1, "run", "R3 B4 G5 Y6")])
    mine, nobodys = view(state, 0), view(state, None)

    assert (mine.hand, mine.you) == ("R1 W", 0)
    assert (nobodys.hand, nobodys.you) == (None, None)
    assert [seat.cards for seat in mine.seats if seat] == [2, 3]
    assert (mine.groups[0].kind, mine.groups[0].low, mine.groups[0].high) == ("run", 3, 6)
    assert mine.seats[1].made == (1,)
    lobby = next(state for state, _ in decisions(GAME, 2, "x", {}, "random"))
    assert view(lobby, 0).seats == (None, None)
    assert view(lobby, 0).active is None


def test_the_view_of_a_game_that_is_over() -> None:
    """The phases shown are those attempted, and they exist."""
    state, _ = play_random(GAME, 3, "over", bot="greedy")
    seats = [seat for seat in view(state, None).seats if seat]
    assert {seat.phase for seat in seats} <= set(range(1, 11))
    assert all(seat.phase in seat.made for seat in seats if seat.laid)
    assert 10 in {seat.phase for seat in seats if seat.laid}


AUDIENCES = [
    ("1", 1, True),
    ("1", 0, False),
    ("1", None, False),
    ("1,3", 3, True),
    ("1,3", 13, False),
    ("not:2", 1, True),
    ("not:2", 2, False),
    ("not:2", None, False),
    ("stock", 0, False),
    ("server", 0, False),
]


@pytest.mark.parametrize(("audience", "viewer", "expected"), AUDIENCES)
def test_audiences(audience: str, viewer: int | None, *, expected: bool) -> None:
    """Section 6: who may know; spectators belong to none."""
    assert expected == belongs(audience, viewer)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_redacted_events_chain_and_open(viewer: int | None) -> None:
    """Every viewer can follow the chain, and check the seals of what concerns the viewer only."""
    _, log = play_random(GAME, 3, "redaction", bot="greedy")
    assert isinstance(log[0], GameOpened)
    chain = new_chain(log[0])
    head = "0" * 64
    for entry in records(log):
        shown = msgspec.json.decode(redact(entry.stored, chain.key, viewer, opened=False))
        hidden, salts = shown.pop("hidden", {}), shown.pop("salts", {})
        assert {who for who in shown.get("sealed", {}) if belongs(who, viewer)} == set(hidden)
        for who, value in hidden.items():
            raw = msgspec.json.encode(value, order="sorted")
            assert shown["sealed"][who] == seal(bytes.fromhex(salts[who]), raw)
        assert head == shown["prev"]
        head = leaf_hash(msgspec.json.encode(shown, order="sorted"))
        assert head == entry.leaf
        opened = msgspec.json.decode(redact(entry.stored, chain.key, viewer, opened=True))
        assert set(opened.get("hidden", {})) == set(opened.get("sealed", {}))


@given(st.integers(1, 60))
@settings(deadline=None, max_examples=20)
def test_law_7_equal_answers_but_for_seals(turn: int) -> None:
    """A command's events, as another seat gets them, differ in nothing but what is sealed."""
    state = next(s for s, _ in zip_to(60, 1)[::-1] if s.waits[0].kind == "draw")
    seat = state.waits[0].seat
    viewer = (seat + 1) % 3
    other = hidden_cards_permuted(state, viewer, turn)
    pair = []
    for each in (state, other):
        _, events = step(each, Act(Draw(), seat))
        chain = new_chain(first_event())
        _, entries = append(chain, events, command_id(seat, "k"), 0)
        raw = [redact(entry.stored, chain.key, viewer, opened=False) for entry in entries]
        shown = [msgspec.json.decode(line) for line in raw]
        for tree in shown:
            tree.pop("sealed", None)
            tree.pop("prev", None)
        pair.append((shown, [len(line) for line in raw]))
    assert pair[0] == pair[1]


def first_event() -> GameOpened:
    """An opening, for its chain."""
    _, events = next(decisions(GAME, 3, "x", {}, "random"))
    assert isinstance(events[0], GameOpened)
    return events[0]


def test_cards_of_a_state_are_where_the_test_thinks() -> None:
    """The permutation of this test keeps sizes and the viewer's own hand."""
    state = table(["R1", "R2 R3", "R4"], stock="B1 B2")
    other = hidden_cards_permuted(state, 0, 1)
    assert parse("R1") == other.seat(0).hand
    assert state.stock != other.stock
