"""The laws of DESIGN.md that the domain can break, over whole games of every sort."""

from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain import events as e
from phaseledger.domain.cards import TURNED
from phaseledger.domain.commands import Act, Rejected
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import decision
from phaseledger.domain.evolve import evolve, fold
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State, cards_in_play
from tests.support import strategies
from tests.support.cases import looped
from tests.support.chance import chooser
from tests.support.laws import check_groups, check_laws, check_refusal
from tests.support.scenario import TABLES, a_position, decisions, play_random, positions, records
from tests.support.table import GAME, table

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
Decisions = Iterable[tuple[State, tuple[e.Event, ...]]]


# --- what must hold after every decision --------------------------------------------------------


def lawful(steps: Decisions) -> Iterator[State]:
    """The states of a game, the laws checked on the way."""
    before: State | None = None
    for state, events in steps:
        check_laws(before, state, events)
        before = state
        yield state


# --- whole games --------------------------------------------------------------------------------

STYLES = ("complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free")
GAMES: list[tuple[str, int, dict[str, OptionValue]]] = [
    ("classic", 2, {}),
    ("classic", 6, {}),
    ("classic", 3, {"variant": "ten_rounds"}),
    ("classic", 4, {"variant": "even_phases"}),
    ("classic", 2, {"variant": "n_phases(3)", "initial_skip": "cover"}),
    *(("standard-deck", 3 + n % 3, {"style": style}) for n, style in enumerate(STYLES)),
    ("express", 2, {}),
    ("express", 6, {}),
    ("express", 4, {"variant": "ten_rounds"}),
    ("express", 3, {"variant": "n_phases(5)"}),
    ("board", 2, {}),
    ("board", 5, {}),
]


@pytest.mark.untraced
@looped(("ruleset", "seats", "options"), GAMES)
def test_whole_games(ruleset: str, seats: int, options: dict[str, OptionValue]) -> None:
    """Every game ends and keeps the laws; so do the catalogue's notes N-01 to N-07."""
    bot = "greedy" if seats % 2 else "random,greedy"
    steps = list(decisions(GAME, seats, f"{bot} {seats}", options, bot, ruleset))
    assert list(lawful(steps))[-1].stage == "ended"
    check_notes(steps)


@pytest.mark.untraced
def test_a_whole_game_of_random_players() -> None:
    """The longest games, with the fullest tables."""
    steps = list(decisions(GAME, 3, "long", {}, "random", "classic"))
    assert list(lawful(steps))[-1].stage == "ended"
    check_notes(steps)


@pytest.mark.untraced
@given(house=strategies.house, seed=st.text(max_size=4), more=st.integers(0, 4))
@settings(CALM, max_examples=12)
def test_house_rules_in_any_combination(
    house: tuple[str, dict[str, OptionValue]], seed: str, more: int
) -> None:
    """The laws hold under every combination of options, for as long as a short game lasts."""
    ruleset, options = house
    least, most = preset(ruleset).seats_min, preset(ruleset).seats_max
    seats = min(most, least + more)
    try:
        for _ in islice(lawful(decisions(GAME, seats, seed, options, "greedy", ruleset)), 250):
            pass
    except Rejected as refused:
        # Whom `players` lets in: others than these seats, or more than a smaller deck can deal to.
        assert refused.code in ("seats_out_of_range", "bad_option")  # noqa: PT017
        assert "players" in options


# --- the catalogue's notes ----------------------------------------------------------------------


def walk(steps: Decisions) -> Iterator[tuple[State, e.Event, e.Event]]:
    """Each event with the state and the event before it."""
    state, last = None, None
    for _, events in steps:
        for event in events:
            if state is not None and last is not None:
                yield state, last, event
            state, last = evolve(state, event), event


def check_notes(steps: Decisions) -> None:
    """N-01, N-04, N-05, N-06 and N-07, under the usual options."""
    steps = list(steps)
    check_going_out(steps)
    for state, _, event in walk(steps):
        match event:
            case e.TurnBegan():
                order = state.players
                before = order[order.index(event.seat) - 1]
                assert state.seat(before).skips == 0  # N-01
            case e.RoundDealt():
                check_deal(state, event)
            case e.PawnMoved():
                check_move(state, event)


def check_going_out(steps: Decisions) -> None:
    """N-04: as long as every turn draws a card, nobody goes out without a phase; and N-05."""
    without_a_card: set[int] = set()
    gained = 0
    for state, last, event in walk(steps):
        match event:
            case e.TurnBegan() | e.DiceRolled():
                gained = 0
            case e.CardDrawn() | e.CardTurned():
                gained += event.seat == state.active
                without_a_card -= {event.seat} if isinstance(last, e.CardGiven) else set()
            case e.CardGiven():
                gained += 1
                without_a_card |= {event.seat}
            case e.CardsSwapped():
                gained -= event.count
            case e.CardDiscarded() | e.SkipPlaced():
                without_a_card |= {event.seat} if gained < 1 else set()
            case e.RoundDealt():
                without_a_card = set()
            case e.RoundEnded(out=out) if out is not None:
                assert event.results[out].laid or out in without_a_card
                assert last.seat == out  # type: ignore[attr-defined]
                if state.ruleset.options.going_out == "discard_required":
                    assert isinstance(last, e.CardDiscarded)


