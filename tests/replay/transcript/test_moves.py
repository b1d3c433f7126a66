"""Where the cards of an event go, as far as a viewer may know them."""

from collections import Counter

import pytest

from phaseledger.domain import commands as c
from phaseledger.domain.cards import parse
from phaseledger.domain.events import EVENTS, RoundDealt
from phaseledger.domain.evolve import evolve
from phaseledger.domain.rulesets import preset
from phaseledger.domain.state import State
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.moves import _MOVED, CardMove, moves
from tests.golden.games import GAMES, SAMPLE
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.replay.golden_steps import golden_steps, viewers
from tests.support.table import events_of, play, table

BOARD = preset("board")


def moved(state: State, seat: int, command: c.Command) -> dict[Viewer, list[str]]:
    """The moves of a decision's first event, for all eyes, two seats and a spectator."""
    event = events_of(state, seat, command)[0]
    after = evolve(state, event)
    return {viewer: texts(moves(after, event, viewer)) for viewer in ("all", 0, 1, None)}


def texts(made: tuple[CardMove, ...]) -> list[str]:
    return [f"{move.count} of {move.origin} to {move.to}: {move.cards}" for move in made]


RUN = {"laid": {0: 6, 1: 6}, "groups": [(1, "run", "R1 B2 G3 Y4 R5 B6 G7 Y8")], "ruleset": BOARD}
PHASE_3 = {"phases": [3, 1], "ruleset": BOARD}


@looped(
    ("state", "command", "openly", "owner", "other", "anybody"),
    [
        pytest.param(
            table(["R5 R9", "B1"], discard="G1", question="draw", stock="Y7 Y8"),
            c.Draw(),
            *["1 of stock to hand:0: Y7"] * 2,
            *["1 of stock to hand:0: ?"] * 2,
            id="C-14 a card that only its owner sees",
        ),
        pytest.param(
            table(["J(R5) R7", "R9"], **RUN),
            c.Hit(0, "J1", "high"),
            "1 of hand:0 to group:0:high: J(R5)",
            *["1 of hand:0 to group:0:high: J"] * 3,
            id="B-30 a joker lies with its back up",
        ),
        pytest.param(
            table(["R9 R7", "R8"], **RUN),
            c.Hit(0, "R9", "high"),
            *["1 of hand:0 to group:0:high: R9"] * 4,
            id="B-53 a hit",
        ),
        pytest.param(
            table(["R5 B5 J(R2) G1 G2 G3 Y9", "R9"], **PHASE_3),
            c.Lay((c.GroupToLay("R5 B5 J1"), c.GroupToLay("G1 G2 G3"))),
            "3 of hand:0 to group:0: R5 B5 J(R2) + 3 of hand:0 to group:1: G1 G2 G3",
            *["3 of hand:0 to group:0: R5 B5 J + 3 of hand:0 to group:1: G1 G2 G3"] * 3,
            id="B-51 a phase",
        ),
        pytest.param(
            table(["J(R5) R7", "R9"], ruleset=BOARD),
            c.Discard("J1"),
            *["1 of hand:0 to discard: R5"] * 4,
            id="B-65 a discarded joker shows its face",
        ),
        pytest.param(
            table(["J(R5) R7 J(B2) R8", "R9"], question="swap", ruleset=BOARD),
            c.Swap("R8 J2 R7"),
            "3 of hand:0 to discard: R8 B2 R7",
            "3 of hand:0 to discard: R8 J2 R7",
            *["3 of hand:0 to discard: ? ? R7"] * 2,
            id="B-25 others see the top only",
        ),
        pytest.param(
            table(["J(R5) R7 J(B2) R8", "R9"], question="swap", ruleset=BOARD),
            c.Swap("R7"),
            *["1 of hand:0 to discard: R7"] * 4,
            id="B-25 a single card",
        ),
        pytest.param(
            table(["R9", "J(R5) R7"], question="ask", ruleset=BOARD, discard="R1 B1"),
            c.Ask(5, "right"),
            *[""] * 4,
            id="B-32 no card moves",
        ),
    ],
)
def test_where_cards_go(
    state: State, command: c.Command, openly: str, owner: str, other: str, anybody: str
) -> None:
    made = {viewer: " + ".join(rows) for viewer, rows in moved(state, 0, command).items()}

    assert made == {"all": openly, 0: owner, 1: other, None: anybody}


