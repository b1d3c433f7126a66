"""Presences: a seat that signed that it was there bounds the times of the events around it."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Error

from phaseledger.domain.terms import Clock
from phaseledger.domain.words import spoken
from phaseledger.replay.evidence.verify.evidence import Judgement
from phaseledger.replay.evidence.verify.files.receipts import read_receipts
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.verify import verify
from phaseledger.replay.formats.bundle.reader import parse_bundle
from phaseledger.replay.formats.records.source import UnknownGame
from phaseledger.replay.formats.signing.presences import SLACK, Presence, confirm, sign_present
from phaseledger.replay.text import utc_time
from tests.support.browser import Verifier, codes
from tests.support.cases import looped
from tests.support.replay.bundles import of_kind
from tests.support.replay.clocked_games import stored, timed_out
from tests.support.replay.graded_games import POLICY, SIGNED
from tests.support.replay.operator_games import OPERATOR, STRANGER, Table, bundled
from tests.support.replay.page_grades import written
from tests.support.replay.presences import EVENTS, LATE, LINES, OUT, present

HEAD = msgspec.json.decode(LINES[0])["bundle"]["head"]


def judged(folder: Path, kept: Sequence[Presence], policy: Policy | None = POLICY) -> Judgement:
    file = folder / "mine.ndjson"
    file.write_bytes(b"".join(msgspec.json.encode(presence) + b"\n" for presence in kept))
    receipts = list(read_receipts(str(file)))
    (examined,) = verify([parse_bundle(LINES, "file")], policy, receipts)
    return examined.judgement


def on_the_page(
    page: Verifier, kept: Sequence[Presence], policy: Policy | None = POLICY
) -> list[str]:
    text = "".join(msgspec.json.encode(presence).decode() + "\n" for presence in kept)
    answer = page.verify(b"".join(LINES), text, written(policy) if policy else None)
    return codes(answer)


@looped("policy", [None, POLICY])
def test_a_player_who_was_there(page: Verifier, policy: Policy | None, tmp_path: Path) -> None:
    judgement = judged(tmp_path, [present()], policy)
    assert judgement.problems == ()
    (note,) = (note for note in judgement.notes if "was there" in note)
    assert f"20.000 seconds after event {OUT}, it signed the operator" in note
    assert spoken(note, "de").startswith('Platz "Seat 1" war da: um ')
    assert f", 20,000 secondes après l'événement {OUT}, elle a signé " in spoken(note, "fr")
    assert on_the_page(page, [present()], policy) == []


@looped("at", [EVENTS[-1]["at"] + 1, 253_402_300_800_000, 10**18])
def test_a_presence_at_a_time_of_any_size(at: int, tmp_path: Path) -> None:
    """After the newest event nothing bounds it: it may lie beyond the year 9999."""
    judgement = judged(tmp_path, [present(len(EVENTS), at, leaf=HEAD)])
    assert judgement.problems == ()
    assert any(f"was there: at {utc_time(at)}, " in note for note in judgement.notes)


FALSE = {
    "a time-out dated back": (present(at=LATE["at"] + SLACK + 1), "time_contradicted", "times"),
    "an asking dated ahead": (
        present(at=EVENTS[OUT - 1]["at"] - SLACK - 1), "time_contradicted", "times",
    ),
    "signed by another seat": (present(by=1 - LATE["data"]["seat"]), "bad_receipt", "receipt"),
    "signed by nobody": (
        confirm(
            LATE["game"], LATE["data"]["seat"], LATE["prev"], OUT, LATE["at"], "", OPERATOR
        ),
        "bad_receipt", "receipt",
    ),
    "of another story": (
        confirm(
            LATE["game"], LATE["data"]["seat"], "ab" * 32, OUT, LATE["at"],
            sign_present(
                Table(SIGNED).key(LATE["data"]["seat"]),
                LATE["game"], LATE["data"]["seat"], "ab" * 32, OUT,
            ),
            OPERATOR,
        ),
        "equivocation", "receipt",
    ),
}  # fmt: skip


WORTHLESS = {
    "confirmed by a stranger": present(key=STRANGER),
    "with another time": replace(present(), at=LATE["at"]),
    "of another event": replace(present(), seq=OUT - 1),
}


@looped("name", WORTHLESS)
def test_what_the_operator_has_not_signed_convicts_nobody(
    page: Verifier, name: str, tmp_path: Path
) -> None:
    presence = WORTHLESS[name]
    judgement = judged(tmp_path, [presence])
    assert [problem.code for problem in judgement.problems] == ["worthless_receipt"]
    assert judgement.conclusion == "too_little"
    assert on_the_page(page, [presence]) == []


@looped("name", FALSE)
def test_what_contradicts_it(page: Verifier, name: str, tmp_path: Path) -> None:
    presence, code, on_page = FALSE[name]
    judgement = judged(tmp_path, [presence])
    assert [problem.code for problem in judgement.problems] == [code]
    assert judgement.conclusion == "operator"
    assert on_the_page(page, [presence]) == [on_page]


def test_one_of_another_game_is_refused(page: Verifier, tmp_path: Path) -> None:
    other = replace(present(), game="11111111-1111-4111-8111-111111111111")
    with pytest.raises(UnknownGame, match="of another game"):
        judged(tmp_path, [other])
    with pytest.raises(Error, match="of another game"):
        on_the_page(page, [other])


@looped("at", [LATE["at"] + SLACK, EVENTS[OUT - 1]["at"] - SLACK])
def test_what_a_command_takes_is_no_contradiction(page: Verifier, at: int, tmp_path: Path) -> None:
    assert judged(tmp_path, [present(at=at)]).problems == ()
    assert on_the_page(page, [present(at=at)]) == []


def test_a_presence_without_a_key_at_a_table_without_keys(tmp_path: Path) -> None:
    lines = bundled(stored(timed_out(Clock(5), 5_000)))
    event = of_kind(lines, "event")[-1]
    kept = confirm(event["game"], 0, event["prev"], event["seq"] - 1, event["at"], "", OPERATOR)
    file = tmp_path / "mine.ndjson"
    file.write_bytes(msgspec.json.encode(kept) + b"\n")
    (examined,) = verify([parse_bundle(lines, "file")], None, read_receipts(str(file)))
    (note,) = (note for note in examined.judgement.notes if "it told the operator" in note)
    assert "hat er dem Betreiber gesagt" in spoken(note, "de")
