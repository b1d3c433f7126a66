"""Bundles changed by somebody who has nothing but the file."""

import base64
import copy
from itertools import pairwise

from phaseledger.domain.evidence import merkle
from phaseledger.domain.evidence.codec import leaf_hash
from phaseledger.replay.signing.notes import Note, signature
from tests.support.replay.operator_games import OPERATOR, ORIGIN
from tests.support.replay.tampering_tools import (
    Parts,
    Tampering,
    altered,
    encode,
    events,
    one_of,
    opened,
    values,
    way,
)

EDITS: dict[str, Tampering] = {}


@way(EDITS, "chain")
def a_seat_renamed(parts: Parts, pick: int) -> Parts:
    some = events(parts, "SeatTaken")
    one_of(some, pick)["data"]["name"] = "Nobody"
    return parts


@way(EDITS, "chain")
def a_score_edited(parts: Parts, pick: int) -> Parts:
    some = events(parts, "RoundEnded")[:-1]
    one_of(some, pick)["data"]["results"][0]["total"] += 5
    return parts


@way(EDITS, "order")
def an_event_dropped(parts: Parts, pick: int) -> Parts:
    seq = 2 + pick % (parts[0][1]["events"] - 2)
    return [part for part in parts if part[0] not in ("event", "opens") or part[1]["seq"] != seq]


@way(EDITS, "order")
def two_events_exchanged(parts: Parts, pick: int) -> Parts:
    places = [
        i
        for i, (earlier, later) in enumerate(pairwise(parts))
        if earlier[0] == later[0] == "event" and parts[i + 2][0] != "opens"
    ]
    i = one_of(places, pick)
    parts[i], parts[i + 1] = parts[i + 1], parts[i]
    return parts


@way(EDITS, "order")
def an_event_repeated(parts: Parts, pick: int) -> Parts:
    places = [i for i, (kind, v) in enumerate(parts) if kind == "event" and "sealed" not in v]
    i = one_of(places, pick)
    return [*parts[: i + 1], copy.deepcopy(parts[i]), *parts[i + 1 :]]


@way(EDITS, "header")
def the_last_event_cut_off(parts: Parts, pick: int) -> Parts:
    last = parts[0][1]["events"]
    return [part for part in parts if part[0] != "event" or part[1]["seq"] != last]


@way(EDITS, "header")
def the_head_edited(parts: Parts, pick: int) -> Parts:
    parts[0][1]["head"] = altered(parts[0][1]["head"])
    return parts


@way(EDITS, "header")
def the_status_edited(parts: Parts, pick: int) -> Parts:
    finished = parts[0][1]["status"] == "finished"
    parts[0][1]["status"] = "voided" if finished else "finished"
    return parts


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


@way(EDITS, "seal")
def an_opened_value_edited(parts: Parts, pick: int) -> Parts:
    some = [value for event, value in opened(parts, "CardDrawn", "CardTurned")]
    value = one_of(some, pick)["value"]
    value["card"] = "R1" if value["card"] != "R1" else "G2"
    return parts


@way(EDITS, "seal")
def a_salt_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "opens")
    chosen = one_of(some, pick)
    chosen["salt"] = altered(chosen["salt"])
    return parts


@way(EDITS, "seal")
def a_seal_left_closed(parts: Parts, pick: int) -> Parts:
    places = [
        i for i, (kind, v) in enumerate(parts) if kind == "opens" and "secret" not in v["value"]
    ]
    del parts[one_of(places, pick)]
    return parts


@way(EDITS, "commitment")
def a_secret_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = one_of(some, pick)
    chosen["secret"] = altered(chosen["secret"])
    return parts


@way(EDITS, "commitment")
def a_commitment_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = one_of(some, pick)
    chosen["commit"] = altered(chosen["commit"])
    return parts


@way(EDITS, "commitment")
def a_secret_said_to_be_somebody_elses(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = one_of(some, pick)
    chosen["made_by"] = "seat" if chosen["made_by"] == "server" else "server"
    return parts


@way(EDITS, "transcript")
def the_line_on_the_rules_edited(parts: Parts, pick: int) -> Parts:
    parts[1][1]["rules"]["hand"] += 1
    return parts


@way(EDITS, "transcript")
def the_rules_hash_edited(parts: Parts, pick: int) -> Parts:
    parts[1][1]["hash"] = altered(parts[1][1]["hash"])
    return parts


@way(EDITS, "receipt")
def a_receipts_signature_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "receipt")
    chosen = one_of(some, pick)
    raw = bytearray(base64.b64decode(chosen["sig"]))
    raw[pick % 64] ^= 1
    chosen["sig"] = base64.b64encode(raw).decode()
    return parts


@way(EDITS, "receipt")
def a_receipts_leaf_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "receipt")
    chosen = one_of(some, pick)
    chosen["leaf"] = altered(chosen["leaf"])
    return parts


@way(EDITS, "receipt")
def a_receipts_time_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "receipt")
    one_of(some, pick)["at"] += 1
    return parts


@way(EDITS, "checkpoint")
def the_logs_root_edited(parts: Parts, pick: int) -> Parts:
    (checkpoint,) = values(parts, "checkpoint")
    origin, size, root, *rest = checkpoint["note"].split("\n")
    raw = bytearray(base64.b64decode(root))
    raw[pick % 32] ^= 1
    checkpoint["note"] = "\n".join([origin, size, base64.b64encode(raw).decode(), *rest])
    return parts


@way(EDITS, "checkpoint")
def a_checkpoints_signature_edited(parts: Parts, pick: int) -> Parts:
    (checkpoint,) = values(parts, "checkpoint")
    *front, line = checkpoint["note"].removesuffix("\n").split("\n")
    dash, name, body = line.split(" ")
    raw = bytearray(base64.b64decode(body))
    raw[4 + pick % (len(raw) - 4)] ^= 1
    checkpoint["note"] = "\n".join([*front, f"{dash} {name} {base64.b64encode(raw).decode()}", ""])
    return parts


@way(EDITS, "inclusion")
def a_proofs_path_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    path = one_of(some, pick)["path"]
    step = one_of(range(len(path)), pick)
    path[step] = altered(path[step])
    return parts


@way(EDITS, "inclusion")
def a_proofs_index_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    one_of(some, pick)["index"] ^= 1
    return parts


@way(EDITS, "inclusion")
def a_proofs_size_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    one_of(some, pick)["size"] += 1
    return parts


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
