"""Changes of a bundle's lines: events, single values, the operator's word, the spelling."""

from collections.abc import Callable
from typing import Any

import msgspec

from phaseledger.replay.formats.signing.notes import SigningKey
from phaseledger.replay.formats.signing.receipts import Receipted, issue
from tests.support.chance import Pick
from tests.support.replay.bundle_lines import (
    Lines,
    Made,
    counted,
    event_blocks,
    kind,
    line_with,
    places,
    rewrite,
    some_line,
    tree_of,
)
from tests.support.replay.operator_games import OPERATOR, STRANGER
from tests.support.replay.outcome_forgeries import Tree, bits_flipped

Change = Callable[[Lines, Made, Made, Pick], bool]
"""(the lines, changed in place; the game; another game; chance) to whether anything was changed."""


def swapped(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    blocks = event_blocks(lines)
    place = pick(len(blocks) - 1)
    (start, middle), end = blocks[place], blocks[place + 1][1]
    lines[start:end] = lines[middle:end] + lines[start:middle]
    return counted(lines)


def dropped(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    blocks = event_blocks(lines)
    start, end = blocks[pick(len(blocks))]
    del lines[start:end]
    return counted(lines)


def repeated(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    blocks = event_blocks(lines)
    start, end = blocks[pick(len(blocks))]
    lines[end:end] = lines[start:end]
    return counted(lines)


def moved(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    blocks = event_blocks(lines)
    start, end = blocks[pick(len(blocks) // 2)]
    target = blocks[len(blocks) // 2 + 1 + pick(len(blocks) // 2 - 2)][1]
    lines[start:target] = lines[end:target] + lines[start:end]
    return counted(lines)


def event_of_another(lines: Lines, _: Made, other: Made, pick: Pick) -> bool:
    mine, theirs = event_blocks(lines), event_blocks(list(other.lines))
    start, end = mine[pick(len(mine))]
    first, last = theirs[pick(len(theirs))]
    lines[start:end] = other.lines[first:last]
    return counted(lines)


def end_cut_off(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    blocks = event_blocks(lines)
    del lines[blocks[len(blocks) - 1 - pick(len(blocks) // 2)][0] : blocks[-1][1]]
    return counted(lines)


# --- single values of lines ----------------------------------------------------------------------


def value(name: str, change: Callable[[Any, Pick], Any], *kinds: str) -> Change:
    """Another value of a field of a line of one of the kinds."""

    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        holders = [place for place in places(lines, *kinds) if name in tree_of(lines[place])]
        if not holders:
            return False
        place = holders[pick(len(holders))]
        rewrite(lines, place, lambda tree: tree.update({name: change(tree[name], pick)}))
        return True

    return changed


def without(name: str, *kinds: str) -> Change:
    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        holders = [place for place in places(lines, *kinds) if name in tree_of(lines[place])]
        if not holders:
            return False
        rewrite(lines, holders[pick(len(holders))], lambda tree: tree.pop(name))
        return True

    return changed


def line_gone(*kinds: str) -> Change:
    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        place = some_line(lines, pick, *kinds)
        if place is None:
            return False
        del lines[place]
        return counted(lines)

    return changed


def all_gone(*kinds: str) -> Change:
    def changed(lines: Lines, _: Made, __: Made, ___: Pick) -> bool:
        indices = places(lines, *kinds)
        lines[:] = [line for line in lines if kind(line) not in kinds]
        return bool(indices) and counted(lines)

    return changed


def another_number(value: int, pick: Pick) -> int:
    return value + 1 + pick(1_000)


def a_number_less(value: int, pick: Pick) -> int:
    return max(0, value - 1 - pick(3)) if value else 1


def another_word(*words: str) -> Callable[[str, Pick], str]:
    return lambda value, pick: [word for word in words if word != value][pick(len(words) - 1)]


def path(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    def change(tree: Tree) -> None:
        step = pick(len(tree["path"]))
        what = pick(3)
        if what == 0:
            tree["path"][step] = bits_flipped(tree["path"][step], pick)
        elif what == 1:
            del tree["path"][step]
        else:
            tree["path"].insert(step, "ab" * 32)

    rewrite(lines, places(lines, "inclusion")[pick(2)], change)
    return True


def proofs_of_another(*kinds: str) -> Change:
    def changed(lines: Lines, _: Made, other: Made, __: Pick) -> bool:
        mine, theirs = places(lines, *kinds), places(other.lines, *kinds)
        lines[mine[0] : mine[-1] + 1] = other.lines[theirs[0] : theirs[-1] + 1]
        return counted(lines)

    return changed


def opened_value(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    place = some_line(lines, pick, "opens")
    assert place is not None

    def change(tree: Tree) -> None:
        name = min(tree["value"])
        value = tree["value"][name]
        if isinstance(value, int):
            tree["value"][name] = value + 1
        else:
            tree["value"][name] = (
                bits_flipped(value, pick) if name in ("secret", "sig") else f"{value} R1"
            )

    rewrite(lines, place, change)
    return True


def opened_exchanged(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    indices = places(lines, "opens")
    first = pick(len(indices) - 1)
    earlier, later = (tree_of(lines[place]) for place in indices[first : first + 2])
    if earlier["value"] == later["value"]:
        return False
    earlier["value"], later["value"] = later["value"], earlier["value"]
    for place, tree in zip(indices[first : first + 2], (earlier, later), strict=True):
        lines[place] = line_with("opens", tree)
    return True


def fact_unchained(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    place = some_line(lines, pick, "event")
    assert place is not None
    name = ("seat", "round", "turn", "points", "cards")[pick(5)]
    tree = tree_of(lines[place])
    if name not in tree["data"]:
        return False
    value = tree["data"][name]
    tree["data"][name] = value + 1 if isinstance(value, int) else f"{value} R1"
    lines[place] = line_with("event", tree)
    return True


def name_of_a_player(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    indices = [p for p in places(lines, "event") if b'"SeatTaken/1"' in lines[p]]

    def change(tree: Tree) -> None:
        tree["data"]["name"] = tree["data"]["act"]["command"]["name"] = "Somebody Else"

    rewrite(lines, indices[pick(len(indices))], change)
    return True


# --- the operator's word -------------------------------------------------------------------------


def _issued(tree: Tree, key: SigningKey) -> Tree:
    entry = Receipted(tree["game"], tree["seq"], tree["leaf"], tree["command"], tree["at"])
    issued: Tree = msgspec.to_builtins(issue(entry, key))
    return issued


def receipt_of_a_stranger(*, renamed: bool) -> Change:
    """A receipt signed again by another key of the same name, which says so or does not."""

    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        place = some_line(lines, pick, "receipt")
        assert place is not None

        def change(tree: Tree) -> None:
            issued = _issued(tree, STRANGER)
            tree["sig"] = issued["sig"]
            if renamed:
                tree["key"] = issued["key"]

        rewrite(lines, place, change)
        if renamed:
            rewrite(
                lines,
                0,
                lambda tree: tree.update(keys=sorted([*tree["keys"], str(STRANGER.public)])),
            )
        return True

    return changed


def receipt_about(name: str, change: Callable[[Any, Pick], Any]) -> Change:
    """A genuine receipt of the operator that says something else."""

    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        place = some_line(lines, pick, "receipt")
        assert place is not None

        def rewritten(tree: Tree) -> None:
            tree[name] = change(tree[name], pick)
            tree.update(_issued(tree, OPERATOR))

        rewrite(lines, place, rewritten)
        return True

    return changed


def receipt_of_another_game(lines: Lines, _: Made, other: Made, pick: Pick) -> bool:
    place = some_line(lines, pick, "receipt")
    assert place is not None
    seq = tree_of(lines[place])["seq"]
    theirs = [
        line for line in other.lines if kind(line) == "receipt" and tree_of(line)["seq"] == seq
    ]
    lines[place : place + 1] = theirs
    return bool(theirs)


def receipt_of_the_future(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
    """A genuine receipt for an event that the bundle has not."""
    last = places(lines, "receipt")[-1]
    tree = tree_of(lines[last])
    tree["seq"] += 1 + pick(4)
    lines.insert(last + 1, line_with("receipt", _issued(tree, OPERATOR)))
    return counted(lines)


def note(change: Callable[[str, Pick], str]) -> Change:
    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        (place,) = places(lines, "checkpoint")
        rewrite(lines, place, lambda tree: tree.update(note=change(tree["note"], pick)))
        return True

    return changed


def line_of_note(number: int) -> Callable[[str, Pick], str]:
    """A character of one of the note's lines changed."""

    def change(note: str, pick: Pick) -> str:
        lines = note.split("\n")
        line = lines[number]
        place = len(line) // 2 + pick(len(line) // 2 - 1) if len(line) > 4 else 0
        digits = (
            "0123456789" if number == 1 else "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        )
        other = [digit for digit in digits if digit != line[place] and digit != "0"]
        lines[number] = line[:place] + other[pick(len(other))] + line[place + 1 :]
        return "\n".join(lines)

    return change


def signatures_gone(which: int) -> Callable[[str, Pick], str]:
    def change(note: str, _: Pick) -> str:
        lines = note.split("\n")
        del lines[4 + which]
        return "\n".join(lines)

    return change


# --- spelling ------------------------------------------------------------------------------------


def respelled(change: Callable[[bytes], bytes]) -> Change:
    def changed(lines: Lines, _: Made, __: Made, pick: Pick) -> bool:
        place = pick(len(lines))
        before = lines[place]
        lines[place] = change(before)
        return lines[place] != before

    return changed


def unsorted(line: bytes) -> bytes:
    tree = tree_of(line)
    turned = dict(sorted(tree.items(), reverse=True))
    return msgspec.json.encode({kind(line): turned}) + b"\n"
