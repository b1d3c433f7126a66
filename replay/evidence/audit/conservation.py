"""Conservation of cards (N-03): no event creates or loses one, checked on the piles it changes.

All cards that were there before an event are there after it if the cards that left the changed
piles equal the cards added to them. Counting all cards takes as long as deciding the event.
"""

from phaseledger.domain.cards import face_up
from phaseledger.domain.state import State, cards_in_play


def is_conserved(before: State | None, after: State) -> bool:
    """Whether an event leaves all cards of the deck in play, as they were before it."""
    if not after.round:
        return True
    if before and before.round == after.round:
        return stays_whole(before, after)
    return is_whole(after, after.ruleset.deck.cards())


def is_whole(state: State, deck: bytes) -> bool:
    """Whether all cards in play are those of the deck (sorted), by a full count."""
    return cards_in_play(state) == deck


def stays_whole(before: State, after: State) -> bool:
    """Whether an event keeps the cards in play, by the piles that differ between two states."""
    removed = added = b""
    for old, new in _changed_piles(before, after):
        if new.startswith(old):
            added += new[len(old) :]
        elif old.endswith(new):
            removed += old[: len(old) - len(new)]
        elif len(old) == len(new) + len(added) and old.replace(added, b"", 1) == new:
            removed += added  # the cards added elsewhere left this pile, as in a discard or a hit
        else:
            removed, added = removed + old, added + new
    return removed == added or sorted(face_up(removed)) == sorted(face_up(added))


def _changed_piles(before: State, after: State) -> list[tuple[bytes, bytes]]:
    """The piles that differ (by identity) between two states, as (before, after)."""
    piles = []
    if before.stock is not after.stock:
        piles.append((before.stock, after.stock))
    if before.discard is not after.discard:
        piles.append((before.discard, after.discard))
    if before.groups is not after.groups:
        old_groups, new_groups = before.groups, after.groups
        pairs = zip(old_groups, new_groups, strict=False)
        piles += [(old.cards, new.cards) for old, new in pairs if old is not new]
        piles += [(group.cards, b"") for group in old_groups[len(new_groups) :]]
        piles += [(b"", group.cards) for group in new_groups[len(old_groups) :]]
    if before.seats is not after.seats:
        for old_seat, new_seat in zip(before.seats, after.seats, strict=True):
            if old_seat is new_seat:
                continue
            piles.append((old_seat.hand if old_seat else b"", new_seat.hand if new_seat else b""))
            if (old_seat and old_seat.front) or (new_seat and new_seat.front):
                piles.append(
                    (old_seat.front if old_seat else b"", new_seat.front if new_seat else b"")
                )
    return piles
