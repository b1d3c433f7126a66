"""Law 7: neither a view nor the events shown tell what the viewer may not know."""

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.cards import NAMES, owner_names, parse, show
from phaseledger.domain.commands import Act, Command, Rejected
from phaseledger.domain.decide import step
from phaseledger.domain.events import GameOpened, belongs
from phaseledger.domain.evidence.codec import leaf_hash, new_chain, redact, seal
from phaseledger.domain.evolve import fold
from phaseledger.domain.legal import legal
from phaseledger.domain.state import State
from phaseledger.domain.view import view
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.chance import Pick, chooser
from tests.support.scenario import (
    TABLES,
    a_position,
    decisions,
    moments,
    play_random,
    positions,
    records,
)
from tests.support.table import GAME, board, table
from tests.support.twin_decisions import NoTwin, shown, two_courses
from tests.support.twin_states import mixed, twin

BOARDS = [number for number, row in enumerate(TABLES) if row[0] == "board"]
SAMPLE = (0, 4, 8, 10, 13)
"""One table of each rule set, and a second of the board, whose keepers choose in the open."""
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def answer(state: State, seat: int, command: Command) -> tuple[str, ...]:
    """What a seat learns from a refusal."""
    try:
        step(state, Act(command, seat))
    except Rejected as refused:
        return (refused.code, refused.rule, refused.detail)
    return ("accepted",)


def guesses(state: State, seat: int, pick: Pick) -> Iterator[Command]:
    """Commands that might tell the seat something, most of them refused."""
    notation = state.ruleset.deck.notation
    deck = [NAMES[notation][card] for card in sorted(set(state.ruleset.deck.cards()))]
    hand = owner_names(state.seat(seat).hand)
    mine = list(dict.fromkeys(show(hand, notation).split()))
    yield from (c.Draw(), c.Draw("discard"), c.Pass(), c.Keep(), c.Move(1 + pick(12)))
    for card in dict.fromkeys([*mine, *deck, "J1", "J2"]):
        yield from (c.Discard(card), c.Search(card), c.Give(card), c.Keep(card), c.Swap(card))
        if state.groups:
            ends = ("", "low", "high")
            yield c.Hit(pick(len(state.groups)), card, ends[pick(3)])
    for _ in range(8):
        some = [show(bytes([card]), notation) for card in mixed(pick, hand)]
        yield c.Swap(" ".join(some[: 1 + pick(5)]))
        yield c.Keep(" ".join(some[: 1 + pick(6)]))
        yield c.Discard(" ".join(some[:2]))
        phase = state.ruleset.phases[pick(len(state.ruleset.phases))]
        groups = []
        for need in phase.needs:
            groups.append(c.GroupToLay(" ".join(some[: need.size]), pick(13) or None))
            some = some[need.size :]
        yield c.Lay(tuple(groups))


tables = st.sampled_from([*range(len(TABLES)), *BOARDS])
places = st.integers(0, 9_999)
viewers = st.none() | st.integers(0, 5)


@pytest.mark.untraced
@given(number=tables, at=places, viewer=viewers, seed=places)
@settings(CALM, max_examples=30)
def test_law_7_equal_views(number: int, at: int, viewer: int | None, seed: int) -> None:
    """Equal bytes, equal legal commands and equal refusals, whatever lies hidden.

    Hidden are the others' hands (but for their jokers, whose faces all others see), the faces of
    one's own jokers and of those laid, the stock, the covered part of the pile (but for whoever
    searches it), what others have kept while some still choose, and the server's secret.
    """
    state = a_position(number, at)
    viewer = None if viewer is None else viewer % len(state.seats)
    pick = chooser(b"twin", seed)
    other = replace(twin(state, viewer, pick), server_secret="0" * 64)

    assert msgspec.json.encode(view(state, viewer)) == msgspec.json.encode(view(other, viewer))
    if viewer is not None:
        listed = list(legal(state, viewer))
        assert listed == list(legal(other, viewer))
        for command in [*listed[:20], *guesses(state, viewer, pick)]:
            assert answer(state, viewer, command) == answer(other, viewer, command)


def check_courses(state: State, act: Act, seed: int) -> None:
    """Every seat and a spectator get equal events, views and legal commands in a twin.

    Equal up to the seals, which hide what they seal; the lengths in bytes are equal too. Where
    others keep, swap, search or give cards, they choose other ones in the twin.
    """
    for viewer in (None, *range(len(state.seats))):
        try:
            first, second, *_ = two_courses(state, viewer, act, chooser(b"events", seed))
        except NoTwin:
            continue
        assert shown(state, viewer, act, first.events) == shown(state, viewer, act, second.events)
        views = [msgspec.json.encode(view(course.after, viewer)) for course in (first, second)]
        assert views[0] == views[1]
        if viewer is not None:
            assert list(legal(first.after, viewer)) == list(legal(second.after, viewer))


@pytest.mark.untraced
@pytest.mark.parametrize("number", sampled(range(len(TABLES)), *SAMPLE))
def test_law_7_equal_events(number: int) -> None:
    """A decision's events and the table after them, for every sequence of events there is."""
    for sort in moments(number):
        for seed, (state, act) in enumerate(sort):
            check_courses(state, act, seed)


