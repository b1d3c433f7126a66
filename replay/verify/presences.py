"""Presences held against a bundle: what a seat and the operator signed of when the seat was there.

At that time the game had no later event, by the operator's own word. So neither had the event that
the seat saw a later time, nor the next one an earlier time, but for what a command takes.
"""

from phaseledger.domain.events import SeatTaken
from phaseledger.replay.signing.presences import SLACK, Presence, is_present
from phaseledger.replay.text import utc_time
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.codes import AnyCode


def presence_difference(case: Case, presence: Presence) -> tuple[AnyCode, str, str] | None:
    """The first difference between a genuine presence and the bundle: code, expected, recorded.

    The event that it speaks of is the bundle's, if that has one with this number.
    """
    events, seq = case.bundle.events, presence.seq
    if not 1 <= seq <= len(events):
        return "cut_off", f"event {seq}", f"events 1 to {len(events)}"
    if not _is_by_player(case, presence):
        return "bad_receipt", f"signed with the key of seat {presence.seat}", presence.signature
    newest, following = events[seq - 1], events[seq] if seq < len(events) else None
    at = utc_time(presence.at)
    if newest.form.at > presence.at + SLACK:
        expected = f"event {seq} at {at} or sooner: seat {presence.seat} had seen it then"
        return "time_contradicted", expected, f"at {utc_time(newest.form.at)}"
    if following and following.form.at + SLACK < presence.at:
        expected = f"event {seq + 1} at {at} or later: there was none at that time"
        return "time_contradicted", expected, f"at {utc_time(following.form.at)}"
    return None


def _is_by_player(case: Case, presence: Presence) -> bool:
    """Whether whoever had the seat then has signed it, if the seat had a key."""
    key = ""
    for _, event in case.read[: presence.seq]:
        if isinstance(event, SeatTaken) and event.seat == presence.seat:
            key = event.key
    game, seat, leaf, seq = presence.game, presence.seat, presence.leaf, presence.seq
    if not key:
        return not presence.signature
    return is_present(key, presence.signature, game, seat, leaf, seq)


def presence_text(case: Case, presence: Presence) -> str:
    """What a presence proves, in a sentence."""
    signed = "signed" if presence.signature else "told"
    waited = (presence.at - case.bundle.events[presence.seq - 1].form.at) / 1000
    return (
        f"Seat {presence.seat} was there: at {utc_time(presence.at)}, {waited:.3f} seconds after "
        f"event {presence.seq}, it {signed} the operator that it had seen that one, and no later "
        "one was there."
    )