def test_a_skip_goes_before_its_target_and_under_the_pile() -> None:
    """D-14, D-18."""
    state = table(["* 2H", "3H", "4H"], ruleset=preset("standard-deck"), discard="5H")
    placed, served, *_ = events_of(state, 0, c.Discard("*", 1))
    state = evolve(state, placed)

    assert texts(moves(state, placed, None)) == ["1 of hand:0 to front:1: *"]
    assert texts(moves(evolve(state, served), served, 2)) == ["1 of front:1 to discard: *"]


def test_cards_that_are_given() -> None:
    """B-34, B-36: a joker's owner does not learn its face, the asker gets it as a card."""
    state = table(["R9", "J(R5) R7", "B1"], question="ask", ruleset=BOARD, discard="R1 B1")
    asked, given, *_ = events_of(state, 0, c.Ask(5))
    after = evolve(evolve(state, asked), given)
    joker = {viewer: moves(after, given, viewer)[0].cards for viewer in ("all", 0, 1, 2, None)}
    state = table(["R9", "R5 B5", "G5"], question="ask", ruleset=BOARD, discard="R1 B1")
    state = play(state, (0, c.Ask(5)))
    (given, *_) = events_of(state, 1, c.Give("B5"))
    plain = {viewer: moves(evolve(state, given), given, viewer)[0].cards for viewer in (0, 1, 2)}

    assert joker == {"all": "R5", 0: "R5", 1: "J1", 2: "R5", None: "J"}
    assert plain == {0: "B5", 1: "B5", 2: "?"}


def test_a_joker_that_is_drawn() -> None:
    """B-29: all others see its face, its owner knows it by its number."""
    turned = next(
        (event, state)
        for event, state in golden_steps("board-3")
        if type(event).__name__ == "CardTurned"
    )
    event, state = turned
    face = state.seat(event.seat).hand[-1:]  # type: ignore[attr-defined]
    cards = {viewer: moves(state, event, viewer)[0].cards for viewer in viewers(3)}

    assert cards.pop(event.seat) == "J1"  # type: ignore[attr-defined]
    assert cards.pop(None) == "J"
    assert {parse(card) for card in cards.values()} == {face}


@pytest.mark.parametrize("name", ["classic-3", "board-3"])
def test_a_deal_moves_all_hands_and_what_is_turned_up(name: str) -> None:
    steps = [step for step in golden_steps(name) if isinstance(step.event, RoundDealt)]
    for event, state in steps:
        assert isinstance(event, RoundDealt)
        made = moves(state, event, 0)
        kept = event.kept or (0,) * len(state.seats)
        dealt = {move.to: move for move in made}
        for seat in event.players:
            assert dealt[f"hand:{seat}"].count == event.hands[seat] - kept[seat]
            assert (dealt[f"hand:{seat}"].cards == "?") == (seat != 0)
        assert dealt["discard"].count == event.covered + len(event.discard.split())
        assert {move.origin for move in made} == {"stock"}
        assert all(move.cards == " ".join(move.cards.split()) for move in made)


@pytest.mark.parametrize("name", sampled(GAMES, *SAMPLE))
def test_moves_are_what_happens_to_the_places(name: str) -> None:
    """The counts of stock, pile, hands and groups change by the moves, in golden games."""
    before: State | None = None
    for event, state in golden_steps(name):
        change: Counter[str] = Counter()
        for move in moves(state, event, "all"):
            change[move.origin] -= move.count
            change[place(move.to)] += move.count
        if before and before.round and not isinstance(event, RoundDealt):
            expected = Counter(sizes(state))
            expected.subtract(sizes(before))
            assert {key: n for key, n in change.items() if n} == {
                key: n for key, n in expected.items() if n
            }
        before = state


def place(text: str) -> str:
    return text.removesuffix(":low").removesuffix(":high")


def sizes(state: State) -> dict[str, int]:
    seats = [seat for seat in state.seats if seat]
    return (
        {"stock": len(state.stock), "discard": len(state.discard)}
        | {f"hand:{number}": len(seat.hand) for number, seat in enumerate(seats)}
        | {f"front:{number}": len(seat.front) for number, seat in enumerate(seats)}
        | {f"group:{number}": len(group.cards) for number, group in enumerate(state.groups)}
    )


def test_golden_games_have_every_event_whose_cards_move() -> None:
    kinds = {type(step.event) for name in SAMPLE for step in golden_steps(name)}
    assert {*_MOVED} <= kinds <= {*EVENTS.values()}
