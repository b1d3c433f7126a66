"""Opening, sitting down, sealing, revealing, breaking off: commands before and after the play."""

import pytest

from phaseledger.domain import deal
from phaseledger.domain.commands import (
    Act,
    Command,
    Discard,
    Draw,
    OpenGame,
    Rejected,
    RevealSecret,
    Start,
    TakeSeat,
    VoidGame,
    VoidRestored,
)
from phaseledger.domain.decide import decide, step
from phaseledger.domain.draft import decision
from phaseledger.domain.events import (
    DealOpened,
    GameOpened,
    GameVoided,
    SeatSecretRevealed,
    TableSealed,
)
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.table import GAME, refusal, table

SECRET = "ab" * 32
OPEN = OpenGame(GAME, "classic", 2, secret=SECRET)


def run(*acts: Act, state: State | None = None) -> State:
    """The state after the decisions."""
    for act in acts:
        state, _ = step(state, act)
    assert state is not None
    return state


def code(state: State | None, act: Act) -> str:
    """The code of the refusal, which there must be."""
    with pytest.raises(Rejected) as refused:
        decide(state, act)
    return refused.value.code.value


def test_nothing_before_the_opening() -> None:
    """A game begins with `OpenGame`, once, by the host."""
    assert code(None, Act(Draw(), 0)) == "not_started"
    assert code(None, Act(OPEN, 0)) == "not_for_seats"
    assert code(run(Act(OPEN)), Act(OPEN)) == "game_exists"


def test_a_rule_set_by_name_or_id() -> None:
    """`classic` and `classic@1` are the same; a version that was never released is unknown."""
    by_id = OpenGame(GAME, "classic@1", 2, secret=SECRET)
    assert run(Act(by_id)).ruleset == run(Act(OPEN)).ruleset
    assert code(None, Act(OpenGame(GAME, "classic@9", 2, secret=SECRET))) == "unknown_ruleset"
    assert code(None, Act(OpenGame(GAME, "classic@", 2, secret=SECRET))) == "unknown_ruleset"


BAD_OPENINGS = [
    ("unknown_ruleset", OpenGame(GAME, "bridge", 2, secret=SECRET)),
    ("seats_out_of_range", OpenGame(GAME, "classic", 9, secret=SECRET)),
    ("no_such_seat", OpenGame(GAME, "classic", 2, dealer=2, secret=SECRET)),
    ("no_such_seat", OpenGame(GAME, "classic", 2, dealer=-1, secret=SECRET)),
    ("bad_game_id", OpenGame('a"b', "classic", 2, secret=SECRET)),
    ("bad_game_id", OpenGame(GAME + "\n", "classic", 2, secret=SECRET)),
    ("bad_secret", OpenGame(GAME, "classic", 2)),
    ("bad_secret", OpenGame(GAME, "classic", 2, secret="AB" * 32)),
    ("bad_option", OpenGame(GAME, "classic", 2, {"run_wrap": 3}, secret=SECRET)),
]


@looped(("expected", "command"), BAD_OPENINGS)
def test_bad_openings(expected: str, command: Command) -> None:
    """Each mistake has its code."""
    assert expected == code(None, Act(command))


@looped(
    "name",
    [
        *("", "  ", "A\x00", "A\n", "A" * 41, "A ", " A", "\xa0A", "A\u3000", "\u2003"),
        *(
            "\u200b",
            "A\u200bB",
            "\xad",
            "\u061c",
            "\u2800",
            "\u3164",
            "\ufeff",
            "\uffff",
            "A\u202eB",
        ),
        *("\u200d", "\ufe0f\u200c", "A\U000e0041", "A\ud800"),
    ],
)
def test_a_name_is_to_be_seen(name: str) -> None:
    assert code(run(Act(OPEN)), Act(TakeSeat(name, secret=SECRET), 0)) == "bad_text"


@looped(
    "name",
    [
        "A",
        "A" * 40,
        "Mary-Jane O'Neil",
        "José",
        "名前",
        "\u0645\u06cc\u200c\u0646",
        "👩\u200d🚀",
        "❤\ufe0f",
    ],
)
def test_a_name_is_in_any_script(name: str) -> None:
    assert run(Act(OPEN), Act(TakeSeat(name, secret=SECRET), 0)).seat(0).name == name


