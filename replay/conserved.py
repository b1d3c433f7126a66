"""That no event makes or loses a card (N-03), seen from the piles that it changes.

Where the whole deck lay before an event, it lies there after it if what left the changed piles is
what came to them. To count all cards after every event takes as long as to decide the event.
"""

from domain.cards import face_up
from domain.state import State, cards_in_play


def is_whole(state: State, deck: bytes) -> bool:
    """Whether the cards of the game are the deck's (sorted), counted one by one."""
    return cards_in_play(state) == deck


def stays_whole(before: State, after: State) -> bool:
    """Whether the same cards lie there after an event as before it."""
    gone = come = b""
    for was, now in _changed(before, after):
        if now.startswith(was):
            come += now[len(was) :]
        elif was.endswith(now):
            gone += was[: len(was) - len(now)]
        else:
            gone, come = gone + was, come + now
    return gone == come or sorted(face_up(gone)) == sorted(face_up(come))


def _changed(before: State, after: State) -> list[tuple[bytes, bytes]]:
    """The piles that are not the very same as before, as they were and as they are."""
    piles = []
    if before.stock is not after.stock:
        piles.append((before.stock, after.stock))
    if before.discard is not after.discard:
        piles.append((before.discard, after.discard))
    if before.groups is not after.groups:
        piles += [(group.cards, b"") for group in before.groups]
        piles += [(b"", group.cards) for group in after.groups]
    if before.seats is not after.seats:
        for was, now in zip(before.seats, after.seats, strict=True):
            if was is now:
                continue
            piles.append((was.hand if was else b"", now.hand if now else b""))
            if (was and was.front) or (now and now.front):
                piles.append((was.front if was else b"", now.front if now else b""))
    return piles
