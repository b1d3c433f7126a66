"""Commands of a seat that has registered a key: its signature is asked for and kept.

Whether a signature is genuine is not the domain's business; here any 128 hex digits are one.
"""

import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Act, Command, OpenGame, Rejected, Start, TakeSeat
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import Event, SeatTaken, belongs
from phaseledger.domain.state import Question, State
from tests.support.cases import looped
from tests.support.scenario import decisions
from tests.support.table import BOARD, GAME, board, landing, play, table

KEY = "a1" * 32
SIG = "5e" * 64
SECRET = "ab" * 32


def keyed(state: State, *seats: int) -> State:
    """The state, with a key for these seats."""
    changed = (
        replace(seat, key=KEY) if seat and n in seats else seat
        for n, seat in enumerate(state.seats)
    )
    return replace(state, seats=tuple(changed))


def code(state: State | None, act: Act) -> str:
    """The code of the refusal, which there must be."""
    with pytest.raises(Rejected) as refused:
        decide(state, act)
    return refused.value.code.value


def lobby() -> State:
    return step(None, Act(OpenGame(GAME, "classic", 2, secret=SECRET)))[0]


# --- registering a key ----------------------------------------------------------------------------


def test_a_key_is_public_and_stays_with_the_seat() -> None:
    state, (taken,) = step(lobby(), Act(TakeSeat("Ann", secret=SECRET, key=KEY), 0))
    assert isinstance(taken, SeatTaken)
    assert taken.key == KEY
    assert state.seat(0).key == KEY
    assert decision(taken) == Act(TakeSeat("Ann", secret=SECRET, key=KEY), 0)


@looped("key", ["a1" * 31, "A1" * 32, "a1" * 32 + "\n", "no hex" * 8])
def test_what_is_no_key(key: str) -> None:
    assert code(lobby(), Act(TakeSeat("Ann", secret=SECRET, key=key), 0)) == "bad_key"


def test_a_bot_signs_nothing() -> None:
    assert code(lobby(), Act(TakeSeat("Ann", "greedy", secret=SECRET, key=KEY), 0)) == "bad_key"


def test_joining_may_be_signed_by_the_key_that_it_registers() -> None:
    """F1: and the signature is public, since it is over nothing that the server made."""
    signed = Act(TakeSeat("Ann", secret=SECRET, key=KEY), 0, SIG)
    (taken,) = decide(lobby(), signed)
    assert taken.act == Act(TakeSeat("Ann", key=KEY), 0, SIG)
    assert decision(taken) == signed


@looped(("key", "sig"), [("", SIG), (KEY, "5e" * 63), (KEY, SIG + "\n")])
def test_joining_that_is_signed_by_no_key(key: str, sig: str) -> None:
    act = Act(TakeSeat("Ann", secret=SECRET, key=key), 0, sig)
    assert code(lobby(), act) == "no_key_registered"


# --- who has to sign ------------------------------------------------------------------------------


def test_a_seat_with_a_key_signs_everything() -> None:
    """No signature, and what is none, is refused before anything else is looked at."""
    state = keyed(table(["R1 R2", "R3"]), 0)
    for sig in ("", "5e" * 63, "5E" * 64, SIG + "\n"):
        for command in (c.Discard("R1"), c.Draw(), c.Discard("no card")):
            assert code(state, Act(command, 0, sig)) == "signature_needed"
    assert decide(state, Act(c.Discard("R1"), 0, SIG))


def test_a_seat_without_a_key_signs_nothing() -> None:
    state = keyed(table(["R1 R2", "R3"]), 1)
    assert code(state, Act(c.Discard("R1"), 0, SIG)) == "no_key_registered"
    assert decide(state, Act(c.Discard("R1"), 0))


def test_the_host_signs_nothing() -> None:
    state = keyed(table(["R1", "R2"]), 0, 1)
    for command in (c.VoidGame("a storm"), Start(), c.CloseReveal()):
        assert code(state, Act(command, None, SIG)) == "no_key_registered"
    assert decide(state, Act(c.VoidGame("a storm")))