@pytest.mark.untraced
def test_a_twin_differs_where_the_test_thinks() -> None:
    """A twin keeps sizes, the viewer's own hand and what lies open; the rest changes."""
    changed: set[str] = set()
    for number in BOARDS:
        for state in positions(number)[::13]:
            other = twin(state, 0, chooser(b"where", 1))
            for field in ("stock", "discard", "groups"):
                changed |= {field} if getattr(state, field) != getattr(other, field) else set()
            mine, theirs = [(table.seat(0), table.seat(1)) for table in (state, other)]
            changed |= {"own joker"} if mine[0].hand != theirs[0].hand else set()
            changed |= {"hand"} if mine[1].hand != theirs[1].hand else set()
            changed |= {"kept"} if len(mine[1].kept or b"") != len(theirs[1].kept or b"") else set()
            assert owner_names(mine[0].hand) == owner_names(theirs[0].hand)
            assert mine[0].kept is None or owner_names(mine[0].kept) == owner_names(
                theirs[0].kept or b""
            )
            assert len(mine[1].hand) == len(theirs[1].hand)
            assert state.discard[-1:] == other.discard[-1:]
    assert changed == {"stock", "discard", "groups", "own joker", "hand", "kept"}


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


def remembered(state: State) -> tuple[str, str]:
    """What anybody may remember of seat 0: (taken, spurned)."""
    seats = {view(state, viewer).seats[0] for viewer in (None, 0, 1)}
    (seat,) = seats
    assert seat is not None
    return seat.taken, seat.spurned


TOOK: tuple[Act, ...] = (Act(c.Draw("discard"), 0),)
LAID = (*TOOK, Act(c.Lay((c.GroupToLay("R1 B1 G1"), c.GroupToLay("R2 B2 G2"))), 0))


@looped(
    ("hand", "top", "acts", "expected"),
    [
        ("R1 R2", "R9", (), ("", "")),
        ("R1 R2", "R9", (Act(c.Draw(), 0),), ("", "R9")),
        ("R1 R2", "", (Act(c.Draw(), 0),), ("", "")),
        ("R1 R2", "R9", TOOK, ("R9", "")),
        ("R1 R2", "R9", (*TOOK, Act(c.Discard("R1"), 0)), ("R9", "R1")),
        ("R9 R2", "R9", (*TOOK, Act(c.Discard("R9"), 0)), ("", "R9")),  # copies are equal
        ("B1 G1 R2 B2 G2 R3 Y7", "R1", LAID, ("", "")),
        ("R1 B1 G1 R2 B2 G2 R3 Y7", "Y2", LAID, ("Y2", "")),
        ("R1 B1 G1 R2 B2 G2 R3 Y7", "Y2", (*LAID, Act(c.Hit(1, "Y2"), 0)), ("", "")),
    ],
)
def test_what_went_through_the_pile_is_remembered(
    hand: str, top: str, acts: tuple[Act, ...], expected: tuple[str, str]
) -> None:
    """What a seat took from the pile stays known until it is played; so is what it spurned."""
    state = table([hand, "B3 B4"], discard=top, question="draw")
    for act in acts:
        state, _ = step(state, act)
    assert remembered(state) == expected


def test_a_new_round_begins_without_memories() -> None:
    state = table(["R7", "B3 B4"], laid={0: 1}, groups=[(0, "set", "G7 B7 Y7")])
    seat = replace(state.seat(0), taken=parse("R7"), spurned=parse("R9"))
    state, _ = step(replace(state, seats=(seat, state.seat(1))), Act(c.Discard("R7"), 0))
    assert (state.round, remembered(state)) == (2, ("", ""))


def test_the_last_spurned_cards_are_remembered() -> None:
    state = table(["R1 R2", "B3 B4"], question="draw", discard="R9")
    seat = replace(state.seat(0), spurned=parse("B8" + " B9" * 15))
    state = replace(state, seats=(seat, state.seat(1)))
    state, _ = step(state, Act(c.Draw(), 0))
    assert remembered(state) == ("", " ".join(["B9"] * 15 + ["R9"]))
    state, _ = step(state, Act(c.Discard("R1"), 0))
    assert remembered(state) == ("", " ".join(["B9"] * 14 + ["R9", "R1"]))


def test_b_25_under_a_covered_pile_nothing_is_remembered() -> None:
    state = board(["R1 R2", "B3 B4"])
    seat = replace(state.seat(0), taken=parse("R1"), spurned=parse("R9"))
    state = replace(state, seats=(seat, state.seat(1)))
    assert remembered(state) == ("", "")
    for viewer in (None, 0, 1):
        assert b"spurned" not in msgspec.json.encode(view(state, viewer))


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


@looped(("audience", "viewer", "expected"), AUDIENCES)
def test_audiences(audience: str, viewer: int | None, *, expected: bool) -> None:
    """Section 6: who may know; spectators belong to none."""
    assert expected == belongs(audience, viewer)


@looped("viewer", [None, 1])
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


@looped("game", ["standard-deck", "express"])
def test_public_events_fold_to_the_public_table(game: str) -> None:
    """Events without their hidden parts fold to the table as a spectator sees it."""
    state, log = play_random(GAME, 3, "fold", bot="greedy", ruleset=game)
    public = fold(replace(event, hidden={}) for event in log)

    assert public is not None
    assert view(public, None) == view(state, None)
