"""Seats freed, kept, left and handed over; the terms that a table is opened with."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from phaseledger.domain.commands import (
    Act,
    Command,
    Discard,
    Draw,
    KickSeat,
    LeaveSeat,
    NameSeat,
    OpenGame,
    Rejected,
    RevealSecret,
    Start,
    TakeSeat,
    TimeOut,
    VoidGame,
)
from phaseledger.domain.decide import step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import GameOpened, SeatFreed, SeatHandedOver, SeatNamed
from phaseledger.domain.evolve import fold
from phaseledger.domain.state import State
from phaseledger.domain.terms import LONGEST_PACE, Clock, Terms, terms_fault
from phaseledger.domain.view import view
from tests.support.cases import looped
from tests.support.table import GAME, refused, table

SECRET = "ab" * 32
OLD = "22222222-2222-4222-8222-222222222222"
KEY = "0b" * 32
SIG = "cd" * 64


def run(*acts: tuple[int | None, Command], state: State | None = None) -> State:
    """The state after the decisions."""
    for seat, command in acts:
        state, _ = step(state, Act(command, seat))
    assert state is not None
    return state


def opened(seats: int = 2, **terms: Any) -> State:
    table_ = Terms(**terms) if terms else None
    return run((None, OpenGame(GAME, "classic", seats, secret=SECRET, table=table_)))


def sit(seat: int, name: str = "Ann", **more: Any) -> tuple[int, TakeSeat]:
    return seat, TakeSeat(name, **{"secret": "01" * 32, **more})


# --- terms ----------------------------------------------------------------------------------------


def test_terms_stand_in_the_opening() -> None:
    terms = Terms(private=True, spectators="delayed", delay=3, clock=Clock(60, 5, "void"))
    state, (event,) = step(None, Act(OpenGame(GAME, "classic", 2, secret=SECRET, table=terms)))
    assert isinstance(event, GameOpened)
    assert event.table == state.terms == terms
    assert decision(event) == Act(OpenGame(GAME, "classic", 2, secret=SECRET, table=terms))


def test_a_table_without_terms_has_the_bytes_that_it_had() -> None:
    _, (event,) = step(None, Act(OpenGame(GAME, "classic", 2, secret=SECRET)))
    assert b'"table"' not in msgspec.json.encode(event)


@looped(
    ("terms", "code", "detail"),
    [
        (Terms(clock=Clock(0)), "bad_terms", "a turn takes 1 to 2592000 seconds"),
        (Terms(clock=Clock(2_592_001)), "bad_terms", "a turn takes"),
        (Terms(clock=Clock(1, -1)), "bad_terms", "grace 86400 at most"),
        (Terms(clock=Clock(1, 86_401)), "bad_terms", "grace"),
        (Terms(spectators="delayed"), "bad_terms", "delayed spectators"),
        (Terms(delay=2), "bad_terms", "and no others"),
        (Terms(spectators="delayed", delay=-1), "bad_terms", "1 to 10000 events"),
        (Terms(spectators="delayed", delay=10_001), "bad_terms", "1 to 10000 events"),
        (Terms(rematch_of="the last one"), "bad_terms", "names the game"),
        (Terms(reserved=(0,)), "bad_terms", "only a rematch"),
        (Terms(rematch_of=OLD, reserved=(1, 0)), "bad_terms", "in order"),
        (Terms(rematch_of=OLD, reserved=(0, 0)), "bad_terms", "in order"),
        (Terms(rematch_of=OLD, reserved=(2,)), "bad_terms", "by their numbers"),
        (Terms(rematch_of=OLD, reserved=(-1,)), "bad_terms", "by their numbers"),
        (Terms(stand_in=""), "bad_text", ""),
        (Terms(stand_in="a\u2028b"), "bad_text", ""),
    ],
)
def test_terms_that_make_no_table(terms: Terms, code: str, detail: str) -> None:
    with pytest.raises(Rejected) as rejected:
        step(None, Act(OpenGame(GAME, "classic", 2, secret=SECRET, table=terms)))
    assert rejected.value.code == code
    assert detail in rejected.value.detail


@looped(
    "terms",
    [
        Terms(clock=Clock(1)),
        Terms(clock=Clock(2_592_000, 86_400)),
        Terms(spectators="delayed", delay=1),
        Terms(spectators="delayed", delay=10_000),
        Terms(rematch_of=OLD, reserved=(0, 1)),
        Terms(rematch_of=OLD),
    ],
)
def test_terms_at_their_bounds(terms: Terms) -> None:
    assert run((None, OpenGame(GAME, "classic", 2, secret=SECRET, table=terms))).terms == terms


# --- kicking --------------------------------------------------------------------------------------


def test_a_kicked_seat_is_as_if_nobody_had_sat_there() -> None:
    before = opened()
    taken = run(sit(0, key=KEY), state=before)
    state, events = step(taken, Act(KickSeat(0)))
    assert [type(event) for event in events] == [SeatFreed]
    assert state == before == fold(events, taken)
    resat = run(sit(0, "Bob", secret="02" * 32), state=state)
    assert (resat.seat(0).name, resat.seat(0).secret, resat.seat(0).key) == ("Bob", "02" * 32, "")


def test_who_may_kick_whom() -> None:
    lobby = run(sit(0), state=opened())
    assert refused(lobby, 0, KickSeat(0))[0] == "not_for_seats"
    assert refused(lobby, None, KickSeat(1)) == ("nobody_there", "", "1")
    assert refused(lobby, None, KickSeat(2)) == ("no_such_seat", "", "2")
    assert refused(lobby, None, KickSeat(-1)) == ("no_such_seat", "", "-1")
    assert refused(run((None, VoidGame("x")), state=lobby), None, KickSeat(0))[0] == "game_over"
    assert refused(table(["R1", "R2"]), None, KickSeat(0))[0] == "not_in_lobby"


def test_only_the_last_secret_counts_in_the_deal() -> None:
    """Whoever was there before has no part in it."""
    straight = run(sit(0), sit(1), (None, Start()), state=opened())
    freed = run(
        sit(0, secret="09" * 32), (None, KickSeat(0)), sit(0), sit(1), (None, Start()),
        state=opened(),
    )  # fmt: skip
    assert freed == straight


# --- reserved seats -------------------------------------------------------------------------------


def test_a_seat_is_kept_until_it_is_taken_or_freed() -> None:
    state = opened(3, rematch_of=OLD, reserved=(0, 2))
    assert state.reserved == (0, 2)
    assert run(sit(2), state=state).reserved == (0,)
    freed, events = step(state, Act(KickSeat(0)))
    assert (freed.reserved, freed.seats) == ((2,), (None, None, None))
    assert fold(events, state) == freed
    assert refused(freed, None, KickSeat(0))[0] == "nobody_there"
    # Getting up does not make it a kept seat again.
    assert run(sit(2), (2, LeaveSeat()), state=state).reserved == (0,)


# --- naming ---------------------------------------------------------------------------------------

ADA, BOB = f"player-{'a' * 20}", f"player-{'b' * 20}"


def test_a_guest_becomes_a_player_at_any_time_before_the_end() -> None:
    lobby = run(sit(0), sit(1, "Ben"), state=opened())
    for state in (lobby, run((None, Start()), state=lobby)):
        named, (event,) = step(state, Act(NameSeat(0, ADA)))
        assert event == SeatNamed(seat=0, name=ADA, act=Act(NameSeat(0, ADA)))
        assert named == replace(state, seats=(replace(state.seat(0), name=ADA), state.seats[1]))
        assert fold((event,), state) == named
    over = run((None, VoidGame("rain")), state=lobby)
    assert refused(over, None, NameSeat(0, ADA))[0] == "game_over"


def test_only_a_guest_becomes_a_player_and_once() -> None:
    lobby = run(sit(0, key=KEY), sit(1, bot="greedy"), sit(2, ADA), sit(3), state=opened(5))
    for number, name, code in (
        *((0, BOB, "seat_signs"), (1, BOB, "bot_seat"), (2, BOB, "player_seated")),
        *((3, ADA, "player_seated"), (3, "Bob", "bad_text"), (3, f"{BOB} ", "bad_text")),
        *((4, BOB, "nobody_there"), (5, BOB, "no_such_seat")),
    ):
        assert refused(lobby, None, NameSeat(number, name))[0] == code
    assert refused(lobby, 3, NameSeat(3, BOB))[0] == "not_for_seats"


# --- leaving --------------------------------------------------------------------------------------


def test_leaving_the_lobby() -> None:
    lobby = run(sit(0), sit(1, bot="greedy"), state=opened())
    state, (event,) = step(lobby, Act(LeaveSeat(), 0))
    assert isinstance(event, SeatFreed)
    assert (event.seat, event.by, state.seats[0]) == (0, "seat", None)
    assert refused(state, 0, LeaveSeat())[0] == "nobody_there"
    assert refused(lobby, 1, LeaveSeat())[0] == "bot_seat"
    assert refused(lobby, None, LeaveSeat())[0] == "no_such_seat"
    assert refused(lobby, 2, LeaveSeat())[0] == "no_such_seat"


def test_leaving_the_game() -> None:
    lobby = run(sit(0, key=KEY), sit(1), state=opened(stand_in="random"))
    game = run((None, Start()), state=lobby)
    with pytest.raises(Rejected, match="signature_needed"):
        step(game, Act(LeaveSeat(), 0))
    state, events = step(game, Act(LeaveSeat(), 0, SIG))
    (event,) = events
    assert isinstance(event, SeatHandedOver)
    assert (event.bot, event.why) == ("random", "left")
    seat = state.seat(0)
    assert (seat.bot, seat.key, seat.hand) == ("random", "", game.seat(0).hand)
    assert state.waits == game.waits
    assert fold(events, game) == state
    shown = view(state, None).seats[0]
    assert shown is not None
    assert (shown.bot, shown.key) == ("random", "")
    assert refused(state, 0, LeaveSeat())[0] == "bot_seat"


def test_a_secret_that_is_owed_is_revealed_first() -> None:
    """Nobody else can, so a bot in that seat could never play."""
    lobby = run(sit(0, secret="", commit="c" * 64), sit(1), state=opened())
    sealed = run((None, Start()), state=lobby)
    assert refused(sealed, 0, LeaveSeat())[0] == "secrets_due"
    assert run((1, LeaveSeat()), state=sealed).seat(1).bot == "greedy"


# --- the clock ------------------------------------------------------------------------------------


def clocked(hands: list[str], **terms: Any) -> State:
    return replace(table(hands, question="draw"), terms=Terms(**terms))


def test_who_can_be_overdue() -> None:
    state = clocked(["R1", "R2"], clock=Clock(9))
    assert refused(state, 1, TimeOut(0))[0] == "not_for_seats"
    assert refused(state, None, TimeOut(1))[0] == "not_overdue"
    assert refused(state, None, TimeOut(7))[0] == "not_overdue"
    assert refused(table(["R1", "R2"]), None, TimeOut(0))[0] == "no_clock"
    assert refused(run((None, VoidGame("x")), state=state), None, TimeOut(0))[0] == "game_over"
    away = run((None, TimeOut(0)), state=state)
    assert refused(away, None, TimeOut(0))[0] == "not_overdue"
    gone = run((0, LeaveSeat()), state=state)
    assert refused(gone, None, TimeOut(0))[0] == "not_overdue"
    lobby = run(sit(0, secret="", commit="c" * 64), sit(1), state=opened(clock=Clock(9)))
    sealed = run((None, Start()), state=lobby)
    assert refused(sealed, None, TimeOut(0))[0] == "not_overdue"


def test_a_bot_answers_until_the_next_turn() -> None:
    """Unsigned, and only until then; its own answers the seat still signs."""
    state = clocked(["R1 R5", "R2 R6"], clock=Clock(9), stand_in="random")
    seats = (replace(state.seat(0), key=KEY), state.seat(1))
    state = replace(state, seats=seats)
    away, events = step(state, Act(TimeOut(0)))
    assert away.seat(0).stand_in == "random"
    assert fold(events, state) == away
    assert away.waits == state.waits
    shown = view(away, None).seats[0]
    assert shown is not None
    assert shown.stand_in == "random"
    with pytest.raises(Rejected, match="no_key_registered"):
        step(away, Act(Draw(), 0, SIG))
    with pytest.raises(Rejected, match="signature_needed"):
        step(away, Act(LeaveSeat(), 0))
    with pytest.raises(Rejected, match="signature_needed"):
        step(away, Act(KickSeat(0), 0))
    assert step(away, Act(LeaveSeat(), 0, SIG))[0].seat(0).bot == "random"
    played = run((0, Draw()), (0, Discard("R1")), state=away)
    assert (played.active, played.seat(0).stand_in) == (1, "random")
    back = run((1, Draw()), (1, Discard("R2")), state=played)
    assert (back.active, back.seat(0).stand_in) == (0, "")
    with pytest.raises(Rejected, match="signature_needed"):
        step(back, Act(Draw(), 0))
    assert step(back, Act(Draw(), 0, SIG))[0].waits[0].kind == "play"


def test_a_bot_has_the_seat_for_good() -> None:
    state = clocked(["R1 R5", "R2 R6"], clock=Clock(9, then="bot_for_good"))
    gone, events = step(state, Act(TimeOut(0)))
    assert [type(event).__name__ for event in events] == ["TurnTimedOut", "SeatHandedOver"]
    assert (gone.seat(0).bot, gone.seat(0).stand_in) == ("greedy", "")
    assert fold(events, state) == gone
    assert decision(events[0]) == Act(TimeOut(0))


def test_the_game_is_void_and_says_who_was_overdue() -> None:
    state = clocked(["R1 R5", "R2 R6"], clock=Clock(9, then="void"))
    over, events = step(state, Act(TimeOut(0)))
    assert (over.stage, over.waits) == ("voided", ())
    ended = events[-1]
    assert (ended.owing, ended.reason) == ((0,), "seat 0 did not answer in time")  # type: ignore[attr-defined]
    assert ended.secret == state.server_secret  # type: ignore[attr-defined]
    assert fold(events, state) == over


def test_a_secret_is_revealed_by_its_seat_alone() -> None:
    """A clock has nothing to do with secrets: those have a deadline of their own."""
    lobby = run(sit(0, secret="", commit="c" * 64), sit(1), state=opened(clock=Clock(9)))
    sealed = run((None, Start()), state=lobby)
    assert refused(sealed, 0, RevealSecret("01" * 32))[0] == "secret_mismatch"


def test_a_bot_waits_a_minute_at_most() -> None:
    assert terms_fault(Terms(pace=LONGEST_PACE), 2) == ""
    assert terms_fault(Terms(pace=LONGEST_PACE + 1), 2) == "a bot waits 60 seconds at most"
    assert terms_fault(Terms(pace=-1), 2) == "a bot waits 60 seconds at most"
