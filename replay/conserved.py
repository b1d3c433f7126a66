"""That no event makes or loses a card (N-03), seen from the piles that it changes.

Where the whole deck lay before an event, it lies there after it if what left the changed piles is
what came to them. To count all cards after every event takes as long as to decide the event.
"""

from domain.cards import face_up
from domain.state import Seat, State, cards_in_play


def is_whole(state: State, deck: bytes) -> bool:
    """Whether the cards of the game are the deck's (sorted), counted one by one."""
    return cards_in_play(state) == deck


def stays_whole(before: State, after: State) -> bool:
    """Whether the same cards lie there after an event as before it."""
    piles = []  # those that are not the very same as before: as they were and as they are
    if before.stock is not after.stock:
        piles.append((before.stock, after.stock))
    if before.discard is not after.discard:
        piles.append((before.discard, after.discard))
    if before.groups is not after.groups:
        piles += [(group.cards, b"") for group in before.groups]
        piles += [(b"", group.cards) for group in after.groups]
    if before.seats is not after.seats:
        for seat, later in zip(before.seats, after.seats, strict=True):
            if seat is not later:
                piles += zip(_held(seat), _held(later), strict=True)
    gone = come = b""
    for was, now in piles:
        if now.startswith(was):
            come += now[len(was) :]
        elif was.endswith(now):
            gone += was[: len(was) - len(now)]
        else:
            gone, come = gone + was, come + now
    return gone == come or sorted(face_up(gone)) == sorted(face_up(come))


def _held(seat: Seat | None) -> tuple[bytes, ...]:
    return (seat.hand, seat.front) if seat else (b"", b"")
