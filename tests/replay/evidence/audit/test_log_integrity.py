"""An audit of a log that is not whole: numbers, types, canonical bytes, chain."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.formats.records.findings import SourceRow
from tests.support.cases import looped
from tests.support.replay.log_edits import (
    GAME,
    OTHER,
    first,
    rechained,
    rows,
    seq_of,
    short_game,
    trees,
    verdict,
)

LENGTH = len(short_game())


@looped("seq", [2, 7, 20])
def test_dropped(seq: int) -> None:
    made = trees()
    del made[seq - 1]
    finding = first(made)

    assert ("gap", seq, f"event {seq}", f"event {seq + 1}") == (
        finding.code, finding.seq, finding.expected, finding.recorded,
    )  # fmt: skip
    assert seq == finding.place


def test_first_event_dropped() -> None:
    finding = first(trees()[1:])

    assert (finding.code, finding.seq) == ("gap", 1)


@looped("seq", [2, 12, LENGTH])
def test_repeated(seq: int) -> None:
    made = trees()
    made.insert(seq, made[seq - 1])
    finding = first(made)

    assert ("repeated", seq) == (finding.code, finding.seq)


@pytest.mark.parametrize("seq", [3, 15])
def test_swapped(seq: int) -> None:
    made = trees()
    made[seq - 1], made[seq] = made[seq], made[seq - 1]
    finding = first(made)

    assert ("reordered", seq) == (finding.code, finding.seq)


def test_swapped_and_renumbered_breaks_the_chain() -> None:
    made = trees()
    a = seq_of("SeatTaken")
    made[a - 1], made[a] = made[a], made[a - 1]
    made[a - 1]["seq"], made[a]["seq"] = a, a + 1
    finding = first(made)

    assert ("broken_chain", a) == (finding.code, finding.seq)


def test_cut_inside_a_command() -> None:
    finding = first(trees()[: LENGTH - 1])

    assert (finding.code, finding.seq, finding.expected) == ("truncated", LENGTH, "GameEnded")


def test_cut_between_commands_is_a_note() -> None:
    starts = [tree["seq"] for tree in trees() if "act" in tree["data"]]
    cut = verdict(trees()[: starts[9] - 1])

    assert cut.sound
    assert cut.status == "unfinished"
    assert f"after event {starts[9] - 1}" in cut.notes[0]


def test_unknown_topic() -> None:
    made = trees()
    made[9]["type"] = "CardStolen/1"
    finding = first(made)

    assert (finding.code, finding.seq, finding.recorded) == ("unknown_topic", 10, "CardStolen/1")


RESPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "white space": lambda stored: stored.replace(b",", b", ", 1),
    "key twice": lambda stored: b'{"at":1,' + stored[1:],
    "minus nought": lambda stored: stored.replace(b'"at":0', b'"at":-0'),
    "escape": lambda stored: stored.replace(b'"type":"CardDrawn', b'"type":"\\u0043ardDrawn'),
    "beyond 2^53": lambda stored: stored.replace(b'"at":0', b'"at":9007199254740992'),
    "default spelled out": lambda stored: stored.replace(
        b'{"type":"draw"', b'{"source":"stock","type":"draw"'
    ),
}


@pytest.mark.parametrize("respell", RESPELLINGS.values(), ids=RESPELLINGS)
def test_not_canonical(respell: Callable[[bytes], bytes], request: pytest.FixtureRequest) -> None:
    seq = seq_of("CardDrawn", lambda tree: "hidden" in tree)
    made = list(short_game())
    made[seq - 1] = respell(made[seq - 1])
    finding = first(made)

    assert ("not_canonical", seq) == (finding.code, finding.seq)
    spelling = request.node.callspec.id in (
        "white space",
        "key twice",
        "minus nought",
        "escape",
        "null",
    )
    assert spelling == (finding.expected == "canonical JSON (RFC 8785)")


def test_a_stray_field_is_no_event_of_ours() -> None:
    made = trees()
    made[20]["data"]["stray"] = 1
    finding = first(made)

    assert (finding.code, finding.seq) == ("unreadable", 21)


@pytest.mark.parametrize("field", ["at", "cmd"])
def test_advisory_fields_are_chained(field: str) -> None:
    seq = seq_of("CardDrawn")
    made = trees()
    made[seq - 1][field] = {"at": 1, "cmd": "0" * 64}[field]
    finding = first(made)

    assert ("broken_chain", seq, "") == (finding.code, finding.seq, finding.rule)


def test_one_command_one_name() -> None:
    seq = seq_of("RoundDealt")
    made = trees()
    made[seq - 1]["cmd"] = "0" * 64
    finding = first(rechained(made))

    assert ("outcome_differs", seq, "") == (finding.code, finding.seq, finding.rule)
    assert "cmd = " in finding.expected


def test_one_name_for_two_commands() -> None:
    """Even if all that follows from it is right: the log takes one command under one id."""
    made = trees()
    second = next(tree for tree in made if tree["seq"] >= seq_of("CardDrawn"))
    for tree in made:
        if tree["cmd"] == second["cmd"]:
            tree["cmd"] = made[0]["cmd"]
    finding = first(rechained(made))

    assert ("command_repeated", second["seq"], "") == (finding.code, finding.seq, finding.rule)
    assert finding.recorded == made[0]["cmd"]


def test_event_of_another_game_inside() -> None:
    made = trees()
    made.insert(12, trees(OTHER, "other")[12])
    finding = first(made)

    assert ("wrong_game", 13, f"game {GAME}", f"game {OTHER}") == (
        finding.code, finding.seq, finding.expected, finding.recorded,
    )  # fmt: skip
    assert finding.place == 13


def test_event_of_another_game_in_its_place() -> None:
    made = trees()
    made[12]["game"] = OTHER
    finding = first(made)

    assert (finding.code, finding.seq) == ("wrong_game", 13)


def test_filed_under_another_game_in_the_store() -> None:
    made = [replace(row, game=OTHER, version=row.place) for row in rows(trees())]
    (only,) = audit(made)

    assert (only.findings[0].code, only.findings[0].seq) == ("wrong_game", 1)


def test_game_without_an_opening_in_the_store() -> None:
    """The game that stands before it is innocent, even if it is not over."""
    length = seq_of("CardDrawn") - 1
    before = [replace(row, version=row.place) for row in rows(trees()[:length])]
    lost = [replace(row, version=row.place) for row in rows(trees(OTHER, "other"))[1:]]
    first_verdict, second_verdict = audit([*before, *lost])

    assert (first_verdict.game, first_verdict.sound, first_verdict.events) == (GAME, True, length)
    assert (
        second_verdict.game,
        second_verdict.findings[0].code,
        second_verdict.findings[0].seq,
    ) == (OTHER, "gap", 1)


def test_stray_in_a_file_says_whose_it_is() -> None:
    stray = replace(rows(trees(OTHER, "other"))[12], topic="Nonsense/1", stored=b"{}")
    (only,) = audit([*rows(trees()[:9]), stray])
    (finding,) = only.findings

    assert ("wrong_game", f"game {OTHER}") == (finding.code, finding.recorded)


def test_filed_under_another_number_in_the_store() -> None:
    made = [replace(row, version=row.place + (row.place > 4)) for row in rows(trees())]
    (only,) = audit(made)
    (finding,) = only.findings

    assert (finding.code, finding.seq, finding.recorded) == ("gap", 5, "event 5, filed as 6")


def test_filed_under_another_topic_in_the_store() -> None:
    seq = seq_of("TurnBegan")
    made = rows(trees())
    made[seq - 1] = replace(made[seq - 1], topic="SkipServed/1")
    (only,) = audit(made)

    assert ("unreadable", seq) == (only.findings[0].code, only.findings[0].seq)


def test_after_end() -> None:
    made = trees()
    made.append(made[-1] | {"seq": LENGTH + 1})
    finding = first(made)

    assert (finding.code, finding.seq) == ("after_end", LENGTH + 1)


def test_after_end_and_another_game() -> None:
    """A sound game has left memory by then."""
    late = trees()[4]
    verdicts = list(audit(rows([*trees(), *trees(OTHER, "other"), late])))
    by_game = {v.game: v.findings for v in verdicts if not v.sound}

    assert len(verdicts) == 3
    assert (by_game[GAME][0].code, by_game[GAME][0].seq) == ("repeated", 5)


def test_interleaved_games() -> None:
    both = [row for pair in zip(rows(trees()), rows(trees(OTHER, "other"))) for row in pair]  # noqa: B905
    rest = {GAME: rows(trees()), OTHER: rows(trees(OTHER, "other"))}
    length = len(both) // 2
    verdicts = list(audit([*both, *rest[GAME][length:], *rest[OTHER][length:]]))

    assert [v.sound for v in verdicts] == [True, True]
    assert [v.status for v in verdicts] == ["finished", "finished"]


@looped("stored", [b"", b"[]", b"\xff\xfe", b'{"at":', b"[" * 9999])
def test_unreadable_bytes_in_the_store(stored: bytes) -> None:
    made = rows(trees())
    made[5] = SourceRow(GAME, made[5].topic, stored, 6, 6)
    (only,) = audit(made)

    assert (only.findings[0].code, only.findings[0].seq) == ("unreadable", 6)
