"""The opening protocol, event by event: what comes too early is told."""

import pytest

from phaseledger.domain import deal
from phaseledger.domain import events as e
from phaseledger.domain.rulesets import preset
from phaseledger.replay.formats.opening import Opening

GAME, SECRET = "11111111-1111-4111-8111-111111111111", "5e" * 32
COMMIT = deal.seat_commit(GAME, 0, bytes.fromhex(SECRET))
OPENED = e.GameOpened(
    game=GAME, ruleset=preset("classic"), seats=2, dealer=0, server_commit="d" * 64
)
BROUGHT = e.SeatTaken(seat=0, name="A", commit=COMMIT, brought_secret=True)
LENT = e.SeatTaken(seat=1, name="B", commit="c" * 64)
REVEALED = e.SeatSecretRevealed(seat=0, secret=SECRET)
SEALED = e.TableSealed()


def leaves(seat: int) -> e.SeatHandedOver:
    return e.SeatHandedOver(seat=seat, bot="greedy", why="left")


@pytest.mark.parametrize(
    ("before", "seat", "key"),
    [
        ((BROUGHT, LENT), 0, "evidence.opening.hands_over"),
        ((BROUGHT, LENT), 1, "evidence.opening.hands_over"),
        ((BROUGHT, LENT, SEALED), 0, "evidence.opening.hands_over"),
        ((BROUGHT, LENT, SEALED), 1, ""),
        ((BROUGHT, LENT, SEALED, REVEALED), 0, ""),
    ],
)
def test_a_seat_is_handed_over_once_the_table_is_sealed_and_its_secret_is_known(
    before: tuple[e.Event, ...], seat: int, key: str
) -> None:
    opening = Opening()
    assert [opening.take(event) for event in (OPENED, *before)] == [""] * (1 + len(before))
    assert getattr(opening.take(leaves(seat)), "key", "") == key


def named(seat: int, letter: str = "a") -> e.SeatNamed:
    return e.SeatNamed(seat=seat, name=f"player-{letter * 20}")


BOT = e.SeatTaken(seat=1, name="B", commit="c" * 64, bot="greedy")
SIGNING = e.SeatTaken(seat=1, name="B", commit="c" * 64, key="0b" * 32)


@pytest.mark.parametrize(
    ("before", "event", "good"),
    [
        ((BROUGHT,), named(0), True),
        ((BROUGHT, LENT, SEALED), named(1), True),
        ((BROUGHT, LENT, SEALED, REVEALED), named(1), True),
        ((BROUGHT, LENT, named(0)), named(1, "b"), True),
        ((BROUGHT,), named(1), False),
        ((BROUGHT, LENT, named(0)), named(1), False),
        ((BROUGHT, named(0)), named(0, "b"), False),
        ((BROUGHT, BOT), named(1), False),
        ((BROUGHT, SIGNING), named(1), False),
        ((BROUGHT, LENT, SEALED, REVEALED, leaves(1)), named(1), False),
        ((BROUGHT,), e.SeatNamed(seat=0, name="Bob"), False),
    ],
)
def test_a_guest_becomes_a_player_once(
    before: tuple[e.Event, ...], event: e.SeatNamed, *, good: bool
) -> None:
    opening = Opening()
    assert [opening.take(event) for event in (OPENED, *before)] == [""] * (1 + len(before))
    assert getattr(opening.take(event), "key", "") == (
        "" if good else "evidence.opening.names_none"
    )
