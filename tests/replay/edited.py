"""Bundles changed by somebody who has nothing but the file."""

import base64
import copy
from itertools import pairwise

from tests.replay.tampering import Parts, Tampering, altered, events, opened, values, way, written

EDITS: dict[str, Tampering] = {}
"""Ways to change what a bundle says."""
MISSPELT: dict[str, Tampering] = {}
"""Ways to spell a bundle as none may be spelt."""


@way(EDITS, "chain")
def a_seat_renamed(parts: Parts, pick: int) -> Parts:
    some = events(parts, "SeatTaken")
    some[pick % len(some)]["data"]["name"] = "Nobody"
    return parts


@way(EDITS, "chain")
def a_score_edited(parts: Parts, pick: int) -> Parts | None:
    some = events(parts, "RoundEnded")[:-1]
    if not some:
        return None
    some[pick % len(some)]["data"]["results"][0]["total"] += 5
    return parts


@way(EDITS, "order")
def an_event_dropped(parts: Parts, pick: int) -> Parts:
    seq = 2 + pick % (parts[0][1]["events"] - 2)
    return [part for part in parts if part[0] not in ("event", "opens") or part[1]["seq"] != seq]


@way(EDITS, "order")
def two_events_exchanged(parts: Parts, pick: int) -> Parts | None:
    places = [
        i
        for i, (one, other) in enumerate(pairwise(parts))
        if one[0] == other[0] == "event" and parts[i + 2][0] != "opens"
    ]
    if not places:
        return None
    i = places[pick % len(places)]
    parts[i], parts[i + 1] = parts[i + 1], parts[i]
    return parts


@way(EDITS, "order")
def an_event_repeated(parts: Parts, pick: int) -> Parts | None:
    places = [i for i, (kind, v) in enumerate(parts) if kind == "event" and "sealed" not in v]
    i = places[pick % len(places)]
    return [*parts[: i + 1], copy.deepcopy(parts[i]), *parts[i + 1 :]]


@way(EDITS, "header")
def the_last_event_cut_off(parts: Parts, pick: int) -> Parts:
    last = parts[0][1]["events"]
    return [part for part in parts if part[0] != "event" or part[1]["seq"] != last]


@way(EDITS, "receipt")
def a_command_cut_off(parts: Parts, pick: int) -> Parts | None:
    """The end is gone, every trace of the end but the receipts too."""
    whole = values(parts, "event")
    starts = [event["seq"] for event in whole if "act" in event["data"]][2:]
    first = starts[pick % len(starts)]
    header = parts[0][1]
    header["status"], header["head"] = "unfinished", whole[first - 1]["prev"]
    kept = [
        part
        for part in parts
        if part[0] not in ("opens", "checkpoint", "inclusion")
        and (part[0] != "event" or part[1]["seq"] < first)
    ]
    seen = {
        event["data"]["seat"]: event["data"].get("secret")
        for event in events(kept, "SeatSecretRevealed")
    }
    for value in values(kept, "secret"):
        value.pop("secret", None)
        if value["by"] != "server" and seen.get(int(value["by"])):
            value["secret"] = seen[int(value["by"])]
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
    value = some[pick % len(some)]["value"]
    value["card"] = "R1" if value["card"] != "R1" else "G2"
    return parts


@way(EDITS, "seal")
def a_salt_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "opens")
    chosen = some[pick % len(some)]
    chosen["salt"] = altered(chosen["salt"])
    return parts


@way(EDITS, "seal")
def a_seal_left_closed(parts: Parts, pick: int) -> Parts:
    places = [
        i for i, (kind, v) in enumerate(parts) if kind == "opens" and "secret" not in v["value"]
    ]
    del parts[places[pick % len(places)]]
    return parts


@way(EDITS, "commitment")
def a_secret_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = some[pick % len(some)]
    chosen["secret"] = altered(chosen["secret"])
    return parts


@way(EDITS, "commitment")
def a_commitment_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = some[pick % len(some)]
    chosen["commit"] = altered(chosen["commit"])
    return parts


@way(EDITS, "commitment")
def a_secret_said_to_be_somebody_elses(parts: Parts, pick: int) -> Parts:
    some = values(parts, "secret")
    chosen = some[pick % len(some)]
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
    chosen = some[pick % len(some)]
    raw = bytearray(base64.b64decode(chosen["sig"]))
    raw[pick % 64] ^= 1
    chosen["sig"] = base64.b64encode(raw).decode()
    return parts


