"""Every change of a bundle's lines, and the codes of which one has to be found first."""

from typing import NamedTuple

from tests.support.replay import line_mutations as change
from tests.support.replay.bundle_lines import counted
from tests.support.replay.line_mutations import Change
from tests.support.replay.outcome_forgeries import bits_flipped

DAMAGED = "damaged"
"""Stands for a file that is refused before it is judged."""


class Tampering(NamedTuple):
    """A change of lines, and the codes one of which has to be found."""

    change: Change
    right: frozenset[str]


_ORDER = frozenset(
    {"gap", "reordered", "repeated", "broken_chain", "wrong_game", "after_end", "header_differs"}
)
_CHAIN = frozenset({"broken_chain", "outcome_differs", "header_differs"})
_FILE = frozenset({DAMAGED})
_SEAL = frozenset({"broken_seal"})
_SECRET = frozenset({"secret_differs", "broken_promise", "broken_seal"})
_NOTE = frozenset({"bad_checkpoint", "bad_inclusion", "wrong_origin", DAMAGED})
_PROOF = frozenset({"bad_inclusion", DAMAGED})


def _right(*codes: str) -> frozenset[str]:
    return frozenset(codes)


LINES: dict[str, Tampering] = {
    "events swapped": Tampering(change.swapped, _ORDER | _FILE),
    "event dropped": Tampering(change.dropped, _ORDER | _FILE | {"cut_off"}),
    "event repeated": Tampering(change.repeated, _ORDER | _FILE),
    "event moved": Tampering(change.moved, _ORDER | _FILE),
    "event of another game put in": Tampering(change.event_of_another, _ORDER | _FILE),
    "end cut off": Tampering(
        change.end_cut_off, _right("cut_off", "header_differs", "told_too_early")
    ),
    "fact changed": Tampering(change.fact_unchained, _CHAIN | {"unreadable"}),
    "player renamed": Tampering(change.name_of_a_player, _CHAIN),
    "time of an event": Tampering(change.value("at", change.another_number, "event"), _CHAIN),
    "command id of an event": Tampering(change.value("cmd", bits_flipped, "event"), _CHAIN),
    "link of an event": Tampering(change.value("prev", bits_flipped, "event"), _CHAIN),
    "number of an event": Tampering(
        change.value("seq", change.another_number, "event"), _ORDER | _FILE
    ),
    "type of an event": Tampering(
        change.value("type", lambda kind, _: kind.replace("/1", "/2"), "event"),
        _CHAIN | {"unknown_topic"},
    ),
    "game of an event": Tampering(change.value("game", bits_flipped, "event"), _ORDER),
    "version of an event": Tampering(change.value("v", change.another_number, "event"), _FILE),
    "game of the header": Tampering(
        change.value("game", lambda _, __: "12345678-1234-4234-8234-123456789abc", "bundle"),
        _right("header_differs", "wrong_game"),
    ),
    "head of the header": Tampering(
        change.value("head", bits_flipped, "bundle"), _right("header_differs")
    ),
    "status of the header": Tampering(
        change.value("status", change.another_word("finished", "voided", "unfinished"), "bundle"),
        _right("header_differs", "told_too_early"),
    ),
    "number of events of the header": Tampering(
        change.value("events", change.another_number, "bundle"), _FILE
    ),
    "keys of the header": Tampering(
        change.value("keys", lambda keys, pick: keys[: pick(len(keys))], "bundle"),
        _right("header_differs", "unknown_key", "bad_receipt", "bad_cosignature", DAMAGED),
    ),
    "hash of the rules": Tampering(
        change.value("hash", bits_flipped, "ruleset"), _right("ruleset_differs")
    ),
    "name of the rules": Tampering(
        change.value(
            "name", change.another_word("classic", "express", "board", "standard-deck"), "ruleset"
        ),
        _right("ruleset_differs"),
    ),
    "rules": Tampering(
        change.value(
            "rules", lambda rules, pick: rules | {"hand": rules["hand"] + 1 + pick(3)}, "ruleset"
        ),
        _right("ruleset_differs"),
    ),
    "rules of another game": Tampering(
        change.value("rules", lambda rules, _: rules | {"id": "classic@9"}, "ruleset"),
        _right("ruleset_differs"),
    ),
    "opened value": Tampering(change.opened_value, _SEAL),
    "opened values exchanged": Tampering(change.opened_exchanged, _SEAL),
    "salt": Tampering(change.value("salt", bits_flipped, "opens"), _SEAL),
    "opened seal taken away": Tampering(change.line_gone("opens"), _right("sealed")),
    "commitment of a line": Tampering(change.value("commit", bits_flipped, "secret"), _SECRET),
    "secret of a line": Tampering(change.value("secret", bits_flipped, "secret"), _SECRET),
    "maker of a secret": Tampering(
        change.value("made_by", change.another_word("server", "seat"), "secret"), _SECRET
    ),
    "secret withheld": Tampering(change.without("secret", "secret"), _SECRET),
    "secret's line taken away": Tampering(change.line_gone("secret"), _SECRET | _FILE),
    "receipt taken away": Tampering(change.line_gone("receipt"), _right("receipts_missing")),
    "receipts taken away": Tampering(
        change.all_gone("receipt"), _right("receipts_missing", "header_differs")
    ),
    "receipt by another key": Tampering(
        change.receipt_of_a_stranger(renamed=False), _right("bad_receipt")
    ),
    "receipt by another key that says so": Tampering(
        change.receipt_of_a_stranger(renamed=True), _right("unknown_key", "receipts_missing")
    ),
    "signature of a receipt": Tampering(
        change.value("sig", lambda sig, pick: sig[:9] + "AB"[sig[9] == "A"] + sig[10:], "receipt"),
        _right("bad_receipt"),
    ),
    "time of a receipt": Tampering(
        change.value("at", change.another_number, "receipt"), _right("bad_receipt")
    ),
    "leaf of a receipt": Tampering(
        change.value("leaf", bits_flipped, "receipt"), _right("bad_receipt")
    ),
    "command of a receipt": Tampering(
        change.value("command", bits_flipped, "receipt"), _right("bad_receipt")
    ),
    "number of a receipt": Tampering(
        change.value("seq", change.a_number_less, "receipt"), _right("bad_receipt", DAMAGED)
    ),
    "game of a receipt": Tampering(
        change.value("game", lambda _, __: "12345678-1234-4234-8234-123456789abc", "receipt"),
        _right("bad_receipt"),
    ),
    "genuine receipt of another leaf": Tampering(
        change.receipt_about("leaf", bits_flipped), _right("receipt_differs", "equivocation")
    ),
    "genuine receipt of another command": Tampering(
        change.receipt_about("command", bits_flipped), _right("receipt_differs")
    ),
    "genuine receipt of another time": Tampering(
        change.receipt_about("at", change.another_number), _right("receipt_differs")
    ),
    "genuine receipt of another game": Tampering(
        change.receipt_of_another_game, _right("receipt_differs", "wrong_game", "equivocation")
    ),
    "genuine receipt of an event that is missing": Tampering(
        change.receipt_of_the_future, _right("cut_off")
    ),
    "checkpoint taken away": Tampering(
        change.all_gone("checkpoint", "inclusion"), _right("checkpoint_missing", "header_differs")
    ),
    "proofs taken away": Tampering(change.all_gone("inclusion"), _FILE),
    "proof of the end taken away": Tampering(
        lambda lines, _, __, ___: lines.pop(-2) != b"" and counted(lines),
        _right("checkpoint_behind", "bad_inclusion", DAMAGED),
    ),
    "origin of the checkpoint": Tampering(change.note(change.line_of_note(0)), _NOTE),
    "size of the checkpoint": Tampering(change.note(change.line_of_note(1)), _NOTE),
    "root of the checkpoint": Tampering(change.note(change.line_of_note(2)), _NOTE),
    "signature of the checkpoint": Tampering(change.note(change.line_of_note(4)), _NOTE),
    "signature of the witness": Tampering(
        change.note(change.line_of_note(5)), _right("bad_cosignature", *_NOTE)
    ),
    "checkpoint unsigned": Tampering(
        change.note(change.signatures_gone(0)),
        _NOTE | {"unknown_key", "checkpoint_missing", "header_differs"},
    ),
    "cosignature taken away": Tampering(
        change.note(change.signatures_gone(1)), _right("witnesses_missing", "header_differs")
    ),
    "path of a proof": Tampering(change.path, _PROOF),
    "index of a proof": Tampering(
        change.value("index", change.another_number, "inclusion"), _PROOF
    ),
    "index of a proof, less": Tampering(
        change.value("index", change.a_number_less, "inclusion"), _PROOF
    ),
    "size of a proof": Tampering(change.value("size", change.another_number, "inclusion"), _PROOF),
    "event of a proof": Tampering(
        change.value("seq", change.another_number, "inclusion"), _PROOF | {"cut_off"}
    ),
    "proofs of another game": Tampering(change.proofs_of_another("inclusion"), _PROOF),
    "checkpoint and proofs of another game": Tampering(
        change.proofs_of_another("checkpoint", "inclusion"), _PROOF
    ),
    "number of lines": Tampering(change.value("lines", change.another_number, "end"), _FILE),
    "last line missing": Tampering(lambda lines, *_: bool(lines.pop()), _FILE),
    "a line twice": Tampering(
        change.respelled(lambda line: line * 2), _FILE | _ORDER | {"receipt_differs"}
    ),
    "white space": Tampering(change.respelled(lambda line: line.replace(b'":', b'": ', 1)), _FILE),
    "white space within": Tampering(
        change.respelled(lambda line: line[:-3] + line[-3:].replace(b"}}", b"} }")), _FILE
    ),
    "another line end": Tampering(
        change.respelled(lambda line: line.replace(b"\n", b"\r\n")), _FILE
    ),
    "no line end": Tampering(change.respelled(lambda line: line[:-1]), _FILE),
    "keys in another order": Tampering(change.respelled(change.unsorted), _FILE),
    "a key twice": Tampering(
        change.respelled(lambda line: line.replace(b':{"', b':{"at":0,"at":0,"', 1)), _FILE
    ),
    "an unknown key": Tampering(change.respelled(lambda line: line[:-3] + b',"zz":1}}\n'), _FILE),
    "an escaped letter": Tampering(
        change.respelled(lambda line: line.replace(b"e", b"\\u0065", 1)), _FILE
    ),
    "a null": Tampering(change.respelled(lambda line: line[:-3] + b',"zz":null}}\n'), _FILE),
}
"""What is changed in the lines, and what has to be found."""
