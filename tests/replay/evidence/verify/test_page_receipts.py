"""Receipts that somebody kept, given to the page: it says what `verify --receipt` says."""

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Error

from phaseledger.replay.evidence.verify.files.receipts import parse_receipts, read_receipts
from phaseledger.replay.formats.records.source import DamagedSource
from phaseledger.replay.formats.signing.receipts import Receipt
from tests.support.browser import Verifier, checked, opened, texts_of
from tests.support.cases import looped
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.bundles import good, of_kind
from tests.support.replay.page_grades import agree
from tests.support.replay.policy_cases import (
    KEPT,
    SHARED_KEPT,
    classic_bundle,
    issued,
    judged_with,
    shared,
)

WHOLE = b"".join(good())


def lines_of(*receipts: Receipt) -> str:
    """A file of receipts."""
    return "".join(f"{msgspec.json.encode(receipt).decode()}\n" for receipt in receipts)


OWN = lines_of(*(Receipt(**receipt) for receipt in of_kind(good(), "receipt")))


def test_receipts_that_fit(page: Verifier) -> None:
    answer = page.verify(WHOLE, OWN)
    assert (answer["ok"], answer["grade"]) == (True, "consistent")
    assert texts_of(answer, "kept").endswith(f"{len(OWN.splitlines())} fit the events.")
    assert "none were given" in texts_of(page.verify(WHOLE), "kept")


def test_receipts_with_blank_lines(page: Verifier, tmp_path: Path) -> None:
    """As a stream and an editor leave them; the numbers are those of the file's lines."""
    file, other = tmp_path / "mine.ndjson", KEPT[next(iter(KEPT))][0]
    text = "\r\n" + OWN.replace("\n", "\r\n \r\n") + lines_of(other)
    file.write_bytes(text.encode("utf-8-sig"))
    lines = [kept.line for kept in read_receipts(str(file))]
    assert lines == [*range(2, 2 * len(OWN.splitlines()) + 1, 2), 2 * len(OWN.splitlines()) + 2]
    (finding,) = page.verify(WHOLE, text)["findings"]
    assert finding["text"].endswith(f"in line {lines[-1]} of your receipts")


@looped("what", KEPT)
def test_a_receipt_that_tells_another_story(page: Verifier, what: str) -> None:
    receipt, code = KEPT[what]
    judgement = judged_with(good(), [receipt], None)
    answer = page.verify(WHOLE, OWN + lines_of(receipt))
    if code == "worthless_receipt":
        agree(answer, judgement)
        assert (judgement.conclusion, answer["status"]) == ("too_little", "lacking")
        assert "1 receipt that was kept proves nothing" in texts_of(answer, "kept")
        return
    assert (judgement.conclusion, judgement.grade) == ("operator", "none")
    assert (answer["ok"], answer["grade"]) == (False, "none")
    (finding,) = answer["findings"]
    assert finding["code"] == "receipt"
    assert finding["text"].endswith(f"in line {len(OWN.splitlines()) + 1} of your receipts")


def test_who_takes_the_receipts_out_speaks_for_nobody(page: Verifier) -> None:
    """F4: nor who then adds a line under the checkpoint, and a receipt by the same key."""
    lines, receipt = classic_bundle(receipts=False, covered=81), KEPT["of another first leaf"][0]
    judgement = judged_with(lines, [receipt])
    assert (judgement.problems, judgement.grade) == ((), "consistent")
    answer = page.verify(b"".join(lines), lines_of(receipt))
    assert (answer["ok"], answer["grade"]) == (True, "consistent")
    assert "tell another story" in texts_of(answer, "kept")


@looped("place", [0, 1, 2])
def test_a_receipt_that_shares_its_signature(page: Verifier, place: int) -> None:
    answer = page.verify(WHOLE, OWN + lines_of(shared(place)))
    assert (answer["ok"], answer["grade"]) == (True, "consistent")
    assert judged_with(good(), [shared(place)]).conclusion != "operator"


@looped("what", SHARED_KEPT)
def test_what_is_no_receipt_of_a_commit(page: Verifier, what: str) -> None:
    receipt, code = SHARED_KEPT[what]
    judgement = judged_with(good(), [receipt])
    assert [problem.code for problem in judgement.problems] == [code]
    agree(page.verify(WHOLE, lines_of(receipt)), judgement)


def test_a_receipt_of_another_game(page: Verifier) -> None:
    with pytest.raises(Error, match="line 1: the receipt is of another game"):
        page.verify(bundle("small"), OWN)


@looped("text", ["", "{}\n", "null\n", "[]\n", "?\n", "x" * 5_000])
def test_what_is_no_file_of_receipts(page: Verifier, text: str) -> None:
    with pytest.raises(Error, match=r"receipt"):
        page.verify(WHOLE, text)


@pytest.mark.parametrize("change", [('"seq":', '"seq":1,"seq":'), (',"sig"', '.0,"sig"')])
def test_what_neither_takes_for_a_receipt(page: Verifier, change: tuple[str, str]) -> None:
    """F5: a name twice, and a number that is not spelt as a whole one."""
    line = lines_of(issued())
    changed = line.replace(*change)
    assert changed != line
    with pytest.raises(Error, match=r"line 1: the line is no receipt"):
        page.verify(WHOLE, changed)
    with pytest.raises(DamagedSource, match=r"mine:1: the line is no receipt"):
        list(parse_receipts(changed.encode(), "mine"))


def test_a_player_gives_receipts_before_or_after_the_bundle(browser: Browser) -> None:
    kept = {"name": "mine", "mimeType": "text/plain", "buffer": OWN.encode()}
    with opened(browser) as verifier:
        page = verifier.page
        page.set_input_files("#kept", kept)  # type: ignore[arg-type]
        page.get_by_text("The receipts are at hand").wait_for()
        assert checked(verifier, WHOLE).startswith("SOUND")
        count = len(OWN.splitlines())
        assert f"Receipts that you kept: {count} fit the events." in page.inner_text("#checks")
        other = lines_of(KEPT["of another leaf"][0]).encode()
        page.set_input_files("#kept", {**kept, "buffer": other})  # type: ignore[arg-type]
        page.get_by_text("in line 1 of your receipts").wait_for()
        assert page.inner_text("#verdict").startswith("NOT sound")
