"""An edited event is named itself, not the one after it, where what follows shows which it was."""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from phaseledger.domain.evidence.codec import leaf_hash, redact, seal_key
from phaseledger.replay.evidence.audit.auditor import Auditor
from phaseledger.replay.evidence.walk import walk
from phaseledger.replay.formats.records.findings import AuditVerdict, Finding
from tests.support.cases import looped
from tests.support.replay.bundles import game
from tests.support.replay.log_edits import Tree, rows, verdict

Edit = Callable[[list[Tree]], int]
"""A change of the records; returns the number of the event."""


@cache
def stored(name: str) -> tuple[bytes, ...]:
    return game(name)


def trees(name: str) -> list[Tree]:
    return [msgspec.json.decode(line) for line in stored(name)]


def _first(made: list[Tree], kind: str, which: Callable[[Tree], bool] = lambda _: True) -> Tree:
    return next(tree for tree in made if tree["type"] == f"{kind}/1" and which(tree))


def _is_signed(tree: Tree) -> bool:
    return "sig" in tree["data"]["act"]


def time(made: list[Tree]) -> int:
    tree = _first(made, "CardDrawn", lambda tree: tree["seq"] > 20)
    tree["at"] += 1
    return int(tree["seq"])


def name(made: list[Tree]) -> int:
    tree = _first(made, "SeatTaken", lambda tree: tree["data"]["seat"] == 1)
    tree["data"]["name"] = tree["data"]["act"]["command"]["name"] = "Mallory"
    return int(tree["seq"])


def bot(made: list[Tree]) -> int:
    tree = _first(made, "SeatTaken", lambda tree: tree["data"].get("bot"))
    tree["data"]["bot"] = tree["data"]["act"]["command"]["bot"] = "expert"
    return int(tree["seq"])


def command_id(made: list[Tree]) -> int:
    tree = _first(made, "CardDrawn", lambda tree: tree["seq"] > 20 and "act" in tree["data"])
    tree["cmd"] = "0" * 64
    return int(tree["seq"])


def skip_target(made: list[Tree]) -> int:
    tree = _first(
        made, "CardDiscarded", lambda tree: "target" in tree["data"] and not _is_signed(tree)
    )
    other = 3 - tree["data"]["target"] - tree["data"]["seat"]
    tree["data"]["target"] = tree["data"]["act"]["command"]["target"] = other
    return int(tree["seq"])


def first_event_of_all(made: list[Tree]) -> int:
    made[0]["at"] -= 1
    return 1


EDITS: dict[str, tuple[str, Edit]] = {
    "time": ("classic", time),
    "name": ("classic", name),
    "bot": ("express", bot),
    "command id": ("classic", command_id),
    "command id, no signatures": ("board", command_id),
    "a skip's target": ("classic", skip_target),
    "the opening's time": ("classic", first_event_of_all),
}


def found_in(made: list[Tree]) -> tuple[AuditVerdict, Finding]:
    result = verdict(made)
    (finding,) = result.findings
    return result, finding


@looped("edit", EDITS)
def test_the_edited_event_is_named(edit: str) -> None:
    plan, change = EDITS[edit]
    made = trees(plan)
    seq = change(made)
    result, finding = found_in(made)

    assert (finding.code, finding.seq, finding.place, finding.rule) == (
        "broken_chain",
        seq,
        seq,
        "",
    )
    assert (result.events, result.status) == (seq - 1, "unfinished")
    assert result.head == made[seq - 1]["prev"]
    assert finding.expected == made[seq]["prev"] == trees(plan)[seq]["prev"]
    assert finding.recorded == _leaf(made, seq)


def _leaf(made: list[Tree], seq: int) -> str:
    key = seal_key(made[0]["game"], made[0]["hidden"]["server"]["secret"])
    line = msgspec.json.encode(made[seq - 1], order="sorted")
    return leaf_hash(redact(line, key, None, opened=False))


def test_nothing_of_the_edited_event_is_told() -> None:
    made = trees("classic")
    seq = name(made)
    walked = walk(rows(made), "file")

    assert len(walked.steps) == walked.verdict.events == seq - 1


def test_where_the_second_one_was_changed_it_is_named() -> None:
    """Its own hash of the one before is another: what follows does not fit it as it stands."""
    made = trees("classic")
    made[29]["prev"] = "0" * 64
    _, finding = found_in(made)

    assert (finding.code, finding.seq, finding.rule) == ("broken_chain", 30, "")


def test_with_nothing_after_it_either_may_have_been_changed() -> None:
    made = trees("classic")
    seq = time(made)
    _, finding = found_in(made[: seq + 1])

    assert finding.seq == seq + 1
    assert "it or the one before it" in finding.text


def test_where_both_were_changed_the_first_that_does_not_fit_is_named() -> None:
    made = trees("classic")
    seq = time(made)
    made[seq]["at"] += 1
    _, finding = found_in(made)

    assert finding.seq == seq + 1


@looped("edit", EDITS)
def test_rows_are_fed_one_after_the_other_as_before(edit: str) -> None:
    """The finding does not depend on how many rows follow, once there are two."""
    plan, change = EDITS[edit]
    made: list[Any] = trees(plan)
    seq = change(made)
    auditor = Auditor(made[0]["game"])
    for row in rows(made)[: seq + 2]:
        auditor.feed(row)

    assert [finding.seq for finding in auditor.close().findings] == [seq]