def test_sitting_down() -> None:
    """A seat is taken once, in the lobby, with exactly one of a secret and a commitment."""
    lobby = run(Act(OPEN))
    assert code(lobby, Act(TakeSeat("Ann", secret=SECRET), 2)) == "no_such_seat"
    assert code(lobby, Act(TakeSeat("Ann", secret=SECRET))) == "no_such_seat"
    for bad in (TakeSeat("Ann"), TakeSeat("Ann", commit=SECRET, secret=SECRET)):
        assert code(lobby, Act(bad, 0)) == "bad_secret"
    assert code(lobby, Act(TakeSeat("Ann", commit="xyz"), 0)) == "bad_secret"
    for reason in ("", " ", "\u200b"):
        assert code(lobby, Act(VoidGame(reason))) == "bad_text"
    assert run(Act(VoidGame("enough ")), state=lobby).stage == "voided"
    taken = run(Act(TakeSeat("Ann", secret=SECRET), 0), state=lobby)
    assert code(taken, Act(TakeSeat("Bob", secret=SECRET), 0)) == "seat_taken"
    assert code(taken, Act(Start())) == "seats_open"
    assert code(taken, Act(Start(), 0)) == "not_for_seats"
    assert code(taken, Act(Draw(), 0)) == "not_started"
    full = run(Act(TakeSeat("Bob", secret=SECRET), 1), Act(Start()), state=taken)
    assert code(full, Act(TakeSeat("Eve", secret=SECRET), 1)) == "not_in_lobby"
    assert code(full, Act(Start())) == "not_in_lobby"


def brought(seat: int) -> str:
    """The commitment to a secret that the seat brings."""
    return deal.seat_commit(GAME, seat, bytes.fromhex("cd" * 32))


def test_seats_reveal_what_they_committed_to() -> None:
    """Nobody reveals before all have committed; the deal waits for the last secret."""
    seats = [Act(TakeSeat(name, commit=brought(n)), n) for n, name in enumerate(("Ann", "Bob"))]
    lobby = run(Act(OPEN), *seats)
    reveal = RevealSecret("cd" * 32)
    assert code(lobby, Act(reveal, 0)) == "not_started"

    sealed, (event,) = step(lobby, Act(Start()))
    assert isinstance(event, TableSealed)
    assert [(q.seat, q.kind) for q in sealed.waits] == [(0, "reveal"), (1, "reveal")]
    assert code(sealed, Act(Draw(), 0)) == "secrets_due"
    assert code(sealed, Act(RevealSecret("00" * 32), 0)) == "secret_mismatch"
    assert code(sealed, Act(RevealSecret("no hex"), 0)) == "secret_mismatch"

    waiting = run(Act(reveal, 1), state=sealed)
    assert [(q.seat, q.kind) for q in waiting.waits] == [(0, "reveal")]
    assert code(waiting, Act(reveal, 1)) == "no_secret_due"
    assert code(waiting, Act(Draw(), 1)) == "secrets_due"
    revealed, opened, *_ = decide(waiting, Act(reveal, 0))
    assert isinstance(revealed, SeatSecretRevealed)
    assert isinstance(opened, DealOpened)
    assert run(Act(reveal, 0), state=waiting).stage == "playing"


def test_the_seats_secrets_change_the_deal() -> None:
    """Neither side alone fixes the cards (section 5)."""
    hands = set()
    for secret in ("01" * 32, "02" * 32):
        seats = [Act(TakeSeat(f"{n}", secret=secret), n) for n in range(2)]
        hands.add(run(Act(OPEN), *seats, Act(Start())).seat(0).hand)
    assert len(hands) == 2


def test_breaking_off() -> None:
    """The host may break off at any time; the secret is revealed; then nothing follows."""
    for state in (run(Act(OPEN)), table(["R1", "R2"])):
        (voided,) = decide(state, Act(VoidGame("a storm")))
        assert isinstance(voided, GameVoided)
        assert state.server_secret == voided.secret
        after = run(Act(VoidGame("a storm")), state=state)
        assert after.stage == "voided"
        assert refusal(after, 0, Discard("R1"))[0] == "game_over"
        assert code(after, Act(VoidGame("again"))) == "game_over"
        assert code(after, Act(TakeSeat("Eve", secret=SECRET), 0)) == "game_over"
    assert code(table(["R1", "R2"]), Act(VoidGame("a whim"), 0)) == "not_for_seats"


def test_a_ledger_that_was_restored_breaks_its_games_off() -> None:
    command = VoidRestored(epoch=2, log="example.org/games", published=70)
    for state in (run(Act(OPEN)), table(["R1", "R2"])):
        (voided,) = decide(state, Act(command))
        assert isinstance(voided, GameVoided)
        assert "restore 2" in voided.reason
        assert voided.secret == state.server_secret
        assert code(run(Act(command), state=state), Act(command)) == "game_over"
    assert code(table(["R1", "R2"]), Act(command, 0)) == "not_for_seats"


def test_secrets_stand_only_under_hidden() -> None:
    """The decision on the event leaves the secret out; `decision` puts it back."""
    (opened,) = decide(None, Act(OPEN))
    assert isinstance(opened, GameOpened)
    assert opened.act is not None
    assert opened.act.command.secret == ""
    assert Act(OPEN) == decision(opened)
    sit = Act(TakeSeat("Ann", secret=SECRET), 0)
    (taken,) = decide(run(Act(OPEN)), sit)
    assert sit == decision(taken)
    bring = Act(TakeSeat("Ann", commit=brought(0)), 0)
    (taken,) = decide(run(Act(OPEN)), bring)
    assert bring == decision(taken)
    assert taken.hidden == {}