def check_deal(state: State, event: e.RoundDealt) -> None:
    """N-06: everybody has a full hand, and the rest is stock but for the discards."""
    ruleset = state.ruleset
    assert [event.hands[seat] for seat in event.players] == [ruleset.hand] * len(event.players)
    lying = event.covered + len(event.discard.split())
    assert event.stock == len(ruleset.deck.cards()) - sum(event.hands) - lying
    assert lying == ruleset.initial_discards or ruleset.options.initial_skip == "cover"


def check_move(state: State, event: e.PawnMoved) -> None:
    """N-07 and B-18: a move passes other pawns only, and no space holds two."""
    others = {state.seat(n).pawn for n in state.players if n != event.seat}
    assert event.space not in others
    if event.act is not None and isinstance(event.act.command, c.Move):
        size = len(state.ruleset.track)
        passed = (event.space - state.seat(event.seat).pawn - 1) % size + 1
        assert event.act.command.steps <= passed <= event.act.command.steps + len(others)


# --- the seed and the order of things -----------------------------------------------------------


@looped("ruleset", ["classic", "standard-deck", "express", "board"])
def test_law_4_the_seed_proves_the_outcomes(ruleset: str) -> None:
    """Re-deciding every recorded decision gives the same events, byte for byte."""
    _, log = play_random(GAME, 3, "law 4", bot="greedy", ruleset=ruleset)
    state, repeated = None, []
    for event in log:
        act = decision(event)
        if act is not None:
            state, events = step(state, act)
            repeated += events

    assert log == repeated
    assert records(log) == records(repeated)


@pytest.mark.untraced
def test_law_6_the_same_decision_is_the_same() -> None:
    """No clock, no global chance: deciding twice gives equal events.

    `check_laws` decides twice all that whole games decide; here is what bots would not choose.
    """
    numbers = {ruleset: number for number, (ruleset, *_) in enumerate(TABLES)}
    for number in numbers.values():
        for state in positions(number)[::29]:
            seat = state.waits[0].seat
            command = next(iter(legal(state, seat)))
            assert decide(state, Act(command, seat)) == decide(state, Act(command, seat))
    picks = [chooser(b"seed", 4) for _ in range(2)]
    assert [picks[0](10) for _ in range(40)] == [picks[1](10) for _ in range(40)]


def test_full_groups_with_jokers_stay_valid() -> None:
    """N-02 at its edges (B-60, B-62): jokers on full groups, and a real card after them."""
    run, nines = "R1 B2 G3 Y4 R5 B6 G7 Y8 B9 B10 G11 Y12", "R9 R9 B9 G9 G9 Y9"
    state = table(
        ["R2 R3 B1 B3 B4 Y9 R6 R7", "R8"],
        laid={0: 8},
        phases=[8, 6],
        groups=[(1, "run", run), (1, "set", nines)],
        ruleset=preset("board"),
    )
    seat = state.seat(0)
    turned = bytes(card | TURNED for card in seat.hand[:5]) + seat.hand[5:]
    state = replace(state, seats=(replace(seat, hand=turned), *state.seats[1:]))
    for command in (
        *(c.Hit(0, "J1", end) for end in ("high", "low")),
        *(c.Hit(1, card) for card in ("J1", "J1", "J1", "Y9")),
    ):
        after, events = step(state, Act(command, 0))
        assert fold(events, state) == after
        assert cards_in_play(state) == cards_in_play(after)
        check_groups(after)
        state = after


numbers = st.sampled_from(range(len(TABLES)))
places = st.integers(0, 9_999)


# --- garbage ------------------------------------------------------------------------------------


@pytest.mark.untraced
@given(
    number=numbers,
    at=places,
    acts=st.lists(st.tuples(st.none() | strategies.seat, strategies.command), max_size=20),
)
@settings(CALM, max_examples=16)
def test_garbage_is_refused_or_lawful(
    number: int, at: int, acts: list[tuple[int | None, c.Command]]
) -> None:
    """Any command in any state: a refusal with a code, or events that keep the laws."""
    state = a_position(number, at)
    for seat, command in acts:
        for speaker in dict.fromkeys([seat, state.waits[0].seat if state.waits else None]):
            try:
                after, events = step(state, Act(command, speaker))
            except Rejected as refused:
                note(f"{command}: {refused.code}")
                check_refusal(refused)
                continue
            check_laws(state, after, events)
            state = after