@looped("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there(seat: int) -> None:
    state = keyed(table(["R1", "R2"]), 0, 1)
    assert code(state, Act(c.Draw(), seat)) == "no_such_seat"
    assert code(state, Act(c.Draw(), seat, SIG)) == "no_key_registered"


# --- where the signature is kept ------------------------------------------------------------------

ASKED = play(landing("ASK", ["R1 R2", "B7 G7 R3"]), (0, c.Move(1)), (0, c.Ask(7)))
KEEPING = board(["R1 R2 B5", "B7 G7"], waits=(Question(0, "keep", 3), Question(1, "keep", 3)))
OPENLY = replace(
    KEEPING,
    ruleset=replace(
        KEEPING.ruleset, options=replace(KEEPING.ruleset.options, keep_choice="seat_order_open")
    ),
)
SECRETIVE = {
    "search": (play(landing("SEARCH", ["R1", "B7"], discard="R5 R6 G9"), (0, c.Move(1))), 0,
               c.Search("R5"), "0"),
    "swap": (play(landing("SWAP", ["R1 R2 B5", "B7"]), (0, c.Move(1))), 0, c.Swap("R1 R2"), "0"),
    "give": (ASKED, 1, c.Give("B7"), "0,1"),
    "keep": (KEEPING, 1, c.Keep("B7"), "1"),
    "keep nothing": (KEEPING, 1, c.Keep(), "1"),
    "keep openly": (OPENLY, 0, c.Keep("R1"), "0"),
}  # fmt: skip
"""Commands that name something in secret: state, seat, command, and who may know it."""


@looped("name", SECRETIVE)
def test_a_signature_over_a_secret_is_hidden_beside_it(name: str) -> None:
    """Whoever has it could try all cards on it, so it is for those who know the card."""
    state, seat, command, audience = SECRETIVE[name]
    first, *_ = events = decide(keyed(state, seat), Act(command, seat, SIG))
    assert first.act is not None
    assert first.act.sig == ""
    (where,) = (who for who, secret in first.hidden.items() if secret.sig)
    assert (where, first.hidden[where].sig) == (audience, SIG)
    assert not any(SIG in repr(replace(event, hidden={})) for event in events)
    assert not belongs(where, None)
    assert decision(first) == Act(command, seat, SIG)


PUBLIC: list[Command] = [c.Discard("R1"), c.Hit(0, "R1"), c.Pass()]


@looped("command", PUBLIC)
def test_any_other_signature_is_public(command: Command) -> None:
    """It stands in the decision, and nowhere else."""
    state = table(
        ["R1 R2", "R3"] if not isinstance(command, c.Pass) else ["", "R3"],
        groups=[(1, "set", "B1 G1 Y1")],
        laid={0: 1, 1: 1},
    )
    first, *rest = decide(keyed(state, 0), Act(command, 0, SIG))
    assert first.act == Act(command, 0, SIG)
    assert decision(first) == Act(command, 0, SIG)
    assert not any(secret.sig for event in (first, *rest) for secret in event.hidden.values())


def test_an_unsigned_command_leaves_no_trace_of_a_signature() -> None:
    """The events of seats without keys are byte for byte what they were before there were any."""
    for state, seat, command, _ in SECRETIVE.values():
        first, *_ = decide(state, Act(command, seat))
        assert not any(secret.sig for secret in first.hidden.values())
        assert decision(first) == Act(command, seat)


# --- laws 3 and 4 ---------------------------------------------------------------------------------


def whole_game() -> list[tuple[State, tuple[Event, ...]]]:
    """A short game of the board, in which seat 0 signs and seat 1 does not."""
    options = {"board_phases": ("set(2) + set(2)",) * 10, "max_turns_per_round": 8}
    return list(decisions(GAME, 2, "signed 2", options, "random,greedy", BOARD.name))


def test_a_signed_game_is_decided_again_the_same() -> None:
    """Every decision is put back, signature and all, and leads to the same events and state."""
    state: State | None = None
    before: State | None = None
    signed = 0
    for _, made in whole_game():
        act = decision(made[0])
        assert act is not None
        if isinstance(act.command, TakeSeat) and act.seat == 0:
            act = replace(act, command=replace(act.command, bot="", key=KEY))
        elif act.seat == 0:
            act = replace(act, sig=SIG)
            signed += 1
        state, events = step(before, act)
        recorded = decision(events[0])
        assert recorded == act
        assert step(before, recorded) == (state, events)
        before = state
    assert state is not None
    assert state.stage == "ended"
    assert signed > 50


def test_nobody_signs_an_opening() -> None:
    opening = Act(OpenGame(GAME, "classic", 2, secret=SECRET), sig=SIG)
    assert code(None, opening) == "no_key_registered"
