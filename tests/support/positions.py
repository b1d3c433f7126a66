"""Positions laid out by hand, as documents that `analyse --position` reads."""

from typing import Any

import msgspec

from phaseledger.domain.state import State
from phaseledger.replay.laboratory.account.position import position_state

THREE: list[dict[str, Any]] = [{}, {"name": "Ann"}, {"name": "Bob"}]
ANN_LAID: dict[str, Any] = {
    "seats": [{}, {"name": "Ann", "cards": 1}, {"name": "Bob"}],
    "groups": [
        {"owner": "Ann", "kind": "set", "cards": "R5 B5 W"},
        {"owner": "Ann", "kind": "set", "cards": "R8 G8 Y8"},
    ],
}
ALL_LAID: dict[str, Any] = {
    "seats": [{"cards": 2}, {"name": "Ann", "cards": 2}],
    "groups": [
        {"owner": 0, "kind": "set", "cards": "R5 B5 G5"},
        {"owner": 0, "kind": "set", "cards": "R2 B2 G2"},
        {"owner": 1, "kind": "set", "cards": "R8 G8 Y8"},
        {"owner": 1, "kind": "set", "cards": "R7 G7 Y7"},
    ],
}


def laid_out(**fields: Any) -> dict[str, Any]:
    """A table of three before anything is laid, but for the fields."""
    hand = "R3 B3 G3 R8 B8 W R1 Y12 G12 B11"
    return {"ruleset": "classic", "hand": hand, "discard": "R9", "seats": THREE} | fields


def on_the_board(**fields: Any) -> dict[str, Any]:
    """A table of three at the board, where the first seat has thrown 3 and 5."""
    hand = "R3 B3 G3 R8 B8 J Y12 G12 B11 Y1"
    seats = [{"pawn": 13}, {"name": "Ann", "pawn": 16}, {"name": "Bob", "pawn": 30}]
    thrown = {"dice": [3, 5], "discard": "R9", "seats": seats}
    return {"ruleset": "board", "hand": hand} | thrown | fields


def asked_on(space: int, ask: str, **fields: Any) -> dict[str, Any]:
    """The first seat has reached a space, and is asked there; 10 lies before no pawn of others."""
    seats = [{"pawn": space}, {"name": "Ann", "pawn": 26}, {"name": "Bob", "pawn": 30}]
    return on_the_board(**{"ask": ask, "dice": [], "seats": seats} | fields)


def state_of(document: dict[str, Any]) -> State:
    return position_state(msgspec.json.encode(document))
