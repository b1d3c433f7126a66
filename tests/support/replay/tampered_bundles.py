"""Every tampering with a bundle: the change, the code and the class it must get."""

from collections.abc import Callable
from typing import Any

import msgspec

from phaseledger.domain.evidence.codec import NO_PREVIOUS, leaf_hash
from tests.support.replay.bundles import content_of, good, of_kind
from tests.support.replay.log_edits import GAME
from tests.support.replay.operator_games import STRANGER

Change = Callable[[list[Any]], object]


def edited(kind: str, number: int, change: Callable[[Any], object]) -> Change:
    """A change of one line of a kind, nothing else being touched."""

    def made(lines: list[Any]) -> None:
        place = [n for n, line in enumerate(lines) if line.startswith(f'{{"{kind}"'.encode())]
        value = content_of(lines[place[number]])
        change(value)
        lines[place[number]] = line_of(kind, value)

    return made


def line_of(kind: str, value: Any) -> bytes:
    return msgspec.json.encode({kind: value}, order="sorted") + b"\n"


def counted(lines: list[bytes]) -> list[bytes]:
    """The numbers of the first and the last line put right."""
    events = of_kind(lines, "event")
    public = next(line for line in reversed(lines) if line.startswith(b'{"event"'))[9:-2]
    status = {"GameEnded/1": "finished", "GameVoided/1": "voided"}.get(events[-1]["type"])
    header = {**content_of(lines[0]), "events": len(events), "head": leaf_hash(public)}
    header["status"] = status or "unfinished"
    return [line_of("bundle", header), *lines[1:-1], line_of("end", {"lines": len(lines) - 1})]


def _blocks(lines: list[bytes]) -> list[int]:
    return [n for n, line in enumerate(lines) if line.startswith(b'{"event"')]


def dropped(lines: list[bytes]) -> None:
    start, end = _blocks(lines)[40:42]
    del lines[start:end]


def repeated(lines: list[bytes]) -> None:
    start, end = _blocks(lines)[40:42]
    lines[end:end] = lines[start:end]


def exchanged(lines: list[bytes]) -> None:
    start, middle, end = _blocks(lines)[40:43]
    lines[start:end] = lines[middle:end] + lines[start:middle]


def cut(lines: list[bytes]) -> None:
    """The last event, and what only its game's end reveals."""
    blocks = _blocks(lines)
    del lines[blocks[-1]]
    lines[:] = [line for line in lines if not line.startswith(b'{"opens"')]
    for place, line in enumerate(lines):
        if line.startswith(b'{"secret"') and content_of(line)["made_by"] == "server":
            value = content_of(line)
            del value["secret"]
            lines[place] = line_of("secret", value)


def removed(kind: str, number: int) -> Change:
    return lambda lines: lines.remove(line_of(kind, of_kind(lines, kind)[number]))


def of_other(kind: str) -> Change:
    """The lines of a kind from another game's bundle."""

    def made(lines: list[Any]) -> None:
        mine = [n for n, x in enumerate(lines) if x.startswith(f'{{"{kind}"'.encode())]
        lines[mine[0] : mine[-1] + 1] = [line_of(kind, x) for x in of_kind(good("board"), kind)]

    return made


def points(event: Any) -> None:
    event["data"]["results"][0]["total"] += 5


ROUND_ENDED = next(
    n for n, event in enumerate(of_kind(good(), "event")) if event["type"] == "RoundEnded/1"
)


