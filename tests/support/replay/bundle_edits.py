"""Bundles changed as `line_mutations` changes none: ends cut off, and odd names of logs."""

import base64

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.codec import leaf_hash
from phaseledger.replay.formats.signing.notes import Note, signature
from tests.support.replay.operator_games import OPERATOR, ORIGIN
from tests.support.replay.tampering_tools import (
    Parts,
    Tampering,
    encode,
    events,
    one_of,
    values,
    way,
)

EDITS: dict[str, Tampering] = {}


@way(EDITS, "header")
def a_viewer_named_after_the_end(parts: Parts, pick: int) -> Parts:
    parts[0][1]["seat"] = pick % 2
    return parts


@way(EDITS, "receipt")
def a_command_cut_off(parts: Parts, pick: int) -> Parts:
    """The end is gone, every trace of the end but the receipts too."""
    whole = values(parts, "event")
    starts = [event["seq"] for event in whole if "act" in event["data"]][2:]
    first = one_of(starts, pick)
    header = parts[0][1]
    header["status"], header["head"] = "unfinished", whole[first - 1]["prev"]
    kept = [
        part
        for part in parts
        if part[0] not in ("opens", "checkpoint", "inclusion")
        and (part[0] != "event" or part[1]["seq"] < first)
    ]
    revealed = {
        event["data"]["seat"]: event["data"].get("secret")
        for event in events(kept, "SeatSecretRevealed")
    }
    for value in values(kept, "secret"):
        value.pop("secret", None)
        if value["by"] != "server" and revealed.get(int(value["by"])):
            value["secret"] = revealed[int(value["by"])]
    taken = {str(event["data"]["seat"]) for event in events(kept, "SeatTaken")}
    kept = [p for p in kept if p[0] != "secret" or p[1]["by"] in taken | {"server"}]
    used = {value["key"] for value in values(kept, "receipt")}
    header["keys"] = [
        key for key in header["keys"] if key.split("+")[0] + "+" + key.split("+")[1] in used
    ]
    return kept


@way(EDITS, "inclusion")
def a_proof_shortened(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    one_of(some, pick)["path"].pop()
    return parts


def _noted(parts: Parts, origin: str, head: str = "") -> Parts:
    """The log under another name, or with another size and root, signed by the operator."""
    (checkpoint,) = values(parts, "checkpoint")
    _, size, root, *_ = checkpoint["note"].split("\n")
    point = head or f"{size}\n{root}"
    text = f"{origin}\n{point}\n"
    checkpoint["note"] = str(Note(text, (signature(text, OPERATOR),)))
    used = {value["key"] for value in values(parts, "receipt")} | {OPERATOR.public.id}
    parts[0][1]["keys"] = [
        key for key in parts[0][1]["keys"] if "+".join(key.split("+")[:2]) in used
    ]
    return parts


@way(EDITS, "checkpoint")
def a_log_with_a_tab_in_its_name(parts: Parts, pick: int) -> Parts:
    return _noted(parts, "example.org\tgames")


@way(EDITS, "checkpoint")
def a_log_with_a_nul_in_its_name(parts: Parts, pick: int) -> Parts:
    return _noted(parts, "example.org\0games")


@way(EDITS, "checkpoint")
def a_log_whose_name_runs_from_right_to_left(parts: Parts, pick: int) -> Parts:
    return _noted(parts, "example.org\u202egames")


@way(EDITS, "checkpoint")
def a_note_of_100_000_characters(parts: Parts, pick: int) -> Parts:
    return _noted(parts, "a" * 100_000)


@way(EDITS, "inclusion")
def the_last_event_before_the_first(parts: Parts, pick: int) -> Parts:
    """The log has them the wrong way round, in a tree of two leaves."""
    first, last = values(parts, "inclusion")
    whole = values(parts, "event")
    leaf, last_leaf = (bytes.fromhex(leaf_hash(encode(whole[n]))) for n in (0, -1))
    root = merkle.root_of([last_leaf, leaf])
    first.update(index=1, size=2, path=[last_leaf.hex()])
    last.update(index=0, size=2, path=[leaf.hex()])
    return _noted(parts, ORIGIN, f"2\n{base64.b64encode(root).decode()}")


@way(EDITS, "header")
def a_key_left_out(parts: Parts, pick: int) -> Parts:
    keys = parts[0][1]["keys"]
    del keys[pick % len(keys)]
    return parts
