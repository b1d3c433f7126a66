"""What a seat may see of hands and piles, as cards (law 7).

`view` writes it as text, and `kernel.pack` gives no more to a bot.
"""

from functools import cache

from phaseledger.domain.cards import face_up, jokers_of
from phaseledger.domain.state import SeatState, State


def jokers_seen(state: State, number: int, viewer: int | None) -> bytes:
    """The faces of a seat's jokers, as far as the viewer may see them (B-30, O-38)."""
    jokers = jokers_of(state.seat(number).hand)
    always = state.ruleset.options.joker_memory == "owner_sees_always"
    if viewer is None or (viewer == number and not always):
        return bytes(len(jokers))
    return face_up(jokers)


def pile_seen(state: State, viewer: int | None) -> bytes:
    """The discard pile as the viewer may see it: a seat that searches it sees it all (B-23)."""
    pile = state.discard
    if state.ruleset.pile == "seen":
        return pile
    if any(q.kind == "search" and q.seat == viewer for q in state.waits):
        return pile
    return bytes(len(pile) - 1) + pile[-1:] if pile else pile


def remembers_pile(state: State) -> bool:
    """Whether cards that went through the pile are public: under a cover they are not (B-25)."""
    return state.ruleset.pile == "seen"


def phase_attempted(state: State, seat: SeatState) -> int:
    """The phase of this round; from its end to the next deal the state has the next phase."""
    return seat.laid or min(seat.phase, len(state.ruleset.phases))


@cache
def phases_made(made: int) -> tuple[int, ...]:
    """The numbers of the phases whose bits are set."""
    return tuple(n + 1 for n in range(made.bit_length()) if made >> n & 1)
