"""The one look that a seat has at a joker which it has drawn (B-29)."""

from phaseledger.domain.events import CardTurned, DiceRolled, Secret
from phaseledger.domain.evidence import codec
from phaseledger.domain.view import face_seen

KEY = codec.seal_key("0190b7a0-0000-7000-8000-000000000000", "00" * 32)
CHAIN = codec.Chain("0190b7a0-0000-7000-8000-000000000000", KEY)


def turned(seat: int, card: str) -> CardTurned:
    return CardTurned(seat=seat, hidden={f"not:{seat}": Secret(card=card)})


def test_b_29_a_seat_sees_the_face_of_its_own_joker_only() -> None:
    events = [turned(0, "W"), turned(1, "S")]
    assert [face_seen(events, seat) for seat in (0, 1, 2, None)] == ["W", "S", None, None]


def test_stored_events_of_one_kind_are_read_alone() -> None:
    events = [DiceRolled(seat=0, roll=0, dice=(1, 2)), turned(0, "W")]
    _, entries = codec.append(CHAIN, events, "00" * 32, 0)
    stored = [entry.stored for entry in entries]
    assert list(codec.events_of(CardTurned, stored)) == events[1:]
    assert list(codec.events_of(CardTurned, stored[:1])) == []
