"""That no event makes or loses a card (N-03), seen from the piles that it changes.

Where the whole deck lay before an event, it lies there after it if what left the changed piles is
what came to them. To count all cards after every event takes as long as to decide the event.
"""

from phaseledger.domain.cards import face_up
from phaseledger.domain.state import State, cards_in_play


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
        elif len(was) == len(now) + len(come) and was.replace(come, b"", 1) == now:
            gone += come  # what has come elsewhere went from here, as in a discard or a hit
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
        lay, lie = before.groups, after.groups
        both = zip(lay, lie, strict=False)
        piles += [(was.cards, now.cards) for was, now in both if was is not now]
        piles += [(group.cards, b"") for group in lay[len(lie) :]]
        piles += [(b"", group.cards) for group in lie[len(lay) :]]
    if before.seats is not after.seats:
        for sat, sits in zip(before.seats, after.seats, strict=True):
            if sat is sits:
                continue
            piles.append((sat.hand if sat else b"", sits.hand if sits else b""))
            if (sat and sat.front) or (sits and sits.front):
                piles.append((sat.front if sat else b"", sits.front if sits else b""))
    return piles
