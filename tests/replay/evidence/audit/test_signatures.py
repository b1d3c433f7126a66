"""What an audit says of a game in which a seat signs its commands."""

from typing import Any

import msgspec

from phaseledger.domain.commands import Draw
from phaseledger.replay.formats.signing.commands import sign
from tests.support.cases import looped
from tests.support.replay.log_edits import GAME, Tree, first, rechained, verdict
from tests.support.replay.signed_game import PRIVATE, signed_game

SECRETIVE = ("swap", "search", "give", "keep")


def stored() -> list[bytes]:
    return [entry.stored for entry in signed_game()]


def trees() -> list[Tree]:
    return [msgspec.json.decode(line) for line in stored()]


def act_of(tree: Tree) -> dict[str, Any]:
    act: dict[str, Any] = tree["data"].get("act", {})
    return act


def signed(kind: str, *, skip: int = 0) -> int:
    """The number of an event with a signed command of that kind."""
    numbers = [
        tree["seq"]
        for tree in trees()
        if (act := act_of(tree)) and (act["command"]["type"], act.get("seat")) == (kind, 0)
    ]
    return numbers[skip]


def holder(tree: Tree) -> dict[str, Any]:
    """The object of an event that has the signature."""
    act = act_of(tree)
    if "sig" in act:
        return act
    (where,) = (secret for secret in tree["hidden"].values() if "sig" in secret)
    return where


def test_a_signed_game_is_sound() -> None:
    judgement = verdict(stored())
    assert (judgement.sound, judgement.status, judgement.findings) == (True, "finished", ())
    kinds = {act_of(tree)["command"]["type"] for tree in trees() if act_of(tree).get("seat") == 0}
    assert kinds >= {*KINDS, "ask", "choose", "hit"}


KINDS = ("move", "discard", "lay", *SECRETIVE)


@looped("kind", KINDS)
def test_a_forged_signature(kind: str) -> None:
    """However well the forger chains everything anew."""
    made, seq = trees(), signed(kind)
    where = holder(made[seq - 1])
    where["sig"] = "0" * 128
    finding = first(rechained(made))
    assert ("bad_signature", seq, "") == (finding.code, finding.seq, finding.rule)
    assert finding.recorded == "0" * 128


@looped("kind", KINDS)
def test_a_missing_signature(kind: str) -> None:
    made, seq = trees(), signed(kind)
    del holder(made[seq - 1])["sig"]
    finding = first(rechained(made))
    assert ("illegal_decision", seq, "signature_needed") == (
        finding.code,
        finding.seq,
        finding.reject,
    )


def test_a_signature_over_something_else() -> None:
    """A good one, of the same seat, but for another command or another place."""
    seq = signed("discard", skip=3)
    head = trees()[seq - 1]["prev"]
    discard = trees()[seq - 1]["data"]["act"]
    earlier = holder(trees()[signed("discard") - 1])["sig"]
    for sig in (sign(PRIVATE, GAME, 0, head, seq - 1, Draw()), earlier):
        made = trees()
        assert made[seq - 1]["data"]["act"] == discard
        holder(made[seq - 1])["sig"] = sig
        assert ("bad_signature", seq) == (first(rechained(made)).code, first(made).seq)


def test_history_cannot_be_changed_before_a_signature() -> None:
    """Not even what another seat, who signs nothing, did: the signature is over the whole chain."""
    made = trees()
    made[1]["at"] = made[1]["at"] + 1
    finding = first(rechained(made))
    begun = next(tree["seq"] for tree in trees() if act_of(tree).get("sig"))
    assert ("bad_signature", begun) == (finding.code, finding.seq)


def test_a_signature_where_there_is_no_key() -> None:
    made = trees()
    seq = next(tree["seq"] for tree in made if act_of(tree).get("seat") == 1 and tree["seq"] > 9)
    act_of(made[seq - 1])["sig"] = "0" * 128
    finding = first(rechained(made))
    assert (finding.code, finding.reject) == ("illegal_decision", "no_key_registered")
