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
    Tree,
    first,
    rechained,
    rows,
    seq_of,
    short_game,
    trees,
    verdict,
)

LENGTH = len(short_game())
TURN = seq_of("TurnBegan")


def _exchanged(made: list[Tree], seq: int) -> None:
    made.insert(seq, made.pop(seq - 1))


def _exchanged_and_renumbered(made: list[Tree], seq: int) -> None:
    _exchanged(made, seq)
    made[seq - 1]["seq"], made[seq]["seq"] = seq, seq + 1


GAP = {seq: {"expected": f"event {seq}", "recorded": f"event {seq + 1}"} for seq in (2, 7, 20)}
STRAY = {"expected": f"game {GAME}", "recorded": f"game {OTHER}", "place": 13}
BREAKS: list[tuple[Callable[[list[Tree], int], object], int, str, dict[str, object]]] = [
    # what is done at an event, which one, and the finding about it
    *((lambda made, seq: made.pop(seq - 1), seq, "gap", due) for seq, due in GAP.items()),
    (lambda made, seq: made.pop(seq - 1), 1, "gap", {}),
    (lambda made, _: made.pop(), LENGTH, "truncated", {"expected": "GameEnded"}),
    *(
        (lambda made, seq: made.insert(seq, made[seq - 1]), seq, "repeated", {})
        for seq in (2, 12, LENGTH)
    ),
    (_exchanged, 3, "reordered", {}),
    (_exchanged, 15, "reordered", {}),
    (_exchanged_and_renumbered, seq_of("SeatTaken"), "broken_chain", {}),
    (lambda made, seq: made[seq - 1].update(type="X/1"), 10, "unknown_topic", {"recorded": "X/1"}),
    (lambda made, seq: made[seq - 1]["data"].update(stray=1), 21, "unreadable", {}),
    (lambda made, _: made.insert(12, trees(OTHER, "other")[12]), 13, "wrong_game", STRAY),
    (lambda made, seq: made[seq - 1].update(game=OTHER), 13, "wrong_game", {}),
    (lambda made, seq: made.append(made[-1] | {"seq": seq}), LENGTH + 1, "after_end", {}),
]


@looped(("change", "seq", "code", "due"), BREAKS)
def test_a_log_that_is_not_whole(
    change: Callable[[list[Tree], int], object], seq: int, code: str, due: dict[str, object]
) -> None:
    made = trees()
    change(made, seq)
    finding = first(made)

    assert (finding.code, finding.seq) == (code, seq)
    assert {name: getattr(finding, name) for name in due} == due
    assert code != "gap" or finding.place == seq


def _filed(place: int, **others: object) -> Callable[[SourceRow], SourceRow]:
    return lambda row: replace(row, **others) if row.place == place else row


FILED: list[tuple[Callable[[SourceRow], SourceRow], str, int, str]] = [
    # how rows of the store differ, and the finding
    (lambda row: replace(row, game=OTHER, version=row.place), "wrong_game", 1, ""),
    (
        lambda row: replace(row, version=row.place + (row.place > 4)),
        "gap",
        5,
        "event 5, filed as 6",
    ),
    (_filed(TURN, topic="SkipServed/1"), "unreadable", TURN, ""),
    *(
        (_filed(6, stored=stored, version=6), "unreadable", 6, "")
        for stored in (b"", b"[]", b"\xff\xfe", b'{"at":', b"[" * 9999)
    ),
]


@looped(("change", "code", "seq", "recorded"), FILED)
def test_rows_of_the_store_that_are_not_what_they_are_filed_as(
    change: Callable[[SourceRow], SourceRow], code: str, seq: int, recorded: str
) -> None:
    (only,) = audit(map(change, rows(trees())))
    finding = only.findings[0]

    assert (finding.code, finding.seq) == (code, seq)
    assert not recorded or finding.recorded == recorded


def test_cut_between_commands_is_a_note() -> None:
    starts = [tree["seq"] for tree in trees() if "act" in tree["data"]]
    cut = verdict(trees()[: starts[9] - 1])

    assert cut.sound
    assert cut.status == "unfinished"
    assert f"after event {starts[9] - 1}" in cut.notes[0]


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
