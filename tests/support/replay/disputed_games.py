"""Ann's and Bob's game as docs/how-to/settle-a-dispute.md tells of it, and its files."""

from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from phaseledger.domain.commands import Command, TakeSeat, TimeOut
from phaseledger.domain.legal import legal
from phaseledger.domain.terms import Clock, Terms
from phaseledger.replay.formats.signing.commands import public_key
from phaseledger.replay.formats.signing.presences import Presence, confirm, sign_present
from tests.support.replay.bundles import of_kind
from tests.support.replay.clocked_games import asked, wait
from tests.support.replay.graded_games import SIGNED
from tests.support.replay.log_edits import rechained
from tests.support.replay.operator_games import OPERATOR, Table, bundled
from tests.support.replay.tampering_tools import encode

PLAN = replace(SIGNED, seed="Ann and Bob", table=Terms(clock=Clock(30, 10)))
NAMES = ("Ann", "Bob")


class _NamedTable(Table):
    """A table whose players have the names of people."""

    def decide(self, command: Command, seat: int | None = None) -> None:
        if isinstance(command, TakeSeat) and seat is not None:
            command = replace(command, name=NAMES[seat])
        super().decide(command, seat)


@cache
def disputed_game(late: int = 0, other_move_after: int = 0) -> tuple[bytes, ...]:
    """The stored events.

    ``late``: after how many milliseconds Bob is timed out in his second turn; 0 for never.
    ``other_move_after``: how many moves are those of the true story; 0 for all.
    """
    table = _NamedTable(PLAN)
    table.open()
    begun = table.count
    while table.state and table.state.stage == "playing":
        seat = asked(table)
        moves = table.count - begun
        if late and seat == 1 and moves >= 3 and not table.state.seat(1).stand_in:
            wait(table, late)
            table.decide(TimeOut(seat))
            late = 0
            continue
        move = table.answer(seat)
        if other_move_after and moves == other_move_after:
            move = [choice for choice in legal(table.state, seat) if choice != move][-1]
        table.decide(move, seat)
    return tuple(entry.stored for entry in table.entries)


def write_files(folder: Path) -> None:
    """The files of the page."""
    players = ", ".join(f'"{public_key(Table(PLAN).key(seat))}"' for seat in (0, 1))
    (folder / "club.toml").write_text(f'keys = ["{OPERATOR.public}"]\nplayers = [{players}]\n')
    true, other = bundled(disputed_game()), bundled(disputed_game(other_move_after=4))
    (folder / "game.bundle").write_bytes(b"".join(true))
    (folder / "theirs.bundle").write_bytes(b"".join(other))
    (folder / "running.bundle").write_bytes(b"".join(bundled(disputed_game()[:31], viewer=1)))
    (folder / "damaged.bundle").write_bytes(b"".join(true)[:20_000])
    receipts = b"".join(msgspec.json.encode(kept) + b"\n" for kept in of_kind(true, "receipt"))
    (folder / "mine.ndjson").write_bytes(receipts)
    for name, late in (("late", 40_000), ("early", 12_000)):
        (folder / f"{name}.bundle").write_bytes(b"".join(bundled(disputed_game(late))))
    (folder / "there.ndjson").write_bytes(msgspec.json.encode(_presence()) + b"\n")
    (folder / "cheated.bundle").write_bytes(b"".join(bundled(_cheated())))


def _presence() -> Presence:
    """Bob's, given 20 seconds after the time at which the operator says to have timed him out."""
    events = of_kind(bundled(disputed_game(40_000)), "event")
    out = next(event for event in events if event["type"] == "TurnTimedOut/1")
    game, leaf, seq = out["game"], out["prev"], out["seq"] - 1
    signature = sign_present(Table(PLAN).key(1), game, 1, leaf, seq)
    return confirm(game, 1, leaf, seq, out["at"] + 20_000, signature, OPERATOR)


def _cheated() -> list[bytes]:
    """The game with points that Bob did not make, signed by the operator all the same."""
    records = [msgspec.json.decode(stored) for stored in disputed_game()]
    ended = next(record for record in records if record["type"] == "RoundEnded/1")
    ended["data"]["results"][1]["points"] += 20
    return [encode(record) for record in rechained(records)]
