"""Presences held against a bundle: what a seat and the operator signed of when the seat was there.

At that time the game had no later event, by the operator's own word. So neither had the event that
the seat saw a later time, nor the next one an earlier time, but for what a command takes.
"""

from phaseledger.domain.events import SeatTaken
from phaseledger.domain.words import Figure, Phrase
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
        return (
            "cut_off",
            Phrase("evidence.event", seq=seq),
            Phrase("evidence.events.to", count=len(events)),
        )
    if not _is_by_player(case, presence):
        return "bad_receipt", Phrase("evidence.signed.seat", seat=presence.seat), presence.signature
    newest, following = events[seq - 1], events[seq] if seq < len(events) else None
    at = utc_time(presence.at)
    if newest.form.at > presence.at + SLACK:
        expected = Phrase("evidence.time.sooner", seq=seq, time=at, seat=presence.seat)
        return (
            "time_contradicted",
            expected,
            Phrase("evidence.time.at", time=utc_time(newest.form.at)),
        )
    if following and following.form.at + SLACK < presence.at:
        expected = Phrase("evidence.time.none_then", seq=seq + 1, time=at)
        return (
            "time_contradicted",
            expected,
            Phrase("evidence.time.at", time=utc_time(following.form.at)),
        )
    return None


def _is_by_player(case: Case, presence: Presence) -> bool:
    """Whether the seat's occupant at that time has signed it, if the seat had a key."""
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
    waited = (presence.at - case.bundle.events[presence.seq - 1].form.at) / 1000
    return Phrase(
        "evidence.note.present" if presence.signature else "evidence.note.told",
        seat=presence.seat,
        time=utc_time(presence.at),
        count=Figure(f"{waited:.3f}"),
        seq=presence.seq,
    )
