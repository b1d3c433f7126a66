"""What binds the operator: keys, receipts, the checkpoint of the log, and witnesses under it."""

import re
from typing import Any, NamedTuple

from verifying.basics import Damaged, canonical, claim, digest, signed, unbase64, usable
from verifying.form import Bundle

OPERATOR, WITNESS = 1, 4
SKEW = 300
"""Seconds by which a witness's clock may be behind."""


class Key(NamedTuple):
    """A verifier key of the operator's or of a witness."""

    kind: int
    public: bytes


def keys_of(bundle: Bundle) -> dict[str, Key]:
    """The keys that the bundle names, by name and hash."""
    keys: dict[str, Key] = {}
    for text in bundle.header["keys"]:
        name, _, rest = text.partition("+")
        short, _, encoded = rest.partition("+")
        raw, full = unbase64(encoded), f"{name}+{short}"
        good = raw[:1] in (b"\1", b"\4") and digest(f"{name}\n", raw).hex()[:8] == short
        if not good or not re.fullmatch(r"\S+", name) or full in keys or not usable(raw[1:]):
            raise Damaged(f"{text!r} is no key that can be used")
        keys[full] = Key(raw[0], raw[1:])
    if bundle.header["keys"] != sorted(bundle.header["keys"]):
        raise Damaged("the keys are not in order")
    return keys


def signed_text(receipt: dict[str, Any]) -> bytes:
    """The bytes that are signed of a receipt; empty where its path leads to no root."""
    body = "".join(f"{receipt[name]}\n" for name in ("game", "seq", "leaf", "command", "at"))
    entry = f"p10-receipt/v1\n{body}".encode()
    index, size = receipt.get("index", 0), receipt.get("size", 1)
    path = [bytes.fromhex(step) for step in receipt.get("path", ())]
    if not index and not path and size == 1:
        return entry
    root = rooted(index, size, digest(b"\0", entry), path) if 0 <= index < size else b""
    return f"p10-receipt/v2\n{size}\n{root.hex()}\n".encode() if root else b""


def receipts(bundle: Bundle, keys: dict[str, Key]) -> set[str]:
    """Hold the receipts against the events; returns the keys that have signed."""
    events, game = bundle.events, bundle.header["game"]
    acts = {event.cmd: event.data["act"] for event in events if event.command}
    last = {event.cmd: event.seq for event in events}
    seqs = [receipt["seq"] for receipt in bundle.receipts]
    if seqs != sorted(set(seqs)):
        raise Damaged("the receipts are not in order")
    for receipt in bundle.receipts:
        where, key = f"the receipt for event {receipt['seq']}", keys.get(receipt["key"])
        claim(not {"index", "path", "size"} & receipt.keys(), f"{where} is not of format 1")
        text = signed_text(receipt)
        good = key and key.kind == OPERATOR and text
        good = good and signed(key.public, unbase64(receipt["sig"]), text)
        claim(good, f"{where} is not genuine")
        claim(1 <= receipt["seq"] <= len(events), f"{where}: the bundle lacks this event")
        event = events[receipt["seq"] - 1]
        about = f"p10-command/v1\n{game}\n{event.cmd}\n"
        command = digest(about, canonical(acts[event.cmd])).hex()
        wanted = (game, last[event.cmd], event.leaf, command, event.at)
        values = tuple(receipt[name] for name in ("game", "seq", "leaf", "command", "at"))
        claim(values == wanted, f"{where} tells of something else")
    return {receipt["key"] for receipt in bundle.receipts}


def rooted(index: int, size: int, leaf: bytes, path: list[bytes]) -> bytes:
    """The root that an audit path leads to (RFC 9162, 2.1.3.2); empty where it leads to none."""
    last, root = size - 1, leaf
    for step in path:
        if not last:
            return b""
        if index & 1 or index == last:
            root = digest(b"\1", step, root)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            root = digest(b"\1", root, step)
        index, last = index >> 1, last >> 1
    return b"" if last else root


def continued(first: int, second: int, path: list[bytes], old: bytes, new: bytes) -> bool:
    """Whether the larger tree begins with the smaller one (RFC 9162, 2.1.4.2)."""
    if first == second:
        return not path and old == new
    node, last = first - 1, second - 1
    if not 0 <= node < last:
        return False
    while node & 1:
        node, last = node >> 1, last >> 1
    steps = path if node else [old, *path]
    before = after = steps[0] if steps else b""
    for step in steps[1:]:
        if not last:
            return False
        if node & 1 or node == last:
            before, after = digest(b"\1", step, before), digest(b"\1", step, after)
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            after = digest(b"\1", after, step)
        node, last = node >> 1, last >> 1
    return not last and before == old and after == new


def checkpoint(bundle: Bundle, keys: dict[str, Key]) -> set[str]:
    """Hold checkpoint, cosignatures and proofs against the events; returns the keys."""
    if not bundle.notes:
        return set()
    note, proofs = bundle.notes[0]["note"], bundle.proofs
    form = re.fullmatch(
        r"(([!-~]{1,200})\n(0|[1-9][0-9]{0,15})\n(\S+)\n)\n((?:\u2014 .+\n)+)", note
    )
    root = unbase64(form[4]) if form else b""
    claim(form and len(root) == 32, "the checkpoint is none")
    seqs = [proof["seq"] for proof in proofs]
    fitting = seqs[0] == 1 and seqs == sorted(set(seqs)) and seqs[-1] <= len(bundle.events)
    claim(fitting, "the proofs are of other events, or of one that the bundle lacks")
    newest, used = bundle.events[seqs[-1] - 1], set[str]()
    body, lines = (form[1], form[5].split("\n")[:-1]) if form else ("", [])
    for line in lines:
        name, _, encoded = line[2:].partition(" ")
        raw = unbase64(encoded)
        full, time = f"{name}+{raw[:4].hex()}", int.from_bytes(raw[4:12], "big")
        key = keys.get(full)
        claim(key and full not in used, f"a signature is by no key of the bundle: {name!r}")
        if key and key.kind == OPERATOR:
            good = signed(key.public, raw[4:], body.encode())
        else:
            message = f"cosignature/v1\ntime {time}\n{body}".encode()
            good = key and signed(key.public, raw[12:], message)
            early = 1000 * (time + SKEW) < newest.at
            claim(not early, f"{name} saw the game before it is said to have happened")
        claim(good, f"the signature of {name} under the checkpoint is bad")
        used.add(full)
    claim(OPERATOR in {keys[name].kind for name in used}, "no operator signed the checkpoint")
    for proof in proofs:
        leaf, path = bytes.fromhex(bundle.events[proof["seq"] - 1].leaf), proof["path"]
        index, size = proof["index"], proof["size"]
        good = form and size == int(form[3]) and index < size
        good = good and rooted(index, size, leaf, [bytes.fromhex(step) for step in path]) == root
        claim(good, f"event {proof['seq']} is not shown to be in the log")
    for proof in bundle.earlier:
        path = [bytes.fromhex(step) for step in proof["path"]]
        first, second, old = proof["first"], proof["second"], bytes.fromhex(proof["root"])
        good = form and second == int(form[3]) and continued(first, second, path, old, root)
        claim(good, f"the log is not shown to go on from {proof['first']} leaves")
    room = proofs[-1]["index"] - proofs[0]["index"] >= seqs[-1] - seqs[0]
    claim(room, "the log has no room for all events of the game")
    return used