TAMPERED: dict[str, tuple[Change, str, int]] = {
    "a score": (edited("event", ROUND_ENDED, points), "broken_chain", 1),
    "a seat's name": (edited("event", 1, lambda e: e["data"].update(name="x")), "broken_chain", 1),
    "a time": (edited("event", 30, lambda e: e.update(at=1)), "broken_chain", 1),
    "a link": (edited("event", 30, lambda e: e.update(prev="0" * 64)), "broken_chain", 1),
    "the head": (edited("bundle", 0, lambda h: h.update(head="0" * 64)), "header_differs", 1),
    "the status": (edited("bundle", 0, lambda h: h.update(status="voided")), "header_differs", 1),
    "a view of what all see": (
        edited("bundle", 0, lambda h: h.update(seat=1)), "header_differs", 1
    ),
    "the game": (edited("bundle", 0, lambda h: h.update(game=GAME)), "wrong_game", 1),
    "a key that is not needed": (
        edited("bundle", 0, lambda h: h.update(keys=sorted([*h["keys"], str(STRANGER.public)]))),
        "header_differs", 1,
    ),
    "a key that is needed": (edited("bundle", 0, lambda h: h["keys"].pop(0)), "header_differs", 1),
    "the rules": (edited("ruleset", 0, lambda r: r["rules"].update(hand=9)), "ruleset_differs", 1),
    "the rules' hash": (
        edited("ruleset", 0, lambda r: r.update(hash="0" * 64)), "ruleset_differs", 1
    ),
    "the rules of another game": (of_other("ruleset"), "ruleset_differs", 1),
    "an event gone": (dropped, "gap", 1),
    "an event twice": (repeated, "repeated", 1),
    "events out of order": (exchanged, "reordered", 1),
    "an opened value": (
        edited("opens", 2, lambda o: o["value"].update(stock="R1")), "broken_seal", 1
    ),
    "a salt": (edited("opens", 2, lambda o: o.update(salt="0" * 32)), "broken_seal", 1),
    "a seal not opened": (removed("opens", 2), "sealed", 5),
    "the server's secret": (
        edited("secret", 0, lambda s: s.update(secret="0" * 64)), "broken_promise", 1
    ),
    "a seat's secret": (
        edited("secret", 1, lambda s: s.update(secret="0" * 64)), "broken_promise", 1
    ),
    "a commitment": (edited("secret", 1, lambda s: s.update(commit="0" * 64)), "secret_differs", 1),
    "who made a secret": (
        edited("secret", 2, lambda s: s.update(made_by="seat")), "secret_differs", 1
    ),
    "a secret withheld": (edited("secret", 0, lambda s: s.pop("secret")), "secret_differs", 1),
    "a seat without a secret": (removed("secret", 2), "secret_differs", 1),
    "no secret of the server": (removed("secret", 0), "secret_differs", 1),
    "two seats without a secret": (
        lambda lines: [removed("secret", n)(lines) for n in (2, 1)], "secret_differs", 1
    ),
    "the secrets of another game": (of_other("secret"), "secret_differs", 1),
    "a receipt's time": (edited("receipt", 5, lambda r: r.update(at=1)), "bad_receipt", 6),
    "a receipt's signature": (
        edited("receipt", 5, lambda r: r.update(sig="A" * 86 + "==")), "bad_receipt", 6
    ),
    "a receipt's event": (
        edited("receipt", 5, lambda r: r.update(seq=r["seq"] + 1)), "bad_receipt", 6
    ),
    "the receipts of another game": (of_other("receipt"), "receipt_differs", 6),
    "the checkpoint's root": (
        edited("checkpoint", 0, lambda c: c.update(note=c["note"].replace("\n", "\n1", 1))),
        "bad_checkpoint", 6,
    ),
    "no checkpoint": (edited("checkpoint", 0, lambda c: c.update(note="-")), "bad_checkpoint", 6),
    "a path": (edited("inclusion", 1, lambda i: i["path"].reverse()), "bad_inclusion", 6),
    "an index": (edited("inclusion", 1, lambda i: i.update(index=0)), "bad_inclusion", 6),
    "a proof's event": (edited("inclusion", 1, lambda i: i.update(seq=9)), "bad_inclusion", 6),
    "both proofs": (
        lambda lines: [
            edited("inclusion", 0, lambda i: i.update(seq=2))(lines),
            edited("inclusion", 1, lambda i: i["path"].reverse())(lines),
        ],
        "bad_inclusion", 6,
    ),
    "the end cut off": (cut, "cut_off", 1),
    "the proofs of another game": (of_other("inclusion"), "bad_inclusion", 6),
}  # fmt: skip


def tampered(what: str) -> list[bytes]:
    """The good bundle with one of the changes, and numbers that fit."""
    lines = list(good())
    TAMPERED[what][0](lines)
    recount = what in ("an event gone", "an event twice", "events out of order", "the end cut off")
    lines = counted(lines) if recount else [*lines[:-1], line_of("end", {"lines": len(lines) - 1})]
    assert lines != list(good())
    return lines


def public_again(lines: list[bytes]) -> list[bytes]:
    """The chain through the public forms made anew, without touching a seal."""
    head, made = NO_PREVIOUS, []
    for line in lines:
        if line.startswith(b'{"event"'):
            line = line_of("event", {**content_of(line), "prev": head})
            head = leaf_hash(line[len('{"event":') : -2])
        made.append(line)
    return counted(made)


def unsealed(lines: list[bytes], kind: str, change: Callable[[Any], object]) -> list[bytes]:
    place = next(n for n, line in enumerate(lines) if line.startswith(f'{{"{kind}"'.encode()))
    value = content_of(lines[place])
    change(value)
    return [*lines[:place], line_of(kind, value), *lines[place + 1 :]]