@way(EDITS, "receipt")
def a_receipts_leaf_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "receipt")
    chosen = some[pick % len(some)]
    chosen["leaf"] = altered(chosen["leaf"])
    return parts


@way(EDITS, "receipt")
def a_receipts_time_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "receipt")
    some[pick % len(some)]["at"] += 1
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
    path = some[pick % len(some)]["path"]
    path[pick % len(path)] = altered(path[pick % len(path)])
    return parts


@way(EDITS, "inclusion")
def a_proofs_index_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    some[pick % len(some)]["index"] ^= 1
    return parts


@way(EDITS, "inclusion")
def a_proofs_size_edited(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    some[pick % len(some)]["size"] += 1
    return parts


@way(EDITS, "inclusion")
def a_proof_shortened(parts: Parts, pick: int) -> Parts:
    some = values(parts, "inclusion")
    some[pick % len(some)]["path"].pop()
    return parts


@way(EDITS, "header")
def a_key_left_out(parts: Parts, pick: int) -> Parts:
    keys = parts[0][1]["keys"]
    del keys[pick % len(keys)]
    return parts


# --- the file's form ----------------------------------------------------------------------------


@way(MISSPELT, "form")
def a_key_twice(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'{"event":{"at":', b'{"event":{"at":1,"at":', 1)


@way(MISSPELT, "form")
def white_space(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'{"event":{"at":', b'{"event":{"at": ', 1)


@way(MISSPELT, "form")
def a_number_beyond_2_53(parts: Parts, pick: int) -> bytes:
    parts[2][1]["at"] = 2**53 + 1
    return written(parts)


@way(MISSPELT, "form")
def a_number_of_2_53(parts: Parts, pick: int) -> bytes:
    parts[2][1]["at"] = 2**53
    return written(parts)


@way(MISSPELT, "form")
def a_number_with_a_point(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"seq":1,', b'"seq":1.0,', 1)


@way(MISSPELT, "form")
def a_null(parts: Parts, pick: int) -> bytes:
    parts[2][1]["data"]["asks"] = None
    return written(parts)


@way(MISSPELT, "form")
def invalid_utf_8(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"name":"', b'"name":"\xff', 1)


@way(MISSPELT, "form")
def half_a_character(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"name":"', b'"name":"\\ud800', 1)


@way(MISSPELT, "form")
def a_byte_order_mark(parts: Parts, pick: int) -> bytes:
    return b"\xef\xbb\xbf" + written(parts)


@way(MISSPELT, "form")
def other_line_ends(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b"\n", b"\r\n")


@way(MISSPELT, "form")
def a_field_more(parts: Parts, pick: int) -> bytes:
    parts[2][1]["note"] = ""
    return written(parts)


@way(MISSPELT, "form")
def a_field_less(parts: Parts, pick: int) -> bytes:
    del parts[2][1]["cmd"]
    return written(parts)


@way(MISSPELT, "truncated")
def the_file_cut(parts: Parts, pick: int) -> bytes:
    whole = written(parts).splitlines(keepends=True)
    return b"".join(whole[: 3 + pick % (len(whole) - 3)])


@way(MISSPELT, "truncated")
def the_last_line_feed_cut(parts: Parts, pick: int) -> bytes:
    return written(parts)[:-1]


@way(MISSPELT, "truncated")
def a_wrong_number_of_lines(parts: Parts, pick: int) -> bytes:
    parts[-1][1]["lines"] += 1
    return written(parts, counted=False)


@way(MISSPELT, "truncated")
def a_wrong_number_of_events(parts: Parts, pick: int) -> bytes:
    parts[0][1]["events"] += 1
    return written(parts, counted=False)


@way(MISSPELT, "order")
def a_seal_opened_elsewhere(parts: Parts, pick: int) -> Parts:
    at = next(i for i, (kind, _) in enumerate(parts) if kind == "opens")
    parts.insert(at + 2, parts.pop(at))
    return parts


@way(MISSPELT, "order")
def the_secrets_in_another_order(parts: Parts, pick: int) -> Parts:
    at = next(i for i, (kind, _) in enumerate(parts) if kind == "secret")
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return parts
