"""Whether a game comes to its end: what the rules do not bound, and what O-39 bounds.

No rule limits a round. Two seats may draw and discard for ever, and in Express and the other card
games a table can come about at which nobody can go out, whatever anybody does. The parameter
`max_turns_per_round` (O-39) ends such rounds; where the number of rounds is fixed, that bounds the
game (`most_decisions`), also against players who never lay. Where the phases decide the end, the
number of rounds stays unbounded: who never lays a phase never makes the last one.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from phaseledger.domain import commands as c
from phaseledger.domain.commands import Act, Command, OpenGame, Start, TakeSeat
from phaseledger.domain.decide import step
from phaseledger.domain.groups.melds import Misfit, extend
from phaseledger.domain.legal import legal
from phaseledger.domain.options import OptionValue
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.domain.state import State
from tests.support.cases import looped
from tests.support.chance import Pick, chooser
from tests.support.table import GAME, table

Player = Callable[[list[Command], Pick], Command]


def never_lays(listed: list[Command], pick: Pick) -> Command:
    """Anything but a phase; so hits do not come up either."""
    other = [command for command in listed if not isinstance(command, c.Lay)]
    return other[pick(len(other))]


def gives_back(listed: list[Command], _: Pick) -> Command:
    """The top of the discard pile, and back with it."""
    drawn = [command for command in listed if command == c.Draw("discard")]
    return (drawn or [command for command in listed if isinstance(command, c.Discard)])[-1]


def anything(listed: list[Command], pick: Pick) -> Command:
    """Any legal command."""
    return listed[pick(len(listed))]


def states(opened: State, player: Player) -> Iterator[State]:
    """The states after every decision from here on."""
    state, count = opened, 0
    while state.stage == "playing":
        seat = state.waits[0].seat
        command = player(list(legal(state, seat)), chooser(b"endings", count))
        state, count = step(state, Act(command, seat))[0], count + 1
        yield state


def opened(ruleset: str, seats: int, options: dict[str, OptionValue]) -> State:
    """A game that has just been dealt."""
    state, _ = step(None, Act(OpenGame(GAME, ruleset, seats, options, secret="ab" * 32)))
    for seat in range(seats):
        state, _ = step(state, Act(TakeSeat(f"seat {seat}", secret="cd" * 32), seat))
    return step(state, Act(Start()))[0]


def most_decisions(ruleset: RuleSet, seats: int) -> int:
    """A bound for games with a fixed number of rounds, a limit of turns, and one draw a turn.

    Each of the R rounds has at most T turns of a draw and a discard (or a pass) each, at most one
    lay for each seat, and no more hits than there are cards, since none comes back from the table
    (N-02). Before the first round the table is opened, each seat is taken, perhaps reveals a
    secret, and the host starts.
    """
    turns = ruleset.options.max_turns_per_round
    assert isinstance(turns, int)
    assert ruleset.rounds
    assert ruleset.acquire == "draw"
    cards = len(ruleset.deck.cards())
    return 2 + 2 * seats + ruleset.rounds * (2 * turns + seats + cards)


# --- what the rules do not bound ----------------------------------------------------------------


@looped("ruleset", ["classic", "standard-deck", "express"])
def test_draw_and_discard_for_ever(ruleset: str) -> None:
    """C-17 and the like: each seat takes the top card and gives it back, and nothing changes.

    What the seats are remembered to have spurned grows at first, but has an end too.
    """
    least = preset(ruleset).seats_min
    hands = ["R1 R2", "R3 R4", "R5 R6"][:least]
    if preset(ruleset).deck.notation == "french":
        hands = ["2H 3H", "4H 5H", "6H 7H"]
    discard = "KH" if preset(ruleset).deck.notation == "french" else "R12"
    state = table(hands, question="draw", discard=discard, ruleset=preset(ruleset))
    around = 2 * least
    full, later = islice(states(state, gives_back), 20 * around - 1, 22 * around, around * 2)
    assert replace(later, turn=full.turn) == full
    forgetful = [seat and replace(seat, spurned=b"") for seat in later.seats]
    assert replace(later, turn=state.turn, seats=tuple(forgetful)) == state


def dead_express(**options: object) -> State:
    """A table at which no card fits any more: the sets hold every 3, every 10 and all wilds."""
    return table(
        ["B9", "R9", "Y7 G2"],
        question="draw",
        phases=[5, 5, 5],
        laid={0: 5, 1: 5, 2: 5},
        groups=[(2, "set", "R3 B3 G3 Y3 W"), (0, "set", "R10 B10 W"), (1, "set", "G10 Y10 W")],
        discard="R1",
        ruleset=preset("express"),
        **options,
    )


def fits_somewhere(state: State) -> bool:
    """Whether some card that lies on no group could be hit."""
    hands = [state.seat(seat).hand for seat in state.players]
    for card in set(b"".join([state.stock, state.discard, *hands])):
        for group in state.groups:
            for end in ("low", "high"):
                try:
                    extend(group, bytes([card]), end, state.ruleset)
                except Misfit:
                    continue
                return True
    return False


def test_a_round_that_nobody_can_end() -> None:
    """Everybody has laid, no card fits, and each turn takes one card and gives one back (X-12).

    So the hands keep their sizes whatever is played, and no hand is ever empty. The position is
    from a game of bots.
    """
    state = dead_express()
    assert not fits_somewhere(state)
    sizes = [len(state.seat(seat).hand) for seat in state.players]
    for after in islice(states(state, anything), 800):
        assert (after.round, after.groups) == (1, state.groups)
        drawn = after.waits[0].kind == "play"
        expected = [size + (drawn and seat == after.active) for seat, size in enumerate(sizes)]
        assert [len(after.seat(seat).hand) for seat in after.players] == expected


def test_the_limit_ends_a_round_that_nobody_can_end() -> None:
    """O-39: the round is broken off, hands are counted, and the next one is dealt."""
    state = dead_express(max_turns_per_round=9)
    ended = next(after for after in states(state, anything) if after.round == 2)
    assert [ended.seat(seat).phase for seat in range(3)] == [6, 6, 6]


@pytest.mark.untraced
@looped("ruleset", GAMES)
def test_rounds_without_number(ruleset: str) -> None:
    """With a limit every round ends; where phases decide, the game still does not."""
    state = opened(ruleset, 3, {"max_turns_per_round": 2})
    after = next(later for later in states(state, never_lays) if later.round == 40)
    assert [after.seat(seat).made for seat in range(3)] == [0, 0, 0]
    assert [after.seat(seat).phase for seat in range(3)] == [1, 1, 1]


# --- what the limit bounds ----------------------------------------------------------------------

FIXED: list[tuple[str, dict[str, OptionValue]]] = [
    ("classic", {"variant": "ten_rounds"}),
    ("express", {"variant": "ten_rounds"}),
    ("standard-deck", {"style": "ten_rounds_ordered"}),
    ("standard-deck", {"style": "ten_rounds_free"}),
]


@pytest.mark.untraced
@looped("player", [never_lays, anything])
@looped("limit", [1, 12])
@looped(("ruleset", "options"), FIXED)
def test_a_bound_on_the_whole_game(
    ruleset: str, options: dict[str, OptionValue], limit: int, player: Player
) -> None:
    """Rounds fixed and turns limited, the game ends within the bound, whoever plays."""
    for seats in (preset(ruleset).seats_min, preset(ruleset).seats_max):
        chosen = {**options, "max_turns_per_round": limit}
        bound = most_decisions(resolve(preset(ruleset), chosen), seats)
        taken = list(states(opened(ruleset, seats, chosen), player))
        assert taken[-1].stage == "ended"
        assert len(taken) + seats + 2 <= bound


def test_a_turn_that_begins_again_for_ever() -> None:
    """B-28 sets AGAIN no limit: on a ring of nothing else one turn never ends, but for O-39."""
    ring = ("AGAIN*", *["AGAIN"] * 31)
    endless = opened("board", 2, {"board_track": ring})
    after = list(islice(states(endless, never_lays), 300))
    assert {state.turn for state in after} == {1}
    assert after[-1].rolls > 50

    limited = opened("board", 2, {"board_track": ring, "max_turns_per_round": 3})
    after = list(islice(states(limited, never_lays), 300))
    assert max(state.rolls for state in after) == 3
    assert after[-1].round > 10
